//! GSAT and WalkSAT: random moves that improve, and now and then one that does not. [GLEANER §3.1.1]

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::bias::Candidate;
use gleaner_base::{FixedMap, StopReason};

use super::clause_draw::{ClauseDraw, Lengths};
use super::open_clause::OpenClause;
use super::{Evaluations, Outcome, Strategy};

/// Starts as stochastic clause selection does. Then it adds or removes a random literal, and keeps the move if the
/// score improves. After `restart_moves` moves it starts anew.
#[derive(Clone, Debug)]
pub struct LocalMoves {
    /// How the clauses to start from are drawn.
    pub lengths: Lengths,
    /// Moves considered from one start.
    pub restart_moves: u64,
    /// The probability that a move is taken though it does not improve: 0 is GSAT, above 0 WalkSAT.
    pub walk: f64,
}

impl Strategy for LocalMoves {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        let mut known = Known::default();
        loop {
            if let Err(reason) = self.run_once(evaluations, &draw, &mut known, rng) {
                return reason;
            }
        }
    }
}

impl LocalMoves {
    fn run_once(
        &self,
        evaluations: &mut Evaluations<'_, '_>,
        draw: &ClauseDraw,
        known: &mut Known,
        rng: &mut Pcg64,
    ) -> Result<(), StopReason> {
        evaluations.begin_start();
        let mut current = known.draw(evaluations, draw, rng)?;
        for _ in 0..self.restart_moves {
            let neighbours = current.neighbours(evaluations.space());
            if neighbours.is_empty() {
                break;
            }
            let neighbour = neighbours[rng.random_range(0..neighbours.len())].clone();
            let next = known.evaluate(evaluations, neighbour)?;
            // The draw is made for every move, so that GSAT is WalkSAT with probability 0.
            let walks = rng.random::<f64>() < self.walk;
            if next.score > current.score || walks {
                current = next;
            }
        }
        Ok(())
    }
}

/// The scores of the clauses evaluated so far: a search by moves meets the same clauses again.
#[derive(Debug, Default)]
pub(super) struct Known(FixedMap<Candidate, (f64, bool)>);

impl Known {
    fn remember(&mut self, candidate: Candidate, outcome: Outcome) -> OpenClause {
        let open = OpenClause::new(candidate.clone(), outcome);
        let open = open.unwrap_or(OpenClause { score: f64::NEG_INFINITY, may_grow: false, candidate });
        self.0.insert(open.candidate.clone(), (open.score, open.may_grow));
        open
    }

    /// Evaluates a clause, or remembers it.
    pub(super) fn evaluate(
        &mut self,
        evaluations: &mut Evaluations<'_, '_>,
        candidate: Candidate,
    ) -> Result<OpenClause, StopReason> {
        match evaluations.evaluate(&candidate) {
            Outcome::Stop(reason) => Err(reason),
            Outcome::Repeated => {
                let known = self.0.get(&candidate);
                let &(score, may_grow) = known.unwrap_or(&(f64::NEG_INFINITY, true));
                Ok(OpenClause { score, may_grow, candidate })
            }
            outcome => Ok(self.remember(candidate, outcome)),
        }
    }

    /// Draws a new clause.
    pub(super) fn draw(
        &mut self,
        evaluations: &mut Evaluations<'_, '_>,
        draw: &ClauseDraw,
        rng: &mut Pcg64,
    ) -> Result<OpenClause, StopReason> {
        let (candidate, outcome) = draw.draw_new(evaluations, rng)?;
        Ok(self.remember(candidate, outcome))
    }
}
