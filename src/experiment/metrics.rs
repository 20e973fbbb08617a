//! What a set of examples says of a model.

use crate::coverage::{Counts, Universe};
use crate::eval::{Confusion, OperatingPoints, PrCurve, Ranking, metrics};
use crate::learn::{Points, Scoring};

/// The metrics of one set of examples, tune or test; `None` is undefined.
///
/// Those of tune flatter: the decisions were chosen, and clauses and theories weighed, on its examples.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Metrics {
    /// Exact area under the curve through the bins' points. [PRCURVE §3]
    pub auc_pr: Option<f64>,
    /// Exact area under the curve of the examples' scores.
    pub auc_pr_score: Option<f64>,
    /// Area under the ROC curve of the scores.
    pub auc_roc: Option<f64>,
    /// Average precision of the scores.
    pub average_precision: Option<f64>,
    /// Best F1 over the thresholds of the scores; chosen on the same examples, so a bound, not a result.
    pub best_f1: Option<f64>,
    /// Precision of the operating decision, which was chosen on tune.
    pub precision: Option<f64>,
    /// Recall of the operating decision.
    pub recall: Option<f64>,
    /// F1 of the operating decision.
    pub f1: Option<f64>,
    /// Accuracy of the operating decision.
    pub accuracy: Option<f64>,
    /// Positives among all: the area of a random ranking.
    pub prevalence: Option<f64>,
}

impl Metrics {
    /// Each metric with its name, in the order reported.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Option<f64>); 10] {
        [
            ("auc_pr", self.auc_pr),
            ("auc_pr_score", self.auc_pr_score),
            ("auc_roc", self.auc_roc),
            ("average_precision", self.average_precision),
            ("best_f1", self.best_f1),
            ("precision", self.precision),
            ("recall", self.recall),
            ("f1", self.f1),
            ("accuracy", self.accuracy),
            ("prevalence", self.prevalence),
        ]
    }
}

/// The curve of a scoring on a universe: through the decisions' counts, or of the ranking by score.
pub(super) fn curve_of(scoring: &Scoring, universe: &Universe) -> PrCurve {
    match &scoring.points {
        Points::Decisions(counts) => curve_through(counts, universe),
        Points::Thresholds => PrCurve::from_ranking(&ranking(scoring, universe)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn curve_through(points: &[Counts], universe: &Universe) -> PrCurve {
    let weight = universe.negative_weight().ratio();
    let point = |counts: &Counts| (counts.true_positives as f64, counts.false_positives as f64 * weight);
    let points: Vec<(f64, f64)> = points.iter().map(point).collect();
    let (n_positives, n_negatives) = (universe.n_positives() as f64, universe.n_negatives() as f64 * weight);
    let points = OperatingPoints::from_classifiers(&points, n_positives, n_negatives);
    PrCurve::new(points.expect("counts are at most the totals"))
}

/// The examples by score, each negative weighing as many as it stands for.
fn ranking(scoring: &Scoring, universe: &Universe) -> Ranking {
    let negative_weight = universe.negative_weight().ratio();
    let ranked = universe.iter().map(|(position, _)| {
        let is_positive = universe.is_positive(position);
        (scoring.scores[position], is_positive, if is_positive { 1.0 } else { negative_weight })
    });
    Ranking::weighted(ranked).expect("scores are finite")
}

/// The metrics of a scoring of a universe, whose curve is [`curve_of`]; all undefined of an empty one.
pub(super) fn scoring_metrics(scoring: &Scoring, curve: &PrCurve, universe: &Universe) -> Metrics {
    if universe.is_empty() {
        return Metrics::default();
    }
    let (true_positives, false_positives) = universe.counts(&scoring.decided);
    let confusion = Confusion::new(
        true_positives as u64,
        false_positives as u64,
        universe.n_positives() as u64,
        universe.n_negatives() as u64,
    )
    .with_negative_weight(universe.negative_weight());
    let of_scores = metrics(&ranking(scoring, universe));
    Metrics {
        auc_pr: curve.auc_pr(),
        auc_pr_score: of_scores.auc_pr,
        auc_roc: of_scores.auc_roc,
        average_precision: of_scores.average_precision,
        best_f1: of_scores.best_f1,
        precision: confusion.precision(),
        recall: confusion.recall(),
        f1: confusion.f_beta(1.0),
        accuracy: confusion.accuracy(),
        prevalence: of_scores.prevalence,
    }
}
