//! Covers of clauses on one universe, a block at a time.
//!
//! Votes of clauses, or of theories, on each example of a universe, and the curves they make.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::{Interrupted, cover_clause_sharing};
use gleaner_engine::coverage::votes::{VoteCounter, add_weighted_votes, at_least};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Clause;

/// Clauses whose covers are held at once: 9 MB of them at 280,000 examples.
const BLOCK: usize = 256;

/// Says of a clause whether it covers the one example of a universe, where that is known.
pub type Known<'a> = &'a (dyn Fn(&Clause) -> Option<bool> + Sync);

/// Finds covers, and keeps only those of the parts that clauses share.
pub struct Covers<'a> {
    store: Arc<CoverStore<'a>>,
    known: Option<Known<'a>>,
}

impl fmt::Debug for Covers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Covers").field("store", &self.store).finish_non_exhaustive()
    }
}

impl<'a> Covers<'a> {
    /// Covers on a universe; none is known yet. Clauses share the covers of their parts; at most `capacity` bytes of
    /// these are kept.
    pub fn new(worlds: &'a [Background], universe: &'a Universe, capacity: usize) -> Self {
        Self::sharing(&Arc::new(CoverStore::with_capacity(worlds, universe, capacity)))
    }

    /// Covers on a universe of which a search already knows much.
    pub fn sharing(store: &Arc<CoverStore<'a>>) -> Self {
        Self { store: Arc::clone(store), known: None }
    }

    /// The same, which asks `known` before it evaluates a clause. The universe must be of one example.
    pub fn knowing(self, known: Known<'a>) -> Self {
        debug_assert_eq!(self.universe().iter().count(), 1, "what is known is of one example");
        Self { known: Some(known), ..self }
    }

    /// The cover of a clause.
    fn cover(&self, clause: &Clause, budget: &Budget) -> Result<ExampleSet, Interrupted> {
        match self.known.and_then(|known| known(clause)) {
            Some(covers) => {
                let positions = self.universe().iter().map(|(position, _)| position).filter(|_| covers);
                Ok(ExampleSet::from_positions(self.universe().len(), positions))
            }
            None => cover_clause_sharing(&self.store, clause, budget),
        }
    }

    /// The universe of the covers.
    pub fn universe(&self) -> &'a Universe {
        self.store.universe()
    }

    /// The facts behind the covers, by world.
    pub fn worlds(&self) -> &'a [Background] {
        self.store.worlds()
    }

    /// The covers of these clauses, in their order, all at once.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn all(&self, clauses: &[&Clause], budget: &Budget) -> Result<Vec<ExampleSet>, Interrupted> {
        let mut found = Vec::with_capacity(clauses.len());
        self.visit(clauses, budget, |_, block| found.extend_from_slice(block))?;
        Ok(found)
    }

    /// The sum of a base and the weights of the covering clauses by position, in the order of the clauses.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn sums(
        &self,
        clauses: &[&Clause],
        base: f64,
        weights: &[f64],
        budget: &Budget,
    ) -> Result<Vec<f64>, Interrupted> {
        let mut sums = vec![base; self.universe().len()];
        self.visit(clauses, budget, |first, block| add_weights(&mut sums, block, &weights[first..]))?;
        Ok(sums)
    }

    /// Those of these clauses that cover the example at a position; equal clauses are evaluated once.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn covering<'c>(
        &self,
        clauses: &[&'c Clause],
        position: usize,
        budget: &Budget,
    ) -> Result<BTreeSet<&'c Clause>, Interrupted> {
        let distinct: Vec<&Clause> = clauses.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let mut covering = BTreeSet::new();
        self.visit(&distinct, budget, |first, block| {
            let covered = block.iter().zip(&distinct[first..]).filter(|(cover, _)| cover.contains(position));
            covering.extend(covered.map(|(_, clause)| *clause));
        })?;
        Ok(covering)
    }

    /// Finds the covers of these clauses, in parallel, and calls `visit` for each block of them, in
    /// order, with the number of its first clause.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn visit(
        &self,
        clauses: &[&Clause],
        budget: &Budget,
        mut visit: impl FnMut(usize, &[ExampleSet]),
    ) -> Result<(), Interrupted> {
        for (block, first) in clauses.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            budget.check().map_err(Interrupted)?;
            let covers: Vec<ExampleSet> = block
                .par_iter()
                .map(|clause| self.cover(clause, budget))
                .collect::<Result<_, Interrupted>>()?;
            visit(first, &covers);
        }
        Ok(())
    }
}

/// Adds the weight of each cover to the sums of its positions, in the order of the covers.
pub fn add_weights(sums: &mut [f64], covers: &[ExampleSet], weights: &[f64]) {
    for (cover, weight) in covers.iter().zip(weights) {
        cover.iter().for_each(|position| sums[position] += weight);
    }
}

/// The votes of a theory on each position of a universe.
#[derive(Clone, Debug)]
pub enum Votes {
    /// Whole votes, in bit slices.
    Counted(VoteCounter, usize),
    /// Weighted votes by position, summed in clause order, and their greatest possible sum.
    Weighted(Vec<f64>, f64),
}

impl Votes {
    /// No votes yet, of clauses with these weights.
    pub fn none(universe: &Universe, weights: &[f64]) -> Self {
        if weights.iter().all(|&weight| weight.to_bits() == 1.0_f64.to_bits()) {
            return Self::Counted(VoteCounter::new(universe.len()), 0);
        }
        Self::none_weighted(universe)
    }

    /// No votes yet; they will be summed one by one whatever their weights.
    fn none_weighted(universe: &Universe) -> Self {
        Self::Weighted(vec![0.0; universe.len()], 0.0)
    }

    /// Adds the votes of clauses with these covers and weights. A weight below 0 is a vote, of its size, for the
    /// examples that the clause does not cover. Cost: one pass over the words of each cover. Weighted votes also visit
    /// each position that has the vote, many at once where they are dense.
    pub fn add(&mut self, universe: &Universe, covers: &[&ExampleSet], weights: &[f64]) {
        match self {
            Self::Counted(counter, n_votes) => {
                counter.add_all(covers);
                *n_votes += covers.len();
            }
            Self::Weighted(sums, total) => {
                let against: Vec<Option<ExampleSet>> = covers
                    .iter()
                    .zip(weights)
                    .map(|(cover, weight)| rest(universe, cover, *weight))
                    .collect();
                let voters: Vec<&ExampleSet> =
                    covers.iter().zip(&against).map(|(cover, rest)| rest.as_ref().unwrap_or(cover)).collect();
                let sizes: Vec<f64> = weights.iter().map(|weight| weight.abs()).collect();
                add_weighted_votes(sums, &voters, &sizes);
                *total = sizes.iter().fold(*total, |total, size| total + size);
            }
        }
    }

    /// The votes at a position.
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn at(&self, position: usize) -> f64 {
        match self {
            Self::Counted(counter, _) => counter.votes(position) as f64,
            Self::Weighted(sums, _) => sums[position],
        }
    }

    /// `K`: the most votes a position can have.
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn greatest(&self) -> f64 {
        match self {
            Self::Counted(_, n_votes) => *n_votes as f64,
            Self::Weighted(_, total) => *total,
        }
    }

    /// The positions with at least this many votes; `threshold` is above 0.
    pub fn at_least(&self, threshold: f64) -> ExampleSet {
        match self {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole thresholds")]
            Self::Counted(counter, _) => counter.at_least(threshold.ceil() as usize),
            Self::Weighted(sums, _) => at_least(sums, threshold),
        }
    }

    /// Every threshold above 0 that changes which examples are covered, descending, with its counts.
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn curve(&self, universe: &Universe) -> Vec<(f64, Counts)> {
        match self {
            Self::Counted(counter, _) => {
                let counts = counter.counts(universe.n_positive_words());
                counts.into_iter().enumerate().rev().map(|(idx, counts)| ((idx + 1) as f64, counts)).collect()
            }
            Self::Weighted(..) => curve_of(self.ranked(universe, |counts| counts).collect()),
        }
    }

    /// The votes of each example that has any, with its own counts as `counted` takes them.
    pub fn ranked(
        &self,
        universe: &Universe,
        counted: impl Fn(Counts) -> Counts,
    ) -> impl Iterator<Item = (f64, Counts)> {
        let [positive, negative] = [true, false].map(|is_positive| counted(one(is_positive)));
        let of = move |at: usize| if universe.is_positive(at) { positive } else { negative };
        universe
            .iter()
            .map(move |(position, _)| (self.at(position), of(position)))
            .filter(|&(votes, _)| votes > 0.0)
    }
}

/// The examples that a clause with a weight below 0 votes for: those it does not cover. Nothing for other clauses.
fn rest(universe: &Universe, cover: &ExampleSet, weight: f64) -> Option<ExampleSet> {
    (weight < 0.0).then(|| {
        let mut rest = ExampleSet::empty(universe.len());
        rest.union_with_difference(universe.all(), cover);
        rest
    })
}

/// The counts of one covered example.
pub const fn one(is_positive: bool) -> Counts {
    Counts { true_positives: is_positive as usize, false_positives: !is_positive as usize }
}

/// Every number of votes that changes which examples are called positive, descending, with the counts of the examples
/// that have at least so many. `ranked` has each example's votes and counts.
pub fn curve_of(mut ranked: Vec<(f64, Counts)>) -> Vec<(f64, Counts)> {
    ranked.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let mut curve: Vec<(f64, Counts)> = Vec::new();
    let mut counts = Counts::NONE;
    for (sum, counted) in ranked {
        counts = counts.plus(counted);
        match curve.last_mut() {
            Some((threshold, last)) if threshold.to_bits() == sum.to_bits() => *last = counts,
            _ => curve.push((sum, counts)),
        }
    }
    curve
}
