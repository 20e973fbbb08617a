//! Cross-validation: all runs of an experiment, macro-averaged, and the probabilities of all test folds together.
//! [GLEANER §3.1.3]

use gleaner_base::Budget;
use gleaner_base::statistics::{Summary, summarise};
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;
use gleaner_stats::eval::ReliabilityBin;
use serde::Serialize;

use crate::experiment::metrics::mean_curve::MeanPoint;
use crate::experiment::metrics::of_run::RunMetrics;
use crate::experiment::metrics::summary::MetricSummaries;
use crate::experiment::runs::result::{LearningPoint, RunResult};
use crate::experiment::runs::run::run_problems_keeping;
use crate::experiment::runs::scheduled_runs::{n_folds, run_all};
use crate::experiment::runs::sharing::Reserve;
use crate::experiment::runs::split::Split;
use crate::experiment::runs::train_share::{AskedVariants, Divisions};

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
    /// Repetitions that an outer stop left out.
    pub n_repeats_left_out: usize,
}

/// Runs all splits, their seeds in parallel, once for each repetition with other random streams.
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
/// The splits are used whole, whatever share of the examples the settings ask for.
///
/// **Shape**: one result for each of the settings, in order.
pub fn cross_validate_variants(
    problem: &Problem,
    variants: &[Settings],
    splits: &[Split],
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<CrossValidation> {
    let divisions = Divisions::all_examples(splits.to_vec());
    cross_validate_problems(std::slice::from_ref(problem), variants, &divisions, n_repeats, context)
}

/// As `cross_validate_variants`, for the binary problems of all classes, which are divided alike, with the examples that
/// each variant asks for.
///
/// **Shape**: one result for each problem and, of it, each of the settings.
pub fn cross_validate_problems(
    problems: &[Problem],
    variants: &[Settings],
    divisions: &Divisions,
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<CrossValidation> {
    let of_splits = runs_of_problems(problems, variants, divisions, n_repeats, context);
    let mut runs: Vec<Vec<RunResult>> = vec![Vec::new(); problems.len() * variants.len()];
    for of_split in of_splits {
        runs.iter_mut().zip(of_split).for_each(|(runs, run)| runs.push(run));
    }
    let validation = |runs: Vec<RunResult>| {
        let n_begun = runs.last().map_or(0, |run| run.repeat + 1);
        CrossValidation { n_repeats_left_out: n_repeats - n_begun, ..CrossValidation::of(runs) }
    };
    runs.into_iter().map(validation).collect()
}

/// The runs of [`cross_validate_problems`] that the keeper wants.
///
/// **Shape**: for each repetition and then fold, a result for each problem and, of it, each of the settings, without those
/// that are not wanted.
pub(crate) fn runs_of_problems(
    problems: &[Problem],
    variants: &[Settings],
    divisions: &Divisions,
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<Vec<RunResult>> {
    let reserve = Reserve::default();
    let run = |repeat: usize, split: &Split, budget: &Budget| {
        divisions.results(split.run_idx, budget, |split, budget, is_asked| {
            let context = RunContext { budget, ..*context };
            let asked = AskedVariants { variants, is_asked };
            run_problems_keeping(problems, asked, split, repeat, &context, &reserve)
        })
    };
    run_all(divisions.most(), n_repeats, context.budget, run)
}

impl CrossValidation {
    /// Averages over runs, by repetition and then fold.
    pub fn of(runs: Vec<RunResult>) -> Self {
        let n_folds = n_folds(&runs);
        let of_runs = |metrics: fn(&RunResult) -> &RunMetrics| {
            MetricSummaries::of(&runs.iter().map(metrics).collect::<Vec<_>>(), n_folds)
        };
        let (summaries, tune_summaries) = (of_runs(|run| &run.metrics), of_runs(|run| &run.tune_metrics));
        let learning_curve = learning_curve(&runs);
        Self { runs, summaries, tune_summaries, learning_curve, n_repeats_left_out: 0 }
    }

    /// How many folds there are; each has a run in every repetition.
    pub fn n_folds(&self) -> usize {
        n_folds(&self.runs)
    }
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
    pub fn mean_point(&self) -> MeanPoint {
        let auc_pr = summarise(&self.areas);
        MeanPoint { point: self.point.clone(), clauses: self.clauses.clone(), auc_pr }
    }

    /// The averages of one point over all runs, by repetition and then fold. A run that was not searched has no point.
    fn of(points: &[Option<&LearningPoint>], n_folds: usize) -> Self {
        let none = RunMetrics::default();
        let of_runs = |metrics: fn(&LearningPoint) -> &RunMetrics| -> Vec<&RunMetrics> {
            points.iter().map(|point| point.map_or(&none, metrics)).collect()
        };
        let (test, tune) = (of_runs(|point| &point.test), of_runs(|point| &point.tune));
        let areas = |metrics: &[&RunMetrics]| metrics.iter().map(|metrics| metrics.auc_pr()).collect();
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

/// The name that all runs give a point; `all` where they do not agree.
fn common_name(points: &[Option<&LearningPoint>]) -> String {
    let mut names = points.iter().flatten().map(|point| point.point.as_str());
    let first = names.next().unwrap_or_default();
    if names.all(|name| name == first) { first } else { "all" }.to_owned()
}

/// Measures of the probabilities of the test examples of all folds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PooledProbabilities {
    /// The sum of the probabilities of all test examples, by weight; the mean over repetitions.
    pub expected_positives: f64,
    /// The positives among them.
    pub observed_positives: f64,
    /// The runs whose mean cross entropy is above that of the prior: these probabilities are worse than the base rate.
    pub worse_than_prior: Vec<String>,
    /// Runs without probabilities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_calibrated: Vec<String>,
    /// The reliability table of all runs.
    pub reliability: Vec<ReliabilityBin>,
}

impl PooledProbabilities {
    /// Pools all runs of an experiment; `None` where no run has probabilities.
    pub fn of(validation: &CrossValidation) -> Option<Self> {
        let (calibrated, others): (Vec<&RunResult>, Vec<&RunResult>) =
            validation.runs.iter().partition(|run| !run.reliability.is_empty());
        let first = calibrated.first()?;
        let mut reliability: Vec<ReliabilityBin> = first.reliability.clone();
        for run in &calibrated[1..] {
            reliability.iter_mut().zip(&run.reliability).for_each(|(sum, bin)| sum.add(bin));
        }
        #[expect(clippy::cast_precision_loss, reason = "numbers of runs are small")]
        let n_repeats = calibrated.len() as f64 / validation.n_folds() as f64;
        let sum = |of: fn(&ReliabilityBin) -> f64| reliability.iter().map(of).sum::<f64>() / n_repeats;
        let names = |runs: &[&RunResult]| runs.iter().map(|run| run.name()).collect();
        let worse: Vec<&RunResult> = calibrated.iter().copied().filter(|run| is_worse(run)).collect();
        Some(Self {
            expected_positives: sum(|bin| bin.expected_positives),
            observed_positives: sum(|bin| bin.positives),
            worse_than_prior: names(&worse),
            not_calibrated: names(&others),
            reliability,
        })
    }
}

fn is_worse(run: &RunResult) -> bool {
    let [own, prior] = ["mean_cross_entropy", "prior_cross_entropy"].map(|name| run.metrics.get(name));
    own.zip(prior).is_some_and(|(own, prior)| own > prior)
}
