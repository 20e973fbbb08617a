//! Measures of rankings: curves, areas, and folds to measure on.
//!
//! The room knows labels, scores and counts ([`gleaner_base::counts`]), never a clause. Two inputs give a curve, and
//! both become [`OperatingPoints`]. A [`Ranking`] gives one point for each distinct score; equal scores enter together.
//! Separate classifiers (Gleaner's bins, rules of a theory) give one point each. A [`PrCurve`] and the ROC curve pass
//! through the same points `[GLEANER §9.2]`. So the points are checked and sorted once, and curves and areas only read
//! them. Counts are real numbers, because boosting weighs its examples.
//!
//! Undefined values are `None` everywhere. A curve with no positives or no negatives has no area. A constant score has
//! an area, since its threshold "everything" is a classifier (ROC area 1/2, PR area equal to the prevalence).
//!
//! # Example
//!
//! ```
//! use gleaner_stats::eval::{Ranking, metrics};
//!
//! let ranking = Ranking::new([(0.9, true), (0.8, false), (0.3, true), (0.1, false)])?;
//! let metrics = metrics(&ranking);
//! assert_eq!(metrics.auc_roc, Some(0.75));
//! assert_eq!(metrics.prevalence, Some(0.5));
//! # Ok::<(), gleaner_stats::eval::EvalError>(())
//! ```

pub mod calibration;
pub mod confusion;
pub mod folds;
pub mod metrics;
pub mod narrowing_curve;
pub mod pr_curve;
pub mod probabilities;
pub mod ranking;

pub use confusion::ConfusionMatrix;
pub use folds::{Stratum, grouped_folds, stratified_folds, stratified_part};
pub use metrics::{Metrics, auc_roc, average_precision, metrics, minimum_pr_area};
pub use narrowing_curve::NarrowingCurve;
pub use pr_curve::{PrCurve, PrPoint, achievable_auc_pr, auc_pr_of_point, hull_thresholds};
pub use probabilities::{
    Measuring, ProbabilityMetrics, ReliabilityBin, log_loss, most_probable, normalised, probability_metrics,
    reliability_table,
};
pub use ranking::{OperatingPoint, OperatingPoints, RankedGroup, Ranking};

/// A score, weight, point or fraction that cannot be evaluated; the message holds its value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct EvalError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum Kind {
    #[error("score {score} of example {position} (from 0) is not a finite number")]
    Score { position: usize, score: f64 },
    #[error("weight {weight} of example {position} (from 0) is not a finite number of at least 0")]
    Weight { position: usize, weight: f64 },
    #[error(
        "point {position} (from 0) has {true_positives} true and {false_positives} false positives; \
         accepted are 0 to {} and 0 to {}", .totals.0, .totals.1
    )]
    Point { position: usize, true_positives: f64, false_positives: f64, totals: (f64, f64) },
    #[error("{n_positives} positives and {n_negatives} negatives are not finite numbers of at least 0")]
    Totals { n_positives: f64, n_negatives: f64 },
    #[error("{n_labels} labels but {n_groups} groups; each example needs one group")]
    Lengths { n_labels: usize, n_groups: usize },
    #[error("fraction {fraction} is not between 0 and 1")]
    Fraction { fraction: f64 },
}

impl From<Kind> for EvalError {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}
