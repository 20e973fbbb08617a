//! The result of `cv` of numbers: of one learner, or of several variants on the same folds.

use serde::Serialize;

use gleaner_base::StopReason;
use gleaner_data::Problem;

use super::comparison::choose;
use super::inspect::ProblemSummary;
use super::number_answers::NumberFold;
use super::number_metrics::NumberFigures;
use super::number_result::NumberRun;
use super::number_validation::NumberCrossValidation;
use super::number_way::NumberWay;
use super::side_by_side::{Beside, VariantName};
use super::stopped::Stopped;
use super::summary::{MetricSummaries, MetricTable};

/// The answer of a cross-validation of numbers.
#[derive(Clone, Debug, Serialize)]
pub struct NumberCvAnswer {
    /// The problem.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// The fold of each run.
    folds: Vec<String>,
    /// The first outer stop, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The searches that were stopped, by variant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stopped>,
    /// Repetitions that were not begun before the stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_left_out: Option<usize>,
    /// The results.
    #[serde(flatten)]
    pub results: NumberCvResults,
}

/// The results of one learner or of several.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum NumberCvResults {
    /// The result of one learner.
    One(Box<NumberVariant>),
    /// The results of several learners.
    Several(Beside<NumberVariant>),
}

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
        let first = &validations[0];
        let stopped: Vec<Stopped> = names
            .iter()
            .zip(validations)
            .filter_map(|(names, validation)| Stopped::of_runs(&names.name, &validation.runs))
            .collect();
        let results = match validations {
            [only] => NumberCvResults::One(Box::new(NumberVariant::of(only))),
            several => NumberCvResults::Several(side_by_side(names, several, &stopped)),
        };
        Self {
            problem: ProblemSummary::of(problem),
            folds: first.runs.iter().map(|run| run.split.name.clone()).collect(),
            stop: stopped.first().map(|stopped| stopped.stop),
            stopped,
            repeats_left_out: Some(first.n_repeats_left_out).filter(|&n| n > 0),
            results,
        }
    }

    /// Each variant with its names; one alone has empty ones.
    pub fn variants(&self) -> impl Iterator<Item = (Option<&VariantName>, &NumberVariant)> {
        let (one, several) = match &self.results {
            NumberCvResults::One(variant) => (Some(&**variant), &[][..]),
            NumberCvResults::Several(several) => (None, &several.variants[..]),
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
    let chosen = if are_alike { choose(&all, held_out, &way.recorded()) } else { None };
    let results = validations.iter().map(NumberVariant::of).collect();
    Beside::of((names, results), &all, &way.compared(), stopped, chosen)
}
