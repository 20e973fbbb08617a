//! The notation of a column: how its texts write dates or numbers.

use super::date_texts::DateNotation;
use super::number_values::Decimals;

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
