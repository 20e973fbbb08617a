//! Cross-validation: all runs of an experiment, macro-averaged. [GLEANER §3.1.3]

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::base::statistics::{Summary, summarise};
use crate::learn::RunContext;
use crate::problem::Problem;
use crate::program::settings::Settings;

use super::mean_curve::MeanPoint;
use super::metrics::Metrics;
use super::run::{LearningPoint, RunResult, run_variants};
use super::split::Split;
use super::summary::MetricSummaries;

/// A point of the learning curve over all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSummary {
    /// The part of the search, as `50x1000`; of ensembles the last is `all`, as theories differ in size.
    pub point: String,
    /// Clauses evaluated for it.
    pub clauses: Summary,
    /// Metrics on test.
    pub test: MetricSummaries,
    /// Metrics on tune, the examples that the decisions were chosen on.
    pub tune: MetricSummaries,
    /// The test area of each run.
    pub areas: Vec<Option<f64>>,
    /// The tune area of each run.
    pub tune_areas: Vec<Option<f64>>,
}

/// The runs and their averages.
#[derive(Clone, Debug)]
pub struct CrossValidation {
    /// One result for each run, by repetition and then fold.
    pub runs: Vec<RunResult>,
    /// Each test metric over the runs.
    pub summaries: MetricSummaries,
    /// Each metric on tune, the examples that decisions were chosen on, over the runs.
    pub tune_summaries: MetricSummaries,
    /// Means and spreads of the learning curve's points that all runs have.
    pub learning_curve: Vec<CurveSummary>,
}

/// Runs all splits, their seeds in parallel, so many times with other random streams.
#[must_use]
pub fn cross_validate(
    problem: &Problem,
    settings: &Settings,
    splits: &[Split],
    n_repeats: usize,
    context: &RunContext<'_>,
) -> CrossValidation {
    cross_validate_variants(problem, std::slice::from_ref(settings), splits, n_repeats, context)
        .swap_remove(0)
}

/// As `cross_validate`, for several settings over the same splits and, where they differ only in how clauses
/// are combined, the same clauses.
///
/// **Shape**: one result for each of the settings, in order.
#[must_use]
pub fn cross_validate_variants(
    problem: &Problem,
    variants: &[Settings],
    splits: &[Split],
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<CrossValidation> {
    let mut runs: Vec<Vec<RunResult>> = vec![Vec::new(); variants.len()];
    for repeat in 0..n_repeats {
        let of_splits: Vec<Vec<RunResult>> =
            splits.par_iter().map(|split| run_variants(problem, variants, split, repeat, context)).collect();
        for of_split in of_splits {
            runs.iter_mut().zip(of_split).for_each(|(runs, run)| runs.push(run));
        }
    }
    runs.into_iter().map(CrossValidation::of).collect()
}

impl CrossValidation {
    /// Averages over runs, by repetition and then fold.
    #[must_use]
    pub fn of(runs: Vec<RunResult>) -> Self {
        let n_folds = n_folds(&runs);
        let of_runs = |metrics: fn(&RunResult) -> &Metrics| {
            MetricSummaries::of(&runs.iter().map(metrics).collect::<Vec<_>>(), n_folds)
        };
        let (summaries, tune_summaries) = (of_runs(|run| &run.metrics), of_runs(|run| &run.tune_metrics));
        let learning_curve = learning_curve(&runs);
        Self { runs, summaries, tune_summaries, learning_curve }
    }

    /// How many folds there are; each has a run in every repetition.
    #[must_use]
    pub fn n_folds(&self) -> usize {
        n_folds(&self.runs)
    }
}

fn n_folds(runs: &[RunResult]) -> usize {
    runs.iter().filter(|run| run.repeat == 0).count()
}

/// The points that all runs have which were searched; their last ones are one point, whatever they are
/// called.
fn learning_curve(runs: &[RunResult]) -> Vec<CurveSummary> {
    let Some(first) = runs.iter().find(|run| run.was_searched) else { return Vec::new() };
    let summary = |(position, point): (usize, &LearningPoint)| {
        let is_last = position + 1 == first.learning_curve.len();
        let place = |run: &RunResult| {
            if is_last {
                return run.learning_curve.len().checked_sub(1);
            }
            run.learning_curve.iter().position(|other| other.point == point.point)
        };
        let points: Vec<Option<&LearningPoint>> = runs
            .iter()
            .map(|run| place(run).filter(|_| run.was_searched).map(|at| &run.learning_curve[at]))
            .collect();
        let is_of_all = runs.iter().zip(&points).all(|(run, point)| point.is_some() || !run.was_searched);
        is_of_all.then(|| CurveSummary::of(&points, n_folds(runs)))
    };
    first.learning_curve.iter().enumerate().filter_map(summary).collect()
}

impl CurveSummary {
    /// The point as runs that are read back have it.
    #[must_use]
    pub fn mean_point(&self) -> MeanPoint {
        let auc_pr = summarise(&self.areas);
        MeanPoint { point: self.point.clone(), clauses: self.clauses.clone(), auc_pr }
    }

    /// The averages of one point of all runs, by repetition and then fold; a run that was not searched has none.
    fn of(points: &[Option<&LearningPoint>], n_folds: usize) -> Self {
        let none = Metrics::default();
        let of_runs = |metrics: fn(&LearningPoint) -> &Metrics| -> Vec<&Metrics> {
            points.iter().map(|point| point.map_or(&none, metrics)).collect()
        };
        let (test, tune) = (of_runs(|point| &point.test), of_runs(|point| &point.tune));
        let areas = |metrics: &[&Metrics]| metrics.iter().map(|metrics| metrics.auc_pr).collect();
        #[expect(clippy::cast_precision_loss, reason = "numbers of clauses are far below 2^53")]
        let clauses: Vec<Option<f64>> =
            points.iter().map(|point| point.map(|point| point.clauses as f64)).collect();
        Self {
            point: common_name(points),
            clauses: summarise(&clauses),
            areas: areas(&test),
            tune_areas: areas(&tune),
            test: MetricSummaries::of(&test, n_folds),
            tune: MetricSummaries::of(&tune, n_folds),
        }
    }
}

/// What all runs call a point; `all` where they do not agree.
fn common_name(points: &[Option<&LearningPoint>]) -> String {
    let mut names = points.iter().flatten().map(|point| point.point.as_str());
    let first = names.next().unwrap_or_default();
    if names.all(|name| name == first) { first } else { "all" }.to_owned()
}
