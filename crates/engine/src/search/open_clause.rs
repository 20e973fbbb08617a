//! Evaluated clauses whose neighbours were not yet visited, in the order in which they are to be refined.

use std::cmp::Ordering;

use crate::bias::{Candidate, RefinementSpace};

use super::{Outcome, Scored};

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
