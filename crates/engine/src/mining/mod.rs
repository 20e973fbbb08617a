//! Frequent queries: bodies that many examples satisfy, mined level by level. [MLYNX §2]
//!
//! A query is a clause of the target without a claim about it. Queries of one atom come first, then those of two, and
//! so on. A longer query covers no more than its parts, so only frequent ones grow (`levels`). The modes decide which
//! literals may be added (`language`). Of several forms of one query one is kept, the canonical one (`language`). Under
//! object identity distinct variables stand for distinct constants (`program::object_identity`). An atom that others
//! imply on the facts adds nothing. Constants, thresholds and implications come from the facts that the mined examples
//! lead to (`extensions`). The frequent queries of the level before refuse most candidates before these are built
//! (`extensions`).

pub mod extensions;
pub mod language;
pub mod levels;

use gleaner_lang::program::clause::{OBJECT_IDENTITY, ObjectIdentity};
use gleaner_lang::program::mode::{NEGATION, Negation};
use gleaner_lang::program::settings::{LARGE, Setting, settings, words};

pub use language::{Query, QueryLanguage};
pub use levels::{Level, Mined, MinedQuery, Support, mine};

words! {
    /// Of which examples a frequency is a share.
    pub enum FrequencyIn {
        /// Of all.
        All = "all",
        /// Of one class, whichever.
        AnyClass = "any-class",
    }
}

words! {
    /// Which of the queries that cover the same examples, one a part of the other, are kept.
    pub enum Condense {
        /// All.
        None = "none",
        /// The shortest: those of which no part covers the same.
        Free = "free",
        /// The longest: those that are no part of one that covers the same.
        Closed = "closed",
    }
}

/// The setting by which a learner that may search clauses mines queries instead, and its word for that.
pub const MINED_OR_SEARCHED: &str = "feature-seeds";

/// The word.
pub const MINED: &[&str] = &["queries"];

settings! {
    /// Settings of mining.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MiningConfig {
        /// Most literals of a query's body.
        pub max_length: usize = Setting::within("query-length", 1..=100, "3")
            .only(MINED_OR_SEARCHED, MINED)
            .unit("literals")
            .help("Most literals of a mined query's body")
            .source("[MLYNX §2]"),
        /// The least share of the examples that a query covers.
        pub min_frequency: f64 = Setting::within("min-frequency", 0.0..=1.0, "0.05")
            .only(MINED_OR_SEARCHED, MINED)
            .help("The least share of train examples that a mined query covers")
            .source("[MLYNX §2]"),
        /// Of which examples it is a share.
        pub frequency_in: FrequencyIn = Setting::new("frequency-in", "any-class")
            .only(MINED_OR_SEARCHED, MINED)
            .help("Where a mined query must be frequent: in all examples, or in any class")
            .source("our own, by experiment; all: [MLYNX §2]"),
        /// Which negated literals queries may have.
        pub negation: Negation = &NEGATION,
        /// Whether distinct variables stand for distinct constants.
        pub object_identity: ObjectIdentity = &OBJECT_IDENTITY,
        /// Most candidates, if a number was given.
        pub most_candidates: Option<u64> = Setting::auto("candidates", 1..=LARGE, |_| None)
            .only(MINED_OR_SEARCHED, MINED)
            .unit("queries")
            .help(
                "Most candidate queries; queries that tell most about the class are lengthened first; \
                 auto: 200 million over the train examples, at least 20,000 and at most a million",
            )
            .source("our own"),
        /// Which of queries with one cover are kept.
        pub condense: Condense = Setting::new("condense", "none")
            .only(MINED_OR_SEARCHED, MINED)
            .help("Whether all mined queries are kept (none), or only the shortest (free) or the longest (closed) of one cover")
            .source("[MLYNX §2] mines all; free and closed: our own"),
        /// Numbers that a comparison is tried with.
        pub n_cut_points: usize = Setting::within("cut-points", 1..=LARGE, "10")
            .only(MINED_OR_SEARCHED, MINED)
            .help("Numbers that mining tries in a comparison with a constant")
            .source("our own"),
    }
}
