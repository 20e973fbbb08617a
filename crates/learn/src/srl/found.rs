//! The findings of a search of `srl`, and its record.

use serde::{Deserialize, Serialize};

use crate::explanation::Noun;
use crate::gleaner::learner::GatheringRecord;
use crate::gleaner::{GatheredPart, Gathering};
use crate::mining_record::MiningRecord;
use crate::record::{OwnRecord, Tries};
use crate::shown::CsvTable;
use gleaner_base::{Counts, StopReason};
use gleaner_lang::program::Clause;

/// The findings of the search.
#[derive(Clone, Debug, Default)]
pub struct SrlFound {
    /// The clauses from positives.
    pub from_positives: Gathering,
    /// The clauses from negatives, with the classes exchanged: a true positive of these clauses is a negative.
    pub from_negatives: Option<Gathering>,
    /// The number of sets that seeds were searched on in turn. Each leaves a part of train and tune out, or there is
    /// train alone.
    pub n_parts: usize,
    /// The clauses that were given or mined, where no clauses were searched.
    pub given: Option<Vec<FeatureClause>>,
    /// The record of mining, where queries were mined.
    pub mined: Option<MiningRecord>,
    /// The outer stop that came before their covers were known: then none of them counts.
    pub stop: Option<StopReason>,
}

impl SrlFound {
    /// The part of the second gathering that belongs to a part of the first. An outer stop may have left it with fewer
    /// seeds or checkpoints.
    pub fn part_from_negatives(&self, part: GatheredPart) -> Option<(&Gathering, GatheredPart)> {
        let gathering = self.from_negatives.as_ref()?;
        let last = gathering.checkpoints.len().checked_sub(1)?;
        let is_last = part.checkpoint_idx + 1 == self.from_positives.checkpoints.len();
        let checkpoint_idx = if is_last { last } else { part.checkpoint_idx.min(last) };
        let n_seeds = part.n_seeds.min(gathering.seeds.len());
        Some((gathering, GatheredPart { n_seeds, checkpoint_idx }))
    }
}

/// A clause that may become a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureClause {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub train: Counts,
    /// Whether its seeds were positives.
    pub is_from_positive: bool,
    /// Its bin, from 0; those of negatives follow those of positives.
    pub bin: usize,
    /// The searches that found it.
    pub found_by: Searches,
}

/// Searches by the numbers of the parts that they leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searches(pub(super) u64);

impl Searches {
    /// All searches: a clause that no search found has no labels in it.
    pub const ALL: Self = Self(u64::MAX);

    /// The search that leaves a part out.
    pub(super) const fn without(part: usize) -> Self {
        Self(1 << part)
    }

    /// Whether the search that leaves a part out is among them.
    pub const fn has(self, part: usize) -> bool {
        self.0 >> part & 1 == 1
    }
}

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

    fn tries(&self) -> Tries {
        match (&self.mined, self.given_clauses) {
            (Some(_), _) => Tries::Queries,
            (None, Some(_)) => Tries::GivenClauses,
            (None, None) => Tries::Clauses,
        }
    }

    fn tables(&self) -> Vec<CsvTable> {
        if self.has_searched() { self.gathered.tables() } else { Vec::new() }
    }
}
