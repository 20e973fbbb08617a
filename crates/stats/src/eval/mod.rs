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
pub mod folds;
pub mod metrics;
pub mod numbers;
pub mod pr_curve;
pub mod probabilities;
pub mod ranking;

pub use folds::{Stratum, grouped_folds, rank_strata, stratified_folds, stratified_part};
pub use metrics::{ConfusionMatrix, Metrics, auc_roc, average_precision, metrics, minimum_pr_area};
pub use numbers::{ErrorInterval, NumberLoss, NumberMetrics, error_interval};
pub use pr_curve::{NarrowingCurve, PrCurve, PrPoint, achievable_auc_pr, auc_pr_of_point, hull_thresholds};
pub use probabilities::{
    Measuring, ProbabilityMetrics, ReliabilityBin, log_loss, most_probable, normalised, probability_metrics,
    reliability_table,
};
pub use ranking::{EvalError, OperatingPoint, OperatingPoints, RankedGroup, Ranking};

use ranking::Kind;
