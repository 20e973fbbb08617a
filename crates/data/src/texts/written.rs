//! How texts write durations and dates: `1:27.452`, `1:34:50.616`, and dates in other notations than ISO 8601.

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
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_sixtieths = |field: &&str| field.len() == 2 && is_digits(field) && **field < *"60";
        let are_fields = (1..=2).contains(&rest.len()) && rest.iter().all(is_sixtieths);
        let is_fraction = fraction.is_none_or(|digits| is_digits(digits) && digits.len() <= 9);
        if !(is_digits(first) && first.len() <= 4 && are_fields && is_fraction) {
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
    use super::{Duration, is_other_date};

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
