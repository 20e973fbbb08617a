//! A step of a function from scores to probabilities.

/// Scores that share a probability.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// The least score of an example on it.
    pub least: f64,
    /// The greatest score of an example on it.
    pub greatest: f64,
    /// The probability of these scores.
    pub probability: f64,
}

/// The step of a score: the lower one between two steps, and the first below all steps.
pub(super) fn at_score(steps: &[Step], score: f64) -> Option<&Step> {
    let above = steps.partition_point(|step| step.least <= score);
    steps.get(above.saturating_sub(1))
}
