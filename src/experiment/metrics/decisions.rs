//! Metrics of a run's decisions.

use gleaner_base::{Counts, Totals};

/// The metrics of a run's decisions, which were chosen on tune; `None` is undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecisionMetrics {
    /// Exact area under the curve through the operating points, one for each recall range. For a learner that has none,
    /// the area of the ranking.
    pub auc_pr_points: Option<f64>,
    /// Exact area under the achievable curve of the ranking: at the thresholds that are corners of its ROC convex hull
    /// on tune. `None` if the model has learnt from tune itself. [GLEANER §9.3]
    pub auc_pr_achievable: Option<f64>,
    /// Precision of the operating decision.
    pub precision: Option<f64>,
    /// Recall of the operating decision.
    pub recall: Option<f64>,
    /// F1 of the operating decision.
    pub f1: Option<f64>,
    /// Accuracy of the operating decision.
    pub accuracy: Option<f64>,
    /// The share of the negatives that the operating decision calls positive.
    pub false_positive_rate: Option<f64>,
}

impl DecisionMetrics {
    /// The metrics of the operating decision; areas are those of its curves.
    pub(crate) fn of(decided: Counts, totals: Totals) -> Self {
        Self {
            auc_pr_points: None,
            auc_pr_achievable: None,
            precision: decided.precision(totals.negative_weight),
            recall: decided.recall(totals),
            f1: decided.f_beta(1.0, totals),
            accuracy: decided.accuracy(totals),
            false_positive_rate: decided.false_positive_rate(totals),
        }
    }
}
