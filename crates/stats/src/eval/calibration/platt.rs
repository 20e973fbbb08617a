//! Platt's sigmoid. [Platt 1999; Lin, Lin, Weng 2007]

use super::logistic;
use crate::eval::Ranking;

/// Probabilities `1 / (1 + e^(slope * score + offset))`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Platt {
    /// `A`; below 0 where positives have the higher scores.
    pub slope: f64,
    /// `B`.
    pub offset: f64,
}

impl Platt {
    /// The sigmoid of highest likelihood. Targets are `(P + 1) / (P + 2)` for positives and `1 / (N + 2)` for
    /// negatives, where `P` and `N` are the sums of their weights. So the sigmoid stays away from 0 and 1.
    ///
    /// **Cost**: some passes over the ranking's groups. `None` without examples.
    #[must_use]
    pub fn fit(ranking: &Ranking) -> Option<Self> {
        logistic::fit(ranking, |score| [score, 1.0])
            .map(|[slope, offset]| Self { slope: -slope, offset: -offset })
    }

    /// The probability at a score. **Range**: 0 to 1.
    #[must_use]
    pub fn probability(&self, score: f64) -> f64 {
        logistic::sigmoid(self.log_odds(score))
    }

    /// The log-odds at a score, finite for finite scores and parameters of usual size.
    #[must_use]
    pub fn log_odds(&self, score: f64) -> f64 {
        -(self.slope * score + self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::Platt;
    use crate::eval::Ranking;

    /// scikit-learn 1.9.1, `sklearn.calibration._sigmoid_calibration` of these scores, classes and weights, to 7 digits; SciPy 1.17.1,
    /// BFGS on the same likelihood, to 8.
    #[test]
    fn sigmoid_of_scikit_learn() {
        let scores = [1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 7.0, 8.0];
        let classes = [false, true, false, false, true, false, true, true, false, true];
        let weights = [2.0, 1.0, 3.0, 1.0, 1.0, 4.0, 1.0, 1.0, 2.0, 1.0];
        let examples = (0..10).map(|at| (scores[at], classes[at], weights[at]));
        let fitted = Platt::fit(&Ranking::weighted(examples).expect("numbers")).expect("there are examples");
        assert!((fitted.slope + 0.216_616_93).abs() < 1e-7, "{fitted:?}");
        assert!((fitted.offset - 1.768_697_35).abs() < 1e-7, "{fitted:?}");
        let [low, high] = [0.0, 1e9].map(|score| fitted.probability(score));
        assert!(low < high && high <= 1.0);
        assert_eq!(Platt::fit(&Ranking::new([]).expect("none")), None);
    }
}
