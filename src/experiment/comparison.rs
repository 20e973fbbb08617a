//! Several learners, or one with several settings, over the same runs: each by itself, each pair, and the variant that tune
//! would have chosen.
//!
//! Comparisons know names and values only, so that runs read from files and variants learnt side by side are compared
//! alike.

use serde::{Serialize, Serializer};

use gleaner_base::statistics::{Paired, Summary, compare_pairs, mean_and_sd, summarise};

use super::cross_validation::CrossValidation;
use super::metric_list::{Metric, recorded};
use super::metrics::RunMetrics;
use super::summary::{Intervals, MetricTable, MetricValues};

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

/// For each run, the variant with the highest tune area, and the test results of these variants. Test has no part in
/// the choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chosen {
    /// The position of the chosen variant for each run, by repetition and then fold.
    pub choices: Vec<usize>,
    /// How many runs chose each variant.
    pub times: Vec<usize>,
    /// Each test metric of the chosen ones, a value for each fold: the mean of its repetitions.
    pub metrics: MetricTable,
}

/// The position of the highest tune area, the first of equals. An undefined area is chosen only where all are
/// undefined. `None` without variants.
#[must_use]
pub fn highest(tune_areas: &[Option<f64>]) -> Option<usize> {
    let mut best: Option<usize> = (!tune_areas.is_empty()).then_some(0);
    for (position, area) in tune_areas.iter().enumerate() {
        // `None` is below every number.
        if best.is_some_and(|best| *area > tune_areas[best]) {
            best = Some(position);
        }
    }
    best
}

/// Chooses among variants over the same runs, run by run; `None` of no variant.
///
/// **Cost**: O(n_variants · n_runs).
#[must_use]
pub fn choose(variants: &[CrossValidation]) -> Option<Chosen> {
    let first = variants.first()?;
    let tune_areas = |run: usize| -> Vec<Option<f64>> {
        variants.iter().map(|variant| variant.runs[run].tune_metrics.auc_pr()).collect()
    };
    let choices: Vec<usize> = (0..first.runs.len()).filter_map(|run| highest(&tune_areas(run))).collect();
    let metrics: Vec<&RunMetrics> =
        choices.iter().enumerate().map(|(run, &chosen)| &variants[chosen].runs[run].metrics).collect();
    let times = (0..variants.len())
        .map(|variant| choices.iter().filter(|&&chosen| chosen == variant).count())
        .collect();
    Some(Chosen { metrics: of_metrics(&metrics, first.n_folds()), choices, times })
}

/// Each metric of runs by repetition and then fold.
fn of_metrics(runs: &[&RunMetrics], n_folds: usize) -> MetricTable {
    let of_metric = |metric: &Metric| {
        let values: Vec<Option<f64>> = runs.iter().map(|metrics| metrics.get(metric.name)).collect();
        let of_fold = |fold: usize| {
            of_repetitions(&values.iter().skip(fold).step_by(n_folds).copied().collect::<Vec<_>>())
        };
        let folds: Vec<Option<f64>> = (0..n_folds).map(of_fold).collect();
        let (summary, intervals) = (summarise(&folds), Intervals::of(&values, n_folds));
        MetricValues { name: metric.name, summary, intervals, folds }
    };
    MetricTable(recorded().map(of_metric).collect())
}

#[cfg(test)]
mod tests {
    use crate::experiment::RunMetrics;
    use crate::experiment::summary::MetricTable;

    use super::{Comparison, Outcome, compare_variants, highest, of_metrics};

    fn three() -> Comparison {
        let variant = |name: &str, values: [f64; 4]| (name.to_owned(), values.map(Some).to_vec());
        compare_variants(&[
            variant("good", [0.9, 0.8, 0.85, 0.95]),
            variant("bad", [0.5, 0.45, 0.4, 0.6]),
            variant("odd", [0.95, 0.4, 0.9, 0.3]),
        ])
    }

    #[test]
    fn every_pair_is_compared_once() {
        let comparison = three();
        let pairs: Vec<(usize, usize)> =
            comparison.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
        let names: Vec<&str> = comparison.variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(names, ["good", "bad", "odd"]);
        assert!((comparison.variants[0].summary.mean.expect("four values") - 0.875).abs() < 1e-12);
        let difference = comparison.pairs[0].paired.mean_difference.expect("four pairs");
        assert!((difference - (0.875 - 0.4875)).abs() < 1e-12);
    }

    #[test]
    fn outcomes_mirror_each_other() {
        let comparison = three();
        assert_eq!(comparison.outcome(0, 1, false), Outcome::Better);
        assert_eq!(comparison.outcome(1, 0, false), Outcome::Worse);
        assert_eq!(comparison.outcome(0, 1, true), Outcome::Worse);
        assert_eq!(comparison.outcome(1, 0, true), Outcome::Better);
        for (row, column) in [(0, 0), (0, 2), (2, 1), (0, 9)] {
            assert_eq!(comparison.outcome(row, column, false), Outcome::Neither);
        }
    }

    #[test]
    fn few_variants_have_few_pairs() {
        assert!(compare_variants(&[]).pairs.is_empty());
        assert!(compare_variants(&[("alone".to_owned(), vec![None])]).pairs.is_empty());
    }

    #[test]
    fn the_highest_is_chosen_and_of_equal_ones_the_first() {
        assert_eq!(highest(&[Some(0.25), Some(0.75), Some(0.75), Some(0.5)]), Some(1));
        assert_eq!(highest(&[None, Some(0.0), None]), Some(1));
        assert_eq!(highest(&[Some(0.0), None]), Some(0));
        assert_eq!(highest(&[None, None]), Some(0));
        assert_eq!(highest(&[]), None);
    }

    /// Two folds, repeated: their means are 0.375 and 0.75. The mean of these is 0.5625, their deviation 0.375 / sqrt
    /// 2.
    #[test]
    fn repetitions_of_a_fold_are_one_value() {
        let of_area = |area| RunMetrics::of_values(&[("auc_pr".to_owned(), Some(area))].into());
        let runs = [0.25, 0.5, 0.5, 1.0].map(of_area);
        let MetricTable(found) = of_metrics(&runs.iter().collect::<Vec<_>>(), 2);
        let area = &found[0];
        assert_eq!((area.name, area.folds.as_slice()), ("auc_pr", &[Some(0.375), Some(0.75)][..]));
        assert_eq!(area.summary.mean, Some(0.5625));
        assert!((area.summary.sd.expect("two folds") - 0.375 / 2.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!((found[1].name, found[1].summary.mean), ("auc_pr_points", None));
    }
}
