//! For tests only: a slow evaluation of generated problems that shares no code with the generators. It parses facts and
//! clauses as text, and to prove a clause it tries every fact for every literal.

use std::collections::{BTreeMap, BTreeSet};

use super::Generated;

/// Facts by predicate.
#[derive(Clone, Default)]
pub(super) struct Facts(BTreeMap<String, Vec<Vec<String>>>);

impl Facts {
    /// Adds every fact of a text; a line that is no fact fails the test.
    pub(super) fn read(&mut self, text: &str) {
        for line in text.lines() {
            let (name, arguments) = atom(line.strip_suffix('.').expect("a fact ends with a full stop"));
            assert!(arguments.iter().all(|argument| !is_variable(argument)), "{line} is not ground");
            self.0.entry(name).or_default().push(arguments);
        }
    }

    /// The number of facts, after a check that no fact occurs twice.
    pub(super) fn count_distinct(&self) -> usize {
        for (name, rows) in &self.0 {
            let distinct: BTreeSet<&Vec<String>> = rows.iter().collect();
            assert_eq!(distinct.len(), rows.len(), "facts of {name} stand twice");
        }
        self.0.values().map(Vec::len).sum()
    }

    /// Whether a clause covers an example.
    pub(super) fn covers(&self, clause: &str, example: &str) -> bool {
        let (head, body) = literals(clause);
        let bindings = head.1.into_iter().zip(atom(example).1).collect();
        self.prove(&body, &bindings)
    }

    fn prove(&self, body: &[(String, Vec<String>)], bindings: &BTreeMap<String, String>) -> bool {
        let Some(((name, arguments), rest)) = body.split_first() else { return true };
        let rows = self.0.get(name).map(Vec::as_slice).unwrap_or_default();
        rows.iter().any(|row| {
            assert_eq!(row.len(), arguments.len(), "{name} has one arity");
            let fits = arguments.iter().zip(row).all(|(argument, value)| {
                let known = if is_variable(argument) { bindings.get(argument) } else { Some(argument) };
                known.is_none_or(|known| known == value)
            });
            fits && {
                // No planted literal names a new variable twice, so the order of binding is free.
                let mut extended = bindings.clone();
                extended.extend(arguments.iter().cloned().zip(row.iter().cloned()));
                self.prove(rest, &extended)
            }
        })
    }
}

fn is_variable(term: &str) -> bool {
    term.starts_with(|first: char| first.is_ascii_uppercase())
}

fn atom(text: &str) -> (String, Vec<String>) {
    let (name, rest) = text.trim().split_once('(').expect("an atom has arguments");
    let arguments = rest.strip_suffix(')').expect("an atom ends with a parenthesis");
    (name.to_owned(), arguments.split(',').map(str::to_owned).collect())
}

type Atom = (String, Vec<String>);

/// Head and body of a clause.
fn literals(clause: &str) -> (Atom, Vec<Atom>) {
    let (head, body) = clause.strip_suffix('.').expect("a full stop").split_once(" :- ").expect("a rule");
    (atom(head), body.split(", ").map(atom).collect())
}

/// The text of one file.
pub(super) fn file<'a>(problem: &'a Generated, path: &str) -> &'a str {
    let found = problem.files.iter().find(|file| file.path == path);
    &found.unwrap_or_else(|| panic!("{path} is missing")).text
}

/// For every example, its label and the number of planted clauses that cover it. It also checks that each example
/// occurs once and that the stated counts are right.
pub(super) fn covered(problem: &Generated, n_folds: usize) -> Vec<(bool, usize)> {
    let mut global = Facts::default();
    global.read(file(problem, "background.pl"));
    let (mut seen, mut scores) = (BTreeSet::new(), Vec::new());
    for fold in 1..=n_folds {
        let mut facts = global.clone();
        let own = format!("fold{fold}/background.pl");
        if let Some(background) = problem.files.iter().find(|file| file.path == own) {
            facts.read(&background.text);
        }
        facts.count_distinct();
        for (name, label) in [("pos", true), ("neg", false)] {
            for line in file(problem, &format!("fold{fold}/{name}.pl")).lines() {
                assert!(seen.insert(line.to_owned()), "{line} stands twice");
                let example = line.strip_suffix('.').expect("an example ends with a full stop");
                let covers = |clause: &&String| facts.covers(clause, example);
                scores.push((label, problem.planted.iter().filter(covers).count()));
            }
        }
    }
    assert_eq!(scores.iter().filter(|score| score.0).count(), problem.n_positives);
    assert_eq!(scores.len(), problem.n_positives + problem.n_negatives);
    scores
}

/// Area under the precision-recall curve of a score, by the midpoint of each step in true positives; ties enter
/// together.
pub(super) fn auc_pr(scores: &[(bool, usize)]) -> f64 {
    let n_positives = scores.iter().filter(|score| score.0).count() as f64;
    let most = scores.iter().map(|score| score.1).max().unwrap_or(0);
    let (mut hits, mut misses, mut area) = (0.0, 0.0, 0.0);
    for level in (0..=most).rev() {
        let count = |label| scores.iter().filter(|&&score| score == (label, level)).count() as f64;
        let (n_true, n_false) = (count(true), count(false));
        for step in 0..1000 {
            let part = (f64::from(step) + 0.5) / 1000.0;
            let at = hits + part * n_true;
            let precision = if at > 0.0 { at / (at + misses + part * n_false) } else { 1.0 };
            area += precision * n_true / n_positives / 1000.0;
        }
        hits += n_true;
        misses += n_false;
    }
    area
}

/// Fails unless every predicate of a mode has facts, and `modes.pl` makes every planted clause legal at depth 2 and repeats it as a comment.
pub(super) fn check_language(problem: &Generated) {
    let text = file(problem, "modes.pl");
    let modes: Vec<Atom> = text
        .lines()
        .filter_map(|line| line.strip_prefix(":- modeb(")?.strip_suffix(")."))
        .map(|mode| atom(mode.split_once(", ").expect("a recall and a literal").1))
        .collect();
    for (name, _) in &modes {
        let fact = format!("\n{name}(");
        let backgrounds = problem.files.iter().filter(|file| file.path.ends_with("background.pl"));
        let mut texts = backgrounds.map(|file| &file.text);
        assert!(
            texts.any(|text| text.contains(&fact) || text.starts_with(&fact[1..])),
            "{name} has no facts"
        );
    }
    for clause in &problem.planted {
        assert!(text.contains(&format!("% {clause}\n")));
        let (head, body) = literals(clause);
        assert!((1..=6).contains(&body.len()), "{clause}");
        let mut depths: BTreeMap<String, usize> = head.1.into_iter().map(|name| (name, 0)).collect();
        for (name, arguments) in body {
            assert!(text.contains(&format!("/{}, {name}/{}).\n", arity(text), arguments.len())));
            let legal = |mode: &&Atom| {
                mode.0 == name
                    && mode.1.len() == arguments.len()
                    && mode.1.iter().zip(&arguments).all(|(place, argument)| match &place[..1] {
                        "+" => depths.contains_key(argument),
                        "-" => is_variable(argument),
                        _ => !is_variable(argument),
                    })
            };
            let mode = modes.iter().find(legal).unwrap_or_else(|| panic!("{name} in {clause} has no mode"));
            let inputs = mode.1.iter().zip(&arguments).filter(|(place, _)| place.starts_with('+'));
            let depth = 1 + inputs.map(|(_, argument)| depths[argument]).max().unwrap_or(0);
            assert!(depth <= 2, "{name} in {clause} is at depth {depth}");
            for argument in arguments.into_iter().filter(|argument| is_variable(argument)) {
                depths.entry(argument).or_insert(depth);
            }
        }
    }
}

/// Arity of the target, from the head's mode.
fn arity(text: &str) -> usize {
    text.lines().next().expect("modes.pl starts with the head").matches('+').count()
}
