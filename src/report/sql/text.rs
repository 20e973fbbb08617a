//! Names, texts and constants as SQL writes them.
//!
//! Sums to the bit, though databases add in an order of their own.
//!
//! gleaner adds fractions one by one, the least first. A database's sum may differ in the last bits, which matters only
//! where it is that near to what it is compared with. There alone the fractions are added again in order.

use std::collections::BTreeSet;

use gleaner_lang::syntax::{PlainConstant, TermKind, plain_constant, read_clause};

use super::dialect::Dialect;
use super::shared::Shared;

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

/// A sum in another order differs by less than this part of the sum of the sizes, for up to four million rows.
const NEAR: f64 = 1e-9;

/// The sums, or means, of the values of one goal.
pub(super) struct Sums<'s> {
    pub(super) is_mean: bool,
    /// What they are compared with; `None` for anything.
    pub(super) thresholds: Option<&'s [f64]>,
    /// The table of examples `l`, and that of the values `v`.
    pub(super) last: &'s str,
    pub(super) values: &'s str,
    /// Which values count for which example.
    pub(super) counts: &'s str,
}

impl Sums<'_> {
    /// What is summed up: the numbers of values and of fractions, the sums of whole numbers, of fractions and of sizes.
    pub(super) const NAMES: [&'static str; 5] = ["n_values", "n_parts", "whole", "parts", "size"];

    /// These columns over the values `v`, and over rows `r` with such columns.
    pub(super) fn columns() -> (Vec<String>, Vec<String>) {
        let of_row = ["count(v.v)", "count(v.part)", "sum(v.whole)", "sum(v.part)", "sum(abs(v.v))"];
        let of_rows = Self::NAMES.map(|name| format!("sum(r.{name}) AS {name}"));
        (of_row.map(str::to_owned).into(), of_rows.into())
    }

    /// The value `v` as a whole number, or as a number with a fraction.
    pub(super) fn split(dialect: Dialect) -> String {
        let whole = dialect.is_whole("v");
        format!("CASE WHEN {whole} THEN v END AS whole, CASE WHEN NOT ({whole}) THEN v END AS part")
    }

    /// The query of the value of each example, over the columns of this one. The sum of no value is
    /// missing, and counts 0.
    pub(super) fn query(&self, shared: &mut Shared<'_>, select: String) -> String {
        let dialect = shared.dialect;
        let zero = dialect.constant(0.0);
        let comment = format!("The sums of {} for each example of {}.", self.values, self.last);
        let sums = shared.table("g_sums", &comment, select, &["example"]);
        let divisor = if self.is_mean { " / s.n_values" } else { "" };
        let whole = format!("coalesce(s.whole, {zero})");
        let value = |parts: &str| {
            let total = format!("{whole} + coalesce({parts}, {zero})");
            if self.is_mean { format!("({total}){divisor}") } else { total }
        };
        let Some(near) = self.near(dialect, &whole) else {
            return format!(
                "SELECT s.example, {} AS value FROM {sums} AS s WHERE s.n_values > 0",
                value("s.parts")
            );
        };
        let fractions = format!(
            "SELECT s.example, v.part AS v\n    FROM {sums} AS s\n    JOIN {} AS l ON l.example = s.example\n    JOIN {} AS v ON {}\n    WHERE {near}\n      AND v.part IS NOT NULL",
            self.last, self.values, self.counts
        );
        let (with, added, is_last) = if dialect == Dialect::Sqlite {
            let text = format!(
                "SELECT example, v, row_number() OVER (PARTITION BY example ORDER BY v) AS place\n  FROM (\n    {fractions}) AS f"
            );
            let comment = format!("The fractions of {sums}, the least first, where the last bit counts.");
            let near = shared.table("g_near", &comment, text, &["example, place"]);
            let with = format!(
                "WITH RECURSIVE added AS (\n    SELECT example, place, v AS total FROM {near} WHERE place = 1\n    UNION ALL\n    \
                 SELECT a.example, a.place + 1, a.total + f.v\n    FROM added AS a\n    JOIN {near} AS f ON f.example = a.example AND f.place = a.place + 1\n  )\n  "
            );
            (with, "added".to_owned(), " AND a.place = s.n_parts")
        } else {
            let added = format!(
                "(\n    SELECT example, sum(v ORDER BY v) AS total\n    FROM (\n    {fractions}) AS f\n    GROUP BY example)"
            );
            (String::new(), added, "")
        };
        format!(
            "{with}SELECT s.example, {} AS value\n  FROM {sums} AS s\n  LEFT JOIN {added} AS a ON a.example = s.example{is_last}\n  WHERE s.n_values > 0",
            value("coalesce(a.total, s.parts)")
        )
    }

    /// Whether the order may count: more than two fractions, and a sum near to what it is compared with. `None` if never.
    fn near(&self, dialect: Dialect, whole: &str) -> Option<String> {
        let several = "s.n_parts > 2";
        let Some(thresholds) = self.thresholds else { return Some(several.to_owned()) };
        let size = dialect.constant(NEAR);
        let n = if self.is_mean { " * s.n_values" } else { "" };
        let each: Vec<String> = thresholds
            .iter()
            .map(|&threshold| {
                let threshold = dialect.constant(threshold);
                format!("abs({whole} + s.parts - {threshold}{n}) <= s.size * {size}")
            })
            .collect();
        (!each.is_empty()).then(|| format!("{several}\n      AND ({})", each.join("\n        OR ")))
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
