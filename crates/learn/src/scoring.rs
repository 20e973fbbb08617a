//! A model's scores of examples.

use gleaner_base::{Counts, ExampleSet};

/// A model's scores of the examples of one universe.
///
/// **Shape**: `scores` and `confidences` have one entry for each position of the universe.
#[derive(Clone, Debug)]
pub struct Scoring {
    /// Higher is more likely positive; finite.
    ///
    /// Gleaner's score is the highest precision among the decisions that cover the example, on the examples they were
    /// chosen on; else 0. Range 0 to 1.
    pub scores: Vec<f64>,
    /// The examples that the operating decision covers.
    pub decided: ExampleSet,
    /// Votes over the most votes there can be, or a learner's equivalent. Range 0 to 1.
    pub confidences: Vec<f64>,
    /// The kind of the curve's points.
    pub points: Points,
}

/// The kinds of points on a model's curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Points {
    /// Each point is a classifier of its own: the counts of each decision, in the order of the decisions.
    Decisions(Vec<Counts>),
    /// One ranking: every threshold of the scores.
    Thresholds,
}

impl Points {
    /// The counts of the decisions; none for a ranking.
    pub fn decisions(&self) -> &[Counts] {
        match self {
            Self::Decisions(counts) => counts,
            Self::Thresholds => &[],
        }
    }
}
