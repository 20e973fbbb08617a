//! Texts in columns of numbers: words for a missing value, and numbers in a notation that is not read.
//!
//! Numbers in the notation that most programs write, found without a search for their value.

use gleaner_lang::program::Number;

/// The words that stand for a missing value where the other values are numbers, in small letters.
const MISSING_WORDS: [&str; 22] = [
    "-",
    "--",
    "---",
    "?",
    "??",
    ".",
    "..",
    "none",
    "nil",
    "n/a",
    "#n/a",
    "na",
    "n.a.",
    "nan",
    "null",
    "missing",
    "unknown",
    "not available",
    "#value!",
    "#div/0!",
    "#ref!",
    "#null!",
];

/// The most bytes of such a word.
const LONGEST_MISSING: usize = 13;

/// Whether a text stands for a missing value where the other values are numbers.
pub(crate) fn is_missing_word(text: &str) -> bool {
    text.len() <= LONGEST_MISSING && MISSING_WORDS.contains(&&*text.to_lowercase())
}

/// A notation of numbers that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberStyle {
    /// `$3.50`, `3 EUR`.
    Currency,
    /// `12 %`.
    Percent,
    /// `1,234`, or `1 234`, or `1.234.567`.
    Thousands,
    /// `3,5`, or `1.234,5`.
    DecimalComma,
}

impl NumberStyle {
    /// The notation of a text that is a number to a person; none of any other text, and of numbers that are read.
    ///
    /// `1,234` counts as a number with a comma between thousands.
    pub(crate) fn of(text: &str) -> Option<Self> {
        const CURRENCIES: [&str; 9] = ["$", "€", "£", "¥", "EUR", "USD", "GBP", "CHF", "JPY"];
        let text = text.trim();
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        for sign in CURRENCIES {
            let rest = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign));
            if let Some(rest) = rest {
                let rest = rest.trim();
                return is_number(rest.strip_prefix('-').unwrap_or(rest)).then_some(Self::Currency);
            }
        }
        if let Some(rest) = text.strip_suffix('%') {
            return is_number(rest.trim()).then_some(Self::Percent);
        }
        grouped(text)
    }

    /// What it looks like, in words.
    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            Self::Currency => "numbers with the sign of a currency",
            Self::Percent => "numbers with a sign for percent",
            Self::Thousands => "numbers with signs between thousands",
            Self::DecimalComma => "numbers with a comma before their fraction",
        }
    }

    /// How to write such numbers.
    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::Currency => "write 3.50, not $3.50, and the currency into the name of the column",
            Self::Percent => "write 12, not 12 %",
            Self::Thousands => "write 1234567.5, not 1,234,567.5",
            Self::DecimalComma => "write 1234.5, not 1.234,5",
        }
    }
}

/// Whether a text without a sign is a number in plain or in another notation.
fn is_number(text: &str) -> bool {
    let is_plain = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        are_digits(whole) && are_digits(fraction)
    };
    is_plain(text) || grouped(text).is_some()
}

/// The notation of digits with commas, spaces or several points between them.
fn grouped(text: &str) -> Option<NumberStyle> {
    if let Some((whole, fraction)) = text.split_once(',')
        && are_digits(fraction)
        && (are_digits(whole) || are_thousands(whole, &['.']) || are_thousands(whole, SPACES))
        && !(fraction.len() == 3 && are_thousands(text, &[',']))
    {
        return Some(NumberStyle::DecimalComma);
    }
    let whole = match text.rsplit_once('.') {
        Some((whole, fraction))
            if are_digits(fraction) && (whole.contains(',') || whole.contains(SPACES)) =>
        {
            whole
        }
        _ => text,
    };
    let separators: [&[char]; 3] = [&[','], SPACES, &['.']];
    let is_grouped = |signs: &&[char]| {
        // One point is read as that of a decimal.
        are_thousands(whole, signs) && (*signs != ['.'] || whole.matches('.').count() > 1)
    };
    separators.iter().any(is_grouped).then_some(NumberStyle::Thousands)
}

/// The signs between thousands that are neither a comma nor a point: spaces of three widths, and an apostrophe.
const SPACES: &[char] = &[' ', '\u{a0}', '\u{202f}', '\''];

/// The whole number of 64 bits that a text in digits writes.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// The finite number that a text writes, with or without a point and an exponent.
pub(crate) fn decimal_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The number that a text writes in decimal, with or without an exponent.
pub(crate) fn cell_number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_code = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    let is_decimal = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if is_code || !is_decimal {
        return None;
    }
    match are_digits(digits) {
        true => whole_number(text).map(Number::Integer),
        false => decimal_number(text).map(Number::Float),
    }
}

/// Whether a text is digits alone, and has some.
pub(crate) fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is one to three digits, the first of which is no zero, and groups of three after signs.
fn are_thousands(text: &str, signs: &[char]) -> bool {
    let mut groups = text.split(signs);
    let first = groups.next().unwrap_or_default();
    let (mut n_groups, mut are_full) = (0, true);
    for group in groups {
        n_groups += 1;
        are_full &= group.len() == 3 && are_digits(group);
    }
    n_groups > 0 && are_full && are_digits(first) && first.len() <= 3 && !first.starts_with('0')
}

/// A number in plain notation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlainNumber<'t> {
    /// A whole number, with or without a fraction of zeros.
    Whole(i64),
    /// Any other, as the printer writes it.
    Decimal(&'t str),
}

/// The most digits of a decimal that is sure to be the shortest text of its float: two decimals of so many digits are
/// never the same float.
const MOST_DIGITS: usize = 15;

/// The number that a text writes in digits with at most one point. None for texts that are no number, and for numbers in
/// any other notation.
///
/// The printer writes floats from 0.0001 on without an exponent; smaller ones count as another notation.
pub(crate) fn plain_number(text: &str) -> Option<PlainNumber<'_>> {
    const NOT_SMALL: usize = 3;
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let n_whole = digits.iter().take(MOST_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, rest) = digits.split_at(n_whole);
    let is_code = whole.len() > 1 && whole[0] == b'0';
    if whole.is_empty() || digits.len() > MOST_DIGITS + 1 || is_code {
        return None;
    }
    let fraction = match rest {
        [] if n_whole > MOST_DIGITS => return None,
        [] => return whole_number(text).map(PlainNumber::Whole),
        [b'.', fraction @ ..] if !fraction.is_empty() => fraction,
        _ => return None,
    };
    if !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let n_zeros = fraction.iter().rev().take_while(|&&byte| byte == b'0').count();
    if n_zeros == fraction.len() {
        return whole_number(&text[..text.len() - fraction.len() - 1]).map(PlainNumber::Whole);
    }
    let is_small = whole == b"0" && fraction.iter().take(NOT_SMALL).all(|&byte| byte == b'0');
    (!is_small).then(|| PlainNumber::Decimal(&text[..text.len() - n_zeros]))
}

#[cfg(test)]
mod tests {
    use gleaner_lang::program::Number;
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::{NumberStyle, PlainNumber, cell_number, is_missing_word, plain_number};
    use crate::provisional::number_text;

    #[test]
    fn words_for_missing_values_are_known() {
        for text in ["-", "?", "None", "n/a", "N/A", "#N/A", "missing", "Unknown"] {
            assert!(is_missing_word(text), "{text}");
        }
        for text in ["no", "0", "lots", "", "none at all", "-1"] {
            assert!(!is_missing_word(text), "{text}");
        }
    }

    #[test]
    fn notations_are_told_apart() {
        use NumberStyle::{Currency, DecimalComma, Percent, Thousands};
        for (text, notation) in [
            ("$3", Currency),
            ("-$3.50", Currency),
            ("3,50 €", Currency),
            ("EUR 1.234,50", Currency),
            ("12 %", Percent),
            ("-12.5%", Percent),
            ("1,234", Thousands),
            ("1,234,567.25", Thousands),
            ("1.234.567", Thousands),
            ("12 345", Thousands),
            ("12\u{202f}345.5", Thousands),
            ("1'234", Thousands),
            ("3,5", DecimalComma),
            ("127,37", DecimalComma),
            ("0,125", DecimalComma),
            ("1.234,5", DecimalComma),
            ("1 234,567", DecimalComma),
        ] {
            assert_eq!(NumberStyle::of(text), Some(notation), "{text}");
        }
        for text in [
            "",
            "12",
            "12.5",
            "1.234",
            "-3",
            "$",
            "%",
            "a %",
            "1,2,3",
            "10.0.0.1",
            "31.12.2020",
            "030 123 456",
            "1,234,56",
            "$x",
            "1e5",
            "12,",
            ",5",
            "A 100",
        ] {
            assert_eq!(NumberStyle::of(text), None, "{text}");
        }
    }

    #[test]
    fn other_notations_are_left_to_others() {
        for text in [
            "",
            "-",
            "007",
            "1e3",
            "1.",
            ".5",
            "1.2.3",
            "0.0005",
            "1234567890123456",
            "12345678901.23456",
            "1,5",
            "+1",
            "1_000",
            "٣",
        ] {
            assert_eq!(plain_number(text), None, "{text}");
        }
        assert_eq!(plain_number("-0.00"), Some(PlainNumber::Whole(0)));
        assert_eq!(plain_number("316.670"), Some(PlainNumber::Decimal("316.67")));
    }

    proptest! {
        /// What is plain is the number of the cell, in the text of the printer.
        #[test]
        fn plain_numbers_are_those_of_cells(text in "-?(0|[1-9][0-9]{0,15})(\\.[0-9]{1,8}|\\.0{1,3})?|[-0-9.e]{0,9}") {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 15 digits")]
            let expected = cell_number(&text).map(|number| match number {
                Number::Float(value) if value.fract() == 0.0 => Number::Integer(value as i64),
                other => other,
            });
            match plain_number(&text) {
                None => {}
                Some(PlainNumber::Whole(value)) => prop_assert_eq!(expected, Some(Number::Integer(value))),
                Some(PlainNumber::Decimal(written)) => {
                    prop_assert_eq!(expected.map(number_text), Some(written.to_owned()));
                }
            }
        }
    }
}
