//! The record of a search, as its learner tells it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use gleaner_base::StopReason;
use gleaner_engine::search::Funnel;

use super::shown::CsvTable;
use super::{Density, SeedSearch};

/// The record of a search.
#[derive(Clone, Debug)]
pub struct SearchRecord {
    /// The search from each seed; of an ensemble, over all theories.
    pub searches: Vec<SeedSearch>,
    /// The number of searches that the report lists one by one, from the first on.
    pub n_told: usize,
    /// The outer stop that came between two seeds.
    pub stop: Option<StopReason>,
    /// The density of the evaluated clauses, if the learner notes it.
    pub density: Option<Density>,
    /// The record that only this learner has.
    pub own: Own,
}

impl SearchRecord {
    /// Where all candidates went.
    pub fn funnel(&self) -> Funnel {
        let mut total = Funnel::default();
        self.searches.iter().for_each(|seed| total.add(&seed.funnel));
        total
    }

    /// Whether an outer stop cut the search short.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some() || self.searches.iter().any(|seed| seed.stop.is_outer())
    }
}

/// What a learner tries on its way to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tries {
    /// Clauses, which it searches.
    Clauses,
    /// Tests of the nodes of trees.
    Tests,
    /// Frequent queries, which it mines.
    Queries,
    /// The clauses that it is given.
    GivenClauses,
}

/// The part of a search record that one learner defines. A run's record holds its fields beside those of all learners.
pub trait OwnRecord: Any + erased_serde::Serialize + fmt::Debug + Send + Sync {
    /// One search as a person reads it, in whole lines.
    fn lines(&self) -> String {
        String::new()
    }

    /// The searches of several runs, this one's and the further ones', as a person reads them, in whole lines.
    fn lines_of_runs(&self, _further: &[&dyn OwnRecord]) -> String {
        String::new()
    }

    /// Whether the lines say why searches ended; a run then reports outer stops only.
    fn tells_ends(&self) -> bool {
        false
    }

    /// What was tried on the way to a model.
    fn tries(&self) -> Tries {
        Tries::Clauses
    }

    /// Whether clauses were searched; if not, the report leaves out seeds, and where candidates went.
    fn has_searched(&self) -> bool {
        self.tries() == Tries::Clauses
    }

    /// Tables for the run's folder.
    fn tables(&self) -> Vec<CsvTable> {
        Vec::new()
    }
}

impl dyn OwnRecord {
    /// The record as one of this type.
    pub fn downcast<T: OwnRecord>(&self) -> Option<&T> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

/// The record that only one learner has, whatever its type. Records that say the same are equal.
#[derive(Clone, Debug)]
pub struct Own(Arc<dyn OwnRecord>);

impl Own {
    /// A learner's own record.
    pub fn new(record: impl OwnRecord) -> Self {
        Self(Arc::new(record))
    }
}

impl std::ops::Deref for Own {
    type Target = dyn OwnRecord;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl serde::Serialize for Own {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.0, serializer)
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        let said = |record: &Self| serde_json::to_value(record).ok();
        said(self) == said(other)
    }
}
