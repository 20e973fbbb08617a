//! What makes a prediction of a score, where the target is a number.

use serde::{Deserialize, Serialize};

use gleaner_stats::eval::ErrorInterval;

use crate::formula::Formula;

use super::loss::{GREATEST_LOG, LEAST_LOG, Loss, LossName};

/// The levels of the intervals that predictions have.
pub const LEVELS: [f64; 2] = [0.8, 0.9];

/// What makes a prediction of a score, where the target is a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberScale {
    /// The loss of the trees, which says what scores stand for.
    pub loss: Loss,
    /// Rounds of trees; 0 where the constant serves best.
    pub rounds: usize,
    /// The mean of the numbers that were learnt from.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// Held-out examples that the intervals come from.
    pub n_held_out: usize,
    /// Intervals by their level, ascending; none where no example was held out, or too few.
    pub intervals: Vec<ErrorInterval>,
}

impl NumberScale {
    /// The prediction that a score stands for.
    pub fn prediction(&self, score: f64) -> f64 {
        self.loss.prediction(score)
    }

    /// The same as a formula of the score.
    pub fn prediction_formula(&self, score: Formula) -> Formula {
        match self.loss.name {
            LossName::Squared | LossName::Quantile => score,
            LossName::Poisson => {
                let value = Box::new(score);
                let clamped = Formula::Clamped { value, low: LEAST_LOG, high: GREATEST_LOG };
                Formula::Exponential(Box::new(clamped))
            }
        }
    }

    /// The ends of an interval about a prediction. Counts are never below 0.
    pub fn ends(&self, interval: &ErrorInterval, prediction: f64) -> [f64; 2] {
        let scale = self.loss.error_scale(prediction);
        let [low, high] = [interval.low, interval.high].map(|error| prediction + scale * error);
        if self.loss.is_of_counts() { [low.max(0.0), high.max(0.0)] } else { [low, high] }
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    pub(super) fn is_sound(&self) -> bool {
        let is_interval = |of: &ErrorInterval| {
            of.level > 0.0 && of.level < 1.0 && of.low <= of.high && of.low.is_finite() && of.high.is_finite()
        };
        self.loss.is_sound()
            && [self.mean, self.median].iter().all(|number| number.is_finite())
            && self.intervals.iter().all(is_interval)
    }
}
