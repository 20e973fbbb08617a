//! All measures of one ranking that reports show.

use serde::{Deserialize, Serialize};

use super::{
    auc_roc::auc_roc, average_precision::average_precision, minimum_pr_area::minimum_pr_area,
    operating_points::OperatingPoints, pr_curve::PrCurve, ranking::Ranking,
};

/// The measures of one ranking; each is in `[0, 1]`, and `None` where a class is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Positives ranked.
    pub n_positives: u64,
    /// Negatives ranked.
    pub n_negatives: u64,
    /// [`Ranking::prevalence`]; it is defined when only one class is missing.
    pub prevalence: Option<f64>,
    /// [`PrCurve::auc_pr`].
    pub auc_pr: Option<f64>,
    /// [`minimum_pr_area()`] at this prevalence.
    pub minimum_auc_pr: Option<f64>,
    /// See [`auc_roc`].
    pub auc_roc: Option<f64>,
    /// [`average_precision()`].
    pub average_precision: Option<f64>,
    /// The highest F1 over all thresholds, [`PrCurve::best_f1`]; chosen on the same examples.
    pub best_f1: Option<f64>,
    /// [`PrCurve::break_even`].
    pub break_even: Option<f64>,
    /// [`PrCurve::eleven_point_average`].
    pub eleven_point_average: Option<f64>,
}

/// Measures a ranking. Cost: `O(n_groups)` time and memory.
#[must_use]
pub fn metrics(ranking: &Ranking) -> Metrics {
    let points = OperatingPoints::from_ranking(ranking);
    let prevalence = ranking.prevalence();
    let auc_roc = auc_roc(&points);
    let curve = PrCurve::new(points);
    Metrics {
        n_positives: ranking.n_positives(),
        n_negatives: ranking.n_negatives(),
        prevalence,
        auc_pr: curve.auc_pr(),
        minimum_auc_pr: prevalence.and_then(minimum_pr_area),
        auc_roc,
        average_precision: average_precision(ranking),
        best_f1: curve.best_f1().map(|(best_f1, _)| best_f1),
        break_even: curve.break_even(),
        eleven_point_average: curve.eleven_point_average(),
    }
}

#[cfg(test)]
mod tests;
