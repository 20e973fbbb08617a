//! Clauses from positives, and from negatives, or those that are given.

use crate::base::StopReason;
use crate::coverage::CoverStore;
use crate::coverage::component::Interrupted;
use crate::learn::gleaner::{GatheredPart, Gathering, gather, gather_numbered};
use crate::learn::mining_record::{MiningRecord, mine_train};
use crate::learn::{RunContext, SetStores, Task};
use crate::mining::MinedQuery;
use crate::program::Clause;
use crate::program::canonical::canonical;

use super::clauses::FeatureClause;
use super::config::{FeatureSeeds, SrlConfig};
use super::given::given_features;

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct SrlFound {
    /// From positives.
    pub from_positives: Gathering,
    /// From negatives, with the classes exchanged: a true positive of these clauses is a negative.
    pub from_negatives: Option<Gathering>,
    /// The clauses that were given or mined, where no clauses were searched.
    pub given: Option<Vec<FeatureClause>>,
    /// What mining came to, where queries were mined.
    pub mined: Option<MiningRecord>,
    /// The outer stop that came before their covers were known: then none of them counts.
    pub stop: Option<StopReason>,
}

impl SrlFound {
    /// The part of the second gathering that belongs to a part of the first. An outer stop may have left it with fewer
    /// seeds or checkpoints.
    #[must_use]
    pub fn part_from_negatives(&self, part: GatheredPart) -> Option<(&Gathering, GatheredPart)> {
        let gathering = self.from_negatives.as_ref()?;
        let last = gathering.checkpoints.len().checked_sub(1)?;
        let is_last = part.checkpoint_idx + 1 == self.from_positives.checkpoints.len();
        let checkpoint_idx = if is_last { last } else { part.checkpoint_idx.min(last) };
        let n_seeds = part.n_seeds.min(gathering.seeds.len());
        Some((gathering, GatheredPart { n_seeds, checkpoint_idx }))
    }
}

/// Clauses in place of a search.
fn of_clauses(
    clauses: &[Clause],
    config: &SrlConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> SrlFound {
    let (given, stop) = match given_features(clauses, config, context, stores) {
        Ok(features) => (features, None),
        Err(Interrupted(reason)) => (Vec::new(), Some(reason)),
    };
    SrlFound { given: Some(given), stop, ..SrlFound::default() }
}

/// Searches or mines, unless clauses are given.
#[must_use]
pub fn search(
    task: &Task<'_>,
    config: &SrlConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> SrlFound {
    if let Some(clauses) = task.given {
        return of_clauses(clauses, config, context, stores);
    }
    if config.feature_seeds == FeatureSeeds::Queries {
        let mined = mine_train(task, &config.mining, context, stores);
        let own_head = |query: MinedQuery| match task.classes {
            Some(list) => list.with_own_head(&query.clause),
            None => query.clause,
        };
        let levels = mined.levels;
        // In the form that given clauses have.
        let mut clauses: Vec<Clause> =
            mined.queries.into_iter().map(|query| canonical(&own_head(query))).collect();
        clauses.sort_unstable();
        clauses.dedup();
        let record = MiningRecord { queries: clauses.len(), are_given: false, levels };
        let found = of_clauses(&clauses, config, context, stores);
        let stop = found.stop.or(mined.stop.filter(|stop| stop.is_outer()));
        return SrlFound { mined: Some(record), stop, ..found };
    }
    let from_positives = gather(task, &config.gathering, context, stores.train);
    let from_negatives = match config.feature_seeds {
        FeatureSeeds::Positives | FeatureSeeds::Queries => None,
        FeatureSeeds::Both => {
            let exchanged = task.train.exchanged();
            let capacity = CoverStore::usual_capacity(&exchanged).min(context.cover_bytes);
            let store = std::sync::Arc::new(CoverStore::with_capacity(task.worlds, &exchanged, capacity));
            let task = Task { train: &exchanged, ..*task };
            Some(gather_numbered(&task, &config.gathering, context, &store, config.gathering.n_seeds))
        }
    };
    SrlFound { from_positives, from_negatives, ..SrlFound::default() }
}
