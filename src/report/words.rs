//! Clauses and tests of models of a database, in words that its schema has for them.

use std::collections::BTreeMap;

use gleaner_data::DatabaseSchema;
use gleaner_learn::shown::Extent;

use super::wrapped;

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
