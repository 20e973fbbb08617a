//! The result of cross-validation.

use std::collections::BTreeMap;
use std::fmt;

use crate::experiment::metrics::metric_list::METRICS;
use crate::experiment::runs::scheduled_runs::Measured;
use crate::jobs::kinds::Validated;
use gleaner_base::statistics::summarise;
use gleaner_lang::syntax::marks::{in_library, worded};

use super::Answer;

/// The test metrics of one fold.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldMetrics {
    /// The name of the fold that was tested on.
    pub fold: String,
    /// The metrics by the names that records and tables of a run folder give them, as `auc_pr`, `accuracy` or `rmse`. One that
    /// the labels leave undefined is not there.
    pub metrics: BTreeMap<&'static str, f64>,
}

impl FoldMetrics {
    fn of(run: &dyn Measured) -> Self {
        let known = METRICS.iter().filter_map(|metric| Some((metric.name, run.metric(metric.name)?)));
        Self { fold: run.result_name(), metrics: known.collect() }
    }

    /// A metric by its name; `None` if the labels leave it undefined, or no metric of this kind of target has the name.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name).copied()
    }
}

/// The folds of a cross-validation of one learner, or of several on the same folds.
///
/// Of many classes the metrics are those of all classes together, as `accuracy` and `macro_auc_pr`;
/// [`Validation::of_classes`] has those of each class against the rest.
///
/// ```
/// use gleaner::{Dataset, Learner};
///
/// let data = Dataset::reader("fixtures/kinds/level").label("labels.level").open()?;
/// let validation = Learner::named("rdn-boost")?.with("rounds", 2)?.cross_validate(&data)?;
/// let folds: Vec<f64> = validation.folds().iter().filter_map(|fold| fold.metric("accuracy")).collect();
/// let mean = folds.iter().sum::<f64>() / folds.len() as f64;
/// assert!((validation.means("accuracy")[0].unwrap() - mean).abs() < 1e-12);
/// assert!(validation.of_classes().all(|(class, _)| class.starts_with("class-")));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    learners: Vec<(String, Vec<FoldMetrics>)>,
    classes: Vec<(String, Vec<FoldMetrics>)>,
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
        let joint = validated.joint_runs();
        let (learners, classes) = match joint {
            Some(joint) => (joint, validated.runs()),
            None => (validated.runs(), Vec::new()),
        };
        Self {
            learners: learners.into_iter().map(folds).collect(),
            classes: classes.into_iter().map(folds).collect(),
            pooled: validated.pooled(),
            answer: Answer::shown(&validated.answer()),
            stopped: worded(validated.stop_lines().trim_end(), in_library).into_owned(),
        }
    }

    /// A metric of all test examples together, of each learner of numbers in order, as `rmse` or `rmse_of_mean` of the mean of
    /// train. Classes have none.
    pub fn pooled(&self, metric: &str) -> Vec<Option<f64>> {
        self.pooled.iter().map(|metrics| metrics.get(metric).copied()).collect()
    }

    /// Each learner with its folds, in the order in which they were given.
    pub fn learners(&self) -> impl Iterator<Item = (&str, &[FoldMetrics])> {
        self.learners.iter().map(|(name, folds)| (name.as_str(), folds.as_slice()))
    }

    /// Each class of each learner, as `class-mid` or `trees-class-mid`, with the folds of its model against the rest. Empty but for
    /// many classes.
    pub fn of_classes(&self) -> impl Iterator<Item = (&str, &[FoldMetrics])> {
        self.classes.iter().map(|(name, folds)| (name.as_str(), folds.as_slice()))
    }

    /// The mean of a metric over the folds that define it, of each learner.
    pub fn means(&self, metric: &str) -> Vec<Option<f64>> {
        let mean = |folds: &[FoldMetrics]| {
            summarise(&folds.iter().map(|fold| fold.metric(metric)).collect::<Vec<_>>()).mean
        };
        self.learners().map(|(_, folds)| mean(folds)).collect()
    }

    /// Whether a limit or a [`Cancel`](crate::Cancel) cut a run short. Its figures are then those of what was found until then, and
    /// runs that it came before have none.
    pub const fn is_cut_short(&self) -> bool {
        !self.stopped.is_empty()
    }

    /// The summary of all folds that `gleaner cv` prints. For several learners it gives their means and compares each
    /// pair. Of one learner of two classes its text is empty: `Display` shows its folds.
    pub const fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The folds of the first learner, in order.
    pub fn folds(&self) -> &[FoldMetrics] {
        self.learners.first().map_or(&[], |(_, folds)| folds)
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"));
        let answer = self.answer.to_string();
        if !answer.is_empty() {
            return write!(f, "{answer}{}", self.stopped);
        }
        for fold in self.folds() {
            let [area, prevalence] = ["auc_pr", "prevalence"].map(|name| shown(fold.metric(name)));
            writeln!(f, "{}: auc_pr {area}, prevalence {prevalence}", fold.fold)?;
        }
        write!(f, "mean auc_pr {}", shown(self.means("auc_pr").first().copied().flatten()))?;
        if self.is_cut_short() { write!(f, "\n{}", self.stopped) } else { Ok(()) }
    }
}
