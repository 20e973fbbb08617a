//! Clauses from positives, and from negatives, or given clauses.

use std::sync::Arc;

use crate::gleaner::{SearchedSet, gather_in_turn};
use crate::inner_sets::InnerSets;
use crate::mining_record::{MiningRecord, mine_train};
use crate::pooled_sets::PooledSets;
use crate::{Covers, RunContext, SetStores, StreamPath, Task};
use gleaner_base::Counts;
use gleaner_base::random::{Purpose, stream};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::mining::MinedQuery;
use gleaner_lang::program::Clause;
use gleaner_lang::program::canonical::canonical;

use super::config::{CostSet, FeatureSeeds, SrlConfig};
use super::found::{FeatureClause, Searches, SrlFound};

/// The number of the random streams that draw the examples a part is searched without.
const INNER_STREAM: u64 = 4;

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

/// The given clauses as features. Each speaks for the class of which it covers the larger share on train; if the shares
/// are equal, for positives.
///
/// **Cost**: their covers on train.
fn given_features(
    clauses: &[Clause],
    config: &SrlConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> Result<Vec<FeatureClause>, Interrupted> {
    let covers = Covers::sharing(stores.train);
    let train = covers.universe();
    let totals = train.totals();
    let gathering = &config.gathering;
    let mut features = Vec::with_capacity(clauses.len());
    covers.visit(&clauses.iter().collect::<Vec<_>>(), context.budget, |first, block| {
        for (clause, cover) in clauses[first..].iter().zip(block) {
            let counts = train.counts(cover);
            let Counts { true_positives, false_positives } = counts;
            let is_for_positive = true_positives * totals.n_negatives >= false_positives * totals.n_positives;
            let (of_class, of_totals, first_bin) = if is_for_positive {
                (counts, totals, 0)
            } else {
                (counts.exchanged(), totals.exchanged(), gathering.n_bins)
            };
            let bin = gathering.partition.bin(of_class, of_totals, gathering.n_bins).unwrap_or(1) - 1;
            features.push(FeatureClause {
                clause: clause.clone(),
                train: counts,
                is_from_positive: is_for_positive,
                bin: first_bin + bin,
                found_by: Searches::ALL,
            });
        }
    })?;
    features.sort_by(|one, other| (one.bin, &one.clause).cmp(&(other.bin, &other.clause)));
    Ok(features)
}

/// Searches or mines, unless clauses are given.
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
        let own_head = |query: MinedQuery| match task.labels.classes() {
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
    let sets = PooledSets::of(task.train, task.tune);
    let parts = match config.cost_set {
        CostSet::CrossFitted => {
            sets.cross_fitting_parts(StreamPath { rng_seed: context.rng_seed, run_idx: task.run_idx })
        }
        CostSet::TuneOrFolds | CostSet::Tune | CostSet::InnerFolds => Vec::new(),
    };
    let inner = InnerSets { task, sets: &sets };
    let without = |(at, part): (u64, &Vec<usize>)| {
        let is_left = |number: &usize| part.binary_search(number).is_err();
        let numbers: Vec<usize> = (0..sets.examples.len()).filter(is_left).collect();
        let mut rng = stream(context.rng_seed, Purpose::Weights, &[task.run_idx, INNER_STREAM, at]);
        inner.to_learn_from(&numbers, usize::MAX, &mut rng)
    };
    let made: Vec<Universe> = (0_u64..).zip(&parts).map(without).collect();
    let universes: Vec<&Universe> = if made.is_empty() { vec![task.train] } else { made.iter().collect() };
    let gathered = |sets: &[SearchedSet<'_, '_>], first_idx: usize| {
        gather_in_turn(sets, &config.gathering, context, first_idx)
    };
    let from_positives = if made.is_empty() {
        gathered(&[SearchedSet { task: *task, store: Arc::clone(stores.train) }], 0)
    } else {
        gathered(&searched_sets(task, &universes, context), 0)
    };
    let from_negatives = match config.feature_seeds {
        FeatureSeeds::Positives | FeatureSeeds::Queries => None,
        FeatureSeeds::Both => {
            let exchanged: Vec<Universe> = universes.iter().map(|of| of.exchanged()).collect();
            let sets = searched_sets(task, &exchanged.iter().collect::<Vec<_>>(), context);
            Some(gathered(&sets, config.gathering.n_seeds.max(sets.len())))
        }
    };
    SrlFound { from_positives, from_negatives, n_parts: parts.len().max(1), ..SrlFound::default() }
}

/// Universes with stores of their own.
fn searched_sets<'a>(
    task: &Task<'a>,
    universes: &[&'a Universe],
    context: &RunContext<'_>,
) -> Vec<SearchedSet<'a, 'a>> {
    let searched = |&train: &&'a Universe| {
        let capacity = CoverStore::usual_capacity(train).min(context.cover_bytes) / universes.len();
        let store = Arc::new(CoverStore::with_capacity(task.worlds, train, capacity));
        SearchedSet { task: Task { train, ..*task }, store }
    };
    universes.iter().map(searched).collect()
}
