//! Names, texts and constants as SQL writes them.

use std::collections::BTreeSet;

use gleaner_lang::syntax::{PlainConstant, TermKind, plain_constant, read_clause};

/// The longest name: PostgreSQL cuts longer ones off.
const LONGEST_NAME: usize = 60;

/// A name of the user's, in quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A name of ours: without quotes where no database changes it.
pub(super) fn own(name: &str) -> String {
    let is_plain =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_plain { name.to_owned() } else { quoted(name) }
}

/// A text.
pub(super) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// A text within a comment, which ends with its line.
pub(super) fn in_comment(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\n--   "),
            _ if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
    }
    shown
}

/// The cell that a constant of a clause is: a name without its quotes, and `12` for `12.0`.
pub(super) fn cell_of(constant: &str) -> String {
    let plain = match plain_constant(constant) {
        Some(PlainConstant::Integer(_) | PlainConstant::Float(_)) => None,
        Some(PlainConstant::Atom) if !constant.starts_with('\'') => None,
        Some(PlainConstant::Atom | PlainConstant::Text) | None => unquoted(constant),
    };
    let cell = plain.unwrap_or_else(|| constant.to_owned());
    match cell.split_once('.') {
        Some((whole, zeros))
            if !zeros.is_empty()
                && zeros.bytes().all(|byte| byte == b'0')
                && whole.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
                && whole.bytes().any(|byte| byte.is_ascii_digit()) =>
        {
            whole.to_owned()
        }
        _ => cell,
    }
}

/// The number that a cell is.
pub(super) fn number_of(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

fn unquoted(constant: &str) -> Option<String> {
    let fact = format!("cell({constant}).");
    let statement = read_clause(&fact).ok()?;
    match statement.head?.kind {
        TermKind::Compound(_, arguments) => match arguments.into_iter().next()?.kind {
            TermKind::Atom(name) => Some(name.into_owned()),
            TermKind::Text(value) => Some(value.into_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// Names that no two things share, whatever the case of their letters.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// This name, or one like it.
    pub(super) fn one_like(&mut self, wanted: &str) -> String {
        let mut cut = wanted.len().min(LONGEST_NAME);
        while !wanted.is_char_boundary(cut) {
            cut -= 1;
        }
        let short = &wanted[..cut];
        let numbered = (2..).map(|number| format!("{short}_{number}"));
        let mut candidates = std::iter::once(short.to_owned()).chain(numbered);
        candidates.find(|name| self.0.insert(name.to_lowercase())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, cell_of, in_comment, own, quoted, text};

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(text("O'Neil"), "'O''Neil'");
        assert_eq!([own("g_orders"), own("g_Orders")], ["g_orders", "\"g_Orders\""]);
        assert_eq!(in_comment("a\r\nDROP"), "a\\u{d}\n--   DROP");
    }

    #[test]
    fn constants_are_cells() {
        for (constant, cell) in [
            ("broken", "broken"),
            ("'False'", "False"),
            ("12.0", "12"),
            ("-3", "-3"),
            ("1.5", "1.5"),
            (r"'O\'Neil, J.'", "O'Neil, J."),
            ("'v1.0'", "v1.0"),
            ("f(a)", "f(a)"),
        ] {
            assert_eq!(cell_of(constant), cell, "{constant}");
        }
    }

    #[test]
    fn names_differ_in_more_than_case() {
        let mut names = Names::default();
        assert_eq!([names.one_like("a"), names.one_like("A"), names.one_like("a")], ["a", "A_2", "a_3"]);
        let long = "x".repeat(100);
        let [one, other] = [names.one_like(&long), names.one_like(&long)];
        assert!(one.len() <= 63 && other.len() <= 63 && one != other);
    }
}
