//! Dates in other notations than ISO 8601, written anew as ISO 8601.
//!
//! A notation is one of a whole column: `04/11/2018` alone may have the day first or the month.

use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use super::number_texts::are_digits;
use super::period_texts::Period;

/// How dates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DateNotation {
    /// `2018-1-31`, `2018/01/31`, `2018-01-31 10:00:00 UTC`.
    YearFirst,
    /// `31.12.2018`, `31/12/18`.
    DayFirst,
    /// `12/31/2018`, `12/31/18`.
    MonthFirst,
    /// `18-12-31`.
    ShortYearFirst,
    /// `31-Dec-2018`, `Dec 31, 2018`, `31DEC2018:10:00:00`, `Mon Dec 31 10:00:00 2018`.
    NamedMonth,
    /// `20181231`, `20181231235900`.
    Digits,
    /// `181231`.
    SixDigits,
    /// Numbers since 1970 began in UTC.
    Since1970(Unit),
    /// Days as a spreadsheet counts them: 1 is the first day of 1900.
    DaysSince1900,
    /// Months, quarters, weeks and years.
    Period(Period),
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Unit {
    Day,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
}

impl Unit {
    /// How many nanoseconds it has.
    const fn nanoseconds(self) -> i128 {
        match self {
            Self::Day => 86_400_000_000_000,
            Self::Second => 1_000_000_000,
            Self::Millisecond => 1_000_000,
            Self::Microsecond => 1_000,
            Self::Nanosecond => 1,
        }
    }
}

/// The notations by the words for them; dates stand for all that are written alike.
const WORDS: [(&str, DateNotation); 20] = [
    ("2018-1-31", DateNotation::YearFirst),
    ("31/12/2018", DateNotation::DayFirst),
    ("12/31/2018", DateNotation::MonthFirst),
    ("18-12-31", DateNotation::ShortYearFirst),
    ("31-Dec-2018", DateNotation::NamedMonth),
    ("20181231", DateNotation::Digits),
    ("181231", DateNotation::SixDigits),
    ("days since 1970", DateNotation::Since1970(Unit::Day)),
    ("seconds since 1970", DateNotation::Since1970(Unit::Second)),
    ("milliseconds since 1970", DateNotation::Since1970(Unit::Millisecond)),
    ("microseconds since 1970", DateNotation::Since1970(Unit::Microsecond)),
    ("nanoseconds since 1970", DateNotation::Since1970(Unit::Nanosecond)),
    ("days since 1900", DateNotation::DaysSince1900),
    ("2018-12", DateNotation::Period(Period::YearFirst)),
    ("12/2018", DateNotation::Period(Period::MonthFirst)),
    ("Dec 2018", DateNotation::Period(Period::NamedMonth)),
    ("2018-Q4", DateNotation::Period(Period::Quarter)),
    ("2018-W52", DateNotation::Period(Period::Week)),
    ("201812", DateNotation::Period(Period::Digits)),
    ("2018", DateNotation::Period(Period::Year)),
];

/// The least number of two digits that is a year of the 1900s, as spreadsheets take it.
const FIRST_OF_1900S: i16 = 30;

/// The first letters of the months in English, and of those that German writes otherwise.
const MONTHS: [(&str, i8); 19] = [
    ("jan", 1),
    ("jän", 1),
    ("feb", 2),
    ("mar", 3),
    ("mär", 3),
    ("mae", 3),
    ("mrz", 3),
    ("apr", 4),
    ("may", 5),
    ("mai", 5),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("oct", 10),
    ("okt", 10),
    ("nov", 11),
    ("dec", 12),
    ("dez", 12),
];

/// The names of the months in full, without spaces: other words that begin as a month are none.
const MONTHS_IN_FULL: &str = "january february march april june july august september sept october november december \
                              januar jänner februar märz maerz juni juli oktober dezember";

impl DateNotation {
    /// The notation that words name.
    pub(crate) fn named(words: &str) -> Option<Self> {
        WORDS.iter().find(|(known, _)| *known == words).map(|(_, notation)| *notation)
    }

    /// The words for it.
    pub(crate) fn words(self) -> &'static str {
        WORDS.iter().find(|(_, known)| *known == self).map_or("", |(words, _)| words)
    }

    /// The notations of texts. Those of numbers need more evidence than that they can be read.
    pub(crate) fn of_texts() -> impl Iterator<Item = Self> {
        let of_days =
            [Self::YearFirst, Self::DayFirst, Self::MonthFirst, Self::ShortYearFirst, Self::NamedMonth];
        of_days.into_iter().chain(Period::OF_TEXTS.map(Self::Period))
    }

    /// Those of numbers that years from 1990 to 2100 tell from other numbers.
    pub(crate) const SINCE_1970: [Self; 4] = [
        Self::Since1970(Unit::Second),
        Self::Since1970(Unit::Millisecond),
        Self::Since1970(Unit::Microsecond),
        Self::Since1970(Unit::Nanosecond),
    ];

    /// Reads a text as a date or a date-time, and writes it as ISO 8601. None for other texts.
    pub(crate) fn read(self, text: &str) -> Option<String> {
        match self {
            Self::Digits => digits(text),
            Self::SixDigits => six_digits(text).map(|date| date.to_string()),
            Self::Since1970(unit) => since_1970(text, unit),
            Self::DaysSince1900 => days_since_1900(text),
            Self::Period(period) => period.last_day(text).map(|day| day.to_string()),
            Self::YearFirst | Self::DayFirst | Self::MonthFirst | Self::ShortYearFirst | Self::NamedMonth => {
                let text = without_weekday(text.trim());
                let of_names = || self.with_time(&year_before_time(text)?);
                self.with_time(text).or_else(|| of_names().filter(|_| self == Self::NamedMonth))
            }
        }
    }

    /// A date, and the time of day that may follow.
    fn with_time(self, text: &str) -> Option<String> {
        let (date, rest) = self.date(text)?;
        time_of_day(rest).map(|time| format!("{date}{time}"))
    }

    /// The date that a text begins with, and what follows it.
    fn date(self, text: &str) -> Option<(Date, &str)> {
        let (fields, rest) = fields(text)?;
        use Field::{Month, Number};
        let (year, month, day) = match (self, fields) {
            (Self::YearFirst, [year @ Number(..), Number(month, _), Number(day, _)]) => {
                (year.year().filter(|_| year.length() == 4)?, i8::try_from(month).ok()?, day)
            }
            (Self::ShortYearFirst, [year @ Number(_, 2), Number(month, 2), Number(day, 2)]) => {
                (year.year()?, i8::try_from(month).ok()?, day)
            }
            (Self::DayFirst, [Number(day, ..=2), Number(month, ..=2), year @ Number(..)])
            | (Self::MonthFirst, [Number(month, ..=2), Number(day, ..=2), year @ Number(..)]) => {
                (year.year()?, i8::try_from(month).ok()?, day)
            }
            (Self::NamedMonth, [year @ Number(_, 4), Month(month), Number(day, ..=2)])
            | (
                Self::NamedMonth,
                [Number(day, ..=2), Month(month), year @ Number(..)]
                | [Month(month), Number(day, ..=2), year @ Number(..)],
            ) => (year.year()?, month, day),
            _ => return None,
        };
        Some((Date::new(year, month, i8::try_from(day).ok()?).ok()?, rest))
    }
}

/// A part of a date.
#[derive(Clone, Copy)]
enum Field {
    /// A number, and how many digits it has.
    Number(u16, usize),
    Month(i8),
}

impl Field {
    const fn length(self) -> usize {
        match self {
            Self::Number(_, length) => length,
            Self::Month(_) => 0,
        }
    }

    /// The year that two or four digits are.
    fn year(self) -> Option<i16> {
        let Self::Number(number, length) = self else { return None };
        let number = i16::try_from(number).ok()?;
        match length {
            4 => Some(number),
            2 if number < FIRST_OF_1900S => Some(2000 + number),
            2 => Some(1900 + number),
            _ => None,
        }
    }
}

/// The year that two digits are.
pub(crate) fn short_year(text: &str) -> Option<i16> {
    let is_short = text.len() == 2 && are_digits(text);
    Field::Number(text.parse().ok().filter(|_| is_short)?, 2).year()
}

/// The three parts of a date, and what follows. Numbers have the same sign between them.
fn fields(text: &str) -> Option<([Field; 3], &str)> {
    let (first, rest) = field(text)?;
    let (sign, rest) = separator(rest);
    let (second, rest) = field(rest)?;
    let (next_sign, rest) = separator(rest);
    let (third, rest) = field(rest)?;
    let has_month = [first, second].iter().any(|field| matches!(field, Field::Month(_)));
    let dots_need_two = |field: Field| matches!(field.length(), 2 | 4) || third.length() == 4;
    let are_apart = match sign {
        _ if has_month => true,
        // Versions as 1.2.10 are no dates.
        "." => sign == next_sign && dots_need_two(first) && dots_need_two(second),
        "/" | "-" => sign == next_sign,
        _ => false,
    };
    are_apart.then_some(([first, second, third], rest))
}

/// A number of at most four digits, or the name of a month.
fn field(text: &str) -> Option<(Field, &str)> {
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=4).contains(&n_digits) {
        let (digits, rest) = text.split_at(n_digits);
        return Some((Field::Number(digits.parse().ok()?, n_digits), rest));
    }
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    month(word).map(|month| (Field::Month(month), rest))
}

/// The month that a word names in full or by its first letters.
pub(crate) fn month(word: &str) -> Option<i8> {
    let word = word.to_lowercase();
    let (_, month) = MONTHS.iter().find(|(first, _)| word.starts_with(first))?;
    let is_short = word.chars().count() == 3;
    (is_short || MONTHS_IN_FULL.split(' ').any(|known| known == word)).then_some(*month)
}

/// The sign between parts of a date, without the spaces after it: `4. Nov 2018`, `Nov 4th, 2018`.
fn separator(text: &str) -> (&str, &str) {
    let ordinal = ["st", "nd", "rd", "th"].into_iter().find_map(|ending| text.strip_prefix(ending));
    let text = ordinal.unwrap_or(text);
    let bare = text.trim_start_matches([' ', '.', '/', '-', ',']);
    let sign = &text[..text.len() - bare.len()];
    (sign, bare)
}

/// `Dec 31 2018 10:00:00` for `Dec 31 10:00:00 2018`, as the function `ctime` of C writes it.
fn year_before_time(text: &str) -> Option<String> {
    let (text, year) = text.rsplit_once(' ')?;
    let (month, rest) = text.split_once(' ')?;
    let (day, clock) = rest.trim_start().split_once(' ')?;
    let is_year = year.len() == 4 && are_digits(year);
    is_year.then(|| format!("{month} {day} {year} {clock}"))
}

/// A text without the day of the week at its beginning: `Sun, 04 Nov 2018`.
fn without_weekday(text: &str) -> &str {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let word = word.to_lowercase();
    let is_day = DAYS.iter().any(|day| word.starts_with(day)) && (word.len() == 3 || word.ends_with("day"));
    if is_day { rest.trim_start_matches([',', '.', ' ']) } else { text }
}

/// The time of day that follows a date, with its offset, as ISO 8601; empty if none follows.
fn time_of_day(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return Some(String::new());
    }
    let text = text.strip_prefix(['T', 't', ',', ':']).unwrap_or(text).trim_start();
    let text = text.strip_prefix("at ").unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.' | ','));
    let (clock, rest) = text.split_at(end.unwrap_or(text.len()));
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let mut parts = clock.split(':').map(|part| part.parse::<i8>().ok().filter(|_| part.len() <= 2));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    if parts.next().is_some() || fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hour, rest) = of_half_day(hour, rest.trim_start())?;
    let zone = zone(rest.trim())?;
    let time = Time::new(hour, minute, second, 0).ok()?;
    let dot = if fraction.is_empty() { "" } else { "." };
    Some(format!("T{:02}:{:02}:{:02}{dot}{fraction}{zone}", time.hour(), time.minute(), time.second()))
}

/// The hour of the day, and what follows: after `10 PM` of 12 hours.
fn of_half_day(hour: i8, text: &str) -> Option<(i8, &str)> {
    let end = |words: [&str; 4]| words.into_iter().find_map(|word| text.strip_prefix(word));
    let is_of_twelve = (1..=12).contains(&hour);
    if let Some(rest) = end(["AM", "am", "a.m.", "A.M."]) {
        return is_of_twelve.then_some((hour % 12, rest));
    }
    match end(["PM", "pm", "p.m.", "P.M."]) {
        Some(rest) => is_of_twelve.then_some((hour % 12 + 12, rest)),
        None => Some((hour, text)),
    }
}

/// An offset from UTC as ISO 8601 writes it; empty if none is given. A name in brackets may follow it.
fn zone(text: &str) -> Option<String> {
    let cut = text.find(['(', '[']).filter(|&at| at > 0).unwrap_or(text.len());
    let text = text[..cut].trim_end();
    let text = match text.strip_prefix(['+', '-']) {
        Some(_) => text.strip_suffix("UTC").or_else(|| text.strip_suffix("GMT")).unwrap_or(text).trim_end(),
        None => text,
    };
    if text.is_empty() {
        return Some(String::new());
    }
    if ["z", "utc", "gmt", "ut"].contains(&&*text.to_lowercase()) {
        return Some("Z".to_owned());
    }
    let sign = &text[..1.min(text.len())];
    let digits: String = text.strip_prefix(['+', '-'])?.chars().filter(|&c| c != ':').collect();
    let number = digits.parse::<u16>().ok().filter(|_| matches!(digits.len(), 2 | 4))?;
    let (hours, minutes) = if digits.len() == 2 { (number, 0) } else { (number / 100, number % 100) };
    (hours <= 18 && minutes < 60).then(|| format!("{sign}{hours:02}:{minutes:02}"))
}

/// `20181231`, with a time of day as digits or after a space.
fn digits(text: &str) -> Option<String> {
    let text = text.trim();
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(n_digits);
    let part = |from: usize, to: usize| number.get(from..to).and_then(|part| part.parse::<i16>().ok());
    let small = |from: usize, to: usize| part(from, to).and_then(|part| i8::try_from(part).ok());
    let date = Date::new(part(0, 4)?, small(4, 6)?, small(6, 8)?).ok()?;
    let time = match n_digits {
        8 => return time_of_day(rest).map(|time| format!("{date}{time}")),
        12 => Time::new(small(8, 10)?, small(10, 12)?, 0, 0),
        14 => Time::new(small(8, 10)?, small(10, 12)?, small(12, 14)?, 0),
        _ => return None,
    };
    let time = time.ok().filter(|_| rest.is_empty())?;
    Some(format!("{date}T{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second()))
}

/// `181231`; where it is a number, zeros at its beginning are not there.
fn six_digits(text: &str) -> Option<Date> {
    let number: i32 = text.trim().parse().ok().filter(|number| (101..=991_231).contains(number))?;
    let [year, month, day] = [number / 10_000, number / 100 % 100, number % 100];
    let year = Field::Number(u16::try_from(year).ok()?, 2).year()?;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// A number since 1970; a fraction counts as far as microseconds.
fn since_1970(text: &str, unit: Unit) -> Option<String> {
    let text = text.trim();
    let of_unit = unit.nanoseconds();
    let nanoseconds = match text.parse::<i64>() {
        Ok(whole) => i128::from(whole) * of_unit,
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "as far as microseconds"
        )]
        Err(_) => {
            let value: f64 = text.parse().ok().filter(|value: &f64| value.abs() < 1e18)?;
            (value * (of_unit as f64 / 1_000.0)).round() as i128 * 1_000
        }
    };
    let timestamp = jiff::Timestamp::from_nanosecond(nanoseconds).ok()?;
    let time = Offset::UTC.to_datetime(timestamp);
    Some(if unit == Unit::Day { time.date().to_string() } else { time.to_string() })
}

/// The number of the first day of 1970 in spreadsheets, which count a day too many in 1900.
const FIRST_OF_1970: f64 = 25_569.0;

/// A number of days since 1900; a fraction is a time of day, to the second.
fn days_since_1900(text: &str) -> Option<String> {
    let days: f64 = text.trim().parse().ok().filter(|days| (61.0..2_958_466.0).contains(days))?;
    let seconds = ((days - FIRST_OF_1970) * 86_400.0).round();
    let unit = if days.fract() == 0.0 { (days - FIRST_OF_1970, Unit::Day) } else { (seconds, Unit::Second) };
    since_1970(&format!("{}", unit.0), unit.1)
}

#[cfg(test)]
mod tests {
    use super::DateNotation::{
        DayFirst, DaysSince1900, Digits, MonthFirst, NamedMonth, ShortYearFirst, Since1970, SixDigits,
        YearFirst,
    };
    use super::{DateNotation, Unit};

    #[test]
    fn dates_are_written_anew() {
        // By hand, and 1541325600, 43408 and 17839 by Python's datetime.
        for (notation, text, written) in [
            (YearFirst, "2018-1-4", "2018-01-04"),
            (YearFirst, "2018/11/04", "2018-11-04"),
            (YearFirst, "2018.11.4 9:05", "2018-11-04T09:05:00"),
            (YearFirst, "2018-11-04 10:00:00 UTC", "2018-11-04T10:00:00Z"),
            (YearFirst, "2018-11-04 10:00:00.250 +0100", "2018-11-04T10:00:00.250+01:00"),
            (YearFirst, "2018-11-04T10:00:00+01:00[Europe/Berlin]", "2018-11-04T10:00:00+01:00"),
            (YearFirst, "2018-11-04 10:00:00 +0000 UTC", "2018-11-04T10:00:00+00:00"),
            (DayFirst, "31.12.2023", "2023-12-31"),
            (DayFirst, "4/11/2018 22:15", "2018-11-04T22:15:00"),
            (DayFirst, "04.11.69", "1969-11-04"),
            (MonthFirst, "11/4/2018 1:05:09 PM", "2018-11-04T13:05:09"),
            (MonthFirst, "11/04/18 12:00 am", "2018-11-04T00:00:00"),
            (ShortYearFirst, "18-11-04", "2018-11-04"),
            (NamedMonth, "04-Nov-2018", "2018-11-04"),
            (NamedMonth, "04NOV2018:10:00:00", "2018-11-04T10:00:00"),
            (NamedMonth, "Nov 4th, 2018 at 3:00 PM", "2018-11-04T15:00:00"),
            (NamedMonth, "4. März 2018", "2018-03-04"),
            (NamedMonth, "2018-Sep-04", "2018-09-04"),
            (NamedMonth, "Sun, 04 Nov 2018 10:00:00 -0800 (PST)", "2018-11-04T10:00:00-08:00"),
            (NamedMonth, "4-May-99", "1999-05-04"),
            (NamedMonth, "Sun Nov  4 10:00:00 2018", "2018-11-04T10:00:00"),
            (NamedMonth, "Sun Nov 04 10:00:00 UTC 2018", "2018-11-04T10:00:00Z"),
            (Digits, "20181104", "2018-11-04"),
            (Digits, "20181104235900", "2018-11-04T23:59:00"),
            (Digits, "20181104 09:30", "2018-11-04T09:30:00"),
            (SixDigits, "930118", "1993-01-18"),
            (SixDigits, "050118", "2005-01-18"),
            (SixDigits, "50118", "2005-01-18"),
            (Since1970(Unit::Second), "1541325600", "2018-11-04T10:00:00"),
            (Since1970(Unit::Second), "1541325600.5", "2018-11-04T10:00:00.5"),
            (Since1970(Unit::Millisecond), "1541325600000", "2018-11-04T10:00:00"),
            (Since1970(Unit::Day), "17839", "2018-11-04"),
            (DaysSince1900, "43408", "2018-11-04"),
            (DaysSince1900, "43408.75", "2018-11-04T18:00:00"),
        ] {
            assert_eq!(notation.read(text).as_deref(), Some(written), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "1.2.10",
            "10.0.0.1",
            "1/2/3",
            "30.2.2018",
            "13/13/2018",
            "1-2",
            "2018",
            "Market 4, 2018",
            "4 Nov",
            "2018-11-04 25:00",
            "2018-11-04 10:00 CET",
            "11/04/2018 13:00 PM",
            "12-34-56-78",
            "2018-1/4",
            "é",
        ] {
            for notation in DateNotation::of_texts() {
                assert_eq!(notation.read(text), None, "{text} {notation:?}");
            }
        }
    }
}
