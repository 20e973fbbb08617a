//! GleanerSRL's record of its search, or of the clauses that took its place.

use serde::{Deserialize, Serialize};

use crate::explanation::Noun;
use crate::gleaner::learner::GatheringRecord;
use crate::mining_record::MiningRecord;
use crate::record::OwnRecord;
use crate::shown::CsvTable;

/// The record that only GleanerSRL has of its search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SrlRecord {
    /// The record of the gathering from positives.
    #[serde(flatten)]
    pub gathered: GatheringRecord,
    /// The number of given clauses, if no clauses were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_clauses: Option<usize>,
    /// The record of mining, where queries were mined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mined: Option<MiningRecord>,
}

impl OwnRecord for SrlRecord {
    fn lines(&self) -> String {
        if let Some(mined) = &self.mined {
            return mined.lines();
        }
        let given =
            self.given_clauses.map(|n| Noun { one: "given clause", many: "given clauses" }.counted(n));
        given.map_or_else(String::new, |given| format!("{given}; nothing was searched\n"))
    }

    fn has_searched(&self) -> bool {
        self.given_clauses.is_none() && self.mined.is_none()
    }

    fn tables(&self) -> Vec<CsvTable> {
        if self.has_searched() { self.gathered.tables() } else { Vec::new() }
    }
}
