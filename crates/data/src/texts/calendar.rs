//! The texts of days and times that are counted from 1970, as other programs write them in CSV.

use jiff::civil::Date;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};

/// The nanoseconds of a day.
pub(crate) const NANOSECONDS_OF_DAY: i128 = 86_400_000_000_000;

/// How a time since 1970 is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstantNotation {
    /// With the offset of UTC.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet has such times"))]
    Utc,
    /// Without an offset.
    Local,
    /// As a date: all times of the column are midnight.
    Days,
}

/// The date of a day since 1970-01-01; none beyond the years -9999 and 9999.
pub(crate) fn date_text(days: i64) -> Option<String> {
    let since = Span::new().try_days(days).ok()?;
    Some(Date::constant(1970, 1, 1).checked_add(since).ok()?.to_string())
}

/// The text of a time since 1970; none beyond the years -9999 and 9999.
pub(crate) fn instant_text(nanoseconds: i128, notation: InstantNotation) -> Option<String> {
    let at = Offset::UTC.to_datetime(Timestamp::from_nanosecond(nanoseconds).ok()?);
    Some(match notation {
        InstantNotation::Days => at.date().to_string(),
        InstantNotation::Local => format!("{} {}", at.date(), at.time()),
        InstantNotation::Utc => format!("{} {}+00:00", at.date(), at.time()),
    })
}
