//! Naive Bayes over Boolean columns, with Laplace's smoothing. [GLEANER §8.1; Davis et al. 2005]

use crate::base::ExampleSet;

use super::smoothing::log_odds;

/// The two classes of a universe whose positives stand in its first words, and how many each negative
/// stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classes {
    /// Positives.
    pub n_positives: usize,
    /// Negatives.
    pub n_negatives: usize,
    /// Words that hold the positives, and nothing else.
    pub n_positive_words: usize,
    /// What each negative counts, above 0.
    pub negative_weight: f64,
}

impl Classes {
    /// Whether a position is one of the positives'.
    #[must_use]
    pub const fn is_positive(&self, position: usize) -> bool {
        position < self.n_positive_words * 64
    }

    /// The weights of both classes.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn totals(&self) -> (f64, f64) {
        (self.n_positives as f64, self.n_negatives as f64 * self.negative_weight)
    }

    /// The weights of what two columns share in each class.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn common(&self, left: &ExampleSet, right: &ExampleSet) -> (f64, f64) {
        let (middle, end) = (self.n_positive_words, left.words().len());
        let negatives = left.count_both(right, middle..end) as f64;
        (left.count_both(right, 0..middle) as f64, negatives * self.negative_weight)
    }

    /// The log-odds of the classes, smoothed.
    #[must_use]
    pub fn prior(&self) -> f64 {
        let (p, n) = self.totals();
        log_odds((p, p + n), (n, p + n))
    }
}

/// Naive Bayes: columns are independent given the class.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NaiveBayes {
    /// The log-odds of an example that no column holds.
    pub base: f64,
    /// What each column adds for those it holds.
    pub added: Vec<f64>,
}

impl NaiveBayes {
    /// Fits columns over one universe. Cost: a pass over each column.
    #[must_use]
    pub fn fit(classes: &Classes, columns: &[ExampleSet]) -> Self {
        let (p, n) = classes.totals();
        let mut base = classes.prior();
        let mut added = Vec::with_capacity(columns.len());
        for column in columns {
            let (tp, fp) = classes.common(column, column);
            let (held, not_held) = (log_odds((tp, p), (fp, n)), log_odds((p - tp, p), (n - fp, n)));
            base += not_held;
            added.push(held - not_held);
        }
        Self { base, added }
    }

    /// The log-odds of each position, by the columns that hold it; those of padding mean nothing.
    #[must_use]
    pub fn scores(&self, len: usize, columns: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.base; len];
        for (column, added) in columns.iter().zip(&self.added) {
            column.iter().for_each(|position| scores[position] += added);
        }
        scores
    }
}
