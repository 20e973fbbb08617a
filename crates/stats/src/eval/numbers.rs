//! How far predicted numbers are from the true ones.
//!
//! Of a true number `y` and a prediction `p`: the absolute error `|y - p|`, the squared error, the Poisson deviance
//! `2 (y ln(y / p) - y + p)`, and the pinball loss of a quantile `q`, `q (y - p)` above and `(1 - q) (p - y)` below.

use gleaner_base::statistics::compensated_sum;
use serde::{Deserialize, Serialize};

/// The loss of one prediction; 0 where it is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberLoss {
    /// The absolute error.
    Absolute,
    /// The squared error.
    Squared,
    /// The Poisson deviance. Predictions are above 0.
    Poisson,
    /// The pinball loss of this quantile, between 0 and 1.
    Pinball(f64),
}

impl NumberLoss {
    /// The loss of a prediction; at least 0, and infinite for a Poisson prediction of 0 where the number is above 0.
    pub fn of(self, truth: f64, predicted: f64) -> f64 {
        let error = truth - predicted;
        match self {
            Self::Absolute => error.abs(),
            Self::Squared => error * error,
            Self::Poisson if truth > 0.0 => 2.0 * (truth * (truth / predicted).ln() - error).max(0.0),
            Self::Poisson => 2.0 * predicted,
            Self::Pinball(quantile) => (quantile * error).max((quantile - 1.0) * error),
        }
    }

    /// The mean loss of pairs of a true number and a prediction; `None` without a pair. **Cost**: linear.
    pub fn mean(self, pairs: &[(f64, f64)]) -> Option<f64> {
        mean(pairs.iter().map(|&(truth, predicted)| self.of(truth, predicted)))
    }
}

/// The metrics of predicted numbers; all are `None` without an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberMetrics {
    /// The number of examples.
    pub n: usize,
    /// The mean absolute error.
    pub mae: Option<f64>,
    /// The root of the mean squared error.
    pub rmse: Option<f64>,
    /// `1 - SSE / SST`, where `SST` are the squares about the mean of the true numbers. `None` where these are all equal.
    pub r2: Option<f64>,
    /// The mean Poisson deviance, for models of counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson_deviance: Option<f64>,
    /// The mean pinball loss, for models of a quantile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinball: Option<f64>,
}

impl NumberMetrics {
    /// The metrics of pairs of a true number and a prediction. `further` is one more loss that is measured.
    ///
    /// **Cost**: linear.
    pub fn of(pairs: &[(f64, f64)], further: Option<NumberLoss>) -> Self {
        let squared = NumberLoss::Squared.mean(pairs);
        let about_mean = mean(pairs.iter().map(|pair| pair.0))
            .and_then(|center| mean(pairs.iter().map(|&(truth, _)| (truth - center) * (truth - center))));
        let r2 = squared.zip(about_mean.filter(|&squares| squares > 0.0));
        let further_mean = further.and_then(|loss| loss.mean(pairs)).filter(|mean| mean.is_finite());
        Self {
            n: pairs.len(),
            mae: NumberLoss::Absolute.mean(pairs),
            rmse: squared.map(f64::sqrt),
            r2: r2.map(|(squared, about_mean)| 1.0 - squared / about_mean),
            poisson_deviance: further_mean.filter(|_| further == Some(NumberLoss::Poisson)),
            pinball: further_mean.filter(|_| matches!(further, Some(NumberLoss::Pinball(_)))),
        }
    }
}

/// The mean; `None` of nothing.
pub fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let n = numbers.len();
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
    let mean = |sum: f64| sum / n as f64;
    (n > 0).then(|| mean(compensated_sum(numbers)))
}

/// The quantile of ascending numbers: the least number that so large a share of them does not exceed. `None` of nothing.
///
/// The median of an even count is the mean of the two in the middle.
pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    let n = ascending.len();
    if n == 0 {
        return None;
    }
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of fewer than 2^52 numbers"
    )]
    let (at, is_between) = {
        let position = share.clamp(0.0, 1.0) * n as f64;
        // A share as 0.7 of 10 numbers is 7 but for rounding.
        let nearest = position.round();
        let position = if (position - nearest).abs() < 1e-9 { nearest } else { position };
        ((position.ceil() as usize).clamp(1, n) - 1, position.fract() == 0.0)
    };
    let is_median = (share - 0.5).abs() < 1e-12;
    Some(match ascending.get(at + 1) {
        Some(&next) if is_median && is_between => f64::midpoint(ascending[at], next),
        _ => ascending[at],
    })
}

#[cfg(test)]
mod tests {
    use super::{NumberLoss, NumberMetrics, quantile};

    fn is_near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-12)
    }

    /// Errors 1, -1, 2 of the numbers 3, 1, 5: absolute 4/3, squares 6, about the mean of 3 there are 8.
    #[test]
    fn metrics_worked_by_hand() {
        let pairs = [(3.0, 2.0), (1.0, 2.0), (5.0, 3.0)];
        let metrics = NumberMetrics::of(&pairs, Some(NumberLoss::Pinball(0.9)));
        assert!(is_near(metrics.mae, 4.0 / 3.0) && is_near(metrics.rmse, 2.0_f64.sqrt()));
        assert!(is_near(metrics.r2, 0.25));
        // 0.9 and 1.8 above, 0.1 below.
        assert!(is_near(metrics.pinball, 2.8 / 3.0));
        assert_eq!(metrics.poisson_deviance, None);
    }

    /// 2 (3 ln(3/2) - 1), and 2 · 2 for a count of 0.
    #[test]
    fn poisson_deviance_by_hand() {
        let metrics = NumberMetrics::of(&[(3.0, 2.0), (0.0, 2.0)], Some(NumberLoss::Poisson));
        let expected = (2.0 * (3.0 * 1.5_f64.ln() - 1.0) + 4.0) / 2.0;
        assert!(is_near(metrics.poisson_deviance, expected));
        assert_eq!(NumberLoss::Poisson.of(2.0, 2.0).to_bits(), 0.0_f64.to_bits());
        assert!(NumberLoss::Poisson.of(2.0, 0.0).is_infinite());
    }

    #[test]
    fn nothing_has_no_metrics() {
        let nothing = NumberMetrics::of(&[], None);
        assert_eq!((nothing.mae, nothing.rmse, nothing.r2), (None, None, None));
        assert_eq!(
            NumberMetrics::of(&[(2.0, 1.0), (2.0, 3.0)], None).r2,
            None,
            "equal numbers have no spread"
        );
    }

    #[test]
    fn quantiles_by_hand() {
        let numbers = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&numbers, 0.5), Some(3.0));
        assert_eq!(quantile(&numbers[..3], 0.5), Some(2.0));
        assert_eq!(quantile(&numbers, 0.75), Some(4.0));
        assert_eq!(quantile(&numbers, 0.76), Some(8.0));
        assert_eq!([quantile(&numbers, 0.0), quantile(&numbers, 1.0)], [Some(1.0), Some(8.0)]);
        assert_eq!(quantile(&[], 0.5), None);
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(quantile(&ten, 0.7), Some(7.0), "a product that rounds up is no eighth number");
    }
}
