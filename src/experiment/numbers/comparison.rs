//! The result of `cv` of numbers: of one learner, or of several variants on the same folds.

use serde::Serialize;

use gleaner_data::Problem;

use crate::experiment::comparing::comparison::choose;
use crate::experiment::comparing::side_by_side::{Beside, CvAnswer, CvData, Results, VariantName};
use crate::experiment::comparing::stopped::Stopped;
use crate::experiment::metrics::summary::{MetricSummaries, MetricTable};
use crate::experiment::numbers::answers::NumberFold;
use crate::experiment::numbers::metrics::NumberFigures;
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::numbers::validation::NumberCrossValidation;
use crate::experiment::numbers::way::NumberWay;

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
