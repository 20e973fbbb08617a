//! The result of `learn`.

use serde::Serialize;

use gleaner_data::Problem;
use gleaner_lang::program::Symbols;
use gleaner_learn::shown::Extent;

use super::inspect::ProblemSummary;
use super::run_record::FoldRecord;
use super::run_result::RunResult;

/// One model with the problem and run that it was learnt from.
#[derive(Clone, Debug, Serialize)]
pub struct LearnAnswer<'r> {
    /// Target and examples.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// The record of the run.
    #[serde(flatten)]
    pub run: FoldRecord,
    /// The run with its model.
    #[serde(skip)]
    pub result: &'r RunResult,
    /// The names in the model's clauses.
    #[serde(skip)]
    pub symbols: &'r Symbols,
    /// How much of the model is shown.
    #[serde(skip)]
    pub extent: Extent,
}

impl<'r> LearnAnswer<'r> {
    /// The answer for one run.
    #[must_use]
    pub fn of(problem: &'r Problem, result: &'r RunResult, extent: Extent) -> Self {
        let (run, symbols) = (FoldRecord::of(result), &problem.symbols);
        Self { problem: ProblemSummary::of(problem), run, result, symbols, extent }
    }
}
