//! Cross-validation of numbers: all runs of an experiment, and their averages.

use gleaner_base::Budget;
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;

use crate::experiment::metrics::summary::MetricSummaries;
use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures};
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::numbers::run::run_number_variants;
use crate::experiment::numbers::way::NumberWay;
use crate::experiment::runs::scheduled_runs::run_all;
use crate::experiment::runs::split::Split;
use crate::experiment::runs::train_share::{AskedVariants, Divisions};

/// The runs of one variant and their averages.
#[derive(Clone, Debug)]
pub struct NumberCrossValidation {
    /// How numbers were learnt.
    pub way: NumberWay,
    /// One result for each run, by repetition and then fold.
    pub runs: Vec<NumberRun>,
    /// Each test metric over the runs.
    pub summaries: MetricSummaries,
    /// The figures of all test examples together, each beside the constants of its own run.
    pub pooled: NumberFigures,
    /// Repetitions that an outer stop left out.
    pub n_repeats_left_out: usize,
}

/// Runs all splits for each variant, with the examples that it asks for, once for each repetition with other random streams.
///
/// **Shape**: one result for each of the settings, in order.
///
/// # Panics
///
/// When the settings name no learner of numbers, or the target is no number: jobs refuse both.
pub fn cross_validate_numbers(
    problem: &Problem,
    variants: &[Settings],
    divisions: &Divisions,
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<NumberCrossValidation> {
    let of_splits = runs_of_numbers(problem, variants, divisions, n_repeats, context);
    let mut runs: Vec<Vec<NumberRun>> = vec![Vec::new(); variants.len()];
    for of_split in of_splits {
        runs.iter_mut().zip(of_split).for_each(|(runs, run)| runs.push(run));
    }
    let validation = |(settings, runs): (&Settings, Vec<NumberRun>)| {
        NumberCrossValidation::of(NumberWay::of(settings), runs, n_repeats)
    };
    variants.iter().zip(runs).map(validation).collect()
}

/// The runs of [`cross_validate_numbers`] that the keeper wants.
///
/// **Shape**: for each repetition and then fold, a result for each of the settings, without those that are not wanted.
pub(crate) fn runs_of_numbers(
    problem: &Problem,
    variants: &[Settings],
    divisions: &Divisions,
    n_repeats: usize,
    context: &RunContext<'_>,
) -> Vec<Vec<NumberRun>> {
    let run = |repeat: usize, split: &Split, budget: &Budget| {
        divisions.results(split.run_idx, budget, |split, budget, is_asked| {
            let asked = AskedVariants { variants, is_asked };
            run_number_variants(problem, asked, split, repeat, &RunContext { budget, ..*context })
        })
    };
    run_all(divisions.most(), n_repeats, context.budget, run)
}

impl NumberCrossValidation {
    /// Averages over runs, by repetition and then fold.
    pub fn of(way: NumberWay, runs: Vec<NumberRun>, n_repeats: usize) -> Self {
        let judged: Vec<JudgedNumber> =
            runs.iter().flat_map(|run| run.judged.iter().map(|(_, judged)| judged.clone())).collect();
        let n_begun = runs.last().map_or(0, |run| run.repeat + 1);
        Self {
            way,
            summaries: MetricSummaries::of_runs(&runs, &way.recorded()),
            pooled: NumberFigures::of(&judged, way.loss),
            n_repeats_left_out: n_repeats - n_begun,
            runs,
        }
    }
}
