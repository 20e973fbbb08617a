//! The four counts of a yes-or-no classifier, and the ratios made of them.

use serde::Serialize;

use crate::base::NegativeWeight;

/// What one classifier says of labelled examples: how many of each class it calls positive.
///
/// `TP` = `true_positives`, `FP` = `false_positives`, `P` = `n_positives`, `N` = `n_negatives`;
/// `FN = P - TP`, `TN = N - FP`. Units: examples; the ratios count each negative for those it stands for.
///
/// **Invariant**: `TP <= P` and `FP <= N`, checked by [`Confusion::new`].
///
/// Every ratio is `None` where it is 0/0, `O(1)`, and in `[0, 1]`. Source: `[GLEANER §2.2.1]`.
///
/// # Example
///
/// ```
/// let confusion = gleaner::eval::Confusion::new(5, 15, 20, 180);
/// assert_eq!(confusion.precision(), Some(0.25));
/// assert_eq!(confusion.recall(), Some(0.25));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Confusion {
    true_positives: u64,
    false_positives: u64,
    n_positives: u64,
    n_negatives: u64,
    #[serde(skip)]
    negative_weight: NegativeWeight,
}

impl Confusion {
    /// The counts of a classifier, in the order `TP, FP, P, N`.
    ///
    /// # Panics
    ///
    /// When more examples are covered than there are: both counts come from the same example set.
    #[must_use]
    pub const fn new(true_positives: u64, false_positives: u64, n_positives: u64, n_negatives: u64) -> Self {
        assert!(
            true_positives <= n_positives && false_positives <= n_negatives,
            "a classifier covers no more examples than there are"
        );
        let negative_weight = NegativeWeight::ONE;
        Self { true_positives, false_positives, n_positives, n_negatives, negative_weight }
    }

    /// The same, where the negatives are a sample.
    #[must_use]
    pub const fn with_negative_weight(mut self, negative_weight: NegativeWeight) -> Self {
        self.negative_weight = negative_weight;
        self
    }

    /// `TP`: positives called positive.
    #[must_use]
    pub const fn true_positives(self) -> u64 {
        self.true_positives
    }

    /// `FP`: negatives called positive.
    #[must_use]
    pub const fn false_positives(self) -> u64 {
        self.false_positives
    }

    /// `P = TP + FN`.
    #[must_use]
    pub const fn n_positives(self) -> u64 {
        self.n_positives
    }

    /// `N = FP + TN`.
    #[must_use]
    pub const fn n_negatives(self) -> u64 {
        self.n_negatives
    }

    /// `TP / (TP + FP)`; `None` when nothing is called positive.
    #[must_use]
    pub fn precision(self) -> Option<f64> {
        let true_positives = self.true_positives as f64;
        ratio(true_positives, true_positives + self.weighted(self.false_positives))
    }

    /// `TP / P`, also called true positive rate; `None` without positives.
    #[must_use]
    pub fn recall(self) -> Option<f64> {
        ratio(self.true_positives as f64, self.n_positives as f64)
    }

    /// `FP / N`; `None` without negatives.
    #[must_use]
    pub fn false_positive_rate(self) -> Option<f64> {
        ratio(self.false_positives as f64, self.n_negatives as f64)
    }

    /// `(TP + TN) / (P + N)`; `None` without examples.
    #[must_use]
    pub fn accuracy(self) -> Option<f64> {
        let correct = self.true_positives as f64 + self.weighted(self.n_negatives - self.false_positives);
        ratio(correct, self.n_positives as f64 + self.weighted(self.n_negatives))
    }

    /// `(1 + b) p r / (b p + r)`, with `p` the precision, `r` the recall and `b >= 0` = `beta`.
    ///
    /// The weight enters as `b`, as the thesis writes it, where most texts have `b²`; at `b = 1`
    /// they agree. `None` without positives. Source: `[GLEANER §2.2.1]`.
    ///
    /// DIVERGENCE: multiplied out, `(1 + b) TP / (b P + TP + FP)`, which is 0 at `TP = 0`, where the
    /// thesis's form is 0/0. A fold in which nothing was found counts as 0 in a mean, not as absent.
    #[must_use]
    pub fn f_beta(self, beta: f64) -> Option<f64> {
        let covered = self.true_positives as f64 + self.weighted(self.false_positives);
        let (true_positives, n_positives) = (self.true_positives as f64, self.n_positives as f64);
        (self.n_positives > 0).then(|| (1.0 + beta) * true_positives / (beta * n_positives + covered))
    }

    fn weighted(self, negatives: u64) -> f64 {
        negatives as f64 * self.negative_weight.ratio()
    }
}

/// Exact to rounding: counts of examples are far below 2^53.
fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}

#[cfg(test)]
mod tests;
