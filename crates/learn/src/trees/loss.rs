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
//!
//! The gradients that trees are fitted to, and the steps of their leaves. (SOFTMARGIN, RDNBOOST)
//!
//! With the log-odds `F` of an example, and margins `a` for positives and `b` for negatives, the loss is
//! `ln(1 + exp(a - F))` of a positive and `ln(1 + exp(b + F))` of a negative. Margins of 0 give the log-likelihood.

use serde::{Deserialize, Serialize};

use gleaner_base::ExampleSet;
use gleaner_base::statistics::{CompensatedSum, compensated_sum};
use gleaner_lang::program::settings::words;
use gleaner_stats::eval::NumberLoss;
use gleaner_stats::eval::numbers::{mean, quantile};

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

/// How much more a mistake costs in each class: `alpha` for positives, `beta` for negatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// The margin of positives: above 0, missed positives cost more.
    pub positives: f64,
    /// The margin of negatives: above 0, false positives cost more.
    pub negatives: f64,
}

impl Margins {
    /// The loss of an example with these log-odds; above 0.
    pub fn loss(self, log_odds: f64, is_positive: bool) -> f64 {
        let exponent = if is_positive { self.positives - log_odds } else { self.negatives + log_odds };
        // `ln(1 + exp(x))` without overflow.
        exponent.max(0.0) + (-exponent.abs()).exp().ln_1p()
    }

    /// The negative derivative of the loss: in `[0, 1]` of a positive, in `[-1, 0]` of a negative.
    pub fn gradient(self, log_odds: f64, is_positive: bool) -> f64 {
        if is_positive { sigmoid(self.positives - log_odds) } else { -sigmoid(self.negatives + log_odds) }
    }
}

/// `1 / (1 + exp(-x))`.
pub fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let power = x.exp();
        power / (1.0 + power)
    }
}

/// The gradients of a universe's examples, and how many examples of the population each stands for.
#[derive(Clone, Debug)]
pub struct Gradients {
    /// The gradients by position.
    pub of: Vec<f64>,
    /// The number that each example stands for, by position; 1 of all but sampled negatives. Of a loss of numbers it is
    /// the second derivative, so that trees fit Newton's steps.
    pub stands_for: Vec<f64>,
    /// Of gradients of either sign for any example, the least number that makes all weighted ones at least 0. None
    /// where positives have no gradient below 0, and negatives none above.
    pub lift: Option<f64>,
}

/// Sums over some examples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GradientSum {
    /// The sum of gradients.
    pub gradient: f64,
    /// The sum of the second derivatives of the loss, `|g| (1 - |g|)`.
    pub curvature: f64,
    /// The sum of the numbers that examples stand for.
    pub weight: f64,
    /// The sum of the squares of gradients.
    pub squares: f64,
}

impl Gradients {
    /// Gradients of positives, at least 0, and of negatives, at most 0.
    pub const fn of_classes(of: Vec<f64>, stands_for: Vec<f64>) -> Self {
        Self { of, stands_for, lift: None }
    }

    /// Gradients of any sign.
    pub fn of_numbers(of: Vec<f64>, stands_for: Vec<f64>) -> Self {
        let weighted = of.iter().zip(&stands_for).map(|(gradient, weight)| gradient * weight);
        let lift = weighted.fold(0.0, |lift: f64, gradient| lift.max(-gradient));
        Self { of, stands_for, lift: Some(lift) }
    }

    /// The weight of an example by which tests are summed: at least 0.
    pub fn summed(&self, position: usize) -> f64 {
        let weighted = self.of[position] * self.stands_for[position];
        self.lift.map_or(weighted.abs(), |lift| (weighted + lift).max(0.0))
    }

    /// Whether an example is one of those that a node's tests shall lift: a positive, or one with a gradient above 0.
    pub fn is_upper(&self, position: usize, is_positive: bool) -> bool {
        if self.lift.is_some() { self.of[position] > 0.0 } else { is_positive }
    }

    /// The sums over a set.
    pub fn sum(&self, set: &ExampleSet) -> GradientSum {
        let mut sums = [CompensatedSum::default(); 4];
        for at in set.iter() {
            let (gradient, stands_for) = (self.of[at], self.stands_for[at]);
            let curvature = gradient.abs() * (1.0 - gradient.abs());
            for (sum, term) in sums.iter_mut().zip([gradient, curvature, 1.0, gradient * gradient]) {
                sum.add(stands_for * term);
            }
        }
        let [gradient, curvature, weight, squares] = sums.map(CompensatedSum::total);
        GradientSum { gradient, curvature, weight, squares }
    }
}

/// The squares that a leaf of these sums explains: `S^2 / n`.
pub fn explained(gradient: f64, weight: f64) -> f64 {
    if weight > 0.0 { gradient * gradient / weight } else { 0.0 }
}

impl GradientSum {
    /// Whether the best of so many tests may explain as much by chance, for so many examples with these sums.
    ///
    /// A test without meaning explains a share of the squares about the mean. That share, times the number of examples,
    /// is about the square of a standard normal. The largest of `m` such squares is about `2 ln m`.
    pub fn may_be_chance(&self, gain: f64, n_examples: f64, n_tests: f64) -> bool {
        gain * n_examples <= self.about_mean() * 2.0 * n_tests.max(1.0).ln()
    }

    /// The squares about the mean: the most that a test can explain.
    pub fn about_mean(&self) -> f64 {
        self.squares - explained(self.gradient, self.weight)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use gleaner_base::ExampleSet;

    use super::{GradientSum, Gradients, Loss, LossName, Margins, explained, sigmoid};

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

    /// At probability 1/4 the gradients are 3/4 and -1/4. With margins of ln 3 they are those of the paper's formulas:
    /// `1 - p / (p + (1 - p) e^a)` = 1 - 0.25 / 2.5, and `-p e^b / (p e^b + 1 - p)` = -0.75 / 1.5.
    #[test]
    fn gradients_worked_by_hand() {
        let odds = (1.0_f64 / 3.0).ln();
        let plain = Margins::default();
        assert!(is_near(plain.gradient(odds, true), 0.75) && is_near(plain.gradient(odds, false), -0.25));
        let soft = Margins { positives: 3.0_f64.ln(), negatives: 3.0_f64.ln() };
        assert!(is_near(soft.gradient(odds, true), 0.9) && is_near(soft.gradient(odds, false), -0.5));
        assert!(
            is_near(sigmoid(odds), 0.25) && is_near(sigmoid(-800.0), 0.0) && is_near(sigmoid(800.0), 1.0)
        );
        assert!(
            is_near(plain.loss(odds, true), 4.0_f64.ln()) && is_near(plain.loss(odds, false), -0.75_f64.ln())
        );
        assert!(is_near(plain.loss(-800.0, true), 800.0));
    }

    /// By hand: a positive and two negatives at 1/4, and each negative stands for two: 3/4 - 4/4, five times 3/16, five
    /// examples.
    #[test]
    fn sums_worked_by_hand() {
        let gradients = Gradients::of_classes(vec![0.75, -0.25, -0.25, 9.0], vec![1.0, 2.0, 2.0, 9.0]);
        let sum = gradients.sum(&ExampleSet::from_positions(4, 0..3));
        let GradientSum { gradient, curvature, weight, squares } = sum;
        assert!(is_near(gradient, -0.25) && is_near(curvature, 0.9375) && is_near(weight, 5.0));
        // 9/16 and four times 1/16; about the mean 13/16 less 1/80 are left, 0.8: 2 ln(e^2) times that is 3.2.
        assert!(is_near(squares, 0.8125));
        let n_tests = 2.0_f64.exp();
        assert!(sum.may_be_chance(3.19 / 5.0, 5.0, n_tests) && !sum.may_be_chance(3.21 / 5.0, 5.0, n_tests));
        assert!(is_near(explained(gradient, weight), 0.0125) && explained(1.0, 0.0) == 0.0);
    }

    proptest! {
        /// The gradient is the loss's falling slope, and `|g| (1 - |g|)` the slope of that.
        #[test]
        fn gradients_are_differences_of_the_loss(
            log_odds in -8.0..8.0, positives in -3.0..3.0, negatives in -3.0..3.0, is_positive: bool,
        ) {
            let margins = Margins { positives, negatives };
            let step = 1e-5;
            let loss = |by: f64| margins.loss(log_odds + by, is_positive);
            let gradient = margins.gradient(log_odds, is_positive);
            prop_assert!((gradient + (loss(step) - loss(-step)) / (2.0 * step)).abs() < 1e-8);
            let slope = |by: f64| margins.gradient(log_odds + by, is_positive);
            let curvature = gradient.abs() * (1.0 - gradient.abs());
            prop_assert!((curvature + (slope(step) - slope(-step)) / (2.0 * step)).abs() < 1e-8);
        }
    }
}
