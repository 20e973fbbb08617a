//! Numbers in the notation that most programs write, found without a search for their value.

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

fn whole_number(text: &str) -> Option<i64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use gleaner_lang::program::Number;
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::{PlainNumber, plain_number};
    use crate::cells::cell_number;
    use crate::provisional::number_text;

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
