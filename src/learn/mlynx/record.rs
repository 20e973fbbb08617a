//! What mLynx tells of its mining.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::learn::explanation::Noun;
use crate::learn::record::OwnRecord;
use crate::mining::Level;

use super::search::MlynxFound;

/// What only mLynx tells of its search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MiningRecord {
    /// How many queries were mined, or given.
    pub queries: usize,
    /// Whether they were given.
    pub are_given: bool,
    /// What came of queries of each length.
    pub levels: Vec<Level>,
}

impl MiningRecord {
    /// Of what was found.
    #[must_use]
    pub fn of(found: &MlynxFound) -> Self {
        Self { queries: found.queries.len(), are_given: found.are_given, levels: found.levels.clone() }
    }
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
        }
        text
    }

    fn has_searched(&self) -> bool {
        false
    }
}
