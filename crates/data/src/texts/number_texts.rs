//! Texts in columns of numbers: words for a missing value, and numbers in a notation that is not read.

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

fn are_digits(text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::{NumberStyle, is_missing_word};

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
}
