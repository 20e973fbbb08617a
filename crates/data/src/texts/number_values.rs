//! Numbers in other notations than digits with at most one point: signs between thousands, a comma before the fraction,
//! currencies, percent, units, signs before them.

use gleaner_lang::program::Number;

use super::unquoted;

/// The sign before the fraction, in all numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Decimals {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
}

/// A number as a text writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberValue<'t> {
    pub(crate) value: Number,
    /// What is written before or after it: a currency, a unit, `%`; else empty.
    pub(crate) unit: &'t str,
    /// `<` or `>`, where the number is only a bound.
    pub(crate) bound: Option<char>,
}

/// What currencies are called.
const CURRENCIES: [&str; 9] = ["$", "€", "£", "¥", "EUR", "USD", "GBP", "CHF", "JPY"];

/// Signs between thousands beside points and commas: spaces of three widths, and apostrophes.
const SPACES: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '’'];

/// Whether the text of a constant is a number to a person, with a comma before its fraction or between thousands. With letters it may
/// as well be a code.
pub(crate) fn is_number_with_comma(constant: &str) -> bool {
    let text = unquoted(constant);
    text.contains(',')
        && !text.contains(char::is_alphabetic)
        && Decimals::ALL.iter().any(|decimals| decimals.read(text).is_some())
}

impl Decimals {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Point, Self::Comma];

    /// The notation that words name.
    pub(crate) fn named(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.words() == words)
    }

    /// The words for it.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Point => "1,234.5",
            Self::Comma => "1.234,5",
        }
    }

    const fn signs(self) -> [char; 2] {
        match self {
            Self::Point => ['.', ','],
            Self::Comma => [',', '.'],
        }
    }

    /// Reads a number; none of other texts, and of codes as `007`.
    pub(crate) fn read(self, text: &str) -> Option<NumberValue<'_>> {
        let text = text.trim();
        let (bound, text) = match text.strip_prefix(['<', '>', '≤', '≥']) {
            Some(rest) => {
                let sign = if text.starts_with(['<', '≤']) { '<' } else { '>' };
                (Some(sign), rest.strip_prefix('=').unwrap_or(rest).trim_start())
            }
            None => (None, text),
        };
        // Accountants write `(5.2)` for -5.2, and some programs `5.2-`.
        let in_brackets = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (text, is_turned) = match in_brackets {
            Some(inner) => (inner.trim(), true),
            None => match text.strip_suffix(['-', '−']) {
                Some(rest) => (rest.trim_end(), true),
                None => (text, false),
            },
        };
        let (sign, text) = signed(text);
        let (before, text) = currency(text)?;
        let (later_sign, text) = signed(text);
        let signs = [is_turned, sign.is_some(), later_sign.is_some()];
        if signs.into_iter().filter(|&is_there| is_there).count() > 1 {
            return None;
        }
        let is_negative = is_turned || sign == Some('-') || later_sign == Some('-');
        let end = self.end_of_digits(text);
        let (digits, after) = text.split_at(end);
        let (scale, after) = multiple(after);
        let unit = unit(before, after.trim())?;
        let value = self.number(digits, scale, is_negative)?;
        Some(NumberValue { value, unit, bound })
    }

    /// Where the digits end with all signs between them.
    fn end_of_digits(self, text: &str) -> usize {
        let is_inner = |c: char| c == '.' || c == ',' || SPACES.contains(&c);
        let end = text.find(|c: char| !c.is_ascii_digit() && !is_inner(c)).unwrap_or(text.len());
        // `1e5` is read as it is.
        text[..end].trim_end_matches(is_inner_space).len()
    }

    /// The number of digits with signs between them.
    fn number(self, digits: &str, scale: i32, is_negative: bool) -> Option<Number> {
        let [point, between] = self.signs();
        let (whole, fraction) = match digits.split_once(point) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !fraction.is_none_or(are_digits) || whole.is_empty() && fraction.is_none_or(str::is_empty) {
            return None;
        }
        let plain = if are_digits(whole) { whole.to_owned() } else { ungrouped(whole, between)? };
        let is_code = plain.len() > 1 && plain.starts_with('0') && fraction.is_none_or(str::is_empty);
        if is_code || plain.len() > 15 {
            return None;
        }
        let minus = if is_negative { "-" } else { "" };
        match fraction.filter(|fraction| !fraction.is_empty()) {
            None if scale == 0 => format!("{minus}{plain}").parse().ok().map(Number::Integer),
            fraction => {
                let written = format!("{minus}{plain}.{}e{scale}", fraction.unwrap_or("0"));
                let written = if plain.is_empty() { written.replacen('.', "0.", 1) } else { written };
                written.parse().ok().map(Number::Float)
            }
        }
    }
}

fn is_inner_space(c: char) -> bool {
    SPACES.contains(&c)
}

/// The sign before a number, and what follows.
fn signed(text: &str) -> (Option<char>, &str) {
    match text.strip_prefix(['-', '−', '–']) {
        Some(rest) => (Some('-'), rest.trim_start()),
        None => text.strip_prefix('+').map_or((None, text), |rest| (Some('+'), rest)),
    }
}

/// The currency before a number, and what follows. None if anything else but digits begins the text.
fn currency(text: &str) -> Option<(&str, &str)> {
    let found = CURRENCIES.iter().find(|sign| text.starts_with(**sign));
    let (before, rest) = text.split_at(found.map_or(0, |sign| sign.len()));
    let rest = rest.trim_start();
    rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '−'))
        .then_some((before, rest))
}

/// The power of ten that a letter stands for right after the digits, `2.6k`, and what follows.
fn multiple(after: &str) -> (i32, &str) {
    let powers = [("k", 3), ("K", 3), ("M", 6), ("bn", 9), ("B", 9)];
    let found = powers.into_iter().find_map(|(letter, power)| Some((power, after.strip_prefix(letter)?)));
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/');
    found.filter(|(_, rest)| is_end(rest)).unwrap_or((0, after))
}

/// The unit before or after a number. None if both are there, or what follows is no unit.
fn unit<'t>(before: &'t str, after: &'t str) -> Option<&'t str> {
    const LONGEST: usize = 12;
    let is_unit = |text: &str| {
        text.len() <= LONGEST
            && text.starts_with(|c: char| {
                c.is_alphabetic()
                    || matches!(c, '%' | '°' | '‰' | '/')
                    || CURRENCIES.contains(&&*c.to_string())
            })
            && text.chars().all(|c| c.is_alphanumeric() || "%°‰/.^*·µ²³-€$£¥ ".contains(c))
            && !text.contains("  ")
    };
    match (before, after) {
        (before, "") => Some(before),
        ("", after) if is_unit(after) => Some(after),
        _ => None,
    }
}

/// Digits without the signs between thousands: one to three digits, the first of which is no zero, and groups of three after
/// the same sign each.
fn ungrouped(text: &str, between: char) -> Option<String> {
    let sign = text.chars().find(|c| !c.is_ascii_digit())?;
    if sign != between && !SPACES.contains(&sign) {
        return None;
    }
    let mut groups = text.split(sign);
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()) && !first.starts_with('0'))?;
    let mut found = first.to_owned();
    for group in groups {
        if group.len() != 3 || !group.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        found.push_str(group);
    }
    found.bytes().all(|byte| byte.is_ascii_digit()).then_some(found)
}

#[cfg(test)]
mod tests {
    use gleaner_lang::program::Number;

    use super::Decimals::{self, Comma, Point};

    #[test]
    fn numbers_have_one_value_in_a_notation() {
        for (notation, text, value, unit, bound) in [
            (Point, ".8657", 0.8657, "", None),
            (Point, "+2597.2", 2597.2, "", None),
            (Point, "-.5", -0.5, "", None),
            (Point, "5.", 5.0, "", None),
            (Point, "1,234,567.25", 1_234_567.25, "", None),
            (Point, "1 234.5", 1234.5, "", None),
            (Point, "2'597.23", 2597.23, "", None),
            (Point, "(5.2)", -5.2, "", None),
            (Point, "5.2-", -5.2, "", None),
            (Point, "−3", -3.0, "", None),
            (Point, "$3.50", 3.5, "$", None),
            (Point, "-$3.50", -3.5, "$", None),
            (Point, "$-3.50", -3.5, "$", None),
            (Point, "11 %", 11.0, "%", None),
            (Point, "2597.2 mg/dl", 2597.2, "mg/dl", None),
            (Point, "37.2°C", 37.2, "°C", None),
            (Point, "2.60k", 2600.0, "", None),
            (Point, "1.2M", 1_200_000.0, "", None),
            (Point, ">2800", 2800.0, "", Some('>')),
            (Point, "<= 10 mg", 10.0, "mg", Some('<')),
            (Point, "0523.10", 523.1, "", None),
            (Comma, "1.234,50 EUR", 1234.5, "EUR", None),
            (Comma, "3,5", 3.5, "", None),
            (Comma, ",5", 0.5, "", None),
            (Comma, "1.234", 1234.0, "", None),
            (Comma, "1 234,5 €", 1234.5, "€", None),
        ] {
            let read = notation.read(text).unwrap_or_else(|| panic!("{text} is a number"));
            assert!((read.value.as_f64() - value).abs() < 1e-9, "{text}: {:?}", read.value);
            assert_eq!((read.unit, read.bound), (unit, bound), "{text}");
        }
        assert_eq!(Point.read("1,234").map(|read| read.value), Some(Number::Integer(1234)));
        assert_eq!(Comma.read("1,234").map(|read| read.value), Some(Number::Float(1.234)));
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in [
            "",
            "-",
            "+",
            "%",
            "007",
            "1,2,3",
            "10.0.0.1",
            "030 123 456",
            "12-14",
            "A 100",
            "1e5x!",
            "mg",
            "--5",
            "(5",
            "31.12.2020",
            "a1",
            "12:30",
            "5 (approx.)",
            "0,123,456",
        ] {
            for notation in Decimals::ALL {
                assert_eq!(notation.read(text), None, "{text} {notation:?}");
            }
        }
        assert_eq!(Point.read("1.234,5"), None);
        assert_eq!(Comma.read("1,234.5"), None);
    }
}
