//! Learners that are tried, with the settings of each.

use crate::base_learners::{base_learner_named, configured_base_learner};
use crate::learner::Configured;
use gleaner_lang::program::settings::{DataSummary, LEARNER, Settings};

use super::config::AutoConfig;

/// The defaults of candidates that differ from their learners' own, where the user sets nothing: name, setting, value.
const OWN_SETTINGS: &[(&str, &str, &str)] = &[("prankboost-clause", "refit", "train-and-tune")];

/// The same for the tables of a database, whose aggregates are many. Trees over what has one value for an example take
/// a fifth of the time, and single rows are what clauses are for. Small leaves and whole steps fit noise there. By
/// experiment, on the tune sets of four tasks.
const OWN_SETTINGS_OF_DATABASE: &[(&str, &str, &str)] = &[
    ("rdn-boost", "test-literals", "determinate"),
    ("rdn-boost", "min-leaf", "20"),
    ("rdn-boost", "shrinkage", "0.3"),
    ("prankboost-clause", "round-seeds", "8"),
];

/// The settings of candidates in trials, where a candidate shows with a share of its work what it can do.
const TRIAL_SETTINGS: &[(&str, &str, &str)] = &[("prankboost-clause", "round-seeds", "5")];

/// The weight of a candidate in a mean of several; that of others is 1. `aleph` and `tree` count in none: one theory
/// and one tree are for those who read them.
const WEIGHTS: &[(&str, f64)] = &[("aleph", 0.0), ("tree", 0.0), ("srl", 3.0)];

/// The most clauses of a model that is simple enough to be taken before others are tried, by learner. Other learners
/// may have any number.
const MOST_CLAUSES_THAT_TELL_ALL: &[(&str, usize)] = &[("aleph", 1)];

/// The sizes of train and tune together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HowMany {
    /// Examples.
    pub examples: usize,
    /// Positives among them.
    pub positives: usize,
}

impl HowMany {
    /// Clauses that `srl` evaluates around each seed. With few examples, more clauses find nothing that holds of other
    /// examples too, and take most of the time.
    fn clauses(self) -> usize {
        (5 * self.examples).clamp(750, 5_000)
    }

    /// Seeds of `srl`, shared among the inner folds: 20 each of 100. They are drawn from the positives, so with few
    /// positives more seeds would be repeats.
    fn seeds(self) -> usize {
        (4 * self.positives).clamp(25, 100)
    }
}

/// A learner that is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: &'static str,
    /// The settings of all, with its own.
    pub settings: Settings,
    /// The settings for trials.
    pub trial_settings: Settings,
    /// How often it counts in a mean; 0: it is taken alone, or not at all.
    pub weight: f64,
}

impl Candidate {
    /// Whether it is never a part of a mean.
    pub fn is_alone(&self) -> bool {
        self.weight <= 0.0
    }

    /// Whether a model that makes no mistake is simple enough to be taken before all others are tried.
    pub fn is_simple(&self, n_clauses: usize) -> bool {
        let most = MOST_CLAUSES_THAT_TELL_ALL.iter().find(|(of, _)| *of == self.name);
        most.is_none_or(|&(_, most)| n_clauses <= most)
    }

    /// The learner with its settings; some depend on the data.
    pub fn configured(&self, data: DataSummary) -> Box<dyn Configured> {
        configured_base_learner(&self.settings, data)
    }

    /// The learner as it is tried.
    pub fn configured_for_trial(&self, data: DataSummary) -> Box<dyn Configured> {
        configured_base_learner(&self.trial_settings, data)
    }

    /// Whether it takes clauses in place of a search.
    pub fn takes_clauses(&self) -> bool {
        base_learner_named(self.name).is_some_and(|learner| learner.only_of_search(&self.settings).is_some())
    }
}

/// The settings of a candidate as the user made them.
///
/// # Panics
///
/// When the catalog has no learners, which is a bug.
pub fn settings_of(name: &str, settings: &Settings) -> Settings {
    let mut own = settings.clone();
    own.set(LEARNER, name).expect("a candidate is a learner of the registry");
    own
}

/// The candidates for so many examples, in the order of the user. Where clauses are given in place of a search, only
/// the candidates that take clauses.
///
/// # Panics
///
/// When a setting of its own does not take its value, which is a bug.
pub fn candidates(config: &AutoConfig, are_clauses_given: bool, of: HowMany) -> Vec<Candidate> {
    let user = &config.of_candidates.settings;
    let [n_clauses, n_seeds] = [of.clauses(), of.seeds()].map(|n| n.to_string());
    let is_database = config.of_candidates.data.is_database;
    let own = if is_database { OWN_SETTINGS_OF_DATABASE } else { OWN_SETTINGS };
    let candidate = |&name: &&'static str| {
        let mut settings = settings_of(name, user);
        set_own(&mut settings, own, user);
        set_own(&mut settings, &[("srl", "clauses", &n_clauses), ("srl", "seeds", &n_seeds)], user);
        let mut trial_settings = settings.clone();
        set_own(&mut trial_settings, TRIAL_SETTINGS, user);
        let known = WEIGHTS.iter().find(|(learner, _)| *learner == name);
        Candidate { name, settings, trial_settings, weight: known.map_or(1.0, |&(_, weight)| weight) }
    };
    let all: Vec<Candidate> = config.candidates.0.iter().map(candidate).collect();
    let taking = |candidate: &Candidate| !are_clauses_given || candidate.takes_clauses();
    let some: Vec<Candidate> = all.iter().filter(|candidate| taking(candidate)).cloned().collect();
    if some.is_empty() { all } else { some }
}

/// Sets a learner's own values where the user sets nothing.
fn set_own(settings: &mut Settings, own: &[(&str, &str, &str)], user: &Settings) {
    let learner = settings.learner();
    for &(of, setting, value) in own {
        if of == learner && !user.is_set(setting) {
            settings.set(setting, value).expect("a value that the setting takes");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::HowMany;

    /// Five clauses for each example and four seeds for each positive, within bounds.
    #[test]
    fn few_examples_have_a_small_search() {
        for (examples, positives, clauses, seeds) in
            [(8, 4, 750, 25), (94, 15, 750, 60), (500, 25, 2_500, 100), (4_000, 113, 5_000, 100)]
        {
            let of = HowMany { examples, positives };
            assert_eq!((of.clauses(), of.seeds()), (clauses, seeds));
        }
    }
}
