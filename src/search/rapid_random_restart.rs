//! Rapid random restarts (RRR): best-first search around random clauses.
//! [GLEANER §3.1.1; Železný, Srinivasan, Page 2003]

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rand_pcg::Pcg64;

use crate::base::StopReason;
use crate::bias::Candidate;

use super::stochastic_clause_selection::draw_new;
use super::{Evaluations, Outcome, Scored, Strategy};

/// Starts as stochastic clause selection, then expands the best open clause, evaluating all its
/// neighbours, until this many clauses were evaluated or none is open; then starts anew.
///
/// A clause below the minimum positives has no acceptable specialisation: only the candidates with
/// literals removed are its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct RapidRandomRestart {
    /// Evaluations from one start; the last expansion may be cut short by it.
    pub restart_evaluations: u64,
}

impl Strategy for RapidRandomRestart {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        loop {
            if let Err(reason) = self.run_once(evaluations, rng) {
                return reason;
            }
        }
    }
}

impl RapidRandomRestart {
    fn run_once(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> Result<(), StopReason> {
        let end = evaluations.n_evaluated().saturating_add(self.restart_evaluations);
        evaluations.begin_start();
        let (start, outcome) = draw_new(evaluations, rng)?;
        let mut open = BinaryHeap::new();
        open.extend(OpenClause::new(start, outcome));
        while let Some(best) = open.pop() {
            let mut neighbours = evaluations.space().removals(&best.candidate);
            if best.may_grow {
                neighbours.extend(evaluations.space().additions(&best.candidate));
            }
            for neighbour in neighbours {
                if neighbour.positions().is_empty() {
                    continue;
                }
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

/// An evaluated clause whose neighbours were not yet looked at.
#[derive(Debug, PartialEq)]
struct OpenClause {
    score: f64,
    may_grow: bool,
    candidate: Candidate,
}

impl OpenClause {
    fn new(candidate: Candidate, outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::Scored(Scored { score, may_grow, .. }) => {
                Some(Self { score: score.unwrap_or(f64::NEG_INFINITY), may_grow, candidate })
            }
            Outcome::TooFewPositives => Some(Self { score: f64::NEG_INFINITY, may_grow: false, candidate }),
            Outcome::Repeated | Outcome::Stop(_) => None,
        }
    }
}

impl Eq for OpenClause {}

impl PartialOrd for OpenClause {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Better first: higher score, then shorter, then canonically first.
impl Ord for OpenClause {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then_with(|| other.candidate.n_literals().cmp(&self.candidate.n_literals()))
            .then_with(|| other.candidate.cmp(&self.candidate))
    }
}
