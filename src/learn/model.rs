//! A model of any learner.

use crate::base::Budget;
use crate::coverage::component::Interrupted;

use super::boost::BoostModel;
use super::covering::CoveringModel;
use super::gleaner::GleanerModel;
use super::{Covers, Scoring};

/// A model of any learner.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// Gleaner's.
    Gleaner(GleanerModel),
    /// A covering theory, or an ensemble of them.
    Covering(CoveringModel),
    /// Boosted rules.
    Boost(BoostModel),
}

impl Model {
    /// How many clauses it holds, each distinct one once.
    #[must_use]
    pub fn n_distinct_clauses(&self) -> usize {
        match self {
            Self::Gleaner(model) => model.n_distinct_clauses(),
            Self::Covering(model) => model.n_distinct_clauses(),
            Self::Boost(model) => model.n_distinct_clauses(),
        }
    }

    /// Whether nothing was learnt: there is no decision to make.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Gleaner(model) => model.decisions.is_empty(),
            Self::Covering(model) => model.threshold.is_none(),
            Self::Boost(model) => model.rounds.is_empty(),
        }
    }

    /// What it says of the examples of `covers`' universe.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        match self {
            Self::Gleaner(model) => model.score(covers, budget),
            Self::Covering(model) => model.score(covers, budget),
            Self::Boost(model) => model.score(covers, budget),
        }
    }
}
