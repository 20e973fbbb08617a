//! Counts of a search's candidates, by outcome.

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
