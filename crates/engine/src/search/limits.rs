//! Limits of one search: how many clauses and literals it may evaluate, and which clauses it accepts; and counts of its candidates, by
//! outcome.

use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::settings::{LARGE, Setting, settings};

use super::Score;
use super::redundant::{REDUNDANT_CLAUSES, RedundantClauses};

/// The positives from which on the thesis's minimum of 7 train and 2 tune positives is the default.
pub const MANY_POSITIVES: usize = 500;

/// Clauses evaluated from one seed example.
pub static CLAUSES: Setting<u64> = Setting::within("clauses", 1..=LARGE, "10000")
    .aleph("nodes")
    .unit("clauses")
    .help("Clauses evaluated from each seed (N)")
    .source("[GLEANER §5.2]: 1,000 to 500,000");

/// Fewest positives of an acceptable clause: the thesis's 7 where there are many train positives, else 2.
pub static MIN_POSITIVES: Setting<usize> =
    Setting::auto(
        "min-pos",
        1..=LARGE,
        |given| {
            if given.data.n_train_positives >= MANY_POSITIVES { 7 } else { 2 }
        },
    )
    .aleph("minpos")
    .unit("examples")
    .help(
        "Fewest train positives that an acceptable clause covers; auto: 7 with at least 500 \
         train positives, else 2",
    )
    .source("[GLEANER §3.2]");

/// Most negatives of an acceptable clause, `None` for any number. A record has it only where it is set.
static MAX_NEGATIVES: Setting<Option<usize>> = Setting::auto("max-neg", 0..=LARGE, |_| None)
    .aleph("noise")
    .unit("examples")
    .help("Most train negatives that an acceptable clause covers; auto: any number")
    .source("[GLEANER §3.1]: none; Aleph's default for noise is 0")
    .recorded_where_changed();

/// Literals evaluated from one seed example, `None` for any number. A record has it only where it is set.
///
/// DIVERGENCE: the thesis counts calls of predicates in Prolog, one example after another. A literal is evaluated for all
/// examples at once here, and parts of clauses are shared, so calls have no number that is the same on every machine.
/// The literals of the evaluated clauses have one.
static EVALUATED_LITERALS: Setting<Option<u64>> = Setting::auto("evaluated-literals", 1..=LARGE, |_| None)
    .unit("literals")
    .help(
        "Body literals, counted again in each clause that has them, that are evaluated from each seed; the same on \
         every machine, as a time limit is not; auto: any number",
    )
    .source("[GLEANER §3.2]: 100 million calls of predicates")
    .recorded_where_changed();

settings! {
    /// Limits of one search.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SearchLimits {
        /// Clauses evaluated from one seed example.
        pub clauses: u64 = &CLAUSES,
        /// Body literals of the evaluated clauses together; `None` for any number.
        pub literals: Option<u64> = &EVALUATED_LITERALS,
        /// Fewest positives of an acceptable clause.
        pub min_positives: usize = &MIN_POSITIVES,
        /// What the strategy maximises.
        pub score: Score = Setting::new("score", "f1")
            .aleph("evalfn")
            .help("The score that the search maximises")
            .source("our own, by experiment; precision-recall: [GLEANER §3.1.1]"),
        /// Least precision of an acceptable clause, 0 to 1.
        pub min_precision: f64 = Setting::within("min-precision", 0.0..=1.0, "0")
            .aleph("minacc")
            .unit("share")
            .help("Least train precision of an acceptable clause")
            .source("[GLEANER §3.1]: none"),
        /// Most negatives of an acceptable clause, each counted for those it stands for.
        pub max_negatives: Option<usize> = &MAX_NEGATIVES,
        /// What becomes of clauses that facts make redundant.
        pub redundant: RedundantClauses = &REDUNDANT_CLAUSES,
    }
}

impl SearchLimits {
    /// Whether a clause of these counts covers no more negatives than it may.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
    pub fn allows(&self, counts: Counts, negative_weight: NegativeWeight) -> bool {
        let n_negatives = counts.weighted(negative_weight).negatives;
        self.max_negatives.is_none_or(|most| n_negatives <= most as f64)
    }
}

/// Counts of a search's candidates, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Funnel {
    /// Candidates that a strategy proposed.
    pub generated: u64,
    /// Candidates proposed before, and not evaluated again.
    pub repeated: u64,
    /// Evaluated candidates with fewer positives than the minimum.
    pub below_min_positives: u64,
    /// Evaluated candidates with enough positives and too little precision.
    pub below_min_precision: u64,
    /// Evaluated candidates that are precise enough but cover too many negatives. Records before this bound lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub above_max_negatives: u64,
    /// Evaluated, acceptable candidates.
    pub acceptable: u64,
    /// Evaluated candidates whose counts were already known, from the clause without the literals that its others imply
    /// on train. Records before such clauses were inferred lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inferred: u64,
    /// Candidates redundant on train, and so neither evaluated nor refined. Records of other searches lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// Numbers that were weighed for open thresholds. Records of searches without thresholds lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub thresholds: u64,
}

impl Funnel {
    /// Adds another search's counts.
    pub const fn add(&mut self, other: &Self) {
        self.generated += other.generated;
        self.repeated += other.repeated;
        self.below_min_positives += other.below_min_positives;
        self.below_min_precision += other.below_min_precision;
        self.above_max_negatives += other.above_max_negatives;
        self.acceptable += other.acceptable;
        self.inferred += other.inferred;
        self.left_out += other.left_out;
        self.thresholds += other.thresholds;
    }

    /// Clauses evaluated.
    #[must_use]
    pub const fn evaluated(&self) -> u64 {
        self.below_min_positives + self.below_min_precision + self.above_max_negatives + self.acceptable
    }
}

/// As serde asks, by reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}
