//! Scores that a learner gives for calibration.

/// Examples of train and tune, each scored by a model that did not learn from it, as inner folds give them.
///
/// **Invariant**: scores are finite, and mean what those of the learnt model mean; weights are above 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// The examples, in any order.
    pub examples: Vec<HeldOutScore>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutScore {
    /// Its score.
    pub score: f64,
    /// Its class.
    pub is_positive: bool,
    /// How many examples of the population it stands for: 1, or of a negative the weight of its universe's negatives.
    pub weight: f64,
}
