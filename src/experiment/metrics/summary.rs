//! RunMetrics over all runs of an experiment: mean, spread, and how sure the mean is.

use serde::{Serialize, Serializer};

use gleaner_base::statistics::{Summary, half_width, mean, mean_and_sd, summarise};

use crate::experiment::metrics::of_run::RunMetrics;
use crate::experiment::runs::scheduled_runs::{Measured, n_folds};

/// One metric over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricSummary {
    /// The metric.
    #[serde(skip)]
    pub name: &'static str,
    /// Mean and spread over the runs.
    #[serde(flatten)]
    pub summary: Summary,
    /// How sure the mean is.
    #[serde(flatten)]
    pub intervals: Intervals,
}

impl MetricSummary {
    fn of(name: &'static str, values: &[Option<f64>], n_folds: usize) -> Self {
        Self { name, summary: summarise(values), intervals: Intervals::of(values, n_folds) }
    }
}

/// Half the widths of 95 % confidence intervals of a mean over runs, by Student's t, in the metric's unit. Both use the
/// folds that are defined in every repetition.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct Intervals {
    /// Over folds: n is their number, and a fold's value the mean of its repetitions, as these share its examples. `None`
    /// below two folds.
    pub ci95: Option<f64>,
    /// Over repetitions: n is their number, and a repetition's value the mean of its folds. It shows the effect of
    /// random streams alone on the mean, on the same examples. `None` below two repetitions.
    pub ci95_repeats: Option<f64>,
}

impl Intervals {
    /// The intervals of values by repetition and then fold. Folds are taken as independent, though they share
    /// training examples.
    ///
    /// # Panics
    ///
    /// Never: complete folds have a value in every repetition.
    pub fn of(values: &[Option<f64>], n_folds: usize) -> Self {
        let repetitions = |fold: usize| values.iter().skip(fold).step_by(n_folds).copied();
        let complete: Vec<Vec<f64>> =
            (0..n_folds).filter_map(|fold| repetitions(fold).collect::<Option<Vec<f64>>>()).collect();
        let of_folds: Vec<Option<f64>> = complete.iter().map(|fold| mean(fold)).collect();
        let n_repeats = complete.iter().map(Vec::len).min().unwrap_or(0);
        let of_repeats: Vec<Option<f64>> = (0..n_repeats)
            .map(|repeat| mean(&complete.iter().map(|fold| fold[repeat]).collect::<Vec<f64>>()))
            .collect();
        Self { ci95: half_width(&of_folds), ci95_repeats: half_width(&of_repeats) }
    }
}

/// Every metric over all runs, in the order of [`RunMetrics::named`]; a map by name in JSON.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MetricSummaries(Vec<MetricSummary>);

impl MetricSummaries {
    /// Summarises the metrics of all runs, by repetition and then fold; empty without runs.
    pub fn of(runs: &[&RunMetrics], n_folds: usize) -> Self {
        let named: Vec<Vec<_>> = runs.iter().map(|metrics| metrics.named().collect()).collect();
        let Some(first) = named.first() else { return Self::default() };
        let of_metric = |(position, &(name, _)): (usize, &(&'static str, Option<f64>))| {
            let values: Vec<Option<f64>> = named.iter().map(|named| named[position].1).collect();
            MetricSummary::of(name, &values, n_folds)
        };
        Self(first.iter().enumerate().map(of_metric).collect())
    }

    /// Summarises these metrics of runs, by repetition and then fold.
    pub fn of_runs<R: Measured>(runs: &[R], names: &[&'static str]) -> Self {
        let of_metric = |&name: &&'static str| {
            let values: Vec<Option<f64>> = runs.iter().map(|run| run.metric(name)).collect();
            MetricSummary::of(name, &values, n_folds(runs))
        };
        Self(names.iter().map(of_metric).collect())
    }

    /// All metrics, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, MetricSummary> {
        self.0.iter()
    }

    /// The metric of this name.
    pub fn get(&self, name: &str) -> Option<&MetricSummary> {
        self.0.iter().find(|metric| metric.name == name)
    }

    /// A metric's mean; `None` also if there is no such metric.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.get(name)?.summary.mean
    }

    /// A metric's sample standard deviation over runs.
    pub fn sd(&self, name: &str) -> Option<f64> {
        self.get(name)?.summary.sd
    }
}

impl<'a> IntoIterator for &'a MetricSummaries {
    type Item = &'a MetricSummary;
    type IntoIter = std::slice::Iter<'a, MetricSummary>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for MetricSummaries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|metric| (metric.name, metric)))
    }
}

/// One metric with its values, as the last events hold it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricValues {
    /// The metric.
    #[serde(skip)]
    pub name: &'static str,
    /// The values, of folds or of all runs.
    pub folds: Vec<Option<f64>>,
    /// Their mean and spread.
    #[serde(flatten, serialize_with = "mean_and_sd")]
    pub summary: Summary,
    /// How sure the mean is.
    #[serde(flatten)]
    pub intervals: Intervals,
}

/// Every metric with its values, in the order of [`recorded`](crate::experiment::metrics::metric_list::recorded); a map by name in JSON.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MetricTable(pub Vec<MetricValues>);

impl MetricTable {
    /// The summaries with the values of the runs that they are of.
    pub fn of(summaries: &MetricSummaries, runs: &[&RunMetrics]) -> Self {
        Self::of_each(summaries, |name| runs.iter().map(|metrics| metrics.get(name)).collect())
    }

    /// The summaries with the values of the runs that they are of.
    pub fn of_runs<R: Measured>(summaries: &MetricSummaries, runs: &[R]) -> Self {
        Self::of_each(summaries, |name| runs.iter().map(|run| run.metric(name)).collect())
    }

    fn of_each(summaries: &MetricSummaries, values: impl Fn(&str) -> Vec<Option<f64>>) -> Self {
        let of_metric = |metric: &MetricSummary| MetricValues {
            name: metric.name,
            folds: values(metric.name),
            summary: metric.summary.clone(),
            intervals: metric.intervals,
        };
        Self(summaries.iter().map(of_metric).collect())
    }
}

impl Serialize for MetricTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|metric| (metric.name, metric)))
    }
}

#[cfg(test)]
mod tests {
    use crate::experiment::RunMetrics;

    use super::{Intervals, MetricSummaries};

    /// Three folds, repeated three times.
    const VALUES: [Option<f64>; 9] =
        [Some(0.5), Some(0.6), Some(0.9), Some(0.4), Some(0.7), Some(0.8), Some(0.6), Some(0.8), Some(0.7)];

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("defined");
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    /// scipy 1.17.1, as `scipy.stats.t.interval(0.95, n - 1, loc=mean, scale=scipy.stats.sem(values))`, of the folds'
    /// means 0.5, 0.7, 0.8 and the repetitions' 2/3, 19/30, 0.7.
    #[test]
    fn folds_and_repetitions_have_intervals_of_their_own() {
        let found = Intervals::of(&VALUES, 3);
        close(found.ci95, 0.379_458_303_359_676);
        close(found.ci95_repeats, 0.082_804_590_391_677_42);
    }

    /// scipy 1.17.1, of the first and last folds' means 0.5, 0.8 and their repetitions' 0.7, 0.6, 0.65.
    #[test]
    fn a_fold_that_lacks_a_repetition_counts_in_neither() {
        let mut values = VALUES;
        values[4] = None;
        let found = Intervals::of(&values, 3);
        close(found.ci95, 1.905_930_710_426_205);
        close(found.ci95_repeats, 0.124_206_885_587_516_36);
    }

    #[test]
    fn one_value_has_no_interval() {
        assert_eq!(Intervals::of(&[], 0), Intervals::default());
        assert_eq!(Intervals::of(&VALUES[..1], 1), Intervals::default());
        let once = Intervals::of(&VALUES[..3], 3);
        assert!(once.ci95.is_some() && once.ci95_repeats.is_none());
        let of_one_fold = Intervals::of(&VALUES, 1);
        assert!(of_one_fold.ci95.is_none() && of_one_fold.ci95_repeats.is_some());
        assert_eq!(Intervals::of(&[None; 4], 2), Intervals::default());
    }

    #[test]
    fn every_metric_is_summarised_under_its_name() {
        let metrics =
            [0.25, 0.75].map(|area| RunMetrics::of_values(&[("auc_pr".to_owned(), Some(area))].into()));
        let summaries = MetricSummaries::of(&[&metrics[0], &metrics[1]], 2);
        let names: Vec<&str> = summaries.iter().map(|metric| metric.name).collect();
        assert!(names.iter().copied().eq(RunMetrics::default().named().map(|(name, _)| name)));
        assert_eq!(
            (summaries.mean("auc_pr"), summaries.mean("auc_roc"), summaries.mean("x")),
            (Some(0.5), None, None)
        );
        // sd is sqrt(2 · 0.25²) = 0.35355.
        close(summaries.sd("auc_pr"), 0.353_553_390_593_273_8);
        let json = serde_json::to_value(&summaries).expect("plain data");
        assert_eq!((&json["auc_pr"]["mean"], &json["auc_pr"]["n_defined"]), (&0.5.into(), &2.into()));
        assert!(json["auc_pr"]["ci95"].is_f64() && json["auc_pr"]["ci95_repeats"].is_null());
        assert_eq!(MetricSummaries::of(&[], 0), MetricSummaries::default());
    }
}
