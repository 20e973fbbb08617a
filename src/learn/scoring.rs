//! What a model says of examples.

use crate::base::ExampleSet;
use crate::coverage::Counts;

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
    /// The counts of each decision, in the order of the decisions: the points of the curve.
    pub points: Vec<Counts>,
}
