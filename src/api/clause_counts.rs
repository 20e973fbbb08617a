//! The examples that a user's clauses cover, counted.

use std::sync::Arc;

use rayon::prelude::{ParallelIterator as _, ParallelSlice as _};

use gleaner_base::Budget;
use gleaner_data::clauses::{Binding, usable_predicates};
use gleaner_engine::coverage::bulk::cover_clauses;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::Clause;

use super::{Dataset, Error};

/// Clauses that one engine evaluates: enough to repay the cost of an engine, few enough that other threads do not wait
/// long.
const CLAUSES_OF_AN_ENGINE: usize = 512;

/// How many labelled examples a clause covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseCounts {
    /// Positives that it covers: `TP`.
    pub true_positives: usize,
    /// Negatives that it covers: `FP`.
    pub false_positives: usize,
    /// All positives of the data set: `P`.
    pub positives: usize,
    /// All negatives of the data set: `N`.
    pub negatives: usize,
}

impl ClauseCounts {
    /// `TP / (TP + FP)`; `None` for a clause that covers nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
    pub fn precision(&self) -> Option<f64> {
        let covered = self.true_positives + self.false_positives;
        (covered > 0).then(|| self.true_positives as f64 / covered as f64)
    }

    /// `TP / P`; `None` without positives.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
    pub fn recall(&self) -> Option<f64> {
        (self.positives > 0).then(|| self.true_positives as f64 / self.positives as f64)
    }
}

impl Dataset {
    /// Counts the examples that each clause covers, in the order given.
    ///
    /// Clauses are texts, as `advisedby(A,B) :- publication(C,A), publication(C,B).`, with the target as their head.
    /// They are evaluated in parallel, and exactly. Constants that the data lack cover nothing.
    ///
    /// **Cost**: as of `gleaner cover`: a pass over the examples for each part of a clause that no clause before had.
    ///
    /// # Errors
    ///
    /// Every clause that cannot be read, has another head, uses a predicate without facts or rules, or has a
    /// variable without a value.
    ///
    /// # Panics
    ///
    /// Never: nothing interrupts an unlimited budget.
    pub fn evaluate<I>(&self, clauses: I) -> Result<Vec<ClauseCounts>, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let binding = Binding::of(self.problem(), &usable_predicates(self.problem()), clauses)?;
        let labelled = self.labelled_examples();
        let universe = Universe::new(Arc::clone(&self.problem().examples), &labelled);
        let capacity = CoverStore::usual_capacity(&universe);
        let store = Arc::new(CoverStore::with_capacity(binding.worlds(), &universe, capacity));
        let unlimited = Budget::unlimited();
        let counts = |some: &[Clause]| -> Vec<ClauseCounts> {
            let some: Vec<&Clause> = some.iter().collect();
            let covered = cover_clauses(&store, &universe, &some, false, &unlimited).into_iter();
            covered
                .map(|covered| {
                    let counts = covered.expect("an unlimited budget never interrupts").counts;
                    ClauseCounts {
                        true_positives: counts.true_positives,
                        false_positives: counts.false_positives,
                        positives: universe.n_positives(),
                        negatives: universe.n_negatives(),
                    }
                })
                .collect()
        };
        Ok(binding.clauses().par_chunks(CLAUSES_OF_AN_ENGINE).flat_map_iter(counts).collect())
    }
}
