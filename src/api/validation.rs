//! The result of cross-validation.

use std::collections::BTreeMap;
use std::fmt;

use crate::experiment::measured::Measured;
use crate::experiment::metric_list::METRICS;
use crate::jobs::kinds::Validated;
use gleaner_base::statistics::{Summary, summarise};
use gleaner_lang::syntax::marks::{in_library, worded};

use super::Answer;

/// The test metrics of one fold; a metric that the labels leave undefined is `None`.
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
    metrics: BTreeMap<&'static str, f64>,
}

impl FoldMetrics {
    fn of(run: &dyn Measured) -> Self {
        let known = METRICS.iter().filter_map(|metric| Some((metric.name, run.metric(metric.name)?)));
        Self {
            fold: run.result_name(),
            auc_pr: run.metric("auc_pr"),
            auc_roc: run.metric("auc_roc"),
            average_precision: run.metric("average_precision"),
            precision: run.metric("precision"),
            recall: run.metric("recall"),
            f1: run.metric("f1"),
            prevalence: run.metric("prevalence"),
            metrics: known.collect(),
        }
    }

    /// A metric by its name in `run.json`, as `accuracy` or `mean_cross_entropy`. `None` if the labels leave it
    /// undefined, or no metric has this name. [`Validation::metric_names`] lists the names.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name).copied()
    }
}

/// The folds of a cross-validation of one learner, or of several on the same folds. If there are many classes, each has a
/// name of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// The name and the folds of each learner, or of each class of a learner.
    folds: Vec<(String, Vec<FoldMetrics>)>,
    /// The metrics of all test examples together, of each learner of numbers.
    pooled: Vec<BTreeMap<&'static str, f64>>,
    answer: Answer,
    /// What was stopped, in lines.
    stopped: String,
}

impl Validation {
    pub(super) fn of(validated: &dyn Validated) -> Self {
        let folds = |(name, runs): (&str, Vec<&dyn Measured>)| {
            (name.to_owned(), runs.into_iter().map(FoldMetrics::of).collect())
        };
        Self {
            folds: validated.runs().into_iter().map(folds).collect(),
            pooled: validated.pooled(),
            answer: Answer::shown(&validated.answer()),
            stopped: worded(validated.stop_lines().trim_end(), in_library).into_owned(),
        }
    }

    /// A metric of all test examples together, of each learner of numbers in order, as `rmse` or `rmse_of_mean` of the mean of
    /// train. Classes have none.
    #[must_use]
    pub fn pooled(&self, metric: &str) -> Vec<Option<f64>> {
        self.pooled.iter().map(|metrics| metrics.get(metric).copied()).collect()
    }

    /// Each learner with its folds, in the order in which they were given.
    pub fn learners(&self) -> impl Iterator<Item = (&str, &[FoldMetrics])> {
        self.folds.iter().map(|(name, folds)| (name.as_str(), folds.as_slice()))
    }

    /// The mean of a metric over the folds that define it, of each learner.
    #[must_use]
    pub fn means(&self, metric: &str) -> Vec<Option<f64>> {
        let mean = |folds: &[FoldMetrics]| {
            summarise(&folds.iter().map(|fold| fold.metric(metric)).collect::<Vec<_>>()).mean
        };
        self.learners().map(|(_, folds)| mean(folds)).collect()
    }

    /// The names of all metrics.
    pub fn metric_names() -> impl Iterator<Item = &'static str> {
        METRICS.iter().map(|metric| metric.name)
    }

    /// Whether a limit or a [`Cancel`](crate::Cancel) cut a run short. Its figures are then those of what was found until then, and
    /// runs that it came before have none.
    #[must_use]
    pub const fn is_cut_short(&self) -> bool {
        !self.stopped.is_empty()
    }

    /// The summary of all folds that `gleaner cv` prints. For several learners it gives their means and compares each
    /// pair. For one learner of two classes it is empty: `Display` shows its folds.
    #[must_use]
    pub const fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The folds of the first learner, in order.
    #[must_use]
    pub fn folds(&self) -> &[FoldMetrics] {
        self.folds.first().map_or(&[], |(_, folds)| folds)
    }

    /// The mean over the first learner's folds of the area under the precision-recall curve; `None` where no fold defines it.
    #[must_use]
    pub fn auc_pr(&self) -> Option<f64> {
        self.summary().mean
    }

    fn summary(&self) -> Summary {
        summarise(&self.folds().iter().map(|fold| fold.auc_pr).collect::<Vec<_>>())
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"));
        if !self.answer.is_empty() {
            self.answer.fmt(f)?;
            return write!(f, "{}", self.stopped);
        }
        for fold in self.folds() {
            writeln!(
                f,
                "{}: auc_pr {}, prevalence {}",
                fold.fold,
                shown(fold.auc_pr),
                shown(fold.prevalence)
            )?;
        }
        write!(f, "mean auc_pr {}", shown(self.auc_pr()))?;
        if self.is_cut_short() { write!(f, "\n{}", self.stopped) } else { Ok(()) }
    }
}
