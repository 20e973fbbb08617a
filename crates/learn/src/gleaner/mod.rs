//! Gleaner: keep the best clause of each recall bin from each seed, and combine each bin's clauses
//! into a theory "at least L of these K clauses". [GLEANER §3.1]
//!
//! 1. [`mod@gather`]: searches from K seed examples fill B recall bins each.
//! 2. [`theory`]: the clauses kept over the seeds vote: each bin's alone, or all bins' together.
//! 3. [`threshold`]: for each recall bin the theory and the number of votes are chosen.
//! 4. [`model`]: the chosen decisions classify and score examples.

pub mod bins;
pub mod config;
pub mod explanation;
pub mod gather;
pub mod model;
pub mod theory;
pub mod threshold;

use std::fmt;

use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt};
use crate::record::{OwnRecord, SearchRecord};
use crate::shown::CsvTable;
use crate::{RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::{DataSummary, Given, Settings, Source};

use model::DECISIONS;

pub use config::{
    Duplicates, Emphasis, GatheringConfig, GleanerConfig, Keep, Partition, Selection, TheoryRule,
    ThresholdRule, ThresholdSet, VoteWeights,
};
pub use gather::{GatheredPart, Gathering, SearchedSet, gather, gather_in_turn, gather_numbered};
pub use model::{GleanerModel, learn_from};

/// The name of the table of each bin's diversity.
pub(crate) const DIVERSITY: &str = "diversity";

/// Gleaner.
#[derive(Clone, Copy, Debug)]
pub struct Gleaner;

impl Learner for Gleaner {
    type Config = GleanerConfig;
    type Found = Gathering;
    type Part = GatheredPart;
    type Own = GatheringRecord;
    type Saved = GleanerModel<String>;

    const NAMES: &'static [LearnerName] = &[LearnerName {
        name: "gleaner",
        help: "Gleaner: the best clauses of each recall bin, from many seeds, vote",
    }];

    const TABLES: &'static [&'static str] = &[DECISIONS, DIVERSITY];

    /// Scores are the precision of the best decision with enough votes. Votes by naive Bayes may count what is not covered.
    fn keeps_order(settings: &Settings) -> Result<(), Disorder> {
        let given = Given { settings, data: DataSummary::default() };
        Disorder::unless("votes", GleanerConfig::votes().read(&given), |votes| match votes {
            VoteWeights::Equal | VoteWeights::Precision | VoteWeights::Shared => true,
            VoteWeights::NaiveBayes => false,
        })
    }

    fn same_search(left: &GleanerConfig, right: &GleanerConfig) -> bool {
        left.gathering == right.gathering && left.monotone == right.monotone
    }

    fn search(
        task: &Task<'_>,
        config: &GleanerConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Gathering {
        gather(task, &config.gathering, context, stores.train)
    }

    fn record(found: &Gathering) -> SearchRecord {
        let searches = found.seeds.iter().map(|seed| seed.search.clone()).collect();
        let record = SearchRecord::new(searches, None, GatheringRecord::of(found));
        SearchRecord { density: found.density(), ..record }
    }

    fn points(_config: &GleanerConfig, found: &Gathering) -> Vec<CurvePoint<GatheredPart>> {
        found.points()
    }

    fn lesser(_config: &GleanerConfig, found: &Gathering) -> Vec<CurvePoint<GatheredPart>> {
        found.of_fewer_seeds(1)
    }

    fn fit(
        config: &GleanerConfig,
        found: &Gathering,
        part: &GatheredPart,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let mut model = learn_from(found, *part, config, fitting)?;
        let clauses = model.theories.iter_mut().flat_map(|theory| &mut theory.clauses);
        fitting.reduce(config.reduce_clauses, clauses.map(|clause| &mut clause.clause))?;
        Ok(Learnt::new(model))
    }
}

impl Gathering {
    /// A quarter, a half and three quarters of the seeds at the first checkpoint, then all seeds at each.
    pub fn points(&self) -> Vec<CurvePoint<GatheredPart>> {
        let n_seeds = self.seeds.len();
        let point = |n_seeds: usize, checkpoint_idx: usize| {
            let part = GatheredPart { n_seeds, checkpoint_idx };
            CurvePoint {
                name: format!("{n_seeds}x{}", self.checkpoints[checkpoint_idx]),
                n_evaluated: self.n_evaluated(part),
                part,
            }
        };
        let fewer = [1, 2, 3].map(|quarters| n_seeds * quarters / 4);
        let mut fewer: Vec<usize> = fewer.into_iter().filter(|&n| n > 0 && n < n_seeds).collect();
        fewer.dedup();
        // A run without checkpoints before its end is not cut into parts that nobody asked for.
        let fewer = fewer.into_iter().filter(|_| self.checkpoints.len() > 1).map(|n| point(n, 0));
        fewer.chain((0..self.checkpoints.len()).map(|at| point(n_seeds, at))).collect()
    }

    /// The findings of the first `least` seeds, of twice as many, and so on, below all of them.
    fn of_fewer_seeds(&self, least: usize) -> Vec<CurvePoint<GatheredPart>> {
        let Some(checkpoint_idx) = self.checkpoints.len().checked_sub(1) else { return Vec::new() };
        let twice = |&n_seeds: &usize| n_seeds.checked_mul(2);
        let sizes = std::iter::successors(Some(least.max(1)), twice).take_while(|&n| n < self.seeds.len());
        let point = |n_seeds: usize| {
            let part = GatheredPart { n_seeds, checkpoint_idx };
            CurvePoint {
                name: format!("{n_seeds} of {} seeds", self.seeds.len()),
                n_evaluated: self.n_evaluated(part),
                part,
            }
        };
        sizes.map(point).collect()
    }
}

/// The record that only Gleaner has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GatheringRecord {
    /// Each bin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<BinRecord>,
}

/// How diverse the clauses of a bin are. [GLEANER §6.1]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BinRecord {
    /// The bin, from 1.
    pub bin: usize,
    /// Clauses kept over all seeds.
    pub kept: usize,
    /// How many train coverages they have.
    pub distinct: usize,
    /// Distinct over kept; `None` for an empty bin.
    pub unique_fraction: Option<f64>,
}

impl GatheringRecord {
    /// The diversity of each bin of a gathering.
    #[expect(clippy::cast_precision_loss, reason = "numbers of clauses are far below 2^53")]
    pub fn of(found: &Gathering) -> Self {
        let record = |(bin_idx, (kept, distinct)): (usize, (usize, usize))| BinRecord {
            bin: bin_idx + 1,
            kept,
            distinct,
            unique_fraction: (kept > 0).then(|| distinct as f64 / kept as f64),
        };
        Self { bins: found.diversity().into_iter().enumerate().map(record).collect() }
    }
}

impl OwnRecord for GatheringRecord {
    fn tables(&self) -> Vec<CsvTable> {
        let number = |value: &dyn fmt::Display| value.to_string();
        let row = |bin: &BinRecord| {
            let share = bin.unique_fraction.map_or_else(String::new, |share| share.to_string());
            vec![number(&bin.bin), number(&bin.kept), number(&bin.distinct), share]
        };
        vec![CsvTable {
            name: DIVERSITY,
            header: vec!["bin", "kept", "distinct", "unique_fraction"],
            rows: self.bins.iter().map(row).collect(),
        }]
    }
}
