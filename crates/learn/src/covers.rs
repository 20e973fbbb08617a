//! Covers of clauses on one universe, a block at a time.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::component::{Interrupted, cover_clause_sharing};
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
