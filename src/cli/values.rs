//! Values of flags that have a unit.

use std::time::Duration;

/// A duration as `90`, `90s`, `10m` or `2h`.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3_600.0),
        _ => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds * unit).ok())
        .ok_or_else(|| "a time is a number with s, m or h, as 90s, 10m or 2h".to_owned())
}

/// A size as `500M`, `8G` or in bytes.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_u64 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let whole = || number.parse::<u64>().ok()?.checked_mul(unit);
    whole()
        .filter(|&size| size > 0)
        .ok_or_else(|| "a size is a whole number with K, M or G, as 500M or 8G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{parse_size, parse_time};

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
        for wrong in ["", "M", "-3M", "1.5G", "0", "8T", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
