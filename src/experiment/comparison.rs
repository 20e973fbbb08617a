//! Several learners, or one with several settings, over the same runs: each by itself, and each pair.
//!
//! Knows names and values only, so that runs read from files and variants learnt side by side are compared alike.

use serde::{Serialize, Serializer};

use gleaner_base::statistics::{Paired, Summary, compare_pairs, mean_and_sd, summarise};

/// The comparison of several variants by their values on the same runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The variants in the order given.
    pub variants: Vec<Variant>,
    /// All pairs of them, ascending by the first and then by the second.
    pub pairs: Vec<VariantPair>,
}

/// One variant over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The variant's values, a position for each run; `None` is undefined.
    #[serde(rename = "folds")]
    pub values: Vec<Option<f64>>,
    /// Mean and spread of those that are defined.
    #[serde(flatten, serialize_with = "mean_and_sd")]
    pub summary: Summary,
}

/// Two variants, run by run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantPair {
    /// Position of the first variant.
    #[serde(rename = "first")]
    pub left: usize,
    /// Position of the second, above that of the first.
    #[serde(rename = "second")]
    pub right: usize,
    /// First less second.
    #[serde(flatten)]
    pub paired: Paired,
}

/// The result of a pair, as the row's variant sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The row's mean is better, with p below [`SIGNIFICANCE`].
    Better,
    /// The row's mean is worse, with p below [`SIGNIFICANCE`].
    Worse,
    /// Neither is known to be better.
    Neither,
}

/// Below this p of the paired t-test a difference counts as one.
pub const SIGNIFICANCE: f64 = 0.05;

/// The value of a fold from those of its repetitions, which share its examples: their mean, undefined where
/// one of them is.
#[must_use]
pub fn of_repetitions(values: &[Option<f64>]) -> Option<f64> {
    summarise(values).mean.filter(|_| values.iter().all(Option::is_some))
}

/// Compares variants whose values stand for the same runs, position by position; not corrected for the number of
/// pairs.
///
/// **Cost**: O(n_variants² · n_runs³) for up to 50 runs.
///
/// # Example
///
/// ```
/// use gleaner::experiment::compare_variants;
/// let values = |values: [f64; 3]| values.map(Some).to_vec();
/// let comparison = compare_variants(&[
///     ("depth 3".to_owned(), values([0.5, 0.6, 0.7])),
///     ("depth 2".to_owned(), values([0.4, 0.4, 0.4])),
/// ]);
/// assert_eq!(comparison.pairs.len(), 1);
/// assert!((comparison.pairs[0].paired.mean_difference.expect("three pairs") - 0.2).abs() < 1e-12);
/// ```
#[must_use]
pub fn compare_variants(variants: &[(String, Vec<Option<f64>>)]) -> Comparison {
    let pair = |left: usize, right: usize| VariantPair {
        left,
        right,
        paired: compare_pairs(&variants[left].1, &variants[right].1),
    };
    let pairs = (0..variants.len())
        .flat_map(|left| (left + 1..variants.len()).map(move |right| (left, right)))
        .map(|(left, right)| pair(left, right))
        .collect();
    let variants = variants
        .iter()
        .map(|(name, values)| Variant {
            name: name.clone(),
            values: values.clone(),
            summary: summarise(values),
        })
        .collect();
    Comparison { variants, pairs }
}

impl Comparison {
    /// Whether one variant is better or worse than another by the paired t-test; `is_loss` where small values are good.
    /// `Neither` also where the test is undefined or there is no such pair.
    #[must_use]
    pub fn outcome(&self, row: usize, column: usize, is_loss: bool) -> Outcome {
        let (left, right) = (row.min(column), row.max(column));
        let pair = self.pairs.iter().find(|pair| (pair.left, pair.right) == (left, right));
        let Some(test) = pair.and_then(|pair| pair.paired.t_test).filter(|test| test.p < SIGNIFICANCE) else {
            return Outcome::Neither;
        };
        // A negative t, the other way round and small values as good each turn the verdict.
        if (test.t > 0.0) ^ (row > column) ^ is_loss { Outcome::Better } else { Outcome::Worse }
    }
}

/// A metric with the variants' values of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedMetric {
    /// The metric's name.
    pub name: String,
    /// The variants, the same in all metrics.
    pub comparison: Comparison,
}

/// Several metrics of the same variants; a map by name in JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedMetrics(pub Vec<ComparedMetric>);

impl Serialize for ComparedMetrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|metric| (&metric.name, &metric.comparison)))
    }
}

#[cfg(test)]
mod tests;
