//! Searches from the most general clause downwards: breadth-first, depth-first, best-first, beam and iterative
//! deepening, as Aleph has them. Each meets every candidate that has no pruned generalisation, the beam
//! apart, and ends with the space.

use std::collections::{BinaryHeap, VecDeque};

use rand_pcg::Pcg64;

use crate::bias::Candidate;
use gleaner_base::{FixedSet, StopReason};

use super::open_clause::OpenClause;
use super::{Evaluations, Outcome, Strategy};

/// Evaluates clauses breadth-first until so many were evaluated or none is left; these, with what became
/// of them.
pub(super) fn breadth_first_for(
    n_clauses: u64,
    evaluations: &mut Evaluations<'_, '_>,
) -> Result<Vec<(Candidate, Outcome)>, StopReason> {
    let end = evaluations.n_evaluated().saturating_add(n_clauses);
    let mut evaluated = Vec::new();
    let mut open = VecDeque::from([OpenClause::most_general()]);
    while let Some(clause) = open.pop_front() {
        for specialisation in clause.specialisations(evaluations.space()) {
            if evaluations.n_evaluated() >= end {
                return Ok(evaluated);
            }
            match evaluations.evaluate(&specialisation) {
                Outcome::Stop(reason) => return Err(reason),
                Outcome::Repeated => {}
                outcome => {
                    evaluated.push((specialisation.clone(), outcome));
                    open.extend(OpenClause::new(specialisation, outcome));
                }
            }
        }
    }
    Ok(evaluated)
}

/// Evaluates the specialisations of a clause that were not evaluated before.
fn expand(
    clause: &OpenClause,
    evaluations: &mut Evaluations<'_, '_>,
    mut visit: impl FnMut(OpenClause),
) -> Result<(), StopReason> {
    for specialisation in clause.specialisations(evaluations.space()) {
        match evaluations.evaluate_refined(&specialisation) {
            Outcome::Stop(reason) => return Err(reason),
            outcome => OpenClause::new(specialisation, outcome).into_iter().for_each(&mut visit),
        }
    }
    Ok(())
}

/// All clauses of one literal, then of two, and so on: the most general first, as the bins of high
/// recall need them. [GLEANER §10.2]
#[derive(Clone, Copy, Debug, Default)]
pub struct BreadthFirst;

impl Strategy for BreadthFirst {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        beam(evaluations, usize::MAX).err().unwrap_or(StopReason::SpaceExhausted)
    }
}

/// Of the clauses of each length the best are refined.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// How many clauses of each length are refined.
    pub width: usize,
}

impl Strategy for Beam {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        beam(evaluations, self.width).err().unwrap_or(StopReason::SpaceExhausted)
    }
}

fn beam(evaluations: &mut Evaluations<'_, '_>, width: usize) -> Result<(), StopReason> {
    let mut level = vec![OpenClause::most_general()];
    while !level.is_empty() {
        let mut next = Vec::new();
        for clause in &level {
            expand(clause, evaluations, |found| next.push(found))?;
        }
        next.retain(|clause| clause.may_grow);
        keep_best(&mut next, width);
        level = next;
    }
    Ok(())
}

/// Leaves the best `width` clauses, best first; whether there were more. Fewer stay in their order.
pub(super) fn keep_best(clauses: &mut Vec<OpenClause>, width: usize) -> bool {
    let is_cut = clauses.len() > width;
    if is_cut {
        clauses.sort_unstable_by(|left, right| right.cmp(left));
        clauses.truncate(width);
    }
    is_cut
}

/// The longest clause that is known is refined next; of equally long ones the best. [Aleph's manual]
#[derive(Clone, Copy, Debug, Default)]
pub struct DepthFirst;

impl Strategy for DepthFirst {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        // Longer clauses lie above shorter ones, of equally long ones the best on top.
        let mut open = vec![OpenClause::most_general()];
        while let Some(clause) = open.pop() {
            let n_open = open.len();
            if let Err(reason) = expand(&clause, evaluations, |found| open.push(found)) {
                return reason;
            }
            open[n_open..].sort_unstable();
        }
        StopReason::SpaceExhausted
    }
}

/// The best clause of all that are known is refined next.
#[derive(Clone, Copy, Debug, Default)]
pub struct BestFirst;

impl Strategy for BestFirst {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        let mut open = BinaryHeap::from([OpenClause::most_general()]);
        while let Some(best) = open.pop() {
            if let Err(reason) = expand(&best, evaluations, |found| open.push(found)) {
                return reason;
            }
        }
        StopReason::SpaceExhausted
    }
}

/// Depth-first to one literal, then to two, and so on. A clause that an earlier round met is not evaluated
/// again, only passed through.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterativeDeepening;

impl Strategy for IterativeDeepening {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        let mut rounds = Deepening::default();
        let max_body = evaluations.space().max_literals().saturating_sub(1);
        for limit in 1..=max_body {
            // Not of those evaluated: a search before this one may have met all clauses of a length.
            let n_before = rounds.n_met;
            rounds.passed.clear();
            if let Err(reason) = rounds.descend(&OpenClause::most_general(), limit, evaluations) {
                return reason;
            }
            if rounds.n_met == n_before {
                break;
            }
        }
        StopReason::SpaceExhausted
    }
}

#[derive(Debug, Default)]
struct Deepening {
    /// Clauses with a specialisation that may be wanted.
    growing: FixedSet<Candidate>,
    /// Clauses met in this round: one of several literals is reached by several ways.
    passed: FixedSet<Candidate>,
    /// How many clauses of their round's length were met.
    n_met: u64,
}

impl Deepening {
    /// Visits the specialisations of a clause of at most `limit` body literals.
    fn descend(
        &mut self,
        clause: &OpenClause,
        limit: usize,
        evaluations: &mut Evaluations<'_, '_>,
    ) -> Result<(), StopReason> {
        // Between two clauses that are new, many may only be passed through.
        evaluations.budget().check()?;
        for candidate in clause.specialisations(evaluations.space()) {
            if !self.passed.insert(candidate.clone()) {
                continue;
            }
            let n_body = candidate.positions().len();
            // Shorter ones were evaluated in earlier rounds.
            if n_body == limit {
                self.n_met += 1;
                match evaluations.evaluate_refined(&candidate) {
                    Outcome::Stop(reason) => return Err(reason),
                    outcome => {
                        let found = OpenClause::new(candidate, outcome).filter(|found| found.may_grow);
                        self.growing.extend(found.map(|found| found.candidate));
                    }
                }
            } else if self.growing.contains(&candidate) {
                let through = OpenClause { score: f64::NEG_INFINITY, may_grow: true, candidate };
                self.descend(&through, limit, evaluations)?;
            }
        }
        Ok(())
    }
}
