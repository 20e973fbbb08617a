//! Values of flags that have a unit.

use std::ops::{Bound, RangeBounds};
use std::time::Duration;

use gleaner_base::{WHOLE_NUMBER_FORMS, real_number, whole_number};

/// A whole number of a range, as people write it: `10000`, `10_000`, `10k`, `1e4`.
pub(super) fn whole_of<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = whole_number(text).filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let from = match range.start_bound() {
                Bound::Included(&low) => low,
                Bound::Excluded(&low) => low + 1,
                Bound::Unbounded => 0,
            };
            match range.end_bound() {
                Bound::Included(high) => {
                    format!("a whole number from {from} to {high} is wanted, {WHOLE_NUMBER_FORMS}")
                }
                Bound::Excluded(_) | Bound::Unbounded => {
                    format!("a whole number of at least {from} is wanted, {WHOLE_NUMBER_FORMS}")
                }
            }
        })
    }
}

/// A number, as people write it.
pub(super) fn real(text: &str) -> Result<f64, String> {
    real_number(text).ok_or_else(|| "a number is wanted, as 0.25 or 1e-3".to_owned())
}

/// A number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = real_number(text).filter(|number| (0.0..=1.0).contains(number));
    share.ok_or_else(|| "a number from 0 to 1 is wanted".to_owned())
}

/// A duration as `90`, `90s`, `10m` or `2h`.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3_600.0),
        _ => (text, 1.0),
    };
    // `10M` would be months to some and millions to others.
    let is_plain = !number.ends_with(char::is_alphabetic);
    let seconds = real_number(number).filter(|seconds| is_plain && *seconds >= 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds * unit).ok())
        .ok_or_else(|| "a time is a number with s, m or h, as 90s, 10m or 2h".to_owned())
}

/// A size as `500M`, `8G` or in bytes.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    // A byte may be written: 1GB is 1G.
    let with_unit = text.strip_suffix(['B', 'b']).filter(|rest| rest.ends_with(char::is_alphabetic));
    let text = with_unit.unwrap_or(text);
    let (number, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_u64 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let is_size = number.ends_with(|last: char| last.is_ascii_digit());
    let whole = || whole_number(number).filter(|_| is_size)?.checked_mul(unit);
    whole()
        .filter(|&size| size > 0)
        .ok_or_else(|| "a size is a whole number with K, M or G, as 500M or 8G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{parse_size, parse_time, whole_of};

    #[test]
    fn whole_numbers_are_of_their_range() {
        let number = whole_of::<u16>(1..=1024);
        assert_eq!((number("1k"), number("0x1").is_err()), (Ok(1_000), true));
        assert!(number("0").is_err_and(|why| why.contains("from 1 to 1024")));
        assert!(number("1025").is_err() && number("1e9").is_err() && number("-1").is_err());
        assert!(whole_of::<u8>(1..)("300").is_err_and(|why| why.contains("at least 1")));
    }

    #[test]
    fn times_by_unit() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs());
        assert_eq!(seconds("90"), Ok(90));
        assert_eq!(seconds("1.5m"), Ok(90));
        assert_eq!(seconds("2h"), Ok(7_200));
        assert!(
            seconds("").is_err()
                && seconds("m").is_err()
                && seconds("-3s").is_err()
                && seconds("3d").is_err()
        );
    }

    #[test]
    fn sizes_by_unit() {
        assert_eq!(parse_size("500M"), Ok(500 << 20));
        assert_eq!(parse_size("8g"), Ok(8 << 30));
        assert_eq!(parse_size("4096"), Ok(4_096));
        assert_eq!((parse_size("1GB"), parse_size("500mb")), (Ok(1 << 30), Ok(500 << 20)));
        for wrong in ["4096B", "GB", "B", "1GBB", "", "M", "-3M", "1.5G", "0", "8T", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
