//! Months, quarters, weeks and years as texts and numbers. Each is read as its last day: what is said of it is known when it is over.
//!
//! How texts write durations and dates: `1:27.452`, `1:34:50.616`, and dates in other notations than ISO 8601.

use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::date_texts::{month, short_year};
use super::number_texts::are_digits;

/// How a part of a year is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Period {
    /// `2018-12`, `2018/12`.
    YearFirst,
    /// `12/2018`, `12-2018`.
    MonthFirst,
    /// `Dec 2018`, `December 2018`, `2018-Dec`; `Dec-18` only where it is said.
    NamedMonth,
    /// `2018-Q4`, `2018Q4`, `Q4 2018`.
    Quarter,
    /// `2018-W52`, and a day of it, `2018-W52-1`.
    Week,
    /// `201812`.
    Digits,
    /// `2018`: only where it is said.
    Year,
}

/// The signs between a year and its part.
const SIGNS: [char; 5] = ['-', '/', ' ', '.', ','];

/// The most quarters of a year: months of one digit that reach no further may be these.
const MOST_QUARTERS: i8 = 4;

impl Period {
    /// Those of texts.
    pub(crate) const OF_TEXTS: [Self; 5] =
        [Self::YearFirst, Self::MonthFirst, Self::NamedMonth, Self::Quarter, Self::Week];

    /// Its last day; none for other texts.
    pub(crate) fn last_day(self, text: &str) -> Option<Date> {
        let text = text.trim();
        let (year, month) = match self {
            Self::Week => return last_of_week(text),
            Self::YearFirst => {
                let (year_text, part) = text.split_once(['-', '/'])?;
                (year(year_text)?, number(part)?)
            }
            Self::MonthFirst => {
                let (part, year_text) = text.split_once(['-', '/'])?;
                (year(year_text)?, number(part)?)
            }
            Self::NamedMonth => named_month(text)?,
            Self::Quarter => quarter(text).map(|(year, quarter)| (year, 3 * quarter))?,
            Self::Digits => {
                let (year_text, part) = text.split_at_checked(4)?;
                (year(year_text)?, number(part).filter(|_| part.len() == 2)?)
            }
            Self::Year => (year(text)?, 12),
        };
        Some(Date::new(year, month, 1).ok()?.last_of_month())
    }

    /// Whether texts that it reads may all be something else: seasons as `2010-11`, quarters as `2018-2`, days as `Dec-18`.
    pub(crate) fn may_be_others<'t>(self, texts: impl Iterator<Item = std::borrow::Cow<'t, str>>) -> bool {
        let (mut are_seasons, mut are_long, mut last) = (true, true, 0);
        for text in texts {
            let Some(day) = self.last_day(&text) else { continue };
            let month = day.month();
            are_seasons &= i16::from(month) == (day.year() + 1) % 100;
            let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
            are_long &= n_digits >= if self == Self::NamedMonth { 4 } else { 6 };
            last = last.max(month);
        }
        match self {
            Self::YearFirst => are_seasons || !are_long && last <= MOST_QUARTERS,
            Self::MonthFirst => !are_long && last <= MOST_QUARTERS,
            Self::NamedMonth => !are_long,
            Self::Year => true,
            Self::Quarter | Self::Week | Self::Digits => false,
        }
    }
}

/// A year of four digits in which tables are written.
fn year(text: &str) -> Option<i16> {
    let is_year = text.len() == 4 && are_digits(text);
    text.parse().ok().filter(|year| is_year && (1900..=2100).contains(year))
}

/// A number of one or two digits.
fn number(text: &str) -> Option<i8> {
    let is_number = matches!(text.len(), 1 | 2) && are_digits(text);
    text.parse().ok().filter(|_| is_number)
}

/// The year and the month of `Dec 2018` and `2018-Dec`.
fn named_month(text: &str) -> Option<(i16, i8)> {
    let start = text.find(char::is_alphabetic)?;
    let end = start + text[start..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - start);
    let (before, after) = (&text[..start], &text[end..]);
    let bare = match (before.is_empty(), after.is_empty()) {
        (true, false) => after.trim_start_matches(SIGNS),
        (false, true) => before.trim_end_matches(SIGNS),
        _ => return None,
    };
    let is_apart = bare.len() < before.len() + after.len();
    let year = year(bare).or_else(|| short_year(bare).filter(|_| is_apart && before.is_empty()))?;
    Some((year, month(&text[start..end])?))
}

/// The year and the quarter of `2018-Q4` and `Q4 2018`.
fn quarter(text: &str) -> Option<(i16, i8)> {
    let (before, after) = text.split_once(['Q', 'q'])?;
    let (part, year_text) = match before.is_empty() {
        true => after.split_at_checked(1).map(|(part, rest)| (part, rest.trim_start_matches(SIGNS)))?,
        false => (after, before.trim_end_matches(SIGNS)),
    };
    let part = number(part).filter(|part| (1..=MOST_QUARTERS).contains(part))?;
    Some((year(year_text)?, part))
}

/// The Sunday of a week of ISO 8601, or the day of it that is named.
fn last_of_week(text: &str) -> Option<Date> {
    let (year_text, rest) = text.split_once(['W', 'w'])?;
    let (week, day) = match rest.split_once('-') {
        Some((week, day)) => (week, Weekday::from_monday_one_offset(number(day)?).ok()?),
        None => (rest, Weekday::Sunday),
    };
    let year = year(year_text.trim_end_matches(SIGNS))?;
    Some(ISOWeekDate::new(year, number(week)?, day).ok()?.date())
}

/// A duration as a text writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Duration {
    /// Its length in seconds.
    pub(crate) seconds: f64,
    /// Whether the text can be no time of day.
    pub(crate) is_sure: bool,
}

impl Duration {
    /// Reads minutes and seconds, `m:ss`, or hours too, `h:mm:ss`; seconds may have a fraction. None for other texts.
    ///
    /// A time of day is written alike: `10:30`, `06:00:00`. A text can be none if its hours reach 24, if a fraction follows
    /// two fields alone, or if hours of one digit have a fraction of a second.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let fields: Vec<&str> = whole.split(':').collect();
        let (first, rest) = fields.split_first()?;
        let is_sixtieths = |field: &&str| field.len() == 2 && are_digits(field) && **field < *"60";
        let are_fields = (1..=2).contains(&rest.len()) && rest.iter().all(is_sixtieths);
        let is_fraction = fraction.is_none_or(|digits| are_digits(digits) && digits.len() <= 9);
        if !(are_digits(first) && first.len() <= 4 && are_fields && is_fraction) {
            return None;
        }
        let seconds =
            fields.iter().try_fold(0_u64, |sum, field| Some(60 * sum + field.parse::<u64>().ok()?))?;
        // Read once as a decimal: 60 + 27.452 would not be the float that is nearest to 87.452.
        let seconds = format!("{seconds}.{}", fraction.unwrap_or("0")).parse().ok()?;
        let is_late = first.parse::<u32>().is_ok_and(|hours| hours >= 24);
        let is_sure = is_late || fraction.is_some() && (rest.len() == 1 || first.len() == 1);
        Some(Self { seconds, is_sure })
    }
}

/// Whether a text is a date of another notation than ISO 8601: `31.12.2020`, `12/31/2020`, `2020/12/31`, `31-12-2020`; a
/// time of day may follow.
pub(crate) fn is_other_date(text: &str) -> bool {
    let date = text.split([' ', 'T']).next().unwrap_or_default();
    let of =
        |separator: char| -> Option<[&str; 3]> { date.split(separator).collect::<Vec<_>>().try_into().ok() };
    let is_date = |separator: char| {
        let Some(fields) = of(separator) else { return false };
        let number = |field: &str| match field.bytes().all(|byte| byte.is_ascii_digit()) {
            true => field.parse::<u32>().ok(),
            false => None,
        };
        let [Some(one), Some(two), Some(three)] = fields.map(number) else { return false };
        let is_day = |day: u32| (1..=31).contains(&day);
        let is_year = |at: usize| fields[at].len() == 4;
        let is_short = |at: usize| fields[at].len() <= 2;
        let year_last = is_year(2) && is_short(0) && is_short(1) && is_day(one) && is_day(two);
        let year_first = is_year(0) && is_short(1) && is_short(2) && is_day(two) && is_day(three);
        // Years first between hyphens are ISO 8601.
        (year_last && one.min(two) <= 12) || (year_first && separator != '-' && two.min(three) <= 12)
    };
    ['.', '/', '-'].into_iter().any(is_date)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::Period::{Digits, MonthFirst, NamedMonth, Quarter, Week, Year, YearFirst};
    use super::{Duration, Period, is_other_date};

    /// The days by Python's `calendar.monthrange` and `date.fromisocalendar`.
    #[test]
    fn periods_are_their_last_days() {
        for (period, text, day) in [
            (YearFirst, "2023-08", "2023-08-31"),
            (YearFirst, "2024/02", "2024-02-29"),
            (MonthFirst, "09/2023", "2023-09-30"),
            (MonthFirst, "2-2023", "2023-02-28"),
            (NamedMonth, "Aug 2023", "2023-08-31"),
            (NamedMonth, "November 2023", "2023-11-30"),
            (NamedMonth, "2023-M\u{e4}rz", "2023-03-31"),
            (NamedMonth, "FEB2023", "2023-02-28"),
            (NamedMonth, "Aug-23", "2023-08-31"),
            (Quarter, "2023Q3", "2023-09-30"),
            (Quarter, "2023-q1", "2023-03-31"),
            (Quarter, "Q4 2023", "2023-12-31"),
            (Week, "2023-W31", "2023-08-06"),
            (Week, "2020W53", "2021-01-03"),
            (Week, "2023-W31-3", "2023-08-02"),
            (Digits, "202302", "2023-02-28"),
            (Year, "2023", "2023-12-31"),
        ] {
            assert_eq!(period.last_day(text).map(|day| day.to_string()).as_deref(), Some(day), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_periods() {
        let all = Period::OF_TEXTS.into_iter().chain([Digits, Year]);
        for text in [
            "",
            "-",
            "2023-13",
            "2023-00",
            "13/2023",
            "1234-05",
            "3/10",
            "2023-08-31",
            "Q5 2023",
            "2023Q34",
            "2021-W53",
            "2023-W00",
            "2023-W31-8",
            "202313",
            "2023081",
            "Marble 2023",
            "Aug",
            "4 Aug",
            "Aug 1",
            "20230",
            "3023",
            "\u{e9}Q",
        ] {
            for period in all.clone() {
                assert_eq!(period.last_day(text), None, "{text} {period:?}");
            }
        }
    }

    #[test]
    fn texts_that_may_be_others_are_known() {
        for (period, texts, expected) in [
            (YearFirst, ["2008-09", "2010-11", "2009-10"], true),
            (YearFirst, ["2008-09", "2010-11", "2010-10"], false),
            (YearFirst, ["2018-1", "2018-2", "2019-4"], true),
            (YearFirst, ["2018-1", "2018-2", "2019-11"], false),
            (MonthFirst, ["1/2018", "2/2018", "1/2019"], true),
            (MonthFirst, ["01/2018", "02/2018", "01/2019"], false),
            (NamedMonth, ["Aug-23", "Sep-23", "Oct-23"], true),
            (NamedMonth, ["Aug-2023", "Sep-2023", "Oct-2023"], false),
        ] {
            assert_eq!(period.may_be_others(texts.into_iter().map(Cow::Borrowed)), expected, "{texts:?}");
        }
    }

    #[test]
    fn durations_are_seconds() {
        // By hand: 60 + 27.452; 3600 + 34 * 60 + 50.616; 36 * 3600.
        for (text, seconds, is_sure) in [
            ("1:27.452", 87.452, true),
            ("1:34:50.616", 5690.616, true),
            ("36:00:00", 129_600.0, true),
            ("75:30", 4530.0, true),
            ("0:05", 5.0, false),
            ("10:30", 630.0, false),
            ("06:00:00", 21_600.0, false),
            ("06:00:00.000", 21_600.0, false),
            ("1:02:03", 3723.0, false),
        ] {
            assert_eq!(Duration::read(text), Some(Duration { seconds, is_sure }), "{text}");
        }
        for text in [
            "",
            ":",
            "1",
            "1:2",
            "1:60",
            "1:27.",
            "1:27.x",
            "+5.478",
            "1:2:3:4",
            "-1:27",
            "12345:00",
            "1:99:00",
            "a:10",
            "1:27.4.5",
            "2020-01-01",
        ] {
            assert_eq!(Duration::read(text), None, "{text}");
        }
    }

    #[test]
    fn dates_of_other_notations_are_known() {
        for text in ["31.12.2020", "12/31/2020", "1/2/2020", "2020/12/31", "31-12-2020", "31.12.2020 10:00"] {
            assert!(is_other_date(text), "{text}");
        }
        for text in [
            "2020-12-31",
            "1.2.3",
            "31.12",
            "10.0.0.1",
            "99/99/2020",
            "13/13/2020",
            "2020",
            "",
            "a/b/2020",
            "1/2/20",
        ] {
            assert!(!is_other_date(text), "{text}");
        }
    }
}
