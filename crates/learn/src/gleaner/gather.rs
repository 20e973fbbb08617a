//! The first stage: searches from K seed examples fill the bins. [GLEANER §3.1.1]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rand::seq::SliceRandom;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::saved::{OverClauses, over_clauses};
use crate::seeds::{KeptSteps, SearchedStep, SeedDraw, SeedSearch, kept_or_searched};
use crate::{Density, RunContext, SeedBottom, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Counts, ExampleId, ExampleSet};
use gleaner_engine::bias::Candidate;
use gleaner_engine::coverage::{ComponentEngine, CoverStore};
use gleaner_engine::search::directed::{ListedTransfer, Transfer};
use gleaner_engine::search::{ClauseScore, Counting, Evaluated, Evaluations, Observer, Score};
use gleaner_lang::program::Clause;

use super::bins::{BinKeeper, BinRule, Bins};
use super::config::{Emphasis, GatheringConfig};

/// A clause that a seed kept for a bin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptClause<C = Clause> {
    /// The clause, canonical.
    pub clause: C,
    /// Its counts on train.
    pub counts: Counts,
    /// The fingerprint of the set of train positions that it covers; clauses of one coverage are known by it. The sets
    /// themselves would take hundreds of megabytes, and are found again.
    pub coverage: u128,
}

over_clauses!(KeptClause { clause; counts, coverage });

/// The result of one seed example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedResult<C = Clause> {
    /// The record of the search.
    pub search: SeedSearch,
    /// How many acceptable clauses have each precision and recall.
    pub density: Density,
    /// For each checkpoint, the clauses kept for each bin.
    pub bins: Vec<Vec<Vec<Arc<KeptClause<C>>>>>,
}

over_clauses!(SeedResult { in bins; search, density });

impl SearchedStep for SeedResult {
    fn searches(&self) -> &[SeedSearch] {
        std::slice::from_ref(&self.search)
    }
}

impl SeedResult {
    /// The result of a seed that an outer stop left without a search.
    fn nothing(task: &Task<'_>, config: &GatheringConfig, search: SeedSearch) -> Self {
        let n_checkpoints = config.all_checkpoints().len();
        Self {
            search,
            density: Density::new(task.train.totals()),
            bins: vec![vec![Vec::new(); config.n_bins]; n_checkpoints],
        }
    }
}

/// The first stage's result. Shape: one entry for each seed, in the order drawn.
#[derive(Clone, Debug)]
pub struct Gathering {
    /// The numbers of clauses per seed at which bins were noted, ascending; the last is `N`.
    pub checkpoints: Vec<u64>,
    /// The result of each seed.
    pub seeds: Vec<SeedResult>,
}

impl Default for Gathering {
    /// The gathering of no seed.
    fn default() -> Self {
        Self { checkpoints: vec![0], seeds: Vec::new() }
    }
}

/// The first seeds of a gathering until a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatheredPart {
    /// Seeds.
    pub n_seeds: usize,
    /// The checkpoint, by its position.
    pub checkpoint_idx: usize,
}

impl Gathering {
    /// Clauses evaluated for a part.
    pub fn n_evaluated(&self, part: GatheredPart) -> u64 {
        let limit = self.checkpoints[part.checkpoint_idx];
        self.seeds.iter().take(part.n_seeds).map(|seed| seed.search.funnel.evaluated().min(limit)).sum()
    }

    /// For each bin, at the last checkpoint, the number of clauses kept over all seeds and of their train coverages.
    /// [GLEANER §6.1]
    pub fn diversity(&self) -> Vec<(usize, usize)> {
        let n_bins = self.seeds.first().and_then(|seed| seed.bins.last()).map_or(0, Vec::len);
        let of_bin = |bin_idx: usize| {
            let bins = self.seeds.iter().filter_map(|seed| seed.bins.last());
            let mut coverages: Vec<(Counts, u128)> =
                bins.flat_map(|bins| &bins[bin_idx]).map(|kept| (kept.counts, kept.coverage)).collect();
            let n_kept = coverages.len();
            coverages.sort_unstable();
            coverages.dedup();
            (n_kept, coverages.len())
        };
        (0..n_bins).map(of_bin).collect()
    }

    /// Where the acceptable clauses of all seeds lie; `None` without seeds.
    pub fn density(&self) -> Option<Density> {
        let mut densities = self.seeds.iter().map(|seed| &seed.density);
        let first = densities.next()?.clone();
        Some(densities.fold(first, |mut sum, density| {
            sum.merge(density);
            sum
        }))
    }

    /// Forgets the checkpoints that no seed reached before an outer stop; the last checkpoint then is the number that
    /// was reached.
    fn admit_stop(&mut self) {
        if !self.seeds.iter().any(|seed| seed.search.stop.is_outer()) {
            return;
        }
        let reached = self.seeds.iter().map(|seed| seed.search.funnel.evaluated()).max().unwrap_or(0);
        let n_reached = self.checkpoints.iter().filter(|&&checkpoint| checkpoint < reached).count();
        let last = self.checkpoints.len() - 1;
        self.checkpoints.truncate(n_reached.min(last));
        self.checkpoints.push(reached);
        for seed in &mut self.seeds {
            let end = seed.bins.pop();
            seed.bins.truncate(self.checkpoints.len() - 1);
            seed.bins.extend(end);
        }
    }
}

/// Searches from `config.n_seeds` seed examples in parallel; the store is that of the train set.
pub fn gather(
    task: &Task<'_>,
    config: &GatheringConfig,
    context: &RunContext<'_>,
    store: &Arc<CoverStore<'_>>,
) -> Gathering {
    gather_numbered(task, config, context, store, 0)
}

/// As [`gather`], with the seeds numbered from `first_idx` on. So each of several gatherings in one run has numbers,
/// random streams and kept seeds of its own.
pub fn gather_numbered(
    task: &Task<'_>,
    config: &GatheringConfig,
    context: &RunContext<'_>,
    store: &Arc<CoverStore<'_>>,
    first_idx: usize,
) -> Gathering {
    gather_in_turn(&[SearchedSet { task: *task, store: Arc::clone(store) }], config, context, first_idx)
}

/// Examples that some seeds are searched on.
#[derive(Debug)]
pub struct SearchedSet<'a, 's> {
    /// Train is these examples.
    pub task: Task<'a>,
    /// Their store.
    pub store: Arc<CoverStore<'s>>,
}

/// As [`gather_numbered`], for several sets in turn: the seeds of each set are drawn from its positives, and searched
/// on it alone.
pub fn gather_in_turn(
    sets: &[SearchedSet<'_, '_>],
    config: &GatheringConfig,
    context: &RunContext<'_>,
    first_idx: usize,
) -> Gathering {
    let mut draws: Vec<SeedDraw> = (0_u64..)
        .zip(sets)
        .map(|(at, set)| {
            let path: Vec<u64> = [first_idx as u64, at].into_iter().filter(|&part| part > 0).collect();
            SeedDraw::new(&set.task, &path, context.rng_seed)
        })
        .collect();
    // Without a seed, a set would know no clause.
    let seeds: Vec<DrawnSeed> = (0..config.n_seeds.max(sets.len()))
        .filter_map(|at| {
            let set = at % sets.len();
            Some(DrawnSeed { idx: first_idx + at, set, example: draws[set].next()? })
        })
        .collect();
    let search = |seed: DrawnSeed, transfer| {
        let SearchedSet { task, store } = &sets[seed.set];
        search_seed(task, config, context, store, seed, transfer)
    };
    let results = match config.carried() {
        None => seeds
            .into_par_iter()
            .map(|seed| kept_or_searched(seed.idx, &sets[seed.set].task, context, || search(seed, None)))
            .collect(),
        // Each seed begins with the knowledge of those before it.
        Some(transfer) => {
            let beginning = if first_idx == 0 { String::new() } else { format!("from-{first_idx}-") };
            let mut steps = KeptSteps::new(&sets[0].task, context, beginning);
            let lock = || transfer.lock().unwrap_or_else(PoisonError::into_inner);
            let search = |seed: DrawnSeed| {
                let mut is_searched = false;
                let CarryingSeed { result, carried } = steps.next(|| {
                    is_searched = true;
                    let result = search(seed, Some(&transfer));
                    CarryingSeed { result, carried: Some(ListedTransfer::from(&*lock())) }
                });
                if let Some(carried) = carried.filter(|_| !is_searched) {
                    *lock() = carried.into();
                }
                result
            };
            seeds.into_iter().map(search).collect()
        }
    };
    let mut gathering = Gathering { checkpoints: config.all_checkpoints(), seeds: results };
    gathering.admit_stop();
    gathering
}

/// A seed, with the transfer from it and the seeds before it to the next.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct CarryingSeed<C = Clause> {
    result: SeedResult<C>,
    /// Nothing where the next is known.
    carried: Option<ListedTransfer<C>>,
}

impl<C> OverClauses for CarryingSeed<C> {
    type Clause = C;
    type Over<D> = CarryingSeed<D>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m C)) {
        self.result.visit(visit);
        self.carried.iter().flat_map(ListedTransfer::clauses).for_each(visit);
    }

    fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> CarryingSeed<D> {
        let result = self.result.map(map);
        CarryingSeed { result, carried: self.carried.as_ref().map(|carried| carried.map(map)) }
    }
}

impl SearchedStep for CarryingSeed {
    fn searches(&self) -> &[SeedSearch] {
        self.result.searches()
    }

    fn forget_for_next(&mut self) {
        self.carried = None;
    }
}

/// One of the seeds.
#[derive(Clone, Copy)]
struct DrawnSeed {
    /// Its number in the order drawn.
    idx: usize,
    /// The set that it is searched on.
    set: usize,
    example: ExampleId,
}

fn search_seed(
    task: &Task<'_>,
    config: &GatheringConfig,
    context: &RunContext<'_>,
    store: &Arc<CoverStore<'_>>,
    seed: DrawnSeed,
    transfer: Option<&Arc<Mutex<Transfer>>>,
) -> SeedResult {
    let bottom = match SeedBottom::new(task, seed.example, config.saturation, context) {
        Ok(bottom) => bottom,
        Err(search) => return SeedResult::nothing(task, config, *search),
    };
    let space = bottom.space(config.max_literals);
    let mut engine = bottom.engine(store, context);
    let rule = BinRule {
        partition: config.partition,
        n_bins: config.n_bins,
        keep: config.keep,
        totals: task.train.totals(),
    };
    let keeper = BinKeeper::new(rule, config.all_checkpoints());
    let mut observer = Gatherer { keeper, density: Density::new(task.train.totals()) };
    let emphasised = emphasised(config.emphasis, task, seed.idx, context.rng_seed);
    let counting = emphasised
        .as_ref()
        .map_or(Counting::Plain, |(negatives, times)| Counting::Emphasised { negatives, times: *times });
    let limits = config.limits.clone();
    let evaluations =
        Evaluations::new(&space, &mut engine, task.train, limits, &mut observer).counting(counting);
    let strategy = config.search.strategy(transfer);
    let search = bottom.search(&*strategy, evaluations, &[task.run_idx, seed.idx as u64], context);
    let Gatherer { keeper, density } = observer;
    let snapshots = keeper.finish();
    engine.go_on_within(context.budget.ending());
    let best_score = snapshots.last().and_then(|bins| best_score(task, bins));
    let bins = keep(&bottom, &mut engine, snapshots);
    context.monitor.seed_finished(task.run_idx, search.funnel.evaluated(), best_score);
    SeedResult { search, density, bins }
}

/// Fills the bins, and counts where clauses lie.
struct Gatherer {
    keeper: BinKeeper,
    density: Density,
}

impl Observer for Gatherer {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        self.density.add(evaluated.counts);
        self.keeper.observe(evaluated)
    }
}

/// The negatives that count more often in the score of one seed's search, and how often.
fn emphasised(
    emphasis: Emphasis,
    task: &Task<'_>,
    seed_idx: usize,
    rng_seed: u64,
) -> Option<(ExampleSet, usize)> {
    let (one_of, times) = match (emphasis, seed_idx % 4) {
        (Emphasis::None, _) | (Emphasis::Multiply, 0) => return None,
        (Emphasis::Salt, _) => (usize::MAX, 5_000),
        (Emphasis::Multiply, 1) => (100, 50),
        (Emphasis::Multiply, 2) => (200, 100),
        (Emphasis::Multiply, _) => (1_000, 500),
    };
    let universe = task.train;
    let positions = universe.iter().map(|(position, _)| position);
    let mut negatives: Vec<usize> = positions.filter(|&position| !universe.is_positive(position)).collect();
    let n_chosen = (negatives.len() / one_of).max(1).min(negatives.len());
    let mut rng = stream(rng_seed, Purpose::Emphasis, &[task.run_idx, seed_idx as u64]);
    let (chosen, _) = negatives.partial_shuffle(&mut rng, n_chosen);
    Some((ExampleSet::from_positions(universe.len(), chosen.iter().copied()), times))
}

fn best_score(task: &Task<'_>, bins: &Bins) -> Option<f64> {
    let totals = task.train.totals();
    bins.iter()
        .flatten()
        .filter_map(|best| Score::F1.of(best.counts, totals, best.candidate.n_literals()))
        .max_by(f64::total_cmp)
}

/// Turns the kept candidates into clauses with their coverage; each candidate once. Candidates that the engine's budget
/// leaves no time for are left out.
fn keep(
    seed: &SeedBottom,
    engine: &mut ComponentEngine<'_>,
    snapshots: Vec<Bins>,
) -> Vec<Vec<Vec<Arc<KeptClause>>>> {
    let mut kept: BTreeMap<Candidate, Option<Arc<KeptClause>>> = BTreeMap::new();
    let mut keep_one = |candidate: Candidate, counts: Counts| {
        kept.entry(candidate)
            .or_insert_with_key(|candidate| {
                if engine.outer_stop().is_some() {
                    return None;
                }
                let coverage = engine.cover(candidate.positions()).ok()?.fingerprint();
                Some(Arc::new(KeptClause { clause: seed.clause(candidate), counts, coverage }))
            })
            .clone()
    };
    snapshots
        .into_iter()
        .map(|bins| {
            bins.into_iter()
                .map(|bests| {
                    bests.into_iter().filter_map(|best| keep_one(best.candidate, best.counts)).collect()
                })
                .collect()
        })
        .collect()
}
