//! Calibrators that are sigmoids, fitted by a logistic regression of very few features. [Lin, Lin, Weng 2007]
//!
//! [`Platt`] has Platt's sigmoid [Platt 1999]. [`Beta`] has a family of curves that includes the identity, sigmoids
//! and their inverses [Kull, Silva Filho, Flach 2017].

use crate::eval::Ranking;

/// The most Newton steps, and the least share of a step that the search tries before it ends.
const MOST_STEPS: usize = 100;
const LEAST_SHARE: f64 = 1e-10;
/// Keeps the curvature above 0.
const RIDGE: f64 = 1e-12;

/// The features of a score; the last is 1.
pub(super) type Features<const N: usize> = [f64; N];

/// One class at one score: the features of the score, the target probability, and the weight.
struct Row<const N: usize> {
    features: Features<N>,
    target: f64,
    weight: f64,
}

/// `1 / (1 + e^-logit)`.
pub(super) fn sigmoid(logit: f64) -> f64 {
    // `e^-|x|` cannot overflow.
    let small = (-logit.abs()).exp();
    if logit >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) }
}

/// The sum of products.
pub(super) fn product<const N: usize>(left: &Features<N>, right: &Features<N>) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The weights of highest likelihood for the features of scores. Targets are `(P + 1) / (P + 2)` for positives and
/// `1 / (N + 2)` for negatives, where `P` and `N` are the sums of their weights. So the weights are finite even where a
/// score separates the classes. [Platt 1999]
///
/// **Cost**: some passes over the ranking's groups. `None` without examples.
fn logistic_fit<const N: usize>(
    ranking: &Ranking,
    features: impl Fn(f64) -> Features<N>,
) -> Option<Features<N>> {
    let (positives, negatives) = ranking.class_weights();
    if ranking.groups().is_empty() {
        return None;
    }
    let [of_positives, of_negatives] = [(positives + 1.0) / (positives + 2.0), 1.0 / (negatives + 2.0)];
    let rows: Vec<Row<N>> = ranking
        .groups()
        .iter()
        .flat_map(|group| {
            let features = features(group.score);
            [
                Row { features, target: of_positives, weight: group.positives },
                Row { features, target: of_negatives, weight: group.negatives },
            ]
        })
        .filter(|row| row.weight > 0.0)
        .collect();
    let mut fitted = [0.0; N];
    if let Some(offset) = fitted.last_mut() {
        *offset = ((positives + 1.0) / (negatives + 1.0)).ln();
    }
    let likelihood = Likelihood { rows };
    let mut loss = likelihood.loss(&fitted);
    for _ in 0..MOST_STEPS {
        let (slopes, curvatures) = likelihood.shape(&fitted);
        if slopes.iter().all(|slope| slope.abs() < 1e-9 * (positives + negatives)) {
            break;
        }
        let Some(back) = solved(curvatures, slopes) else { break };
        let promised = product(&slopes, &back);
        let mut share = 1.0;
        let next = loop {
            let next = std::array::from_fn(|at| fitted[at] - share * back[at]);
            let loss_there = likelihood.loss(&next);
            if loss_there <= loss - 1e-4 * share * promised {
                break Some((next, loss_there));
            }
            share /= 2.0;
            if share < LEAST_SHARE {
                break None;
            }
        };
        let Some((next, loss_there)) = next else { break };
        (fitted, loss) = (next, loss_there);
    }
    Some(fitted)
}

/// The likelihood of the rows, which the fitted weights maximise.
struct Likelihood<const N: usize> {
    rows: Vec<Row<N>>,
}

impl<const N: usize> Likelihood<N> {
    /// The cross entropy, times the weights of the rows.
    fn loss(&self, weights: &Features<N>) -> f64 {
        let one = |row: &Row<N>| {
            let logit = product(weights, &row.features);
            // -t ln p - (1 - t) ln(1 - p), where p = 1 / (1 + e^-x).
            row.weight * ((1.0 - row.target) * logit + (-logit).max(0.0) + (-logit.abs()).exp().ln_1p())
        };
        self.rows.iter().map(one).sum()
    }

    /// Its slopes and curvatures.
    fn shape(&self, weights: &Features<N>) -> (Features<N>, [Features<N>; N]) {
        let mut slopes = [0.0; N];
        let mut curvatures = [[0.0; N]; N];
        for (at, row) in curvatures.iter_mut().enumerate() {
            row[at] = RIDGE;
        }
        for Row { features, target, weight } in &self.rows {
            let probability = sigmoid(product(weights, features));
            let curved = weight * probability * (1.0 - probability);
            for left in 0..N {
                slopes[left] += weight * (probability - target) * features[left];
                for right in 0..N {
                    curvatures[left][right] += curved * features[left] * features[right];
                }
            }
        }
        (slopes, curvatures)
    }
}

/// The solution of linear equations, by elimination with the greatest pivot; `None` where the solution is not unique.
fn solved<const N: usize>(mut matrix: [Features<N>; N], mut right: Features<N>) -> Option<Features<N>> {
    for at in 0..N {
        let pivot = (at..N).max_by(|&a, &b| matrix[a][at].abs().total_cmp(&matrix[b][at].abs()))?;
        matrix.swap(at, pivot);
        right.swap(at, pivot);
        if matrix[at][at] == 0.0 || !matrix[at][at].is_finite() {
            return None;
        }
        let (row, value) = (matrix[at], right[at]);
        for below in at + 1..N {
            let times = matrix[below][at] / row[at];
            for (cell, above) in matrix[below].iter_mut().zip(&row).skip(at) {
                *cell -= times * above;
            }
            right[below] -= times * value;
        }
    }
    let mut solution = [0.0; N];
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|column| matrix[at][column] * solution[column]).sum();
        solution[at] = (right[at] - known) / matrix[at][at];
    }
    Some(solution)
}

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
    pub fn fit(ranking: &Ranking) -> Option<Self> {
        logistic_fit(ranking, |score| [score, 1.0])
            .map(|[slope, offset]| Self { slope: -slope, offset: -offset })
    }

    /// The probability at a score. **Range**: 0 to 1.
    pub fn probability(&self, score: f64) -> f64 {
        sigmoid(self.log_odds(score))
    }

    /// The log-odds at a score, finite for finite scores and parameters of usual size.
    pub fn log_odds(&self, score: f64) -> f64 {
        -(self.slope * score + self.offset)
    }
}

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
pub const EDGE: f64 = f64::EPSILON;

impl Beta {
    /// The curve of highest likelihood, with the targets of [`Platt::fit`]. A second fit leaves out a parameter that
    /// would be negative.
    ///
    /// **Cost**: some passes over the ranking's groups. `None` without examples.
    pub fn fit(ranking: &Ranking) -> Option<Self> {
        let is_within = ranking.groups().iter().all(|group| (0.0..=1.0).contains(&group.score));
        let before = if is_within { None } else { Some(Platt::fit(ranking)?) };
        let logarithms = |score| logarithms(score, before);
        let [a, b, c] = logistic_fit(ranking, |score| {
            let [low, high] = logarithms(score);
            [low, high, 1.0]
        })?;
        let of_one = |kept: usize| logistic_fit(ranking, |score| [logarithms(score)[kept], 1.0]);
        let [a, b, c] = match (a < 0.0, b < 0.0) {
            (false, false) => [a, b, c],
            (true, _) => of_one(1).map(|[b, c]| [0.0, b, c])?,
            (false, true) => of_one(0).map(|[a, c]| [a, 0.0, c])?,
        };
        let of_none = || logistic_fit(ranking, |_| [1.0]).map(|[c]| [0.0, 0.0, c]);
        let [a, b, c] = if a < 0.0 || b < 0.0 { of_none()? } else { [a, b, c] };
        Some(Self { a, b, c, before })
    }

    /// The probability at a score. **Range**: 0 to 1.
    pub fn probability(&self, score: f64) -> f64 {
        sigmoid(self.log_odds(score))
    }

    /// The log-odds at a score.
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
    use crate::eval::Ranking;

    use super::{Beta, Platt};

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
