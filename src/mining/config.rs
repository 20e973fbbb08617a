//! Settings of mining.

use crate::program::object_identity::{OBJECT_IDENTITY, ObjectIdentity};
use crate::program::settings::{LARGE, Setting, settings, words};

words! {
    /// Of which examples a frequency is a share.
    pub enum FrequencyIn {
        /// Of all.
        All = "all",
        /// Of one class, whichever.
        AnyClass = "any-class",
    }
}

settings! {
    /// Settings of mining.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MiningConfig {
        /// Most literals of a query's body.
        pub max_length: usize = Setting::within("query-length", 1..=100, "3")
            .unit("literals")
            .help("Most literals of a mined query's body")
            .source("[MLYNX §2]"),
        /// The least share of the examples that a query covers.
        pub min_frequency: f64 = Setting::within("min-frequency", 0.0..=1.0, "0.05")
            .help("The least share of train examples that a mined query covers")
            .source("[MLYNX §2]"),
        /// Of which examples it is a share.
        pub frequency_in: FrequencyIn = Setting::new("frequency-in", "any-class")
            .help("What a query must be frequent in: all examples, or any class")
            .source("our own, by experiment; all: [MLYNX §2]"),
        /// Whether distinct variables stand for distinct constants.
        pub object_identity: ObjectIdentity = &OBJECT_IDENTITY,
        /// Most candidates.
        pub most_candidates: u64 = Setting::within("candidates", 1..=LARGE, "1000000")
            .unit("queries")
            .help("Mining stops after so many candidate queries")
            .source("our own"),
        /// Numbers that a comparison is tried with.
        pub n_cut_points: usize = Setting::within("cut-points", 1..=LARGE, "10")
            .help("Numbers that a mined comparison with a constant is tried with")
            .source("our own"),
    }
}
