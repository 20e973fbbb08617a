//! Cross-validation: all runs of an experiment, macro-averaged, and the probabilities of all test folds together.
//! [GLEANER §3.1.3]

use std::panic::resume_unwind;

use rayon::prelude::{IntoParallelRefIterator, ParallelExtend, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use gleaner_base::statistics::{Summary, summarise};
use gleaner_base::{Budget, StopReason};
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;
use gleaner_stats::eval::ReliabilityBin;

use super::mean_curve::MeanPoint;
use super::metrics::RunMetrics;
use super::run::run_problems_keeping;
use super::run_result::{LearningPoint, RunResult};
use super::sharing::{Done, Queue, Reserve, Turn, with_what_is_left};
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
    /// Repetitions that an outer stop left out.
    pub n_repeats_left_out: usize,
}

/// Runs all splits, their seeds in parallel, once for each repetition with other random streams.
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
    cross_validate_problems(std::slice::from_ref(problem), variants, splits, n_repeats, context)
}

/// As `cross_validate_variants`, for the binary problems of all classes, which are divided alike.
///
/// **Shape**: one result for each problem and, of it, each of the settings.
#[must_use]
pub fn cross_validate_problems(
    problems: &[Problem],
    variants: &[Settings],
    splits: &[Split],
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<CrossValidation> {
    let reserve = Reserve::default();
    let run = |repeat: usize, split: &Split, budget: &Budget| {
        let context = RunContext { budget, ..*context };
        run_problems_keeping(problems, variants, split, repeat, &context, &reserve)
    };
    let of_splits: Vec<Vec<RunResult>> = if context.budget.left().is_some() {
        let n_threads = rayon::current_num_threads();
        let n_lanes = n_threads.min(splits.len());
        let queue = Queue::new(splits.len(), n_repeats, n_lanes);
        let of_turn = |turn: &Turn| run(turn.repeat, &splits[turn.fold], &turn.budget);
        let mut done = in_lanes(&queue, n_lanes, context.budget, of_turn);
        let again = |places: &[(usize, usize)], queue: &Queue, n_lanes: usize| {
            in_lanes(queue, n_lanes, context.budget, |turn| {
                let (repeat, fold) = places[turn.fold];
                run(repeat, &splits[fold], &turn.budget)
            })
        };
        let is_cut = |runs: &Vec<RunResult>| runs.iter().any(is_cut);
        with_what_is_left(&mut done, n_threads, context.budget, is_cut, again, |before, again| {
            replace_cut(before, again)
        });
        done.into_iter().map(|done| done.result).collect()
    } else {
        let mut all = Vec::new();
        for repeat in 0..n_repeats {
            if repeat > 0 && context.budget.stop().is_some() {
                break;
            }
            all.par_extend(splits.par_iter().map(|split| run(repeat, split, context.budget)));
        }
        all
    };
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

/// Works on several runs at a time, each lane with threads of its own. Otherwise a thread that waits for a part of its
/// run would begin another run, and the first would end late. The results are in the order of the queue.
fn in_lanes<T: Send>(
    queue: &Queue,
    n_lanes: usize,
    budget: &Budget,
    work: impl Fn(&Turn) -> T + Sync,
) -> Vec<Done<T>> {
    let lane = || {
        let mut done = Vec::new();
        while let Some(turn) = queue.next(budget) {
            let result = work(&turn);
            queue.done(&turn);
            done.push(Done::of(&turn, result));
        }
        done
    };
    let n_threads = rayon::current_num_threads();
    let of_lane = |lane_idx: usize| n_threads / n_lanes + usize::from(lane_idx < n_threads % n_lanes);
    let pools: Option<Vec<ThreadPool>> = (0..n_lanes)
        .map(|lane_idx| ThreadPoolBuilder::new().num_threads(of_lane(lane_idx)).build().ok())
        .collect();
    let mut done: Vec<Done<T>> = match pools {
        Some(pools) if n_lanes > 1 => std::thread::scope(|scope| {
            let lanes: Vec<_> = pools.iter().map(|pool| scope.spawn(|| pool.install(lane))).collect();
            lanes
                .into_iter()
                .flat_map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        }),
        // One lane has all threads; where no more can be started, these do all the work.
        _ => lane(),
    };
    done.sort_by_key(|done| (done.repeat, done.fold));
    done
}

/// Whether the time of a run ended before its search did.
fn is_cut(run: &RunResult) -> bool {
    run.search.outer_stop() == Some(StopReason::TimeLimit)
}

/// Takes the repeated results of runs that were cut short, unless a signal or short memory ended them sooner.
fn replace_cut(before: &mut [RunResult], again: Vec<RunResult>) {
    for (before, again) in before.iter_mut().zip(again) {
        let is_better = again.search.outer_stop().is_none() || is_cut(&again);
        if is_cut(before) && is_better {
            *before = again;
        }
    }
}

impl CrossValidation {
    /// Averages over runs, by repetition and then fold.
    #[must_use]
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
    #[must_use]
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
