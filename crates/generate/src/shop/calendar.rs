//! Days as numbers and as texts.

use std::fmt::Write;

/// A day, counted from 2000-01-01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(u16);

/// Seconds of a day.
pub(super) const DAY_SECONDS: u32 = 86_400;

/// The first year of [`Day`], and the last that has texts.
const FIRST_YEAR: u16 = 2000;
const LAST_YEAR: u16 = 2025;

impl Day {
    /// A day of the calendar; `month` and `day` count from 1.
    pub(super) const fn of(year: u16, month: u16, day: u16) -> Self {
        let (mut number, mut each) = (day - 1, FIRST_YEAR);
        while each < year {
            number += if is_leap(each) { 366 } else { 365 };
            each += 1;
        }
        let mut each = 1;
        while each < month {
            number += month_length(year, each);
            each += 1;
        }
        Self(number)
    }

    /// The day so many days later.
    pub(super) const fn after(self, n_days: u16) -> Self {
        Self(self.0 + n_days)
    }

    /// The days from `earlier` to this one; 0 if it is later.
    pub(super) const fn days_since(self, earlier: Self) -> u16 {
        self.0.saturating_sub(earlier.0)
    }
}

const fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn month_length(year: u16, month: u16) -> u16 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The texts of all days, made once: a large shop writes millions of dates.
#[derive(Debug)]
pub(super) struct Calendar(Vec<String>);

impl Calendar {
    pub(super) fn new() -> Self {
        let mut texts = Vec::new();
        for year in FIRST_YEAR..=LAST_YEAR {
            for month in 1..=12 {
                texts.extend(
                    (1..=month_length(year, month)).map(|day| format!("{year:04}-{month:02}-{day:02}")),
                );
            }
        }
        Self(texts)
    }

    /// `2024-03-01`
    pub(super) fn date(&self, day: Day) -> &str {
        &self.0[usize::from(day.0)]
    }

    /// Appends `2024-03-01 10:22:31`.
    pub(super) fn push_date_time(&self, text: &mut String, day: Day, second: u32) {
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        write!(text, "{} {hour:02}:{minute:02}:{:02}", self.date(day), second % 60)
            .expect("a string takes any text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of days from `date -d DAY +%s`, divided by 86,400, less the 10,957 of 2000-01-01.
    #[test]
    fn days_are_those_of_the_calendar() {
        for (day, number) in [
            (Day::of(2000, 1, 1), 0),
            (Day::of(2000, 3, 1), 60),
            (Day::of(2023, 1, 1), 8_401),
            (Day::of(2024, 2, 29), 8_825),
            (Day::of(2024, 12, 31), 9_131),
        ] {
            assert_eq!(day, Day(number));
        }
    }

    #[test]
    fn texts_are_those_of_the_days() {
        let calendar = Calendar::new();
        assert_eq!(calendar.date(Day::of(2024, 2, 29)), "2024-02-29");
        assert_eq!(calendar.date(Day::of(2024, 2, 29).after(1)), "2024-03-01");
        assert_eq!(calendar.date(Day::of(LAST_YEAR, 12, 31)), "2025-12-31");
        let mut text = String::new();
        calendar.push_date_time(&mut text, Day::of(2024, 3, 1), 10 * 3_600 + 22 * 60 + 31);
        assert_eq!(text, "2024-03-01 10:22:31");
    }
}
