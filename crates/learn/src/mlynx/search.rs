//! Queries, mined on train or given.

use std::sync::{Mutex, PoisonError};

use crate::mining_record::{MiningRecord, mine_train};
use crate::{RunContext, SetStores, Task};
use gleaner_base::StopReason;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::mining::{Level, MiningConfig};
use gleaner_lang::program::Clause;

use super::config::MlynxConfig;
use super::selection::MeanBayes;

/// The mined queries, with the counts of the mining.
#[derive(Debug, Default)]
pub struct MlynxFound {
    /// The queries, by length and then in canonical order.
    pub queries: Vec<Clause>,
    /// The counts of each length.
    pub levels: Vec<Level>,
    /// The stop that ended mining.
    pub stop: Option<StopReason>,
    /// Whether they were given.
    pub are_given: bool,
    /// The sets that were chosen at once for all classes, where there are many.
    chosen: Mutex<Vec<ChosenSets>>,
}

/// Sets that were chosen.
#[derive(Debug)]
struct ChosenSets {
    /// The settings that they were chosen by.
    config: MlynxConfig,
    /// The part of the examples that they were chosen for.
    part: u64,
    mean: MeanBayes,
}

impl MlynxFound {
    /// The record of the mining.
    pub fn record(&self) -> MiningRecord {
        MiningRecord { queries: self.queries.len(), are_given: self.are_given, levels: self.levels.clone() }
    }

    /// The sets for a part of the examples: those that were chosen for another class, or chosen now.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn chosen(
        &self,
        config: &MlynxConfig,
        part: u64,
        choose: impl FnOnce() -> Result<MeanBayes, Interrupted>,
    ) -> Result<MeanBayes, Interrupted> {
        let known = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_this = |known: &&ChosenSets| (&known.config, known.part) == (config, part);
        if let Some(known) = known.iter().find(is_this) {
            return Ok(known.mean.clone());
        }
        drop(known);
        let mean = choose()?;
        let chosen = ChosenSets { config: config.clone(), part, mean: mean.clone() };
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).push(chosen);
        Ok(mean)
    }
}

/// Mines on train, unless clauses are given.
///
/// DIVERGENCE: [MLYNX §2] has no tune examples, and mines on all that it learns from. Sets of queries are learnt from
/// train and tune together.
pub fn search(
    task: &Task<'_>,
    config: &MiningConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> MlynxFound {
    if let Some(given) = task.given {
        return MlynxFound { queries: given.to_vec(), are_given: true, ..MlynxFound::default() };
    }
    let mined = mine_train(task, config, context, stores);
    MlynxFound {
        queries: mined.queries.into_iter().map(|query| query.clause).collect(),
        levels: mined.levels,
        stop: mined.stop,
        are_given: false,
        chosen: Mutex::default(),
    }
}
