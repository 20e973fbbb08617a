//! The mean precision-recall curve over folds: precision at a hundred recalls, as the curves of the thesis's Figure 5.3.

use gleaner_base::statistics::{Summary, summarise};
use gleaner_stats::eval::PrCurve;

use crate::experiment::comparing::comparison::of_repetitions;
use crate::experiment::metrics::summary::Intervals;
use crate::experiment::runs::cross_validation::CrossValidation;

/// Evenly spaced recalls, up to 1.
const N_RECALLS: u32 = 100;

/// The test precision of all runs at one recall.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanPrecision {
    /// The recall, above 0 and at most 1.
    pub recall: f64,
    /// Over folds; the value of a fold is the mean of its repetitions. A fold that was not searched, or lacks a class, has
    /// none.
    pub precision: Summary,
    /// Half the width of the 95 % interval of the mean over folds, by Student's t.
    pub ci95: Option<f64>,
}

/// The mean of the runs' curves of the ranking by score.
///
/// **Cost**: O(n_runs · n_scores) for the curves.
pub fn mean_precisions(validation: &CrossValidation) -> Vec<MeanPrecision> {
    let curves: Vec<Option<PrCurve>> = (validation.runs.iter())
        .map(|run| run.was_searched.then(|| PrCurve::of_points(&run.curve)))
        .collect();
    let n_folds = validation.n_folds();
    let at = |hundredths: u32| {
        let recall = f64::from(hundredths) / f64::from(N_RECALLS);
        let values: Vec<Option<f64>> =
            curves.iter().map(|curve| curve.as_ref()?.precision_at(recall)).collect();
        let of_fold = |fold: usize| {
            of_repetitions(&values.iter().skip(fold).step_by(n_folds).copied().collect::<Vec<_>>())
        };
        let folds: Vec<Option<f64>> = (0..n_folds).map(of_fold).collect();
        let ci95 = Intervals::of(&values, n_folds).ci95;
        MeanPrecision { recall, precision: summarise(&folds), ci95 }
    };
    (1..=N_RECALLS).map(at).collect()
}
