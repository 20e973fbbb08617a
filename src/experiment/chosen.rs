//! The variant that tune would have chosen: how good a learner is whose settings are chosen without test.

use serde::Serialize;

use gleaner_base::statistics::summarise;

use super::comparison::of_repetitions;
use super::cross_validation::CrossValidation;
use super::metric_list::{Metric, recorded};
use super::metrics::RunMetrics;
use super::summary::{Intervals, MetricTable, MetricValues};

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
    use super::{highest, of_metrics};
    use crate::experiment::RunMetrics;
    use crate::experiment::summary::MetricTable;

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
