//! Candidates: legal subsets of a bottom clause's literals, and the steps between them.

use rand::{Rng, RngExt};

use gleaner_base::VariableId;

use super::bottom::BottomClause;

/// A subset of the bottom clause's body literals.
///
/// **Invariant**: positions ascend and are distinct, so equal sets are equal candidates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Candidate(Box<[u16]>);

impl Candidate {
    /// The candidate of these positions, in any order.
    #[must_use]
    pub fn new(mut positions: Vec<u16>) -> Self {
        positions.sort_unstable();
        positions.dedup();
        Self(positions.into_boxed_slice())
    }

    /// The positions, ascending.
    #[must_use]
    pub fn positions(&self) -> &[u16] {
        &self.0
    }

    /// The number of literals of the clause, head included.
    #[must_use]
    pub fn n_literals(&self) -> usize {
        self.0.len() + 1
    }

    fn with(&self, position: u16) -> Self {
        let at = self.0.partition_point(|&known| known < position);
        let mut positions = Vec::with_capacity(self.0.len() + 1);
        positions.extend_from_slice(&self.0[..at]);
        positions.push(position);
        positions.extend_from_slice(&self.0[at..]);
        Self(positions.into_boxed_slice())
    }
}

/// The space of candidates of one bottom clause. [GLEANER §3.1.1]
///
/// A candidate is *legal* when its literals have an order in which each literal is enabled: all variables of one of
/// its input sets are in the head or in literals before it.
#[derive(Debug)]
pub struct RefinementSpace<'a> {
    bottom: &'a BottomClause,
    head_variables: Vec<VariableId>,
    max_literals: usize,
}

impl<'a> RefinementSpace<'a> {
    /// The space of clauses of at most `max_literals` literals, head included.
    #[must_use]
    pub fn new(bottom: &'a BottomClause, max_literals: usize) -> Self {
        Self { bottom, head_variables: bottom.head_variables(), max_literals }
    }

    /// The bottom clause.
    #[must_use]
    pub const fn bottom(&self) -> &'a BottomClause {
        self.bottom
    }

    /// The most literals a candidate may have, head included.
    #[must_use]
    pub const fn max_literals(&self) -> usize {
        self.max_literals
    }

    fn n_positions(&self) -> u16 {
        u16::try_from(self.bottom.literals.len()).expect("the limit on bottom literals is below 2^16")
    }

    fn head_known(&self) -> Vec<bool> {
        let mut known = vec![false; self.bottom.n_variables];
        self.learn(&self.head_variables, &mut known);
        known
    }

    #[expect(clippy::unused_self, reason = "reads as a step of the space")]
    fn learn(&self, variables: &[VariableId], known: &mut [bool]) {
        for variable in variables {
            known[variable.index()] = true;
        }
    }

    /// The variables known in a legal candidate: those of the head and of its literals.
    fn known(&self, candidate: &Candidate) -> Vec<bool> {
        let mut known = self.head_known();
        for &position in candidate.positions() {
            self.learn(&self.bottom.literals[usize::from(position)].variables, &mut known);
        }
        known
    }

    /// The largest legal subset of these positions. Cost: `O(n^2)` in the number of positions.
    #[must_use]
    pub fn legal_part(&self, positions: &[u16]) -> Candidate {
        let mut known = self.head_known();
        let mut rest = positions.to_vec();
        let mut kept = Vec::with_capacity(rest.len());
        loop {
            let before = rest.len();
            rest.retain(|&position| {
                let enabled = self.bottom.is_enabled(position, &known);
                if enabled {
                    self.learn(&self.bottom.literals[usize::from(position)].variables, &mut known);
                    kept.push(position);
                }
                !enabled
            });
            if rest.len() == before {
                return Candidate::new(kept);
            }
        }
    }

    /// Whether a candidate is legal.
    #[must_use]
    pub fn is_legal(&self, candidate: &Candidate) -> bool {
        self.legal_part(candidate.positions()) == *candidate
    }

    /// All legal candidates with one literal more, by position of the literal; none at the length limit.
    #[must_use]
    pub fn additions(&self, candidate: &Candidate) -> Vec<Candidate> {
        if candidate.n_literals() >= self.max_literals {
            return Vec::new();
        }
        let known = self.known(candidate);
        (0..self.n_positions())
            .filter(|position| candidate.positions().binary_search(position).is_err())
            .filter(|&position| self.bottom.is_enabled(position, &known))
            .map(|position| candidate.with(position))
            .collect()
    }

    /// All candidates with one literal less, together with the literals that only it had enabled.
    #[must_use]
    pub fn removals(&self, candidate: &Candidate) -> Vec<Candidate> {
        let positions = candidate.positions();
        (0..positions.len())
            .map(|removed| {
                let rest: Vec<u16> =
                    positions[..removed].iter().chain(&positions[removed + 1..]).copied().collect();
                self.legal_part(&rest)
            })
            .collect()
    }

    /// Draws a candidate with `n_body` body literals, or with fewer where no legal literal is left. It grows literal by
    /// literal, each drawn uniformly from the legal ones not yet in (pseudo-uniform, [Železný 2003]).
    pub fn draw(&self, n_body: usize, rng: &mut impl Rng) -> Candidate {
        let mut known = self.head_known();
        let mut positions: Vec<u16> = Vec::with_capacity(n_body);
        while positions.len() < n_body {
            let open: Vec<u16> = (0..self.n_positions())
                .filter(|position| !positions.contains(position))
                .filter(|&position| self.bottom.is_enabled(position, &known))
                .collect();
            if open.is_empty() {
                break;
            }
            let position = open[rng.random_range(0..open.len())];
            self.learn(&self.bottom.literals[usize::from(position)].variables, &mut known);
            positions.push(position);
        }
        Candidate::new(positions)
    }
}
