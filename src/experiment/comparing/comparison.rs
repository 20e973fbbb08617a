//! Several learners, or one with several settings, over the same runs: each by itself, each pair, and the variant that tune
//! would have chosen.
//!
//! Comparisons know names and values only, so that runs read from files and variants learnt side by side are compared
//! alike.

use serde::{Serialize, Serializer};

use gleaner_base::statistics::{Paired, Summary, compare_pairs, mean_and_sd, summarise};

use crate::experiment::comparing::side_by_side::{Stopped, is_common};
use crate::experiment::metrics::summary::{Intervals, MetricTable, MetricValues};
use crate::experiment::runs::scheduled_runs::{Measured, n_folds};

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
pub fn of_repetitions(values: &[Option<f64>]) -> Option<f64> {
    summarise(values).mean.filter(|_| values.iter().all(Option::is_some))
}

/// One metric of variants, by fold. Repetitions of a fold share its examples: they are one value, their mean. A
/// repetition that a stop kept one of the variants from counts for none.
pub fn compared_metric<R: Measured>(
    name: &str,
    variants: &[(&str, Vec<&R>)],
    folds: &[&str],
    stopped: &[Stopped],
) -> ComparedMetric {
    let of_fold = |runs: &[&R], fold: &str| {
        let repeats = runs.iter().filter(|run| run.fold() == fold && is_common(&run.result_name(), stopped));
        of_repetitions(&repeats.map(|run| run.metric(name)).collect::<Vec<_>>())
    };
    let values = |runs: &[&R]| folds.iter().map(|fold| of_fold(runs, fold)).collect();
    let variants: Vec<_> = variants.iter().map(|(name, runs)| ((*name).to_owned(), values(runs))).collect();
    ComparedMetric { name: name.to_owned(), comparison: compare_variants(&variants) }
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

/// For each run, the variant that did best on examples without test, and the test results of these variants. Test has no
/// part in the choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chosen {
    /// The position of the chosen variant for each run, by repetition and then fold; none where a stop came before some variant.
    pub choices: Vec<Option<usize>>,
    /// How many runs chose each variant.
    pub times: Vec<usize>,
    /// Each test metric of the chosen ones, a value for each fold: the mean of its repetitions.
    pub metrics: MetricTable,
}

/// The position of the highest value, the first of equals. An undefined value is chosen only where all are undefined.
/// `None` without variants.
pub fn highest(values: &[Option<f64>]) -> Option<usize> {
    let mut best: Option<usize> = (!values.is_empty()).then_some(0);
    for (position, value) in values.iter().enumerate() {
        // `None` is below every number.
        if best.is_some_and(|best| *value > values[best]) {
            best = Some(position);
        }
    }
    best
}

/// Chooses among variants over the same runs, run by run, by a value without test that is better the higher it is. A run that
/// a stop kept one of the variants from is left out. `None` of no variant, and where no run is left.
///
/// **Cost**: O(n_variants · n_runs).
pub fn choose<R: Measured>(
    variants: &[&[R]],
    stopped: &[Stopped],
    without_test: impl Fn(&R) -> Option<f64>,
    metrics: &[&'static str],
) -> Option<Chosen> {
    let first = variants.first()?;
    let choice = |(at, run): (usize, &R)| {
        let values = variants.iter().map(|runs| without_test(&runs[at])).collect::<Vec<_>>();
        highest(&values).filter(|_| is_common(&run.result_name(), stopped))
    };
    let choices: Vec<Option<usize>> = first.iter().enumerate().map(choice).collect();
    let chosen: Vec<Option<&R>> =
        choices.iter().enumerate().map(|(at, chosen)| chosen.map(|chosen| &variants[chosen][at])).collect();
    let times = (0..variants.len())
        .map(|variant| choices.iter().filter(|&&chosen| chosen == Some(variant)).count())
        .collect();
    let metrics = of_metrics(&chosen, n_folds(first), metrics);
    choices.iter().any(Option::is_some).then_some(Chosen { metrics, choices, times })
}

/// Each of these metrics of runs by repetition and then fold; those that are left out count for no fold.
fn of_metrics<R: Measured>(runs: &[Option<&R>], n_folds: usize, metrics: &[&'static str]) -> MetricTable {
    let of_metric = |name: &'static str| {
        let values: Vec<Option<f64>> = runs.iter().map(|run| run.and_then(|run| run.metric(name))).collect();
        let of_fold = |fold: usize| {
            let repeats = runs.iter().skip(fold).step_by(n_folds).flatten();
            of_repetitions(&repeats.map(|run| run.metric(name)).collect::<Vec<_>>())
        };
        let folds: Vec<Option<f64>> = (0..n_folds).map(of_fold).collect();
        let (summary, intervals) = (summarise(&folds), Intervals::of(&values, n_folds));
        MetricValues { name, summary, intervals, folds }
    };
    MetricTable(metrics.iter().map(|&name| of_metric(name)).collect())
}

#[cfg(test)]
mod tests {
    use crate::experiment::comparing::side_by_side::Stopped;
    use crate::experiment::metrics::summary::MetricTable;
    use crate::experiment::runs::scheduled_runs::Measured;
    use gleaner_base::StopReason;

    use super::{Comparison, Outcome, choose, compare_variants, compared_metric, highest, of_metrics};

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

    /// A run by its fold, its repetition, its area and what is known without test.
    struct Known(&'static str, usize, f64, Option<f64>);

    impl Measured for Known {
        fn fold(&self) -> &str {
            self.0
        }

        fn repeat(&self) -> usize {
            self.1
        }

        fn metric(&self, name: &str) -> Option<f64> {
            (name == "auc_pr").then_some(self.2)
        }

        fn outer_stop(&self) -> Option<StopReason> {
            None
        }

        fn is_searched(&self) -> bool {
            true
        }
    }

    /// Two folds, repeated: their means are 0.375 and 0.75. The mean of these is 0.5625, their deviation 0.375 / sqrt
    /// 2.
    #[test]
    fn repetitions_of_a_fold_are_one_value() {
        let runs = [("a", 0, 0.25), ("b", 0, 0.5), ("a", 1, 0.5), ("b", 1, 1.0)];
        let runs = runs.map(|(fold, repeat, area)| Known(fold, repeat, area, None));
        let runs: Vec<&Known> = runs.iter().collect();
        let all: Vec<Option<&Known>> = runs.iter().copied().map(Some).collect();
        let MetricTable(found) = of_metrics(&all, 2, &["auc_pr", "auc_pr_points"]);
        let area = &found[0];
        assert_eq!((area.name, area.folds.as_slice()), ("auc_pr", &[Some(0.375), Some(0.75)][..]));
        assert_eq!(area.summary.mean, Some(0.5625));
        assert!((area.summary.sd.expect("two folds") - 0.375 / 2.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!((found[1].name, found[1].summary.mean), ("auc_pr_points", None));
        // The same by fold, beside a variant whose second repetition of `a` a stop kept from being searched.
        let stopped = Stopped {
            name: "other".to_owned(),
            stop: StopReason::TimeLimit,
            folds: vec!["a".to_owned()],
            unsearched: vec!["a-2".to_owned()],
        };
        let compared = compared_metric("auc_pr", &[("one", runs.clone())], &["a", "b"], &[stopped]);
        assert_eq!(compared.comparison.variants[0].values, [Some(0.25), Some(0.75)]);
    }

    /// Of two folds the first variant has the better value on the first, the second on the other.
    #[test]
    fn a_variant_is_chosen_for_each_run() {
        let first = [Known("a", 0, 0.25, Some(2.0)), Known("b", 0, 0.5, Some(1.0))];
        let second = [Known("a", 0, 0.75, Some(1.0)), Known("b", 0, 1.0, Some(2.0))];
        let variants: [&[Known]; 2] = [&first, &second];
        let chosen = choose(&variants, &[], |run| run.3, &["auc_pr"]).expect("two variants");
        assert_eq!((chosen.choices, chosen.times), (vec![Some(0), Some(1)], vec![1, 1]));
        assert_eq!(chosen.metrics.0[0].folds, [Some(0.25), Some(1.0)]);
        // A stop came before the second variant of `b`, and then before both of `a`, too.
        let stopped = |unsearched: &[&str]| Stopped {
            name: "second".to_owned(),
            stop: StopReason::Interrupted,
            folds: unsearched.iter().map(|&fold| fold.to_owned()).collect(),
            unsearched: unsearched.iter().map(|&fold| fold.to_owned()).collect(),
        };
        let chosen = choose(&variants, &[stopped(&["b"])], |run| run.3, &["auc_pr"]).expect("a common run");
        assert_eq!((chosen.choices, chosen.times), (vec![Some(0), None], vec![1, 0]));
        assert_eq!(chosen.metrics.0[0].folds, [Some(0.25), None]);
        assert_eq!(choose(&variants, &[stopped(&["b", "a"])], |run| run.3, &["auc_pr"]), None);
    }
}
