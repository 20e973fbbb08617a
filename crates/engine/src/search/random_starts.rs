//! Searches that start from random clauses.
//!
//! Stochastic clause selection (SCS) makes no local moves [GLEANER §3.1.1]. Rapid random restarts (RRR) search
//! best-first around each start [GLEANER §3.1.1; Železný, Srinivasan, Page 2003]. Hill climbing takes the best
//! neighbour, as long as it is better. GSAT and WalkSAT make random moves that improve, and now and then one that
//! does not [GLEANER §3.1.1].

use std::collections::BinaryHeap;

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::bias::Candidate;
use gleaner_base::{FixedMap, StopReason};

use super::clause_draw::{ClauseDraw, Lengths};
use super::open_clause::OpenClause;
use super::{Evaluations, Outcome, Strategy};

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
