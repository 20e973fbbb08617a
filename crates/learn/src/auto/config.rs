//! Settings of the choice among learners, checked.
//!
//! Learners that are tried, with the settings of each.

use crate::OperatingPoint;
use crate::base_learners::{base_learner_named, base_learner_names, configured_base_learner};
use crate::learner::Configured;
use crate::shared_config::OPERATING_POINT;
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, DataSummary, Declaration, Form, Given, LEARNER, Refusal, Setting, SettingType, Settings,
    Source, Value, settings, words,
};

/// The learner's name.
pub const AUTO: &str = "auto";

/// More candidates have too many means.
const MOST_CANDIDATES: usize = 6;

words! {
    /// The choice to take among those within one standard error.
    pub enum Prefer {
        /// The mean of most learners.
        Accuracy = "accuracy",
        /// The one that is easier to read: of fewer learners, then the one named first.
        Readable = "readable",
    }
}

/// Learners that are tried, each once: those that are easier to read first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateLearners(pub Vec<&'static str>);

impl SettingType for CandidateLearners {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted((): &()) -> String {
        format!(
            "up to {MOST_CANDIDATES} other learners separated by commas, as gleaner,rdn-boost: {}",
            Self::words().join(", ")
        )
    }

    fn words() -> Vec<&'static str> {
        base_learner_names().map(|known| known.name).collect()
    }

    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        let known = Self::words();
        let mut names = Vec::new();
        for part in text.split(',') {
            let name = known.iter().find(|&&name| name == part.trim()).ok_or(Refusal::NotAccepted)?;
            if names.contains(name) {
                return Err(Refusal::NotAccepted);
            }
            names.push(*name);
        }
        if names.len() <= MOST_CANDIDATES { Ok(Self(names)) } else { Err(Refusal::NotAccepted) }
    }

    /// The names without blanks.
    fn kept(&self, _: &str) -> Value {
        Value::Word(self.0.join(","))
    }
}

/// The settings and data that candidates are configured by.
#[derive(Clone, Debug, PartialEq)]
pub struct ForCandidates {
    /// All settings as the user made them.
    pub settings: Settings,
    /// The data that `auto` settings depend on.
    pub data: DataSummary,
}

const CANDIDATE_LEARNERS: &str = "candidate-learners";

static CANDIDATES: Setting<CandidateLearners> = Setting::new(CANDIDATE_LEARNERS, "aleph,tree,rdn-boost,srl")
    .help(
        "Learners that ⁅learner=auto⁆ chooses among, the easiest to read first; of tables of a database: \
               prankboost-clause,rdn-boost",
    )
    .source("our own, by experiment");

/// The candidates for a database, where the user names none: clauses say what single rows are like, and trees what
/// aggregates come to. Both cost little.
const OF_DATABASE: [&str; 2] = ["prankboost-clause", "rdn-boost"];

/// The candidates; where scores keep an order, those that keep it. If none does, a job refuses the settings.
struct ThatKeepOrder;

impl Source<CandidateLearners> for ThatKeepOrder {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(&CANDIDATES);
    }

    fn read(&self, given: &Given<'_>) -> CandidateLearners {
        let CandidateLearners(mut asked) = CANDIDATES.read(given);
        if given.data.is_database && !given.settings.is_set(CANDIDATE_LEARNERS) {
            asked = OF_DATABASE.to_vec();
        }
        let kept: Vec<&'static str> =
            asked.iter().copied().filter(|name| keeps_order(name, given.settings)).collect();
        CandidateLearners(if kept.is_empty() { asked } else { kept })
    }
}

/// The candidates that are left out, as their scores do not keep the order that is asked for.
pub fn left_out_by_order(settings: &Settings) -> Vec<&'static str> {
    let CandidateLearners(asked) = CANDIDATES.read(&Given { settings, data: DataSummary::default() });
    asked.into_iter().filter(|name| !keeps_order(name, settings)).collect()
}

/// Whether a candidate keeps the order that is asked for, if one is.
fn keeps_order(name: &str, settings: &Settings) -> bool {
    let mut own = settings.clone();
    let asks = !MONOTONE.read(&Given { settings, data: DataSummary::default() }).0.is_empty();
    let is_kept = own.set(LEARNER, name).is_ok()
        && base_learner_named(name).is_some_and(|learner| learner.keeps_order(&own).is_ok());
    !asks || is_kept
}

settings! {
    /// Settings of the choice.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AutoConfig {
        /// The choice to take among those within one standard error.
        pub prefer: Prefer = Setting::new("prefer", "accuracy")
            .help("Choice of ⁅learner=auto⁆ within one standard error of the best: the mean of most learners, or \
                 the easiest to read")
            .source("our own, by experiment"),
        /// The learners that are tried.
        pub candidates: CandidateLearners = ThatKeepOrder,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// The settings and data that candidates are configured by.
        pub of_candidates: ForCandidates = Computed(for_candidates),
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

fn for_candidates(given: &Given<'_>) -> ForCandidates {
    ForCandidates { settings: given.settings.clone(), data: given.data }
}

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
    trial_settings: Settings,
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
