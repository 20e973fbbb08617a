//! Logistic regression of very few features, for calibrators that are sigmoids. [Lin, Lin, Weng 2007]

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
pub(super) fn fit<const N: usize>(
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
