//! Rapid random restarts (RRR): best-first search around random clauses.
//! [GLEANER §3.1.1; Železný, Srinivasan, Page 2003]

use std::collections::BinaryHeap;

use rand_pcg::Pcg64;

use gleaner_base::StopReason;

use super::clause_draw::{ClauseDraw, Lengths};
use super::open_clause::OpenClause;
use super::{Evaluations, Outcome, Strategy};

/// Starts as stochastic clause selection does. Then it expands the best open clause, evaluating all its neighbours,
/// until `restart_evaluations` clauses were evaluated or none is open. Then it starts anew.
///
/// A clause below the minimum positives has no acceptable specialisation: only the candidates with
/// literals removed are its neighbours.
#[derive(Clone, Debug)]
pub struct RapidRandomRestart {
    /// How the clauses to start from are drawn.
    pub lengths: Lengths,
    /// Evaluations from one start; this limit may cut the last expansion short.
    pub restart_evaluations: u64,
}

impl Strategy for RapidRandomRestart {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        loop {
            if let Err(reason) = self.run_once(evaluations, &draw, rng) {
                return reason;
            }
        }
    }
}

impl RapidRandomRestart {
    fn run_once(
        &self,
        evaluations: &mut Evaluations<'_, '_>,
        draw: &ClauseDraw,
        rng: &mut Pcg64,
    ) -> Result<(), StopReason> {
        let end = evaluations.n_evaluated().saturating_add(self.restart_evaluations);
        evaluations.begin_start();
        let (start, outcome) = draw.draw_new(evaluations, rng)?;
        let mut open = BinaryHeap::new();
        open.extend(OpenClause::new(start, outcome));
        while let Some(best) = open.pop() {
            for neighbour in best.neighbours(evaluations.space()) {
                if evaluations.n_evaluated() >= end {
                    return Ok(());
                }
                match evaluations.evaluate(&neighbour) {
                    Outcome::Stop(reason) => return Err(reason),
                    outcome => open.extend(OpenClause::new(neighbour, outcome)),
                }
            }
        }
        Ok(())
    }
}
