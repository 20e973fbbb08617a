//! Settings of covering theories, checked.

use crate::OperatingPoint;
use crate::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{CURVE_CLAUSES, MIN_TUNE_POSITIVES, OPERATING_POINT, SMOOTHING, Smoothing};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::{CLAUSES, MAX_LITERALS, SearchConfig, SearchLimits};
use gleaner_lang::program::order::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, Declaration, Given, Group, LARGE, LEARNER, Setting, SettingGroup, Source, Word, settings, words,
};

use super::weights::TheoryWeights;

words! {
    /// The learners of this room.
    pub enum CoveringVariant {
        /// One theory.
        Aleph = "aleph",
        /// Theories that vote.
        Ensemble = "aleph-ensemble",
    }
}

impl CoveringVariant {
    fn of(given: &Given<'_>) -> Self {
        Self::of_word(&given.settings.learner()).expect("a learner of this room is asked for")
    }
}

/// The defaults of covering learners that differ from the settings' own.
pub const OWN_DEFAULTS: &[(&str, &str)] = &[
    // [GLEANER §5.2, §8.2]
    ("clauses", "1000"),
    // [GLEANER §3.2]: heuristic search.
    ("search", "best-first"),
    // [GLEANER §5.1]: the best of those tried.
    ("score", "laplace"),
    // Our own, between the thesis's .75 for large data and .1 for small (§5.1, §8.2).
    ("min-precision", "0.5"),
];

words! {
    /// How a theory covers, as Aleph's commands of these names.
    pub enum Induction {
        /// Covered positives are removed: they count for no later clause.
        Induce = "induce",
        /// Covered positives are no seeds any more, but count for later clauses.
        InduceCover = "induce-cover",
        /// Every positive is a seed, and counts for every clause.
        InduceMax = "induce-max",
    }
}

words! {
    /// The train examples that each theory of an ensemble is learnt from.
    pub enum Resample {
        /// All.
        None = "none",
        /// A bootstrap sample of its own, as in bagging: see [`bootstrap`](super::bootstrap()).
        Bootstrap = "bootstrap",
    }
}

static THEORY_NODES: Setting<u64> = Setting::auto("theory-nodes", 1..=LARGE, |given| CLAUSES.read(given))
    .unit("clauses")
    .help("Clauses evaluated from each seed of a covering theory; auto: as ⁅clauses⁆ says")
    .source("[GLEANER §5.2]: 1,000 and 35,000");

/// The limits of searches, with the clauses that `theory-nodes` says.
struct TheoryLimits;

impl Source<SearchLimits> for TheoryLimits {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(&THEORY_NODES);
        SearchLimits::declare(list);
    }

    fn read(&self, given: &Given<'_>) -> SearchLimits {
        SearchLimits { clauses: THEORY_NODES.read(given), ..SettingGroup::read(given) }
    }
}

static ENSEMBLE_SIZE: Setting<usize> = Setting::within("ensemble-size", 1..=100_000, "100")
    .only(LEARNER, const { &[CoveringVariant::Ensemble.word()] })
    .unit("theories")
    .help("Theories of ⁅learner=aleph-ensemble⁆")
    .source("[GLEANER §5.2]");

/// One theory, or as many as an ensemble has.
struct NumberOfTheories;

impl Source<usize> for NumberOfTheories {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(&ENSEMBLE_SIZE);
    }

    fn read(&self, given: &Given<'_>) -> usize {
        match CoveringVariant::of(given) {
            CoveringVariant::Aleph => 1,
            CoveringVariant::Ensemble => ENSEMBLE_SIZE.read(given),
        }
    }
}

/// The name of the setting that says how the clauses of one theory score.
pub(super) const THEORY_WEIGHTS: &str = "theory-weights";

settings! {
    /// Settings of covering theories.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CoveringConfig {
        /// `C`: most clauses of a theory; `None` for as many as cover.
        pub max_clauses: Option<usize> = Setting::auto("theory-clauses", 1..=LARGE, |_| None)
            .unit("clauses")
            .help("Most clauses of a covering theory; auto: no limit")
            .source("[GLEANER §5.1]: 50"),
        /// Limits of each seed's search; `clauses` are Aleph's nodes.
        pub limits: SearchLimits = TheoryLimits,
        /// How a theory covers.
        pub induction: Induction = Setting::new("induction", "induce")
            .help("Covered positives: they count no more, they only stop being seeds, or they stay")
            .source("Aleph's commands of these names"),
        /// Numbers of clauses in a theory, ascending, at which the area of smaller theories is noted too.
        pub curve_clauses: Vec<usize> = &CURVE_CLAUSES,
        /// How the clauses of one theory score an example; theories of an ensemble vote, not their clauses.
        pub weights: TheoryWeights = Setting::new(THEORY_WEIGHTS, "precision")
            .only(LEARNER, const { &[CoveringVariant::Aleph.word()] })
            .help("How the clauses of one theory score an example, from their cover on tune")
            .source("[GLEANER §8.2]"),
        /// The `m` of the ranked list's m-estimate.
        pub ranked_list_m: f64 = Setting::within("ranked-list-m", 0.001..=1_000_000.0, "2")
            .only(THEORY_WEIGHTS, const { &[TheoryWeights::RankedList.word()] })
            .recorded_where_changed()
            .unit("examples")
            .help("m of (TP + m) / (TP + FP + 2m), by which ⁅theory-weights=ranked-list⁆ orders clauses")
            .source("our own; [GLEANER §8.1] does not say its m"),
        /// The pseudo-counts that naive Bayes and TAN add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// `N`: theories, each from seeds of its own.
        pub n_theories: usize = NumberOfTheories,
        /// The train examples that each theory of an ensemble is learnt from.
        pub resample: Resample = Setting::new("resample", "none")
            .only(LEARNER, const { &[CoveringVariant::Ensemble.word()] })
            .recorded_where_changed()
            .help("What each theory of an ensemble is learnt from: all of train, or a bootstrap sample of its own")
            .source("[GLEANER §2.4]"),
        /// Whether theories vote, rather than the clauses of one.
        pub is_ensemble: bool = Computed(|given| CoveringVariant::of(given) == CoveringVariant::Ensemble),
        /// The search for one clause.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// Most literals of a clause, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Fewest tune positives of a clause.
        pub min_tune_positives: usize = &MIN_TUNE_POSITIVES,
        /// Whether clauses are reduced before they vote.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

impl CoveringConfig {
    /// Whether the other settings grow the same theories as these. They differ at most in how clauses are reduced and
    /// score.
    pub fn same_search(&self, other: &Self) -> bool {
        let scored_alike = Self {
            weights: self.weights,
            ranked_list_m: self.ranked_list_m,
            reduce_clauses: self.reduce_clauses,
            smoothing: self.smoothing,
            operating_point: self.operating_point,
            ..other.clone()
        };
        scored_alike == *self
    }
}
