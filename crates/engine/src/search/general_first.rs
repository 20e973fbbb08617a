//! Breadth-first among the most general clauses, then another search. [GLEANER §10.2]

use rand_pcg::Pcg64;

use gleaner_base::StopReason;

use super::top_down::breadth_first_for;
use super::{Evaluations, Strategy};

/// Evaluates the most general clauses, for the bins of high recall, and then runs another strategy with the rest of
/// the limit. That strategy takes the same way as if it ran alone, but does not evaluate these clauses again. Only
/// the directed search takes another way: it neither expands known clauses nor learns from them.
pub struct GeneralFirst {
    /// How many clauses are evaluated breadth-first.
    pub n_clauses: u64,
    /// The strategy that runs afterwards.
    pub then: Box<dyn Strategy>,
}

impl std::fmt::Debug for GeneralFirst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeneralFirst").field("n_clauses", &self.n_clauses).finish_non_exhaustive()
    }
}

impl Strategy for GeneralFirst {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        match breadth_first_for(self.n_clauses, evaluations) {
            Err(reason) => reason,
            Ok(general) => {
                evaluations.repeat_outcomes(general);
                self.then.run(evaluations, rng)
            }
        }
    }
}
