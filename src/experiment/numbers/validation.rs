//! Cross-validation of numbers: all runs of an experiment, and their averages.
//!
//! The result of `cv` of numbers: of one learner, or of several variants on the same folds.

use gleaner_base::Budget;
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;
use serde::Serialize;

use crate::experiment::comparing::comparison::choose;
use crate::experiment::comparing::side_by_side::{Beside, CvAnswer, CvData, Results, Stopped, VariantName};
use crate::experiment::metrics::summary::{MetricSummaries, MetricTable};
use crate::experiment::numbers::answers::NumberFold;
use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures};
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::numbers::run::{NumberWay, run_number_variants};
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

/// The answer of a cross-validation of numbers.
pub type NumberCvAnswer = CvAnswer<CvData, NumberVariant>;

/// The result of one variant over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct NumberVariant {
    /// How it was learnt.
    #[serde(flatten)]
    pub way: NumberWay,
    /// The runs, in order.
    #[serde(skip)]
    pub runs: Vec<NumberFold>,
    /// Whether folds were repeated.
    #[serde(skip)]
    pub is_repeated: bool,
    /// Each test metric over the runs.
    #[serde(skip)]
    pub summaries: MetricSummaries,
    /// The same with the values of the runs.
    metrics: MetricTable,
    /// The figures of all test examples together, each beside the constants of its own run.
    pub pooled: NumberFigures,
}

impl NumberCvAnswer {
    /// The results of a learner, or of variants under these names.
    ///
    /// # Panics
    ///
    /// When there is no result, which is a bug.
    pub fn of(problem: &Problem, names: &[VariantName], validations: &[NumberCrossValidation]) -> Self {
        let all: Vec<&[NumberRun]> = validations.iter().map(|validation| &*validation.runs).collect();
        let first = &validations[0];
        Self::of_runs(
            CvData::of(problem, &first.runs),
            (names, &all),
            first.n_repeats_left_out,
            || NumberVariant::of(first),
            |stopped| side_by_side(names, validations, stopped),
        )
    }

    /// Each variant with its names; one alone has empty ones.
    pub fn variants(&self) -> impl Iterator<Item = (Option<&VariantName>, &NumberVariant)> {
        let (one, several) = match &self.results {
            Results::One(variant) => (Some(&**variant), &[][..]),
            Results::Several(several) => (None, &several.variants[..]),
        };
        let several = several.iter().map(|named| (Some(&named.names), &named.result));
        one.into_iter().map(|variant| (None, variant)).chain(several)
    }
}

impl NumberVariant {
    fn of(validation: &NumberCrossValidation) -> Self {
        let NumberCrossValidation { way, runs, summaries, pooled, .. } = validation;
        Self {
            way: *way,
            runs: runs.iter().map(NumberFold::of).collect(),
            is_repeated: runs.iter().any(|run| run.repeat > 0),
            metrics: MetricTable::of_runs(summaries, runs),
            summaries: summaries.clone(),
            pooled: pooled.clone(),
        }
    }
}

/// The variants side by side. Losses of different goals cannot be compared, so that these choose none.
fn side_by_side(
    names: &[VariantName],
    validations: &[NumberCrossValidation],
    stopped: &[Stopped],
) -> Beside<NumberVariant> {
    let all: Vec<&[NumberRun]> = validations.iter().map(|validation| &*validation.runs).collect();
    let way = validations[0].way;
    let are_alike = validations.iter().all(|validation| validation.way.decides_alike(way));
    let held_out = |run: &NumberRun| run.held_out().map(|loss| -loss);
    let chosen = if are_alike { choose(&all, stopped, held_out, &way.recorded()) } else { None };
    let results = validations.iter().map(NumberVariant::of).collect();
    Beside::of((names, results), &all, &way.compared(), stopped, chosen)
}
