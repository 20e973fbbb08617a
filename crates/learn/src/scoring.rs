//! What a model says of examples.

use gleaner_base::{Counts, ExampleSet};

/// What a model says of the examples of one universe.
///
/// **Shape**: `scores` and `confidences` have one entry for each position of the universe.
#[derive(Clone, Debug)]
pub struct Scoring {
    /// Higher is more likely positive; finite.
    ///
    /// Of Gleaner: of the decisions that cover the example the highest precision on the examples they were
    /// chosen on, else 0. Range 0 to 1.
    pub scores: Vec<f64>,
    /// The examples that the operating decision covers.
    pub decided: ExampleSet,
    /// Votes over the most votes there can be, or what stands for that. Range 0 to 1.
    pub confidences: Vec<f64>,
    /// What the points of the curve are.
    pub points: Points,
}

/// What the points of a model's curve are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Points {
    /// Classifiers of their own: the counts of each decision, in the order of the decisions.
    Decisions(Vec<Counts>),
    /// One ranking: every threshold of the scores.
    Thresholds,
}

impl Points {
    /// The counts of the decisions; none of a ranking.
    #[must_use]
    pub fn decisions(&self) -> &[Counts] {
        match self {
            Self::Decisions(counts) => counts,
            Self::Thresholds => &[],
        }
    }
}
