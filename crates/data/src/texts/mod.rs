//! How texts write numbers, dates, times and durations. It knows no tables and no facts.
//!
//! [`number_texts`] reads plain numbers without a search and knows other notations, and [`number_values`] reads their values.
//! [`date_texts`] and [`period_texts`] read dates and durations, [`time_names`] knows what names say, and [`moment`] compares
//! times and writes them. A [`Notation`] is that of a whole column.

pub(crate) mod date_texts;
pub(crate) mod moment;
pub(crate) mod number_texts;
pub(crate) mod number_values;
pub(crate) mod period_texts;
pub(crate) mod time_names;

use crate::texts::date_texts::DateNotation;
use crate::texts::number_values::Decimals;

pub use moment::microseconds;
pub(crate) use moment::{Limit, Point, Time};

/// The text of a name: those that begin with a digit, or hold a dot or a slash, are in quotes.
pub(crate) fn unquoted(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(text)
}

/// A notation of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Notation {
    Dates(DateNotation),
    Numbers(Decimals),
}

impl Notation {
    /// The notation that words name.
    pub(crate) fn named(words: &str) -> Option<Self> {
        let dates = DateNotation::named(words).map(Self::Dates);
        dates.or_else(|| Decimals::named(words).map(Self::Numbers))
    }

    /// The words for it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Dates(notation) => notation.words(),
            Self::Numbers(decimals) => decimals.words(),
        }
    }

    /// Whether it is one of months, quarters, weeks or years.
    pub(crate) const fn is_of_periods(self) -> bool {
        matches!(self, Self::Dates(DateNotation::Period(_)))
    }

    /// Whether years may have two digits.
    pub(crate) const fn has_short_years(self) -> bool {
        use DateNotation::{DayFirst, MonthFirst, NamedMonth, ShortYearFirst, SixDigits};
        matches!(self, Self::Dates(DayFirst | MonthFirst | NamedMonth | ShortYearFirst | SixDigits))
    }
}
