//! The tests on an example's ways down the trees of a model, passed and failed, and what they add over all trees.
//!
//! Tests of a tree in words. A test may compare a number that a test above it found, so the goals that found it are said
//! with it.

use std::collections::BTreeMap;

use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::literal_text;
use gleaner_learn::shown::WayTest;

use super::fitted::Words;

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

/// The tests on the way to the current line of a tree, from the root.
pub(super) struct TreeWords<'w> {
    words: &'w Words,
    above: Vec<Above>,
}

/// A test in which what it compares is named.
pub(super) struct Told {
    /// Its goals, after those of tests above that its comparisons need.
    pub(super) goals: String,
    /// The same in words, where there are some.
    pub(super) conditions: Option<Vec<String>>,
    is_more: bool,
}

/// A test above the current line.
struct Above {
    indent: usize,
    goals: String,
    /// Whether the way goes on where it holds: only then its variables have values.
    holds: bool,
}

impl<'w> TreeWords<'w> {
    pub(super) const fn of(words: &'w Words) -> Self {
        Self { words, above: Vec::new() }
    }

    /// The next line of the tree, as `yes: GOALS?`, in words. None where it is to stay as it is.
    pub(super) fn line(&mut self, line: &str) -> Option<String> {
        let Told { goals, conditions, is_more } = self.told(line)?;
        let answer = answer(line.trim_start());
        let start = &line[..line.len() - line.trim_start().len() + answer.len()];
        match conditions {
            Some(conditions) => Some(format!("{start}{}?", conditions.join(" and "))),
            None => (is_more && !self.words.are_none()).then(|| format!("{start}{goals}?")),
        }
    }

    /// The test of the next line of the tree. None of a line without one.
    pub(super) fn told(&mut self, line: &str) -> Option<Told> {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let answer = answer(text);
        while self.above.last().is_some_and(|above| above.indent >= indent) {
            self.above.pop();
        }
        if let Some(parent) = self.above.last_mut() {
            parent.holds = answer == "yes: ";
        }
        let goals = text[answer.len()..].strip_suffix('?')?;
        let mut all = self.goals_of_numbers(goals);
        let is_more = !all.is_empty();
        all.push(goals);
        let all = all.join(", ");
        self.above.push(Above { indent, goals: goals.to_owned(), holds: false });
        Some(Told { conditions: self.words.test(&all), goals: all, is_more })
    }

    /// The goals of tests above that give a value to what these goals only compare.
    fn goals_of_numbers<'s>(&'s self, goals: &str) -> Vec<&'s str> {
        let own = top_goals(goals);
        let is_compared = |goal: &&&str| compared(goal).is_some();
        let (compare, others): (Vec<&&str>, Vec<&&str>) = own.iter().partition(is_compared);
        let mut found: Vec<&str> = Vec::new();
        for variable in compare.into_iter().filter_map(|goal| compared(goal)) {
            if others.iter().any(|goal| gives(goal, variable)) {
                continue;
            }
            let above = self.above.iter().filter(|above| above.holds);
            let goal = above.flat_map(|above| top_goals(&above.goals)).find(|goal| gives(goal, variable));
            found.extend(goal.filter(|goal| !found.contains(goal)));
        }
        found
    }
}

/// The answer to the test above that a line begins with, if any.
fn answer(text: &str) -> &'static str {
    ["yes: ", "no: "].into_iter().find(|answer| text.starts_with(answer)).unwrap_or_default()
}

/// The goals of a conjunction, without those within another goal.
fn top_goals(goals: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quote) = (0_usize, 0, false);
    let mut found = Vec::new();
    for (at, byte) in goals.bytes().enumerate() {
        match byte {
            b'\'' => quote = !quote,
            _ if quote => {}
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.push(goals[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(goals[start..].trim());
    found
}

/// The variable that a goal compares with a number: `B` of `B >= 3`.
fn compared(goal: &str) -> Option<&str> {
    let (variable, rest) = goal.split_once(' ')?;
    let is_variable = variable.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_comparison = ["=< ", ">= ", "< ", "> "].iter().any(|operator| rest.starts_with(operator));
    (is_variable && is_comparison).then_some(variable)
}

/// Whether a goal gives a variable its value: it is the last argument.
fn gives(goal: &str, variable: &str) -> bool {
    let last = goal.strip_suffix(')').and_then(|rest| rest.strip_suffix(variable));
    last.is_some_and(|rest| rest.ends_with([',', ' ', '(']))
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

#[cfg(test)]
mod tree_words_tests {
    use super::{TreeWords, Words, top_goals};

    const SCHEMA: &str =
        "[labels]\nscore = \"number\"\nage = \"number\"\ntown = \"category\"\nlabel = \"label\"\n";

    #[test]
    fn a_number_of_a_test_above_is_named() {
        let words = Words::of(Some(SCHEMA));
        let mut tree = TreeWords::of(&words);
        for (line, expected) in [
            ("  labels_score(A,B), B >= 3?", Some("  score >= 3?")),
            ("    yes: B =< 5?", Some("    yes: score =< 5?")),
            ("      yes: labels_age(A,C), C >= 40?", Some("      yes: age >= 40?")),
            ("        yes: ", None),
            ("        no: B >= 4?", Some("        no: score >= 4?")),
            ("          yes: ", None),
            ("          no: ", None),
            ("      no: labels_town(A,rome)?", Some("      no: town = rome?")),
            // Where the first test does not hold, there is no such number.
            ("    no: B >= 9?", None),
        ] {
            assert_eq!(tree.line(line).as_deref(), expected, "{line}");
        }
    }

    /// Without words for it, the goal that gives the number stands before its comparison.
    #[test]
    fn a_number_without_words_keeps_its_goal() {
        let words = Words::of(Some(SCHEMA));
        let mut tree = TreeWords::of(&words);
        assert_eq!(tree.line("other(A,B), B >= 3?"), None);
        assert_eq!(tree.line("  yes: B >= 5?").as_deref(), Some("  yes: other(A,B), B >= 5?"));
        let nothing = Words::of(None);
        let mut tree = TreeWords::of(&nothing);
        assert_eq!(tree.line("labels_score(A,B), B >= 3?"), None);
        assert_eq!(tree.line("  yes: B >= 5?"), None);
    }

    #[test]
    fn goals_within_goals_are_no_goals_of_the_test() {
        let goals = "aggregate_all(count, (p(A, B), q(B, 'x,(')), C), C >= 2";
        assert_eq!(top_goals(goals), ["aggregate_all(count, (p(A, B), q(B, 'x,(')), C)", "C >= 2"]);
    }
}
