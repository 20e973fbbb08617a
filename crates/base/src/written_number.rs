//! Numbers as people write them: `10000`, `10_000`, `10k`, `1e4`.

/// The accepted forms of a whole number, for messages.
pub const WHOLE_NUMBER_FORMS: &str = "as 10000, 10_000, 10k or 1e4";

/// The exact whole number of a text. The text has digits, with underscores between them, and may have a point, an
/// exponent, and `k` for thousands or `M` for millions. `None` where it is no number, is not whole, or exceeds 64 bits.
pub fn whole_number(text: &str) -> Option<u64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (text, unit) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 3),
        b'M' => (&text[..text.len() - 1], 6),
        _ => (text, 0),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let fraction = digits(fraction)?;
    let fraction = fraction.trim_end_matches('0');
    let shift = exponent.checked_add(unit)?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let number: u128 = format!("{}{fraction}", digits(whole)?).parse().ok()?;
    let power = 10_u128.checked_pow(shift.unsigned_abs());
    let value = match power {
        _ if number == 0 => 0,
        Some(power) if shift >= 0 => number.checked_mul(power)?,
        Some(power) if number.is_multiple_of(power) => number / power,
        Some(_) | None => return None,
    };
    u64::try_from(value).ok()
}

/// The number that a text stands for: there may be underscores between its digits, and `k` for thousands or `M` for
/// millions after the last.
pub fn real_number(text: &str) -> Option<f64> {
    let (number, unit) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 1e3),
        b'M' => (&text[..text.len() - 1], 1e6),
        _ => return without_underscores(text)?.parse().ok(),
    };
    let ends_in_digit = number.ends_with(|last: char| last.is_ascii_digit());
    without_underscores(number).filter(|_| ends_in_digit)?.parse::<f64>().ok().map(|value| value * unit)
}

/// The digits of a text of digits.
fn digits(text: &str) -> Option<String> {
    let digits = without_underscores(text)?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// The text without the underscores between its digits; `None` where one stands elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_between = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let are_between = bytes.iter().enumerate().all(|(at, &byte)| byte != b'_' || is_between(at));
    are_between.then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::{real_number, whole_number};

    #[test]
    fn numbers_may_be_written_short() {
        for text in
            ["10000", "10_000", "10k", "10K", "1e4", "1E4", "1.0e4", "10000.0", "+10000", "0.01M", "100e2"]
        {
            assert_eq!(whole_number(text), Some(10_000), "{text}");
        }
        assert_eq!(whole_number("1.5k"), Some(1_500));
        assert_eq!(whole_number("1_500e-2"), Some(15));
        assert_eq!(whole_number("0"), Some(0));
        assert_eq!(whole_number("0e99999"), Some(0));
        assert_eq!(whole_number("18446744073709551615"), Some(u64::MAX));
    }

    #[test]
    fn what_is_no_whole_number_is_none() {
        let wrong = [
            "", "k", "e4", "1e", "_1", "1_", "1__0", "-1", "2.5", "1e-1", "1.", ".5", "10kk", "10 k", "0x10",
        ];
        for text in wrong {
            assert_eq!(whole_number(text), None, "{text}");
        }
        assert_eq!(whole_number("18446744073709551616"), None);
        assert_eq!(whole_number("1e99999999"), None);
        assert_eq!(whole_number("1e9999999999"), None);
    }

    #[test]
    fn real_numbers_may_be_written_short() {
        assert_eq!(real_number("1_000.25"), Some(1_000.25));
        assert_eq!(real_number("1e-3"), Some(0.001));
        assert_eq!(real_number("1.5k"), Some(1_500.0));
        assert_eq!(real_number("2M"), Some(2_000_000.0));
        assert_eq!(real_number("k"), None);
        assert_eq!(real_number("nanM"), None);
        assert_eq!(real_number("1.0kk"), None);
        assert_eq!(real_number("_1.0"), None);
        assert_eq!(real_number("1_.0"), None);
    }
}
