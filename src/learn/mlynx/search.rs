//! Queries, mined on train or given.

use crate::base::StopReason;
use crate::learn::{RunContext, SetStores, Task};
use crate::mining::levels::{Ground, mine};
use crate::mining::{Level, MiningConfig};
use crate::program::Clause;

/// What was mined.
#[derive(Clone, Debug, Default)]
pub struct MlynxFound {
    /// The queries, by length and then in canonical order.
    pub queries: Vec<Clause>,
    /// What came of each length.
    pub levels: Vec<Level>,
    /// What stopped it.
    pub stop: Option<StopReason>,
    /// Whether they were given.
    pub are_given: bool,
}

/// Mines on train, unless clauses are given.
#[must_use]
pub fn search(
    task: &Task<'_>,
    config: &MiningConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> MlynxFound {
    if let Some(given) = task.given {
        return MlynxFound { queries: given.to_vec(), are_given: true, ..MlynxFound::default() };
    }
    let classes = task.classes.map(|list| task.train.class_sets(list.len()));
    let ground =
        Ground { worlds: task.worlds, modes: task.modes, store: stores.train, classes: classes.as_deref() };
    let mined = mine(ground, config, context.budget, &|_| {});
    MlynxFound {
        queries: mined.queries.into_iter().map(|query| query.clause).collect(),
        levels: mined.levels,
        stop: mined.stop,
        are_given: false,
    }
}
