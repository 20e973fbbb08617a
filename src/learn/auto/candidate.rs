//! Learners that are tried, with the settings of each.

use crate::learn::learner::Configured;
use crate::learn::registry::{configured_learner, learner_named};
use crate::program::settings::{DataSummary, LEARNER, Settings};

use super::config::AutoConfig;

/// What a candidate has other than its own defaults where the user sets nothing: name, setting, value. Each was found by
/// experiment on inner folds, or keeps the work of a candidate beside that of the others.
const OWN_SETTINGS: &[(&str, &str, &str)] = &[
    ("prankboost-clause", "round-seeds", "10"),
    ("prankboost-clause", "literal-share", "0.5"),
    ("prankboost-clause", "lookahead", "2"),
    ("prankboost-clause", "refit", "train-and-tune"),
    ("srl", "seeds", "25"),
    ("srl", "clauses", "1000"),
];

/// A learner that is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: &'static str,
    /// The settings of all, with its own.
    pub settings: Settings,
}

impl Candidate {
    /// The learner with its settings; some depend on the data.
    #[must_use]
    pub fn configured(&self, data: DataSummary) -> Box<dyn Configured> {
        configured_learner(&self.settings, data)
    }

    /// Whether it takes clauses in place of a search.
    #[must_use]
    pub fn takes_clauses(&self) -> bool {
        learner_named(self.name).is_some_and(|learner| learner.only_of_search(&self.settings).is_some())
    }
}

/// The settings of a candidate as the user made them.
///
/// # Panics
///
/// When the catalog has no learners, which is a bug.
#[must_use]
pub fn settings_of(name: &str, settings: &Settings) -> Settings {
    let mut own = settings.clone();
    own.set(LEARNER, name).expect("a candidate is a learner of the registry");
    own
}

/// The candidates, in the order of the user; where clauses are given in place of a search, those that take them.
///
/// # Panics
///
/// When a setting of its own does not take its value, which is a bug.
#[must_use]
pub fn candidates(config: &AutoConfig, are_clauses_given: bool) -> Vec<Candidate> {
    let candidate = |&name: &&'static str| {
        let mut settings = settings_of(name, &config.of_candidates.settings);
        for &(of, setting, value) in OWN_SETTINGS {
            if of == name && !settings.is_set(setting) {
                settings.set(setting, value).expect("a value that the setting takes");
            }
        }
        Candidate { name, settings }
    };
    let all: Vec<Candidate> = config.candidates.0.iter().map(candidate).collect();
    let taking = |candidate: &Candidate| !are_clauses_given || candidate.takes_clauses();
    let some: Vec<Candidate> = all.iter().filter(|candidate| taking(candidate)).cloned().collect();
    if some.is_empty() { all } else { some }
}
