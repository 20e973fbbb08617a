//! A search that ended without a model.

use serde::Serialize;

use crate::base::StopReason;
use crate::search::Funnel;

use super::run::RunResult;
use super::search_summary::SeedSummary;

/// Where the candidates went when nothing was learnt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NothingLearnt {
    /// Those of all seeds.
    pub funnel: Funnel,
    /// Those of each seed.
    pub seeds: Vec<SeedSummary>,
    /// The outer stop that a search met, if one did.
    pub stop: Option<StopReason>,
}

impl NothingLearnt {
    /// What the searches of some runs came to, where no model has a clause.
    #[must_use]
    pub fn of(runs: &[RunResult]) -> Self {
        let mut funnel = Funnel::default();
        runs.iter().for_each(|run| funnel.add(&run.search.funnel));
        Self {
            funnel,
            seeds: runs.iter().flat_map(|run| run.search.seeds.iter().cloned()).collect(),
            stop: runs.iter().find_map(|run| run.search.outer_stop()),
        }
    }
}
