//! A model of any learner.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use gleaner_base::Budget;
use gleaner_base::Counts;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::contradiction::Contradiction;
use super::decision::ChosenThreshold;
use super::explanation::Explanation;
use super::prolog::Program;

use super::shown::{CsvTable, Extent, Summary};
use super::{Covers, Scoring};

/// A model of any learner.
pub trait Model: Any + fmt::Debug + Send + Sync {
    /// Its clauses, in order; one may come several times.
    fn clauses(&self) -> Vec<&Clause>;

    /// Whether nothing was learnt.
    fn is_empty(&self) -> bool;

    /// Whether some clause of the model is known to cover an example of tune; a learner that does not count them says
    /// yes.
    fn covers_tune(&self) -> bool {
        true
    }

    /// The model's scores of the examples of `covers`' universe.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted>;

    /// The curve of each theory of the model on the examples of `covers`: each number of votes that changes what is called
    /// positive, descending, with its counts. Empty for models without theories that vote.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn theory_curves(
        &self,
        _covers: &Covers<'_>,
        _budget: &Budget,
    ) -> Result<Vec<Vec<(f64, Counts)>>, Interrupted> {
        Ok(Vec::new())
    }

    /// The same model with another threshold of its scores; `None` for a model that decides otherwise.
    fn deciding(&self, _decision: ChosenThreshold) -> Option<Arc<dyn Model>> {
        None
    }

    /// Why the example at a position of `covers`' universe has its score.
    ///
    /// **Cost**: the covers of the model's clauses on the universe. Only one example is used, so make the universe of
    /// that example alone.
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

    /// The model as a person reads it.
    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary;

    /// The same as a part of another model, whose threshold decides: without its own.
    fn part_summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        self.summary(symbols, extent)
    }

    /// The model as a file holds it.
    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved>;

    /// Tables for the run's folder, beside those of all learners. Decisions are points of a curve, with their counts on
    /// test.
    fn tables(&self, _test_points: &[Counts]) -> Vec<CsvTable> {
        Vec::new()
    }

    /// The model as a Prolog program, if the learner's models can be one.
    fn prolog(&self) -> Option<Program<'_>> {
        None
    }

    /// The model as clauses with a formula of the score, [`Program::scoring`], if there is one. What Prolog would read of
    /// it may be missing.
    fn formula(&self) -> Option<Program<'_>> {
        self.prolog().filter(|program| program.scoring.score.is_some())
    }

    /// The clauses that it is made of, if it calls positive exactly the examples that any of them covers.
    ///
    /// # Errors
    ///
    /// In words why it is no such theory.
    fn theory(&self) -> Result<Vec<&Clause>, String> {
        Err("its clauses, or trees, are weighed together".to_owned())
    }

    /// The number of its distinct clauses.
    fn n_distinct_clauses(&self) -> usize {
        self.clauses().into_iter().collect::<BTreeSet<_>>().len()
    }
}

impl dyn Model {
    /// The model as one of this type.
    pub fn downcast<M: Model>(&self) -> Option<&M> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

/// A model as a file holds it.
pub trait Saved: erased_serde::Serialize + fmt::Debug + Send + Sync + 'static {
    /// Whether its parts fit together.
    ///
    /// # Errors
    ///
    /// The contradiction between parts that do not fit.
    fn check(&self) -> Result<(), Contradiction>;

    /// The clauses' texts, in order.
    fn clause_texts(&self) -> Vec<String>;

    /// The model of its clauses as they were read: as many as [`Self::clause_texts`], and in their order.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model>;
}

erased_serde::serialize_trait_object!(Saved);
