//! Beta calibration: a family of curves that includes the identity, sigmoids and their inverses.
//! [Kull, Silva Filho, Flach 2017]

use super::logistic::{self, product};
use super::platt::Platt;
use crate::eval::Ranking;

/// Probabilities `1 / (1 + 1 / (e^c s^a / (1 - s)^b))` of scores `s` from 0 to 1.
///
/// **Invariant**: neither `a` nor `b` is negative, so that a higher score never has a lower probability.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Beta {
    /// `a`, the weight of `ln s`.
    pub a: f64,
    /// `b`, the weight of `-ln(1 - s)`.
    pub b: f64,
    /// `c`.
    pub c: f64,
    /// The sigmoid that first maps scores into 0 to 1, where some lie outside.
    pub before: Option<Platt>,
}

/// The least distance of scores from 0 and 1, where a logarithm is infinite: the last bit of a number near 1, as in the
/// authors' program.
const EDGE: f64 = f64::EPSILON;

impl Beta {
    /// The curve of highest likelihood, with the targets of [`Platt::fit`]. A second fit leaves out a parameter that
    /// would be negative.
    ///
    /// **Cost**: some passes over the ranking's groups. `None` without examples.
    #[must_use]
    pub fn fit(ranking: &Ranking) -> Option<Self> {
        let is_within = ranking.groups().iter().all(|group| (0.0..=1.0).contains(&group.score));
        let before = if is_within { None } else { Some(Platt::fit(ranking)?) };
        let logarithms = |score| logarithms(score, before);
        let [a, b, c] = logistic::fit(ranking, |score| {
            let [low, high] = logarithms(score);
            [low, high, 1.0]
        })?;
        let of_one = |kept: usize| logistic::fit(ranking, |score| [logarithms(score)[kept], 1.0]);
        let [a, b, c] = match (a < 0.0, b < 0.0) {
            (false, false) => [a, b, c],
            (true, _) => of_one(1).map(|[b, c]| [0.0, b, c])?,
            (false, true) => of_one(0).map(|[a, c]| [a, 0.0, c])?,
        };
        let of_none = || logistic::fit(ranking, |_| [1.0]).map(|[c]| [0.0, 0.0, c]);
        let [a, b, c] = if a < 0.0 || b < 0.0 { of_none()? } else { [a, b, c] };
        Some(Self { a, b, c, before })
    }

    /// The probability at a score. **Range**: 0 to 1.
    #[must_use]
    pub fn probability(&self, score: f64) -> f64 {
        logistic::sigmoid(self.log_odds(score))
    }

    /// The log-odds at a score.
    #[must_use]
    pub fn log_odds(&self, score: f64) -> f64 {
        let [low, high] = logarithms(score, self.before);
        product(&[self.a, self.b, self.c], &[low, high, 1.0])
    }
}

/// `ln s` and `-ln(1 - s)`.
fn logarithms(score: f64, before: Option<Platt>) -> [f64; 2] {
    let score = before.map_or(score, |platt| platt.probability(score)).clamp(EDGE, 1.0 - EDGE);
    [score.ln(), -(-score).ln_1p()]
}

#[cfg(test)]
mod tests {
    use super::Beta;
    use crate::eval::Ranking;
    use crate::eval::calibration::Platt;

    const SCORES: [f64; 10] = [0.05, 0.1, 0.1, 0.2, 0.3, 0.45, 0.45, 0.6, 0.8, 0.95];
    const WEIGHTS: [f64; 10] = [2.0, 1.0, 3.0, 1.0, 1.0, 4.0, 1.0, 1.0, 2.0, 1.0];

    fn fitted(classes: [u8; 10]) -> Beta {
        let examples = (0..10).map(|at| (SCORES[at], classes[at] == 1, WEIGHTS[at]));
        Beta::fit(&Ranking::weighted(examples).expect("numbers")).expect("there are examples")
    }

    fn assert_near(found: Beta, expected: [f64; 3]) {
        for (found, expected) in [found.a, found.b, found.c].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
        }
    }

    /// scikit-learn 1.9.1, `LogisticRegression(C=inf, solver='newton-cholesky')` of `ln s` and `-ln(1 - s)`, each example once of
    /// each class with the shares of the targets as weights.
    #[test]
    fn parameters_of_scikit_learn() {
        let found = fitted([0, 1, 0, 0, 1, 0, 1, 1, 0, 1]);
        assert_near(found, [0.215_972_92, 0.408_575_92, -0.852_551_21]);
        for (score, expected) in [(0.05, 0.185_640_33), (0.45, 0.314_159_25), (0.95, 0.589_126_34)] {
            assert!((found.probability(score) - expected).abs() < 1e-7);
        }
    }

    /// The same program: without the feature of the negative parameter; with both left `c` alone, here the logarithm of the
    /// targets' odds.
    #[test]
    fn a_negative_parameter_is_left_out() {
        assert_near(fitted([0, 0, 0, 0, 1, 1, 1, 1, 1, 0]), [1.622_706_31, 0.0, 2.277_264_53]);
        assert_near(fitted([1, 1, 0, 0, 0, 0, 1, 0, 1, 1]), [0.0, 0.918_084_7, -0.945_044_97]);
        let falling = fitted([1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
        let sum: f64 = 7.0 * 8.0 / 9.0 + 10.0 / 12.0;
        assert_near(falling, [0.0, 0.0, (sum / (17.0 - sum)).ln()]);
    }

    /// Scores outside 0 to 1 are Platt's probabilities first; his curve is in the family, so the likelihood is no less.
    #[test]
    fn any_scores_are_calibrated() {
        let examples = [(-3.0, false), (-1.0, false), (0.5, true), (0.7, false), (2.0, true), (4.0, true)];
        let ranking = Ranking::new(examples).expect("numbers");
        let beta = Beta::fit(&ranking).expect("there are examples");
        let platt = Platt::fit(&ranking).expect("there are examples");
        assert_eq!(beta.before, Some(platt));
        let loss = |probability: &dyn Fn(f64) -> f64| -> f64 {
            let [of_positives, of_negatives] = [4.0 / 5.0, 1.0 / 5.0];
            let target = |is_positive| if is_positive { of_positives } else { of_negatives };
            let one = |&(score, is_positive): &(f64, bool)| {
                let (target, probability): (f64, f64) = (target(is_positive), probability(score));
                -target * probability.ln() - (1.0 - target) * (1.0 - probability).ln()
            };
            examples.iter().map(one).sum()
        };
        assert!(loss(&|score| beta.probability(score)) <= loss(&|score| platt.probability(score)) + 1e-9);
    }
}
