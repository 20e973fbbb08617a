//! Hill climbing with random restarts: the best neighbour, as long as it is better.

use rand_pcg::Pcg64;

use gleaner_base::StopReason;

use super::clause_draw::{ClauseDraw, Lengths};
use super::local_moves::Known;
use super::open_clause::OpenClause;
use super::{Evaluations, Strategy};

/// Climbs from the most general clause, then from random ones. Each climb goes to the best of all neighbours, until no
/// neighbour improves.
#[derive(Clone, Debug, Default)]
pub struct HillClimbing {
    /// How the clauses after the first are drawn.
    pub lengths: Lengths,
}

impl Strategy for HillClimbing {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        let mut known = Known::default();
        let mut start = Ok(OpenClause::most_general());
        evaluations.begin_start();
        loop {
            let climbed = start.and_then(|start| climb(start, evaluations, &mut known));
            if let Err(reason) = climbed {
                return reason;
            }
            evaluations.begin_start();
            start = known.draw(evaluations, &draw, rng);
        }
    }
}

fn climb(
    mut current: OpenClause,
    evaluations: &mut Evaluations<'_, '_>,
    known: &mut Known,
) -> Result<(), StopReason> {
    loop {
        let mut best: Option<OpenClause> = None;
        for neighbour in current.neighbours(evaluations.space()) {
            let neighbour = known.evaluate(evaluations, neighbour)?;
            if best.as_ref().is_none_or(|best| neighbour > *best) {
                best = Some(neighbour);
            }
        }
        match best {
            Some(best) if best.score > current.score => current = best,
            _ => return Ok(()),
        }
    }
}
