//! Clauses from positives, and from negatives, or given clauses.
//!
//! The clauses that become features.
//!
//! The findings of a search of `srl`, and its record.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::gleaner::theory::Theory;
use crate::gleaner::{GatheredPart, Gathering, GatheringRecord, SearchedSet, gather_in_turn};
use crate::pooled_sets::{InnerSets, PooledSets};
use crate::record::{MiningRecord, OwnRecord, Tries, mine_train};
use crate::shown::{CsvTable, Noun};
use crate::{Covers, RunContext, SetStores, StreamPath, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::information_on_classes;
use gleaner_base::{Counts, StopReason, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::mining::MinedQuery;
use gleaner_lang::program::Clause;
use gleaner_lang::program::canonical::canonical;

use super::{CostSet, FeatureSeeds, SrlConfig};

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

/// A part of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SrlPart {
    /// The seeds, and how long each was searched.
    pub gathered: GatheredPart,
    /// So many clauses at most, those that tell most of the class; `None` for all.
    pub most_clauses: Option<usize>,
}

/// The clauses of a part, bin by bin. Within a bin, clauses of one train coverage are there once, in canonical order;
/// given clauses are all there.
///
/// A clause that several searches found is one, in the bin of the first. Its cover on train is known of a search of
/// train alone.
pub fn feature_clauses(found: &SrlFound, part: GatheredPart, n_bins: usize) -> Vec<FeatureClause> {
    if let Some(given) = &found.given {
        return given.clone();
    }
    let mut clauses: Vec<FeatureClause> = Vec::new();
    let mut known: BTreeMap<(bool, Clause), usize> = BTreeMap::new();
    let mut add = |feature: FeatureClause| {
        let next = clauses.len();
        let at = *known.entry((feature.is_from_positive, feature.clause.clone())).or_insert(next);
        match clauses.get_mut(at) {
            Some(first) => first.found_by.0 |= feature.found_by.0,
            None => clauses.push(feature),
        }
    };
    let n_parts = found.n_parts.max(1);
    for without in 0..n_parts {
        let of = Gathered { n_parts, without, n_bins };
        of.features(&found.from_positives, part, true).for_each(&mut add);
    }
    if let Some((gathering, part)) = found.part_from_negatives(part) {
        for without in 0..n_parts {
            let of = Gathered { n_parts, without, n_bins };
            of.features(gathering, part, false).for_each(&mut add);
        }
    }
    clauses.sort_by_key(|feature| feature.bin);
    clauses
}

/// So many clauses at most, in their order: equally many of each search, those whose cover on train tells most of the
/// class.
pub fn most_telling(
    clauses: Vec<FeatureClause>,
    most: usize,
    n_parts: usize,
    totals: Totals,
) -> Vec<FeatureClause> {
    let all = totals.weighted();
    let told = |feature: &FeatureClause| {
        let held = feature.train.weighted(totals.negative_weight);
        information_on_classes(&[held.positives, held.negatives], &[all.positives, all.negatives])
    };
    let mut ranked: Vec<(f64, usize)> =
        clauses.iter().enumerate().map(|(at, feature)| (told(feature), at)).collect();
    ranked.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let n_parts = n_parts.max(1);
    let mut is_kept = vec![false; clauses.len()];
    for part in 0..n_parts {
        let of_part = ranked.iter().filter(|(_, at)| n_parts == 1 || clauses[*at].found_by.has(part));
        of_part.take(most.div_ceil(n_parts)).for_each(|&(_, at)| is_kept[at] = true);
    }
    clauses.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(feature, _)| feature).collect()
}

/// The seeds of a gathering that leave a part out.
#[derive(Clone, Copy)]
struct Gathered {
    n_parts: usize,
    without: usize,
    n_bins: usize,
}

impl Gathered {
    fn features(
        self,
        gathering: &Gathering,
        part: GatheredPart,
        is_from_positive: bool,
    ) -> impl Iterator<Item = FeatureClause> {
        let Self { n_parts, without, n_bins } = self;
        let first_bin = if is_from_positive { 0 } else { n_bins };
        (0..n_bins).flat_map(move |bin| {
            let seeds = gathering.seeds[..part.n_seeds].iter();
            let mut seeds = seeds.skip(without).step_by(n_parts);
            let theory = Theory::of_seeds(&mut seeds, part.checkpoint_idx, bin..bin + 1);
            theory.clauses.into_iter().map(move |member| FeatureClause {
                clause: member.clause,
                train: if is_from_positive { member.counts } else { member.counts.exchanged() },
                is_from_positive,
                bin: first_bin + bin,
                found_by: Searches::without(without),
            })
        })
    }
}

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
