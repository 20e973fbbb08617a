//! How far predicted numbers are from the true ones.
//!
//! Of a true number `y` and a prediction `p`: the absolute error `|y - p|`, the squared error, the Poisson deviance
//! `2 (y ln(y / p) - y + p)`, and the pinball loss of a quantile `q`, `q (y - p)` above and `(1 - q) (p - y)` below.
//!
//! Intervals for predicted numbers, from the errors of predictions for examples that were held out.
//!
//! Split conformal prediction. There are `n` held-out errors, sorted, and the error of a new example; all are exchangeable.
//! With a chance of at least `1 - a`, the new error lies between two of the others: the `floor((n + 1) a / 2)`-th and the
//! `ceil((n + 1)(1 - a / 2))`-th.
//! Source: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World (2005), section 2.3.

use serde::{Deserialize, Serialize};

use gleaner_base::statistics::compensated_sum;

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

/// An interval about a prediction: what is added to it, in units of the error's scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorInterval {
    /// The chance that the interval holds the true number: 0.8, say.
    pub level: f64,
    /// The lower end, mostly below 0.
    pub low: f64,
    /// The upper end; at least `low`.
    pub high: f64,
}

/// The interval of a level from errors, true number less prediction. `None` if there are too few errors for a finite
/// interval: fewer than `2 / (1 - level) - 1`.
///
/// **Cost**: a sort.
pub fn error_interval(errors: &[f64], level: f64) -> Option<ErrorInterval> {
    let mut ascending = errors.to_vec();
    ascending.sort_by(f64::total_cmp);
    let n = ascending.len();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of fewer than 2^52 numbers"
    )]
    // The tail's errors, of n + 1; a product as 0.1 * 10 is 1 but for rounding.
    let outside = ((n + 1) as f64 * (1.0 - level) / 2.0 + 1e-9).floor() as usize;
    let low = *ascending.get(outside.checked_sub(1)?)?;
    let high = *ascending.get(n.checked_sub(outside)?)?;
    Some(ErrorInterval { level, low, high })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::{NumberLoss, NumberMetrics, error_interval, quantile};

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

    /// Of 19 errors and a new one, 20 ranks: at 0.9 one lies below the first and one above the last with a chance of
    /// 1/20 each.
    #[test]
    fn ends_by_hand() {
        let errors: Vec<f64> = (0..19).rev().map(f64::from).collect();
        let found = error_interval(&errors, 0.9).map(|of| (of.low, of.high));
        assert_eq!(found, Some((0.0, 18.0)));
        let found = error_interval(&errors, 0.8).map(|of| (of.low, of.high));
        assert_eq!(found, Some((1.0, 17.0)));
        assert_eq!(error_interval(&errors[..18], 0.9), None, "19 ranks are too few for a tail of 1/20");
        assert_eq!(error_interval(&[], 0.5), None);
    }

    proptest! {
        /// Among n + 1 exchangeable errors each rank is as likely, so the interval of the others holds at least the
        /// level's share of them, and misses no more than two ranks' worth.
        #[test]
        fn it_holds_its_share_of_exchangeable_errors(n in 19_usize..60, level in 0.5..0.9) {
            let all: Vec<f64> = (0..=n).map(|error| f64::from(u32::try_from(error).expect("small"))).collect();
            let is_held = |at: &usize| {
                let mut others = all.clone();
                let own = others.remove(*at);
                let of = error_interval(&others, level).expect("there are enough");
                (of.low..=of.high).contains(&own)
            };
            let share = (0..=n).filter(is_held).count();
            let total = f64::from(u32::try_from(n + 1).expect("small"));
            let share = f64::from(u32::try_from(share).expect("small")) / total;
            prop_assert!(share >= level - 1e-9, "{share} of {level}");
            prop_assert!(share <= level + 2.0 / total + 1e-9, "{share} of {level}");
            prop_assert_eq!(error_interval(&all, 1.0), None);
        }
    }
}
