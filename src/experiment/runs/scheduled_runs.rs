//! The runs of an experiment, in parallel; with a time limit each has its share.
//!
//! Results that can be compared: each of a fold and a repetition, with metrics by name.

use std::panic::resume_unwind;

use gleaner_base::{Budget, StopReason};
use rayon::prelude::{IntoParallelRefIterator, ParallelExtend, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::experiment::runs::sharing::{Done, Queue, Turn, with_what_is_left};
use crate::experiment::runs::split::Split;

/// Runs all splits, once for each repetition. A run gives a result for each variant.
///
/// Without a time limit the runs of a repetition are parallel. With one, each run has its share of the time that is left,
/// and runs that were cut short are done again with what is left in the end. A repetition that a stop comes before is
/// left out.
///
/// **Shape**: the results of each run, by repetition and then fold.
pub(crate) fn run_all<R: Measured + Send>(
    splits: &[Split],
    n_repeats: usize,
    budget: &Budget,
    run: impl Fn(usize, &Split, &Budget) -> Vec<R> + Sync,
) -> Vec<Vec<R>> {
    if budget.left().is_none() {
        let mut all = Vec::new();
        for repeat in 0..n_repeats {
            if repeat > 0 && budget.stop().is_some() {
                break;
            }
            all.par_extend(splits.par_iter().map(|split| run(repeat, split, budget)));
        }
        return all;
    }
    let n_threads = rayon::current_num_threads();
    let n_lanes = n_threads.min(splits.len());
    let queue = Queue::new(splits.len(), n_repeats, n_lanes);
    let of_turn = |turn: &Turn| run(turn.repeat, &splits[turn.fold], &turn.budget);
    let mut done = in_lanes(&queue, n_lanes, budget, of_turn);
    let again = |places: &[(usize, usize)], queue: &Queue, n_lanes: usize| {
        in_lanes(queue, n_lanes, budget, |turn| {
            let (repeat, fold) = places[turn.fold];
            run(repeat, &splits[fold], &turn.budget)
        })
    };
    let is_any_cut = |runs: &Vec<R>| runs.iter().any(is_cut);
    with_what_is_left(&mut done, n_threads, budget, is_any_cut, again, |before, again| {
        replace_cut(before, again);
    });
    done.into_iter().map(|done| done.result).collect()
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
fn is_cut<R: Measured>(run: &R) -> bool {
    run.outer_stop() == Some(StopReason::TimeLimit)
}

/// Takes the repeated results of runs that were cut short, unless a signal or short memory ended them sooner.
fn replace_cut<R: Measured>(before: &mut [R], again: Vec<R>) {
    for (before, again) in before.iter_mut().zip(again) {
        let is_better = again.outer_stop().is_none() || is_cut(&again);
        if is_cut(before) && is_better {
            *before = again;
        }
    }
}

/// The result of one run, whatever it learnt: classes, numbers, or what a record holds of either.
///
/// The list of metrics says for each name whether small values are good.
pub trait Measured {
    /// The fold that was tested.
    fn fold(&self) -> &str;

    /// The repetition of the experiment, from 0.
    fn repeat(&self) -> usize;

    /// The test metric of this name; `None` where it is undefined, or where there is no such metric.
    fn metric(&self, name: &str) -> Option<f64>;

    /// The outer stop that cut the run short, if one did.
    fn outer_stop(&self) -> Option<StopReason>;

    /// Whether the search came far enough to be judged.
    fn is_searched(&self) -> bool;

    /// The fold's name; of repetitions after the first with their number.
    fn result_name(&self) -> String {
        result_name(self.fold(), self.repeat())
    }
}

/// The name of a fold's result; of repetitions after the first with their number.
pub fn result_name(fold: &str, repeat: usize) -> String {
    match repeat {
        0 => fold.to_owned(),
        repeat => format!("{fold}-{}", repeat + 1),
    }
}

/// How many folds there are; each has a run in every repetition.
pub fn n_folds<R: Measured>(runs: &[R]) -> usize {
    runs.iter().filter(|run| run.repeat() == 0).count()
}
