use super::{Intervals, MetricSummaries};
use crate::experiment::RunMetrics;

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
    let metrics = [0.25, 0.75].map(|area| RunMetrics::of_values(&[("auc_pr".to_owned(), Some(area))].into()));
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
