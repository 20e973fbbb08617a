//! Stochastic clause selection (SCS): random clauses, no local moves. [GLEANER §3.1.1]

use rand_pcg::Pcg64;

use gleaner_base::StopReason;

use super::clause_draw::{ClauseDraw, Lengths};
use super::{Evaluations, Strategy};

/// Draws a clause, and starts again.
#[derive(Clone, Debug, Default)]
pub struct StochasticClauseSelection {
    /// How clauses are drawn.
    pub lengths: Lengths,
}

impl Strategy for StochasticClauseSelection {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        loop {
            if let Err(reason) = draw.draw_new(evaluations, rng) {
                return reason;
            }
        }
    }
}
