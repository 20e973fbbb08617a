//! The record of a search, as its learner tells it.
//!
//! Queries that a learner mines on train, and the record of the mining.
//!
//! Where a search spent its evaluations: clauses counted over precision and recall. [GLEANER §6.2]

use std::any::Any;
use std::fmt;
use std::fmt::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gleaner_base::{Counts, StopReason, Totals};
use gleaner_engine::mining::levels::{Ground, mine};
use gleaner_engine::mining::{Level, Mined, MiningConfig};
use gleaner_engine::search::Funnel;

use super::shown::{CsvTable, Noun};
use super::{RunContext, SeedSearch, SetStores, Task};

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
    /// The record of a learner that lists all its searches and notes no density.
    pub fn new(searches: Vec<SeedSearch>, stop: Option<StopReason>, own: impl OwnRecord) -> Self {
        Self { n_told: searches.len(), searches, stop, density: None, own: Own::new(own) }
    }

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

impl Serialize for Own {
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

/// Cells of each axis.
const N_CELLS: usize = 100;

/// How many clauses have each whole percent of precision and of recall; 65.2 and 65.9 are both 65, and 100
/// counts with 99.
///
/// **Shape**: `N_CELLS²` counts once anything was added, row by row of recall.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Density {
    totals: Totals,
    cells: Vec<u64>,
}

/// One cell that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DensityCell {
    /// Percent of recall, 0 to 99.
    pub recall: usize,
    /// Percent of precision, 0 to 99.
    pub precision: usize,
    /// Clauses.
    pub n_clauses: u64,
}

impl Density {
    /// Nothing counted yet.
    pub const fn new(totals: Totals) -> Self {
        Self { totals, cells: Vec::new() }
    }

    /// Counts a clause; one that covers nothing has no precision, and is not counted.
    pub fn add(&mut self, counts: Counts) {
        let weight = self.totals.negative_weight;
        let covered = counts.in_parts(weight);
        if covered == 0 || self.totals.n_positives == 0 {
            return;
        }
        let percent = Counts { false_positives: 0, ..counts }.in_parts(weight) * N_CELLS as u128 / covered;
        let precision = usize::try_from(percent).map_or(N_CELLS, |percent| percent).min(N_CELLS - 1);
        let recall = (counts.true_positives * N_CELLS / self.totals.n_positives).min(N_CELLS - 1);
        self.cells.resize(N_CELLS * N_CELLS, 0);
        self.cells[recall * N_CELLS + precision] += 1;
    }

    /// Adds another search's counts.
    pub fn merge(&mut self, other: &Self) {
        if !other.cells.is_empty() {
            self.cells.resize(N_CELLS * N_CELLS, 0);
            self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += other);
        }
    }

    /// The cells that are not empty, by recall and then precision.
    pub fn cells(&self) -> impl Iterator<Item = DensityCell> + '_ {
        self.cells
            .iter()
            .enumerate()
            .filter(|(_, n_clauses)| **n_clauses > 0)
            .map(|(at, &n_clauses)| DensityCell { recall: at / N_CELLS, precision: at % N_CELLS, n_clauses })
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::{Counts, NegativeWeight, Totals};

    use super::{Density, DensityCell};

    #[test]
    fn percents_are_cut_and_a_hundred_counts_with_ninety_nine() {
        let totals = Totals { n_positives: 3, n_negatives: 9, negative_weight: NegativeWeight::ONE };
        let mut density = Density::new(totals);
        for (true_positives, false_positives) in [(2, 1), (2, 1), (3, 0), (0, 0)] {
            density.add(Counts { true_positives, false_positives });
        }
        let cell = |recall, precision, n_clauses| DensityCell { recall, precision, n_clauses };
        assert_eq!(density.cells().collect::<Vec<_>>(), [cell(66, 66, 2), cell(99, 99, 1)]);
    }
}
