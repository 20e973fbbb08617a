//! Times: how they are written, which is earlier, and how old a fact is.
//!
//! A time is a number, or a date or date-time of ISO 8601. A date without a time of day is a whole day. As the time of
//! a fact it counts as the day's end: only then is all known that the day brought. A cut-off *before* a day is the day's
//! beginning, and one *up to* a day its end.
//!
//! The texts of days and times that are counted from 1970, as other programs write them in CSV.

use std::cmp::Ordering;

use jiff::civil::{Date, DateTime, Time as Clock};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use jiff::{SignedDuration, Span, Timestamp};

use gleaner_lang::program::Number;

/// Nanoseconds of a day.
const DAY: i128 = 86_400 * SECOND;

/// Nanoseconds of a second.
const SECOND: i128 = 1_000_000_000;

/// The day from which nanoseconds count.
const EPOCH: Date = Date::constant(1970, 1, 1);

/// A time of the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Time {
    /// A number of any unit.
    Number(Number),
    /// Nanoseconds since 1970 began in UTC.
    Instant(i128),
    /// The nanosecond that a day of UTC begins with.
    Day(i128),
}

/// A point on the line of times. Points of numbers and of dates are never compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// The number, rounded; 0 for dates.
    rounded: f64,
    /// The number without its fraction, or nanoseconds: decides between numbers that round to the same.
    whole: i128,
}

impl Point {
    /// The order in time: total, so that any points can be sorted.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.rounded.total_cmp(&other.rounded).then(self.whole.cmp(&other.whole))
    }
}

/// The last point at which facts exist, or the first at which they do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    point: Point,
    is_inclusive: bool,
}

impl Limit {
    /// Whether a fact of this time exists.
    pub(crate) fn admits(&self, of_fact: &Point) -> bool {
        match of_fact.compare(&self.point) {
            Ordering::Less => true,
            Ordering::Equal => self.is_inclusive,
            Ordering::Greater => false,
        }
    }
}

impl Time {
    /// Reads the text of a constant, which has this value if it is a number.
    pub(crate) fn read(text: &str, number: Option<Number>) -> Option<Self> {
        if let Some(number) = number {
            return Some(Self::Number(number));
        }
        let quoted = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        let written = quoted('\'').or_else(|| quoted('"')).unwrap_or(text);
        // A date begins with its year: a text as `1` or `10:00` is none.
        if !written.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+')) {
            return None;
        }
        let pieces = Pieces::parse(written).ok().filter(|pieces| pieces.time_zone_annotation().is_none())?;
        let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
        let time = pieces.time();
        // Days are counted, as timestamps end before 9999-12-31, which tables write for "never".
        let days = pieces.date().since(EPOCH).ok()?.get_days();
        let since_midnight = time.unwrap_or_default().duration_since(Clock::midnight()).as_nanos();
        let nanoseconds = i128::from(days) * DAY + since_midnight - i128::from(offset.seconds()) * SECOND;
        Some(if time.is_some() { Self::Instant(nanoseconds) } else { Self::Day(nanoseconds) })
    }

    /// Whether this is a number.
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// The point from which a fact of this time exists.
    pub(crate) fn of_fact(self) -> Point {
        match self {
            Self::Number(number) => point_of(number),
            Self::Instant(at) => Point { rounded: 0.0, whole: at },
            Self::Day(start) => Point { rounded: 0.0, whole: start + DAY - 1 },
        }
    }

    /// The point at which it begins.
    pub(crate) fn beginning(self) -> Point {
        match self {
            Self::Number(_) => self.of_fact(),
            Self::Instant(at) | Self::Day(at) => Point { rounded: 0.0, whole: at },
        }
    }

    /// Whether this begins no later than another time, and ends no later.
    pub(crate) fn is_no_later_than(self, other: Self) -> bool {
        self.beginning().compare(&other.beginning()).is_le()
            && self.of_fact().compare(&other.of_fact()).is_le()
    }

    /// Whether this begins later than another time.
    pub(crate) fn is_after(self, other: Self) -> bool {
        self.beginning().compare(&other.beginning()).is_gt()
    }

    /// Facts before this time, or up to it.
    pub(crate) fn limit(self, is_inclusive: bool) -> Limit {
        let point = match self {
            Self::Day(start) if !is_inclusive => Point { rounded: 0.0, whole: start },
            Self::Number(_) | Self::Instant(_) | Self::Day(_) => self.of_fact(),
        };
        Limit { point, is_inclusive }
    }

    /// Whether this is a date without a time of day.
    pub(crate) const fn is_day(self) -> bool {
        matches!(self, Self::Day(_))
    }

    /// The date and the time of day at which it begins, in UTC; none for numbers.
    pub(crate) fn moment(self) -> Option<DateTime> {
        let (Self::Instant(at) | Self::Day(at)) = self else { return None };
        let days = Span::new().try_days(i64::try_from(at.div_euclid(DAY)).ok()?).ok()?;
        let since_midnight = SignedDuration::from_nanos(i64::try_from(at.rem_euclid(DAY)).ok()?);
        EPOCH.checked_add(days).ok()?.at(0, 0, 0, 0).checked_add(since_midnight).ok()
    }

    /// The year, with the part of it that has passed; none for numbers.
    pub(crate) fn in_years(self) -> Option<f64> {
        let moment = self.moment()?;
        let date = moment.date();
        let since_midnight = moment.time().duration_since(Clock::midnight()).as_secs_f64();
        let days = f64::from(date.day_of_year() - 1) + since_midnight / 86_400.0;
        Some(f64::from(date.year()) + days / f64::from(date.days_in_year()))
    }

    /// How long before the cut-off a fact was, in days for dates. Days count from their beginning, as subtraction of
    /// dates does. None if the numbers are too large, or one is a date.
    pub(crate) fn age_at(self, cut_off: Self) -> Option<Number> {
        match (cut_off, self) {
            (Self::Number(Number::Integer(late)), Self::Number(Number::Integer(early))) => {
                late.checked_sub(early).map(Number::Integer)
            }
            (Self::Number(late), Self::Number(early)) => {
                Some(late.as_f64() - early.as_f64()).filter(|age| age.is_finite()).map(Number::Float)
            }
            (Self::Instant(late) | Self::Day(late), Self::Instant(early) | Self::Day(early)) => {
                Some(days(late - early))
            }
            (Self::Number(_), _) | (_, Self::Number(_)) => None,
        }
    }
}

/// Microseconds from 1970 to a date or a date-time, of UTC; none for other texts.
pub fn microseconds(written: &str) -> Option<i64> {
    let (Time::Instant(at) | Time::Day(at)) = Time::read(written, None)? else { return None };
    i64::try_from(at.div_euclid(1_000)).ok()
}

/// Nanoseconds as days: whole where they are. Databases count microseconds, whose floats are exact for 285 years.
#[expect(clippy::cast_precision_loss, reason = "a fraction of a day is rounded to a float")]
fn days(nanoseconds: i128) -> Number {
    match i64::try_from(nanoseconds / DAY) {
        Ok(whole) if nanoseconds % DAY == 0 => Number::Integer(whole),
        _ if nanoseconds % 1000 == 0 => Number::Float((nanoseconds / 1000) as f64 / (DAY / 1000) as f64),
        _ => Number::Float(nanoseconds as f64 / DAY as f64),
    }
}

/// Numbers that round to the same float have different whole parts, if they differ: such floats have no fraction.
#[expect(
    clippy::cast_possible_truncation,
    reason = "beyond 128 bits all numbers are floats, which decide alone"
)]
fn point_of(number: Number) -> Point {
    // Zero has one sign.
    let rounded = number.as_f64() + 0.0;
    let whole = match number {
        Number::Integer(value) => i128::from(value),
        Number::Float(value) => value as i128,
    };
    Point { rounded, whole }
}

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

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use gleaner_lang::program::Number;

    use super::Time;

    fn date(text: &str) -> Time {
        Time::read(text, None).expect("a time")
    }

    #[test]
    fn dates_and_date_times_are_read_and_other_texts_are_not() {
        // 1970-01-02 begins 86,400 seconds after 1970.
        let second = 1_000_000_000;
        assert_eq!(date("'1970-01-02'"), Time::Day(86_400 * second));
        assert_eq!(date("'1970-01-01T00:00:01Z'"), Time::Instant(second));
        assert_eq!(date("\"1970-01-01 00:00:01.5\""), Time::Instant(1_500_000_000));
        assert_eq!(date("'1970-01-01T02:00:01+02:00'"), Time::Instant(second), "two hours east of UTC");
        assert_eq!(date("'1969-12-31'"), Time::Day(-86_400 * second));
        // The last day, by `date --utc +%s`.
        assert_eq!(date("'9999-12-31'"), Time::Day(253_402_214_400 * second));
        assert!(
            date("'9999-12-31'")
                .in_years()
                .is_some_and(|years| (years - 9999.0 - 364.0 / 365.0).abs() < 1e-9)
        );
        for text in
            ["''", "unknown", "'10:00'", "'2010-02-30'", "'2010-13-01'", "'March'", "'2010-03-01T25:00'"]
        {
            assert_eq!(Time::read(text, None), None, "{text}");
        }
    }

    #[test]
    fn a_day_ends_before_the_next_begins() {
        let day = date("'2010-03-01'").of_fact();
        for (cut_off, before, up_to) in [
            ("'2010-02-28'", false, false),
            ("'2010-03-01'", false, true),
            ("'2010-03-01T23:59:59'", false, false),
            ("'2010-03-02T00:00:00'", true, true),
            ("'2010-03-02'", true, true),
        ] {
            assert_eq!(date(cut_off).limit(false).admits(&day), before, "before {cut_off}");
            assert_eq!(date(cut_off).limit(true).admits(&day), up_to, "up to {cut_off}");
        }
        let noon = date("'2010-03-01T12:00:00'");
        assert!(!noon.limit(false).admits(&noon.of_fact()) && noon.limit(true).admits(&noon.of_fact()));
        assert!(!date("'2010-03-01'").limit(false).admits(&noon.of_fact()), "the day begins before noon");
        assert!(date("'2010-03-01'").limit(true).admits(&noon.of_fact()), "and ends after it");
    }

    #[test]
    fn ages_are_differences() {
        let age = |fact: &str, cut_off: &str| date(fact).age_at(date(cut_off));
        assert_eq!(age("'2010-02-28'", "'2010-03-01'"), Some(Number::Integer(1)));
        assert_eq!(age("'2012-02-28'", "'2012-03-01'"), Some(Number::Integer(2)), "2012 is a leap year");
        assert_eq!(age("'2010-03-01'", "'2010-03-02T12:00:00'"), Some(Number::Float(1.5)));
        let number = Time::Number;
        assert_eq!(number(Number::Integer(3)).age_at(number(Number::Integer(10))), Some(Number::Integer(7)));
        assert_eq!(number(Number::Float(0.5)).age_at(number(Number::Integer(2))), Some(Number::Float(1.5)));
        assert_eq!(number(Number::Integer(i64::MIN)).age_at(number(Number::Integer(1))), None);
        assert_eq!(number(Number::Integer(1)).age_at(date("'2010-03-01'")), None);
    }

    #[test]
    fn large_numbers_keep_their_order() {
        // 2^53 and 2^53 + 1 round to one float.
        let large = 1_i64 << 53;
        let point = |number| Time::Number(number).of_fact();
        let sorted = [
            point(Number::Float(-0.5)),
            point(Number::Integer(0)),
            point(Number::Float(0.5)),
            point(Number::Integer(large)),
            point(Number::Integer(large + 1)),
        ];
        assert!(sorted.is_sorted_by(|left, right| left.compare(right) == Ordering::Less));
        assert_eq!(point(Number::Float(-0.0)).compare(&point(Number::Integer(0))), Ordering::Equal);
        #[expect(clippy::cast_precision_loss, reason = "a power of two")]
        let same = point(Number::Float(large as f64));
        assert_eq!(same.compare(&point(Number::Integer(large))), Ordering::Equal);
    }
}
