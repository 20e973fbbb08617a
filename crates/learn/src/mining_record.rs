//! Queries that a learner mines on train, and the record of the mining.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::explanation::Noun;
use super::record::{OwnRecord, Tries};
use super::{RunContext, SetStores, Task};
use gleaner_engine::mining::levels::{Ground, mine};
use gleaner_engine::mining::{Level, Mined, MiningConfig};

/// Mines queries on train; where there are many classes, for all of them.
pub fn mine_train(
    task: &Task<'_>,
    config: &MiningConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> Mined {
    let classes = task.labels.classes().map(|list| task.train.class_sets(list.len()));
    let ground =
        Ground { worlds: task.worlds, modes: task.modes, store: stores.train, classes: classes.as_deref() };
    mine(ground, config, context.budget, &|_| {})
}

/// The record of mining, or of the clauses that were given in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MiningRecord {
    /// The number of queries that were mined, or given.
    pub queries: usize,
    /// Whether they were given.
    pub are_given: bool,
    /// The counts of the queries of each length.
    pub levels: Vec<Level>,
}

impl OwnRecord for MiningRecord {
    fn lines(&self) -> String {
        if self.are_given {
            let given = Noun { one: "given clause", many: "given clauses" };
            return format!("{}; nothing was mined\n", given.counted(self.queries));
        }
        let frequent = Noun { one: "frequent query", many: "frequent queries" };
        let mut text = format!("{} mined\n", frequent.counted(self.queries));
        for level in &self.levels {
            let _ = writeln!(
                text,
                "  length {}: {} frequent of {} candidates; {} spared by a rarer part, {} by the facts",
                level.length, level.n_frequent, level.n_candidates, level.n_infrequent_part, level.n_implied
            );
            if level.n_not_lengthened > 0 {
                let _ = writeln!(
                    text,
                    "    {} shorter ones, those that tell least, were not lengthened: ⁅candidates⁆",
                    level.n_not_lengthened
                );
            }
        }
        text
    }

    fn tries(&self) -> Tries {
        Tries::Queries
    }
}
