//! Clauses that fit a terminal: a line that is too long breaks between literals, never within a word.
//!
//! Clauses and tests of models of a database, in words that its schema has for them.

use std::collections::BTreeMap;

use gleaner_data::DatabaseSchema;
use gleaner_learn::shown::Extent;

use super::wrapped;

/// Columns that a clause's further lines stand to the right of its first.
const INDENT: usize = 4;

/// Where they stand of a clause that begins in the right half: below the cells of a table.
const FAR_LEFT: usize = 10;

/// The text with long lines broken: lines that hold a clause and exceed `width` break between its literals. A literal
/// that is longer itself stays whole. Cost: linear in the text.
pub fn fitted(text: &str, width: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        match clause_start(content).filter(|_| content.chars().count() > width) {
            Some(start) => fitted.push_str(&broken(content, start, width)),
            None => fitted.push_str(content),
        }
        fitted.push_str(&line[content.len()..]);
    }
    fitted
}

/// Where the clause of a line begins: the head before ` :- `.
fn clause_start(line: &str) -> Option<usize> {
    let before = &line[..line.find(" :- ")?];
    let name_end = if before.ends_with(')') { opening(before)? } else { before.len() };
    let start = before[..name_end].rfind([' ', '`']).map_or(0, |at| at + 1);
    (start < before.len()).then_some(start)
}

/// The parenthesis that the last character closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The line in pieces that fit, as far as its literals do.
fn broken(line: &str, start: usize, width: usize) -> String {
    let indent = match line[..start].chars().count() + INDENT {
        indent if indent > width / 2 => FAR_LEFT.min(width / 4),
        indent => indent,
    };
    let mut text = line[..start].to_owned();
    let mut n_columns = line[..start].chars().count();
    for (at, piece) in pieces(&line[start..]).into_iter().enumerate() {
        let n_piece = piece.trim_end().chars().count();
        if at > 0 && n_columns + n_piece > width {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            n_columns = indent;
        }
        text.push_str(piece);
        n_columns += piece.chars().count();
    }
    text
}

/// The head with its neck, and the literals, each with the comma and the space after it.
fn pieces(clause: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut quote = None;
    let mut escaped = false;
    for (at, byte) in clause.bytes().enumerate() {
        if let Some(open) = quote {
            let closes = byte == open && !escaped;
            escaped = byte == b'\\' && !escaped;
            quote = quote.filter(|_| !closes);
            continue;
        }
        match byte {
            b'\'' | b'"' => quote = Some(byte),
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 && clause[..at].ends_with([',', '-']) && is_between(&clause[start..at]) => {
                pieces.push(&clause[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&clause[start..]);
    pieces
}

/// Whether a literal, or the head, ends here: at a comma or at the neck.
fn is_between(piece: &str) -> bool {
    piece.ends_with(',') || piece.ends_with(" :-")
}

/// The words of a database, if there is one.
pub(super) struct Words(Option<DatabaseSchema>);

impl Words {
    /// Those of a schema's text.
    pub(super) fn of(schema: Option<&str>) -> Self {
        Self(schema.and_then(DatabaseSchema::read))
    }

    /// The same, but none for a whole model: what is printed then is the model itself.
    pub(super) fn for_extent(self, extent: Extent) -> Self {
        Self(self.0.filter(|_| extent == Extent::Short))
    }

    pub(super) const fn are_none(&self) -> bool {
        self.0.is_none()
    }

    /// The conditions of a clause in lines of so many columns: `if` the first, `and` each further one. Empty where there
    /// are no words for it.
    pub(super) fn clause(&self, clause: &str, n_columns: usize) -> Vec<String> {
        self.clause_of(clause, &BTreeMap::new(), n_columns)
    }

    /// The same, with the values that variables of the clause have for one example: `if score >= 3 (here 5)`.
    pub(super) fn clause_of(
        &self,
        clause: &str,
        values: &BTreeMap<String, String>,
        n_columns: usize,
    ) -> Vec<String> {
        let schema = self.0.as_ref();
        let conditions = schema.and_then(|schema| schema.in_words_of(clause, values)).unwrap_or_default();
        let begin = |at: usize| if at == 0 { "if" } else { "and" };
        let lines = |(at, condition): (usize, &String)| {
            wrapped(std::iter::once(begin(at).to_owned()).chain(unbroken(condition)), n_columns)
        };
        conditions.iter().enumerate().flat_map(lines).collect()
    }

    /// The goals of a test in words, as conditions. None where there are none for them.
    pub(super) fn test(&self, goals: &str) -> Option<Vec<String>> {
        self.0.as_ref()?.test_in_words(goals)
    }
}

/// The words of a condition; an operator stays beside its number, and `(here` beside the value.
fn unbroken(condition: &str) -> Vec<String> {
    let is_operator =
        |word: &str| word == "(here" || word.chars().all(|of| matches!(of, '=' | '<' | '>' | '\\'));
    let mut words: Vec<String> = Vec::new();
    let mut after_operator = false;
    for word in condition.split(' ') {
        match words.last_mut() {
            Some(last) if after_operator => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        after_operator = is_operator(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::fitted;

    /// No literal is broken, and nothing but spaces is lost.
    #[test]
    fn clauses_break_between_literals() {
        let line =
            "     7      0  active(A) :- atom(A,B), bond(A,B,C,'a, b'), charge(C, 0.5), eq(C,D).\nnext\n";
        let told = "     7      0  active(A) :- atom(A,B),\n                   bond(A,B,C,'a, b'),\n                   \
                    charge(C, 0.5), eq(C,D).\nnext\n";
        assert_eq!(fitted(line, 43), told);
        assert_eq!(fitted(line, 200), line);
    }

    /// Text that cannot break stays whole, and lines without a clause are left alone.
    #[test]
    fn what_cannot_break_stays_whole() {
        let long = "p(A) :- a_very_long_predicate_name(A, 'x y z').\n";
        assert_eq!(fitted(long, 20), "p(A) :-\n    a_very_long_predicate_name(A, 'x y z').\n");
        for line in
            ["a long line, of words, and of commas\n", ":- modeb(*, p(+type, -type)), q, r, s.\n", "x :- \n"]
        {
            assert_eq!(fitted(line, 20), line);
        }
    }

    /// Far to the right a clause goes on at the left.
    #[test]
    fn narrow_places_take_the_left() {
        let line = "seen: 12345678 `p(f(A),B) :- q(A), r(B)`";
        assert_eq!(fitted(line, 34), "seen: 12345678 `p(f(A),B) :- q(A),\n        r(B)`");
    }
}

#[cfg(test)]
mod words_tests {
    use super::Words;

    const SCHEMA: &str = "[labels]\nscore = \"number\"\ntown = \"category\"\nlabel = \"label\"\n";

    #[test]
    fn tests_are_conditions() {
        let words = Words::of(Some(SCHEMA));
        let said = |goals: &str| words.test(goals).map(|conditions| conditions.join("; "));
        assert_eq!(
            said("labels_score(A,B), B >= 3, labels_town(A,rome)").as_deref(),
            Some("score >= 3; town = rome")
        );
        assert_eq!(said("B >= 3"), None, "the number is of a test before");
        assert_eq!(Words::of(None).test("labels_town(A,rome)"), None);
    }

    /// An operator does not end a line.
    #[test]
    fn conditions_are_broken_between_words() {
        let words = Words::of(Some(SCHEMA));
        let clause = "labels_label(A) :- labels_score(A,B), B >= 30, B =< 50, labels_town(A,rome).";
        assert_eq!(words.clause(clause, 40), ["if score >= 30 and =< 50", "and town = rome"]);
        assert_eq!(words.clause(clause, 16), ["if score >= 30", "  and =< 50", "and town = rome"]);
        assert!(words.clause("labels_label(A) :- other(A).", 40).is_empty());
    }
}
