//! Kept runs and kept trees of numbers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gleaner::experiment::comparing::side_by_side::Stopped;
use gleaner::experiment::numbers::validation::{NumberCrossValidation, cross_validate_numbers};
use gleaner::experiment::runs::scheduled_runs::Measured as _;
use gleaner::experiment::{Divisions, SplitRequest, load, splits};
use gleaner_base::{Budget, Keeper, StopReason};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;
use gleaner_learn::{Monitor, RunContext, Silent};

use super::{Memory, Searched, settings};
use crate::numbers::parcels;

fn problem(name: &str) -> Problem {
    let number = Some("label".parse().expect("a source"));
    let request = LoadRequest { path: parcels(name), number, ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("it loads").problem
}

fn validate(
    problem: &Problem,
    variants: &[Settings],
    monitor: &dyn Monitor,
    keeper: &dyn Keeper,
) -> Vec<NumberCrossValidation> {
    validate_within(&Budget::unlimited(), problem, variants, monitor, keeper)
}

fn validate_within(
    budget: &Budget,
    problem: &Problem,
    variants: &[Settings],
    monitor: &dyn Monitor,
    keeper: &dyn Keeper,
) -> Vec<NumberCrossValidation> {
    let request = SplitRequest { n_folds: 3, group: None, tune_share: 0.25, rng_seed: 1 };
    let splits = splits(problem, &request).expect("folds");
    let context = RunContext { budget, rng_seed: 1, monitor, cover_bytes: 64 << 20, keeper };
    let divisions = Divisions::of(problem, &splits, variants, 1).expect("enough examples");
    cross_validate_numbers(problem, variants, &divisions, 2, &context)
}

fn text(validations: &[NumberCrossValidation]) -> String {
    format!("{validations:#?}")
}

#[test]
fn a_kept_run_of_numbers_is_the_run() {
    let problem = problem("resume-numbers-runs");
    let of = |learner: &str, loss: &str| settings(&[("learner", learner), ("rounds", "6"), ("loss", loss)]);
    let variants = [
        of("rdn-boost", "squared"),
        of("tree", "squared"),
        of("auto", "quantile"),
        of("rdn-boost", "poisson"),
        settings(&[("learner", "rdn-boost"), ("rounds", "6"), ("train-share", "0.6")]),
    ];
    let keeper = Memory::default();
    let first = validate(&problem, &variants, &Silent, &keeper);
    assert_eq!(keeper.names().len(), 5 * 6, "{:?}", keeper.names());
    let searched = Searched::default();
    let again = validate(&problem, &variants, &searched, &keeper);
    assert!(searched.runs().is_empty(), "what is kept is not searched");
    assert_eq!(text(&first), text(&again));
    // The third variant, the second repetition, the first fold.
    keeper.take("run-3-2-1");
    let searched = Searched::default();
    let again = validate(&problem, &variants, &searched, &keeper);
    assert_eq!(searched.runs(), [1_u64 << 32]);
    assert_eq!(text(&first), text(&again));
}

/// Trees that were kept are taken, those between are grown anew: the run has the same bytes whatever was lost.
#[test]
fn kept_trees_of_numbers_are_the_trees() {
    let problem = problem("resume-numbers-trees");
    let variants = [settings(&[("learner", "auto"), ("rounds", "6")])];
    let all = Memory { keeps_seeds: true, never_forgets: true, ..Memory::default() };
    let first = validate(&problem, &variants, &Silent, &all);
    assert_eq!(text(&first), text(&validate(&problem, &variants, &Silent, &Memory::default())));
    let of_kind = |beginning: &str| -> Vec<String> {
        all.names().into_iter().filter(|name| name.starts_with(beginning)).collect()
    };
    // Of each run the one tree of the first learner, and six rounds of the second.
    assert_eq!(of_kind("seed-").len(), 6 * 7, "{:?}", all.names());
    of_kind("run-").iter().for_each(|name| all.take(name));
    let lost: Vec<String> = of_kind("seed-").into_iter().step_by(2).collect();
    lost.iter().for_each(|name| all.take(name));
    let again = validate(&problem, &variants, &Silent, &all);
    assert_eq!(text(&first), text(&again));
}

/// A stop before the first tree leaves the constant as model. It is no evidence, and nothing of it is kept.
#[test]
fn a_stopped_run_of_numbers_is_not_kept() {
    let problem = problem("resume-numbers-stopped");
    let variants = [settings(&[("learner", "rdn-boost"), ("rounds", "6")])];
    let keeper = Memory { keeps_seeds: true, ..Memory::default() };
    let budget = Budget::new(None, Arc::new(AtomicBool::new(true)));
    let found = validate_within(&budget, &problem, &variants, &Silent, &keeper).swap_remove(0);
    assert!(keeper.names().is_empty(), "{:?}", keeper.names());
    assert_eq!((found.runs.len(), found.n_repeats_left_out), (3, 1));
    for run in &found.runs {
        assert_eq!((run.stop, run.scale.rounds), (Some(StopReason::Interrupted), 0));
        assert_eq!((run.is_searched(), run.metric("mae")), (false, None));
        // The constant is the mean of train and tune.
        let constant = run.judged[0].1.constants[0];
        assert!(run.judged.iter().all(|(_, judged)| (judged.predicted - constant).abs() < 1e-12));
    }
    let stopped = Stopped::of_runs("", &found.runs).expect("all were stopped");
    assert_eq!(stopped.unsearched, ["fold1", "fold2", "fold3"]);
    assert!(found.summaries.get("mae").is_some_and(|summary| summary.summary.mean.is_none()));
}
