//! An example with its label and its score.

/// An example with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledScore {
    /// Higher is more likely positive.
    pub score: f64,
    /// Its class.
    pub is_positive: bool,
    /// How many examples of the population it stands for.
    pub weight: f64,
    /// The probability that the example is positive, if there is one.
    pub probability: Option<f64>,
    /// The group it is of, if groups are asked for.
    pub group: Option<String>,
}

impl LabelledScore {
    /// Score, label and weight, as [`Ranking::weighted`](gleaner_stats::eval::Ranking::weighted) takes them.
    #[must_use]
    pub const fn weighed(&self) -> (f64, bool, f64) {
        (self.score, self.is_positive, self.weight)
    }
}
