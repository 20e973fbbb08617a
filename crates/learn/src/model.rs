//! A model of any learner.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use gleaner_base::Budget;
use gleaner_base::Counts;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::decision::ChosenThreshold;
use super::explanation::Explanation;
use super::prolog::Program;
use super::saved::Contradiction;
use super::shown::{CsvTable, Extent, Summary};
use super::{Covers, Scoring};

/// A model of any learner.
pub trait Model: Any + fmt::Debug + Send + Sync {
    /// Its clauses, in order; one may come several times.
    fn clauses(&self) -> Vec<&Clause>;

    /// Whether nothing was learnt.
    fn is_empty(&self) -> bool;

    /// Whether one of its clauses is known to cover an example of tune; a learner that does not count them says so.
    fn covers_tune(&self) -> bool {
        true
    }

    /// What it says of the examples of `covers`' universe.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted>;

    /// The same with another threshold of its scores; `None` of a model that decides otherwise.
    fn deciding(&self, _decision: ChosenThreshold) -> Option<Arc<dyn Model>> {
        None
    }

    /// Why the example at a position of `covers`' universe has its score.
    ///
    /// **Cost**: the covers of the model's clauses on the universe, of which one example is used: make it of that
    /// example alone.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted>;

    /// What a person reads of it.
    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary;

    /// It as a file holds it.
    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved>;

    /// Tables for the run's folder, beside those of all learners; of decisions as points of a curve, with their counts
    /// on test.
    fn tables(&self, _test_points: &[Counts]) -> Vec<CsvTable> {
        Vec::new()
    }

    /// It as a Prolog program, of a learner whose models can be one.
    fn prolog(&self) -> Option<Program<'_>> {
        None
    }

    /// The clauses that it is made of, where it calls positive exactly what any of them covers.
    ///
    /// # Errors
    ///
    /// In words why it is no such theory.
    fn theory(&self) -> Result<Vec<&Clause>, String> {
        Err("its clauses, or trees, are weighed together".to_owned())
    }

    /// How many clauses it holds, each distinct one once.
    fn n_distinct_clauses(&self) -> usize {
        self.clauses().into_iter().collect::<BTreeSet<_>>().len()
    }
}

impl dyn Model {
    /// The model as one of this type.
    #[must_use]
    pub fn downcast<M: Model>(&self) -> Option<&M> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

/// A model as a file holds it.
pub trait Saved: erased_serde::Serialize + fmt::Debug + Send + Sync + 'static {
    /// Whether its parts fit together; a file may have been changed by hand.
    ///
    /// # Errors
    ///
    /// What does not fit.
    fn check(&self) -> Result<(), Contradiction>;

    /// The clauses' texts, in order.
    fn clause_texts(&self) -> Vec<String>;

    /// The model, of its clauses as they were read, as many as [`Self::clause_texts`] and in their order.
    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model>;
}

erased_serde::serialize_trait_object!(Saved);
