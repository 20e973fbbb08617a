//! The result of cross-validation.

use std::fmt;

use crate::experiment::CrossValidation;
use gleaner_base::statistics::{Summary, summarise};

/// The test metrics of one fold; one that the labels leave undefined is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldMetrics {
    /// The name of the fold that was tested on.
    pub fold: String,
    /// The exact area under the precision-recall curve of the ranking by score.
    pub auc_pr: Option<f64>,
    /// The area under the ROC curve of the ranking by score.
    pub auc_roc: Option<f64>,
    /// The average precision of the ranking by score.
    pub average_precision: Option<f64>,
    /// The precision of the model's decisions, at the operating point chosen on tune.
    pub precision: Option<f64>,
    /// The recall of the model's decisions.
    pub recall: Option<f64>,
    /// The F1 of the model's decisions.
    pub f1: Option<f64>,
    /// The share of positives: the area of a random ranking.
    pub prevalence: Option<f64>,
}

/// The folds of a cross-validation.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    folds: Vec<FoldMetrics>,
}

impl Validation {
    pub(super) fn of(validation: &CrossValidation) -> Self {
        let fold = |run: &crate::experiment::RunResult| FoldMetrics {
            fold: run.name(),
            auc_pr: run.metrics.auc_pr,
            auc_roc: run.metrics.auc_roc,
            average_precision: run.metrics.average_precision,
            precision: run.metrics.precision,
            recall: run.metrics.recall,
            f1: run.metrics.f1,
            prevalence: run.metrics.prevalence,
        };
        Self { folds: validation.runs.iter().map(fold).collect() }
    }

    /// The folds, in order.
    #[must_use]
    pub fn folds(&self) -> &[FoldMetrics] {
        &self.folds
    }

    /// The mean over folds of the area under the precision-recall curve; `None` where no fold defines it.
    #[must_use]
    pub fn auc_pr(&self) -> Option<f64> {
        self.summary().mean
    }

    fn summary(&self) -> Summary {
        summarise(&self.folds.iter().map(|fold| fold.auc_pr).collect::<Vec<_>>())
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"));
        for fold in &self.folds {
            writeln!(
                f,
                "{}: auc_pr {}, prevalence {}",
                fold.fold,
                shown(fold.auc_pr),
                shown(fold.prevalence)
            )?;
        }
        write!(f, "mean auc_pr {}", shown(self.auc_pr()))
    }
}
