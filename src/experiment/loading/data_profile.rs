//! What a run was learned from, as its folder tells it: the predicates with their facts and modes, and the warnings.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use gleaner_base::PredicateId;
use gleaner_data::Problem;
use gleaner_lang::program::display::mode_atom;
use gleaner_lang::syntax::{Code, Diagnostic, Sources};

use crate::experiment::settings::input_names::input_name;

/// The most warnings of one code that are listed; the rest are counted.
const MOST_OF_A_CODE: usize = 20;

/// The predicates and the warnings of a run's data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataProfile {
    /// The predicates with facts or rules, ascending by name.
    pub predicates: Vec<ProfileRow>,
    /// The warnings, in the order in which they were said.
    pub warnings: Vec<WarningRow>,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileRow {
    /// `name/arity`.
    pub predicate: String,
    /// The facts that the files give.
    pub facts: usize,
    /// The distinct facts among them, in each world.
    pub distinct: usize,
    /// The rules that define it.
    pub rules: usize,
    /// The tuples after the rules, over all worlds.
    pub tuples: usize,
    /// The modes of bodies by which clauses use it, as `follows(+person,-person)`, parted by a semicolon; empty where no clause
    /// can use it.
    pub modes: String,
}

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningRow {
    /// Its code; empty in files of older releases that gave a warning none.
    pub code: String,
    /// What is odd.
    pub message: String,
    /// The remedy; empty where none is known.
    pub help: String,
    /// The file and its line, or row and column, as `facts.pl:7`; empty where it has no place.
    pub place: String,
}

impl DataProfile {
    /// The profile of a problem that was read from these files of `data`, with what was warned of.
    pub fn of(problem: &Problem, warnings: &[Diagnostic], sources: &Sources, data: &Path) -> Self {
        Self { predicates: ProfileRow::all(problem), warnings: WarningRow::all(warnings, sources, data) }
    }

    /// What was warned of, where there are no predicates.
    pub fn of_warnings(warnings: &[Diagnostic], sources: &Sources, data: &Path) -> Self {
        Self { warnings: WarningRow::all(warnings, sources, data), ..Self::default() }
    }
}

impl ProfileRow {
    fn all(problem: &Problem) -> Vec<Self> {
        let mut modes: BTreeMap<PredicateId, Vec<String>> = BTreeMap::new();
        for (mode, round) in problem.modes().body.iter().zip(problem.modes().first_rounds()) {
            if let Some(predicate) = mode.subject.relation().filter(|_| round.is_some()) {
                modes.entry(*predicate).or_default().push(mode_atom(mode, problem.symbols()));
            }
        }
        let modes: BTreeMap<String, String> = modes
            .into_iter()
            .map(|(predicate, modes)| (problem.symbols().predicate(predicate).to_string(), modes.join("; ")))
            .collect();
        let row = |known: &gleaner_data::PredicateProfile| Self {
            predicate: known.predicate.clone(),
            facts: known.n_facts,
            distinct: known.n_distinct,
            rules: known.n_rules,
            tuples: known.n_tuples,
            modes: modes.get(&known.predicate).cloned().unwrap_or_default(),
        };
        problem.profile().iter().map(row).collect()
    }
}

impl WarningRow {
    /// The first warnings of each code, and how many more there are.
    fn all(warnings: &[Diagnostic], sources: &Sources, data: &Path) -> Vec<Self> {
        let mut n_of_code: BTreeMap<Code, usize> = BTreeMap::new();
        let mut rows = Vec::new();
        for warning in warnings {
            let n = n_of_code.entry(warning.code()).or_default();
            *n += 1;
            if *n <= MOST_OF_A_CODE {
                rows.push(Self::of(warning, sources, data));
            }
        }
        let more = n_of_code.into_iter().filter(|&(_, n)| n > MOST_OF_A_CODE);
        rows.extend(more.map(|(code, n)| Self {
            code: code.to_string(),
            message: format!("and {} more", n - MOST_OF_A_CODE),
            help: String::new(),
            place: String::new(),
        }));
        rows
    }

    fn of(warning: &Diagnostic, sources: &Sources, data: &Path) -> Self {
        let place = warning.labels().first().map(|label| {
            let words = sources.in_words(label.place());
            let name = sources.get(label.place().file()).name();
            format!("{}{}", input_name(name, data), words.strip_prefix(name).unwrap_or_default())
        });
        Self {
            code: warning.code().to_string(),
            message: warning.message().to_owned(),
            help: warning.help().join("; "),
            place: place.unwrap_or_default(),
        }
    }
}
