//! The tests on an example's ways down the trees of a model, passed and failed, and what they add over all trees.

use std::collections::BTreeMap;

use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::literal_text;
use gleaner_learn::shown::WayTest;

use super::tree_words::{Told, TreeWords};
use super::words::Words;

/// A test of a way, told.
pub(super) struct ToldTest {
    /// In words where there are some, else as goals.
    pub(super) text: String,
    /// What it asks about: the columns in words, else the relations.
    pub(super) about: String,
}

/// The tests of a way, told.
pub(super) fn told(way: &[WayTest], words: &Words, symbols: &Symbols) -> Vec<ToldTest> {
    let mut tree = TreeWords::of(words);
    let mut answer = "";
    let mut all = Vec::with_capacity(way.len());
    for (indent, test) in way.iter().enumerate() {
        let goals: Vec<String> = test.literals.iter().map(|literal| literal_text(literal, symbols)).collect();
        let line = format!("{:indent$}{answer}{}?", "", goals.join(", "));
        answer = if test.passed { "yes: " } else { "no: " };
        // Each line has a test.
        let Some(Told { goals, conditions, .. }) = tree.told(&line) else { continue };
        all.push(match conditions {
            None => ToldTest { about: relations(&goals), text: goals },
            Some(conditions) => ToldTest { text: conditions.join(" and "), about: subjects(&conditions) },
        });
    }
    all
}

/// The tests of a way that the example failed. The last test of a way without others is left out: it is its clause.
pub(super) fn failed(way: &[WayTest], words: &Words, symbols: &Symbols) -> Vec<String> {
    let told = told(way, words, symbols).into_iter().zip(way);
    let mut failed: Vec<String> = told.filter(|(_, test)| !test.passed).map(|(told, _)| told.text).collect();
    if failed.len() == way.len() {
        failed.pop();
    }
    failed
}

/// What the tests that ask about the same add over all trees.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum {
    /// What they ask about; nothing of what is added whatever the outcomes of tests are.
    pub(super) about: Option<String>,
    pub(super) adds: f64,
    pub(super) n_tests: usize,
}

/// What is added over all ways by what the tests ask about, the greatest size first; then the rest of the score. None
/// without tests.
pub(super) fn sums<'w>(
    ways: impl Iterator<Item = &'w [WayTest]>,
    score: f64,
    words: &Words,
    symbols: &Symbols,
) -> Vec<Sum> {
    let mut known: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for way in ways {
        for (told, test) in told(way, words, symbols).into_iter().zip(way) {
            let (adds, n_tests) = known.entry(told.about).or_default();
            (*adds, *n_tests) = (*adds + test.adds, *n_tests + 1);
        }
    }
    let sum = |(about, (adds, n_tests))| Sum { about: Some(about), adds, n_tests };
    let mut sums: Vec<Sum> = known.into_iter().map(sum).collect();
    sums.sort_by(|one, other| other.adds.abs().total_cmp(&one.adds.abs()));
    let rest = score - sums.iter().map(|sum| sum.adds).sum::<f64>();
    if !sums.is_empty() {
        sums.push(Sum { about: None, adds: rest, n_tests: 0 });
    }
    sums
}

/// What conditions are about: each without its comparison, once.
fn subjects(conditions: &[String]) -> String {
    let mut subjects: Vec<&str> = Vec::new();
    for condition in conditions {
        let operators = [" = ", " \\= ", " >= ", " =< ", " > ", " < ", " is known", " is missing"];
        let end = operators.iter().filter_map(|operator| condition.find(operator)).min();
        let subject = condition[..end.unwrap_or(condition.len())].trim();
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    subjects.join(", ")
}

/// The names of the relations of goals, those within others too, each once.
fn relations(goals: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut quote = false;
    for (at, c) in goals.char_indices() {
        match c {
            '\'' => quote = !quote,
            _ if quote => continue,
            '(' => {
                let name = &goals[start..at];
                let is_own = ["aggregate_all", "count", "max", "min", "sum"].contains(&name);
                if !name.is_empty() && !is_own && !names.contains(&name) {
                    names.push(name);
                }
            }
            _ => {}
        }
        if c != '\'' && !c.is_alphanumeric() && c != '_' {
            start = at + c.len_utf8();
        }
    }
    if names.is_empty() { "comparisons".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::{relations, subjects};

    #[test]
    fn tests_of_one_column_are_about_the_same() {
        let of =
            |conditions: &[&str]| subjects(&conditions.iter().map(|&of| of.to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["score >= 3 and =< 5"]), "score");
        assert_eq!(of(&["town = rome", "days since last order =< 30"]), "town, days since last order");
        assert_eq!(
            of(&["number of orders rows with shop.town = york and price > 5 >= 2"]),
            "number of orders rows with shop.town"
        );
        assert_eq!(of(&["city is known"]), "city");
    }

    #[test]
    fn relations_of_goals_are_named_once() {
        assert_eq!(relations("bond(A,B,C,'x(y'), bond(A,C,D,7), atm(A,B,c,E), E =< 3"), "bond, atm");
        assert_eq!(relations("aggregate_all(count, (p(A,B), \\+ 'Q r'(B)), C), C >= 2"), "p, 'Q r'");
        assert_eq!(relations("A >= 3"), "comparisons");
    }
}
