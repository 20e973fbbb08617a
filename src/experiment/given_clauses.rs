//! Whether the clauses of finished runs can be given to others.

use gleaner_data::Problem;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::comparable::difference;
use super::run_record::{NamedRun, RunRecord, RunRequest};
use super::split::Split;

/// Runs that clauses are given to.
#[derive(Clone, Copy, Debug)]
pub struct Receiving<'a> {
    /// The request for the data.
    pub request: &'a RunRequest,
    /// The problem.
    pub problem: &'a Problem,
    /// The runs of a repetition.
    pub splits: &'a [Split],
    /// Repetitions.
    pub n_repeats: usize,
}

impl Receiving<'_> {
    /// Checks that each run keeps for test what the finished run of the same name kept. Otherwise clauses could be
    /// learnt from examples that this run tests.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check(&self, from: &NamedRun) -> Result<(), Diagnostic> {
        let asked = &from.record.request;
        // The count beside the examples changes no clause.
        let request = RunRequest { count_filtered: asked.count_filtered, ..self.request.clone() };
        let ours = RunRecord::of_asked(request, self.problem, self.splits, self.n_repeats);
        let ours = NamedRun { name: "this run".to_owned(), record: ours };
        match difference(&ours, from) {
            None => Ok(()),
            Some((what, help)) => {
                let message = format!("--feature-clauses {}: {what}", from.name);
                Err(Diagnostic::error(codes::OTHER_RUN, message).with_help(help))
            }
        }
    }
}
