//! How texts write numbers, dates, times and durations. It knows no tables and no facts.
//!
//! [`plain_numbers`] are read without a search, [`number_texts`] knows other notations of numbers and [`number_values`] their
//! values. [`date_texts`], [`period_texts`] and [`written`] read dates and durations, [`time_names`] knows what names say, and
//! [`moment`] compares times. A [`Notation`] is that of a whole column.

pub(crate) mod date_texts;
mod moment;
mod notation;
pub(crate) mod number_texts;
pub(crate) mod number_values;
pub(crate) mod period_texts;
pub(crate) mod plain_numbers;
pub(crate) mod time_names;
pub(crate) mod written;

pub use moment::microseconds;
pub(crate) use moment::{Limit, Point, Time};
pub(crate) use notation::Notation;

/// The text of a name: those that begin with a digit, or hold a dot or a slash, are in quotes.
pub(crate) fn unquoted(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(text)
}
