//! Laplace's smoothing of frequencies, by which no estimate is 0 or 1.

use crate::base::ClassWeights;

/// `(count + 1) / (total + 2)`: the chance of a two-valued event after `count` of `total`, both may be sums
/// of weights. Range: above 0, below 1.
#[must_use]
pub fn smoothed(count: f64, total: f64) -> f64 {
    (count + 1.0) / (total + 2.0)
}

/// How much more an event speaks for a positive than for a negative: `ln` of its smoothed frequency among all
/// positives over that among all negatives.
#[must_use]
pub fn log_odds(with_event: ClassWeights, all: ClassWeights) -> f64 {
    let positives = smoothed(with_event.positives, all.positives);
    (positives / smoothed(with_event.negatives, all.negatives)).ln()
}

/// The log-odds of the classes, smoothed.
#[must_use]
pub fn prior(all: ClassWeights) -> f64 {
    (smoothed(all.positives, all.sum()) / smoothed(all.negatives, all.sum())).ln()
}

#[cfg(test)]
mod tests {
    use super::log_odds;
    use crate::base::ClassWeights;

    /// 3 of 4 positives, 1 of 6 negatives: (4/6) / (2/8) = 8/3.
    #[test]
    fn odds_by_hand() {
        let weights = |positives, negatives| ClassWeights { positives, negatives };
        let odds = log_odds(weights(3.0, 1.0), weights(4.0, 6.0));
        assert!((odds - (8.0_f64 / 3.0).ln()).abs() < 1e-15);
        assert_eq!(log_odds(weights(0.0, 0.0), weights(5.0, 5.0)).to_bits(), 0.0_f64.to_bits());
    }
}
