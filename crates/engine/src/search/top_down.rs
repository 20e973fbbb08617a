//! Searches from the most general clause downwards: breadth-first, depth-first, best-first, beam and iterative
//! deepening, as Aleph has them. Each meets every candidate that has no pruned generalisation, the beam apart, and
//! ends with the space.
//!
//! [`IteratedBeam`] repeats the beam with growing widths, as Aleph's `ibs`. [`GeneralFirst`] goes breadth-first among
//! the most general clauses, then leaves the rest to another search [GLEANER §10.2].
//!
//! Evaluated clauses whose neighbours were not yet visited, in the order in which they are to be refined.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use rand_pcg::Pcg64;

use crate::bias::{Candidate, RefinementSpace};
use gleaner_base::{FixedMap, FixedSet, StopReason};

use super::{Evaluations, Outcome, Scored, Strategy};

/// Evaluates clauses breadth-first until `n_clauses` were evaluated or none is left; returns them with their outcomes.
fn breadth_first_for(
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

/// Refines the best clauses of each length.
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

/// Keeps the best `width` clauses, best first, and returns true. If there are no more than `width`, they keep their
/// order, and the answer is false.
fn keep_best(clauses: &mut Vec<OpenClause>, width: usize) -> bool {
    let is_cut = clauses.len() > width;
    if is_cut {
        clauses.sort_unstable_by(|left, right| right.cmp(left));
        clauses.truncate(width);
    }
    is_cut
}

/// Refines next the longest known clause, and of equally long ones the best. [Aleph's manual]
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

/// Refines next the best of all known clauses.
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

/// Searches depth-first to one literal, then to two, and so on. A clause that an earlier round met is only passed
/// through, not evaluated again.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterativeDeepening;

impl Strategy for IterativeDeepening {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        let mut rounds = Deepening::default();
        let max_body = evaluations.space().max_literals().saturating_sub(1);
        for limit in 1..=max_body {
            // The clauses met count, not those evaluated: an earlier search may have evaluated all clauses of a length.
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
    /// Clauses met in this round, as a clause of several literals is reached in several ways.
    passed: FixedSet<Candidate>,
    /// How many clauses were met whose length was that of their round.
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
        // Many known clauses may come between two new ones, and only an evaluation looks at the budget.
        evaluations.budget().check()?;
        for candidate in clause.specialisations(evaluations.space()) {
            if !self.passed.insert(candidate.clone()) {
                continue;
            }
            let n_body = candidate.positions().len();
            // Shorter clauses were evaluated in earlier rounds.
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

/// Beams of width 1, 2, 4 and so on, until one refines every clause that may be wanted. A clause that a narrower
/// beam met takes its place in a wider one, but is not evaluated again. [Quinlan and Cameron-Jones 1995]
///
/// Aleph stops earlier: at a width of 512, or where the estimated error of the best clause no longer falls. Here
/// every evaluated clause may be wanted, so only the limits of the search end it.
#[derive(Clone, Copy, Debug, Default)]
pub struct IteratedBeam;

impl Strategy for IteratedBeam {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        let mut rounds = Rounds::default();
        let mut width = 1_usize;
        loop {
            match rounds.search(width, evaluations) {
                Err(reason) => return reason,
                Ok(BeamEnd::Complete) => return StopReason::SpaceExhausted,
                Ok(BeamEnd::Cut) => width = width.saturating_mul(2),
            }
        }
    }
}

/// Whether a beam left clauses unrefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BeamEnd {
    /// It refined every clause.
    Complete,
    /// It left clauses unrefined.
    Cut,
}

#[derive(Debug, Default)]
struct Rounds {
    /// The scores of all clauses with a specialisation that may be wanted.
    growing: FixedMap<Candidate, f64>,
}

impl Rounds {
    /// One beam search of this width.
    fn search(&mut self, width: usize, evaluations: &mut Evaluations<'_, '_>) -> Result<BeamEnd, StopReason> {
        let mut end = BeamEnd::Complete;
        let mut level = vec![OpenClause::most_general()];
        while !level.is_empty() {
            level = self.next_level(&level, evaluations)?;
            if keep_best(&mut level, width) {
                end = BeamEnd::Cut;
            }
        }
        Ok(end)
    }

    /// The specialisations of clauses, each once, that may be refined further.
    fn next_level(
        &mut self,
        level: &[OpenClause],
        evaluations: &mut Evaluations<'_, '_>,
    ) -> Result<Vec<OpenClause>, StopReason> {
        let (mut next, mut met) = (Vec::new(), FixedSet::default());
        for clause in level {
            // Many known clauses may come between two new ones, and only an evaluation looks at the budget.
            evaluations.budget().check()?;
            for candidate in clause.specialisations(evaluations.space()) {
                if met.insert(candidate.clone()) {
                    next.extend(self.visit(candidate, evaluations)?);
                }
            }
        }
        Ok(next)
    }

    /// Evaluates a candidate that no narrower beam met; `None` where its specialisations are not wanted.
    fn visit(
        &mut self,
        candidate: Candidate,
        evaluations: &mut Evaluations<'_, '_>,
    ) -> Result<Option<OpenClause>, StopReason> {
        if let Some(&score) = self.growing.get(&candidate) {
            return Ok(Some(OpenClause { score, may_grow: true, candidate }));
        }
        match evaluations.evaluate_refined(&candidate) {
            Outcome::Stop(reason) => Err(reason),
            outcome => {
                let found = OpenClause::new(candidate, outcome).filter(|found| found.may_grow);
                self.growing.extend(found.iter().map(|found| (found.candidate.clone(), found.score)));
                Ok(found)
            }
        }
    }
}

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

/// An evaluated clause whose neighbours were not yet visited.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenClause {
    /// Negative infinity where the score is undefined, or the clause has too few positives.
    pub(super) score: f64,
    /// Whether its specialisations may be wanted.
    pub(super) may_grow: bool,
    pub(super) candidate: Candidate,
}

impl OpenClause {
    /// `None` when the candidate was evaluated before.
    pub(super) fn new(candidate: Candidate, outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::Scored(Scored { score, may_grow, .. }) => {
                Some(Self { score: score.unwrap_or(f64::NEG_INFINITY), may_grow, candidate })
            }
            Outcome::TooFewPositives => Some(Self { score: f64::NEG_INFINITY, may_grow: false, candidate }),
            Outcome::Repeated | Outcome::Stop(_) => None,
        }
    }

    /// The most general clause, which has only a head. No search evaluates it, so it has no score.
    pub(super) fn most_general() -> Self {
        Self { score: f64::NEG_INFINITY, may_grow: true, candidate: Candidate::default() }
    }

    /// The candidates with one literal less, and those with one more where they may be wanted; never the
    /// most general clause.
    pub(super) fn neighbours(&self, space: &RefinementSpace<'_>) -> Vec<Candidate> {
        let mut neighbours = space.removals(&self.candidate);
        neighbours.retain(|neighbour| !neighbour.positions().is_empty());
        neighbours.extend(self.specialisations(space));
        neighbours
    }

    /// The candidates with one literal more; none where they are not wanted.
    pub(super) fn specialisations(&self, space: &RefinementSpace<'_>) -> Vec<Candidate> {
        if self.may_grow { space.additions(&self.candidate) } else { Vec::new() }
    }
}

impl Eq for OpenClause {}

impl PartialOrd for OpenClause {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Better is greater: higher score, then shorter, then canonically first.
impl Ord for OpenClause {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then_with(|| other.candidate.n_literals().cmp(&self.candidate.n_literals()))
            .then_with(|| other.candidate.cmp(&self.candidate))
    }
}
