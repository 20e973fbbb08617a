//! Losses of numbers: where trees start, what they are fitted to, and the steps of their leaves.
//!
//! With the score `F` of an example and its number `y`:
//!
//! | loss | value | prediction | gradient | second derivative |
//! |---|---|---|---|---|
//! | squared | `(y - F)^2 / 2` | `F` | `y - F` | 1 |
//! | Poisson | `exp(F) - y F` | `exp(F)` | `y - exp(F)` | `exp(F)` |
//! | quantile `q` | `q (y - F)` above, `(1 - q)(F - y)` below | `F` | `q` above, `q - 1` below | taken as 1 |
//!
//! Source: Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001).

use gleaner_base::statistics::compensated_sum;
use gleaner_lang::program::settings::words;
use gleaner_stats::eval::NumberLoss;
use gleaner_stats::eval::numbers::{mean, quantile};
use serde::{Deserialize, Serialize};

words! {
    /// The loss of a number.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LossName {
        /// Squared errors: trees predict the mean.
        Squared = "squared",
        /// Counts: trees predict the logarithm of the mean.
        Poisson = "poisson",
        /// Errors weighed by their sign: trees predict a quantile.
        Quantile = "quantile",
    }
}

/// The loss that trees of a number lessen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// Which one.
    pub name: LossName,
    /// The quantile between 0 and 1, for the loss of one.
    pub quantile: f64,
}

/// The score that stands for a mean of 0 counts: below it, `exp` adds nothing to a prediction.
pub(super) const LEAST_LOG: f64 = -30.0;
/// The score above which a prediction of counts would be beyond all numbers.
pub(super) const GREATEST_LOG: f64 = 300.0;

impl Loss {
    /// The prediction that a score stands for.
    pub fn prediction(self, score: f64) -> f64 {
        match self.name {
            LossName::Squared | LossName::Quantile => score,
            LossName::Poisson => score.clamp(LEAST_LOG, GREATEST_LOG).exp(),
        }
    }

    /// The score that lessens the loss of these numbers most; 0 of none.
    pub fn constant(self, numbers: &[f64]) -> f64 {
        let of_mean = || mean(numbers.iter().copied()).unwrap_or(0.0);
        match self.name {
            LossName::Squared => of_mean(),
            LossName::Poisson => of_mean().ln().clamp(LEAST_LOG, GREATEST_LOG),
            LossName::Quantile => {
                let mut ascending = numbers.to_vec();
                ascending.sort_by(f64::total_cmp);
                quantile(&ascending, self.quantile).unwrap_or(0.0)
            }
        }
    }

    /// The negative derivative of the loss.
    pub fn gradient(self, number: f64, score: f64) -> f64 {
        match self.name {
            LossName::Squared => number - score,
            LossName::Poisson => number - self.prediction(score),
            LossName::Quantile if number > score => self.quantile,
            LossName::Quantile if number < score => self.quantile - 1.0,
            LossName::Quantile => 0.0,
        }
    }

    /// The second derivative of the loss; above 0.
    pub fn curvature(self, score: f64) -> f64 {
        match self.name {
            LossName::Squared | LossName::Quantile => 1.0,
            LossName::Poisson => self.prediction(score),
        }
    }

    /// The step of a leaf with these examples, each a number and its score: the mean of what is left, Newton's step, or
    /// the quantile of what is left. Steps of logarithms lie within `most` either way.
    pub fn step(self, examples: &[(f64, f64)], most: f64) -> f64 {
        match self.name {
            LossName::Squared => {
                mean(examples.iter().map(|&(number, score)| self.gradient(number, score))).unwrap_or(0.0)
            }
            LossName::Poisson => {
                let sum = |of: &dyn Fn(f64, f64) -> f64| {
                    compensated_sum(examples.iter().map(|&(number, score)| of(number, score)))
                };
                let gradient = sum(&|number, score| self.gradient(number, score));
                let curvature = sum(&|_, score| self.curvature(score));
                if curvature > 0.0 { (gradient / curvature).clamp(-most, most) } else { 0.0 }
            }
            LossName::Quantile => {
                let left: Vec<f64> = examples.iter().map(|(number, score)| number - score).collect();
                self.constant(&left)
            }
        }
    }

    /// The metric of the same name as the loss, beside the usual ones.
    pub const fn metric(self) -> Option<NumberLoss> {
        match self.name {
            LossName::Squared => None,
            LossName::Poisson => Some(NumberLoss::Poisson),
            LossName::Quantile => Some(NumberLoss::Pinball(self.quantile)),
        }
    }

    /// The scale of the errors of predictions like this one: of counts the root of the mean, else 1.
    pub fn error_scale(self, prediction: f64) -> f64 {
        match self.name {
            LossName::Squared | LossName::Quantile => 1.0,
            LossName::Poisson => prediction.sqrt().max(f64::MIN_POSITIVE),
        }
    }

    /// Whether predictions are means of counts, and thus above 0.
    pub const fn is_of_counts(self) -> bool {
        matches!(self.name, LossName::Poisson)
    }

    /// Whether its parts fit; a file may say otherwise.
    pub fn is_sound(self) -> bool {
        self.quantile > 0.0 && self.quantile < 1.0
    }
}

words! {
    /// The metric that is reported first, and that the number of trees and the learner are chosen by.
    pub enum Goal {
        /// The mean absolute error.
        Mae = "mae",
        /// The root of the mean squared error.
        Rmse = "rmse",
        /// The share of the squares about the mean that predictions explain.
        R2 = "r2",
        /// The Poisson deviance.
        PoissonDeviance = "poisson-deviance",
        /// The pinball loss of the quantile.
        Pinball = "pinball",
    }
}

impl Goal {
    /// The loss whose mean decides as the metric does.
    pub const fn loss(self, quantile: f64) -> NumberLoss {
        match self {
            Self::Mae => NumberLoss::Absolute,
            Self::Rmse | Self::R2 => NumberLoss::Squared,
            Self::PoissonDeviance => NumberLoss::Poisson,
            Self::Pinball => NumberLoss::Pinball(quantile),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::{Loss, LossName};

    fn loss(name: LossName, quantile: f64) -> Loss {
        Loss { name, quantile }
    }

    fn is_near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-12
    }

    /// Numbers 0, 2, 7: mean 3. From scores 1, 1, 5 the errors -1, 1, 2 have the mean 2/3.
    #[test]
    fn squared_loss_by_hand() {
        let squared = loss(LossName::Squared, 0.5);
        assert!(is_near(squared.constant(&[0.0, 2.0, 7.0]), 3.0));
        assert!(is_near(squared.step(&[(0.0, 1.0), (2.0, 1.0), (7.0, 5.0)], 4.0), 2.0 / 3.0));
    }

    /// Counts 0, 2, 7 start at ln 3. From there errors are -3, -1, 4, so a leaf of the first two steps by -4/6, and one
    /// of the last by 4/3.
    #[test]
    fn poisson_steps_by_hand() {
        let poisson = loss(LossName::Poisson, 0.5);
        let start = poisson.constant(&[0.0, 2.0, 7.0]);
        assert!(is_near(start, 3.0_f64.ln()) && is_near(poisson.prediction(start), 3.0));
        assert!(is_near(poisson.step(&[(0.0, start), (2.0, start)], 4.0), -4.0 / 6.0));
        assert!(is_near(poisson.step(&[(7.0, start)], 4.0), 4.0 / 3.0));
        assert!(is_near(poisson.step(&[(7.0, start)], 1.0), 1.0), "no step is greater");
        assert!(poisson.prediction(poisson.constant(&[0.0, 0.0])) < 1e-12);
        assert!(poisson.prediction(f64::MAX).is_finite());
    }

    /// Of 1, 2, 4, 8 the upper quarter begins above 4; errors of 1, 2, 4 against 2 are -1, 0, 2, whose 0.75 quantile is 2.
    #[test]
    fn quantile_steps_by_hand() {
        let upper = loss(LossName::Quantile, 0.75);
        assert!(is_near(upper.constant(&[8.0, 1.0, 4.0, 2.0]), 4.0));
        assert!(is_near(upper.step(&[(1.0, 2.0), (2.0, 2.0), (4.0, 2.0)], 4.0), 2.0));
        assert!(is_near(upper.gradient(3.0, 2.0), 0.75) && is_near(upper.gradient(1.0, 2.0), -0.25));
        assert!(is_near(upper.gradient(2.0, 2.0), 0.0));
    }

    proptest! {
        /// Of counts, the gradient is the falling slope of the loss, and the second derivative the slope of that.
        #[test]
        fn poisson_gradients_are_differences_of_the_loss(score in -3.0..3.0, number in 0_u8..20) {
            let poisson = loss(LossName::Poisson, 0.5);
            let number = f64::from(number);
            let value = |score: f64| score.exp() - number * score;
            let step = 1e-5;
            let slope = (value(score + step) - value(score - step)) / (2.0 * step);
            prop_assert!((poisson.gradient(number, score) + slope).abs() < 1e-6);
            let bend = (poisson.gradient(number, score + step) - poisson.gradient(number, score - step)) / (2.0 * step);
            prop_assert!((poisson.curvature(score) + bend).abs() < 1e-6);
        }

        /// No constant near by has a smaller loss.
        #[test]
        fn constants_lessen_the_loss(numbers in proptest::collection::vec(0.0..9.0, 1..9), quantile in 0.1..0.9) {
            for name in [LossName::Squared, LossName::Poisson, LossName::Quantile] {
                let loss = Loss { name, quantile };
                let value = |score: f64| -> f64 {
                    numbers.iter().map(|number: &f64| match name {
                        LossName::Squared => (number - score).powi(2),
                        LossName::Poisson => score.exp() - number * score,
                        LossName::Quantile => (quantile * (number - score)).max((quantile - 1.0) * (number - score)),
                    }).sum()
                };
                let best = loss.constant(&numbers);
                for other in [best - 0.01, best + 0.01] {
                    prop_assert!(value(best) <= value(other) + 1e-9, "{name:?}: {best}");
                }
            }
        }
    }
}
