//! Covers of clauses on one universe, each clause once.

use std::sync::Arc;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use crate::base::{Budget, ExampleSet, FixedMap};
use crate::coverage::component::{Interrupted, cover_clause_sharing};
use crate::coverage::{CoverStore, Universe};
use crate::datalog::Background;
use crate::program::Clause;

/// The covers found so far.
#[derive(Debug)]
pub struct CoverCache<'a> {
    universe: &'a Universe,
    store: Arc<CoverStore<'a>>,
    covers: FixedMap<Clause, ExampleSet>,
}

impl<'a> CoverCache<'a> {
    /// No covers yet.
    #[must_use]
    pub fn new(worlds: &'a [Background], universe: &'a Universe) -> Self {
        Self { universe, store: Arc::new(CoverStore::new(worlds, universe)), covers: FixedMap::default() }
    }

    /// The universe of the covers.
    #[must_use]
    pub const fn universe(&self) -> &'a Universe {
        self.universe
    }

    /// Finds the covers of these clauses, in parallel, unless they are known.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn find<'c>(
        &mut self,
        clauses: impl IntoIterator<Item = &'c Clause>,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let mut missing: Vec<&Clause> =
            clauses.into_iter().filter(|clause| !self.covers.contains_key(*clause)).collect();
        missing.sort_unstable();
        missing.dedup();
        let store = &self.store;
        let found: Vec<(Clause, ExampleSet)> = missing
            .into_par_iter()
            .map(|clause| Ok((clause.clone(), cover_clause_sharing(store, clause, budget)?)))
            .collect::<Result<_, Interrupted>>()?;
        self.covers.extend(found);
        Ok(())
    }

    /// The cover of a clause that was found.
    ///
    /// # Panics
    ///
    /// When `find` was not asked for the clause.
    #[must_use]
    pub fn cover(&self, clause: &Clause) -> &ExampleSet {
        self.covers.get(clause).expect("covers are found before they are used")
    }
}
