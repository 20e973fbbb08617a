//! Settings of mLynx.

use crate::OperatingPoint;
use crate::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{OPERATING_POINT, SMOOTHING, Smoothing};
use gleaner_engine::mining::MiningConfig;
use gleaner_lang::program::settings::{Group, Setting, settings, words};
use gleaner_stats::ml::mrmr::MrmrConfig;

words! {
    /// The measure by which one set of queries is better than another.
    pub enum SetGoal {
        /// The area under the precision-recall curve of the examples learnt from.
        ///
        /// DIVERGENCE: where positives are few, fewest errors favours sets that call everything negative.
        AucPr = "auc-pr",
        /// Few errors on the examples learnt from.
        Errors = "errors",
        /// The area on tune, by naive Bayes of train.
        TuneAucPr = "tune-auc-pr",
    }
}

settings! {
    /// Settings of mLynx.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MlynxConfig {
        /// How queries are mined.
        pub mining: MiningConfig = Group,
        /// How many sets are built.
        pub restarts: usize = Setting::within("restarts", 1..=1_000_000, "100")
            .unit("sets")
            .help("Sets of queries that are built, each from a random query")
            .source("[MLYNX §4]"),
        /// How often a random query comes next.
        pub random_step: f64 = Setting::within("random-step", 0.0..=1.0, "0.05")
            .unit("probability")
            .help("The probability that the next query of a set is a random one")
            .source("[MLYNX §4]"),
        /// Where a set ends.
        pub least_gain: f64 = Setting::within("least-gain", 0.0..=1.0, "0.0001")
            .unit("nats")
            .help("A set of queries is complete when no other query's relevance minus redundancy exceeds this")
            .source("[MLYNX §4]: 0.0001 and 0.01"),
        /// Which set is best.
        pub goal: SetGoal = Setting::new("set-goal", "auc-pr")
            .help("Measure of a set of queries, by which the best are chosen")
            .source("our own, by experiment; errors: [MLYNX §3]"),
        /// How many of the best sets make the model.
        pub n_sets: usize = Setting::within("best-sets", 1..=1_000_000, "5")
            .unit("sets")
            .help("Best sets of queries; the score is the mean of their naive Bayes models")
            .source("our own, by experiment; 1: [MLYNX §3]"),
        /// The pseudo-counts that naive Bayes adds to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// Whether clauses are reduced.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

impl MlynxConfig {
    /// How sets are searched.
    pub const fn mrmr(&self) -> MrmrConfig {
        MrmrConfig { restarts: self.restarts, random_step: self.random_step, least_gain: self.least_gain }
    }
}
