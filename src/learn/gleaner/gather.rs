//! The first stage: searches from K seed examples fill the bins. [GLEANER §3.1.1]

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::seq::SliceRandom;
use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::base::random::{Purpose, stream};
use crate::base::{ExampleId, StopReason};
use crate::bias::{BottomClause, Candidate, LimitCut, RefinementSpace, saturate};
use crate::coverage::{ComponentEngine, Counts, CoverStore};
use crate::learn::{Conduct, Task};
use crate::program::{Clause, Literal, canonical};
use crate::search::{Evaluations, Funnel, Score, Totals};

use super::bins::{BinKeeper, Bins};
use super::config::GleanerConfig;

/// A clause that a seed kept for a bin.
#[derive(Clone, Debug)]
pub struct KeptClause {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub counts: Counts,
    /// The fingerprint of the set of train positions that it covers, by which clauses of one coverage
    /// are known; the sets themselves would take hundreds of megabytes, and are found again.
    pub coverage: u128,
}

/// What one seed example gave.
#[derive(Clone, Debug)]
pub struct SeedResult {
    /// The seed.
    pub seed_example: ExampleId,
    /// Literals of its bottom clause.
    pub n_bottom_literals: usize,
    /// Limits that cut the bottom clause.
    pub cuts: Vec<LimitCut>,
    /// Why its search ended.
    pub stop: StopReason,
    /// Where its candidates went.
    pub funnel: Funnel,
    /// For each checkpoint, the clauses kept for each bin.
    pub bins: Vec<Vec<Vec<Arc<KeptClause>>>>,
}

/// The first stage's result. Shape: one entry for each seed, in the order drawn.
#[derive(Clone, Debug)]
pub struct Gathering {
    /// The numbers of clauses per seed at which bins were noted, ascending; the last is `N`.
    pub checkpoints: Vec<u64>,
    /// What each seed gave.
    pub seeds: Vec<SeedResult>,
}

impl Gathering {
    /// Where all candidates went.
    #[must_use]
    pub fn funnel(&self) -> Funnel {
        let mut total = Funnel::default();
        self.seeds.iter().for_each(|seed| total.add(&seed.funnel));
        total
    }

    /// Forgets the checkpoints that no seed reached before an outer stop; the last then is what was
    /// reached.
    fn admit_stop(&mut self) {
        if !self.seeds.iter().any(|seed| seed.stop.is_outer()) {
            return;
        }
        let reached = self.seeds.iter().map(|seed| seed.funnel.evaluated()).max().unwrap_or(0);
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
#[must_use]
pub fn gather(
    task: &Task<'_>,
    config: &GleanerConfig,
    conduct: &Conduct<'_>,
    store: &Arc<CoverStore<'_>>,
) -> Gathering {
    let seeds = draw_seeds(task, config.n_seeds, conduct.rng_seed);
    let results = seeds
        .into_par_iter()
        .enumerate()
        .map(|(seed_idx, seed_example)| search_seed(task, config, conduct, store, (seed_idx, seed_example)))
        .collect();
    let mut gathering = Gathering { checkpoints: config.all_checkpoints(), seeds: results };
    gathering.admit_stop();
    gathering
}

/// Seeds without repetition while there are unused positives, then again from all of them; a repeated
/// seed is searched with another random stream.
fn draw_seeds(task: &Task<'_>, n_seeds: usize, rng_seed: u64) -> Vec<ExampleId> {
    let positives: Vec<ExampleId> = task.train.positives().collect();
    let mut rng = stream(rng_seed, Purpose::SeedExamples, &[task.run_idx]);
    let mut seeds = Vec::with_capacity(n_seeds);
    while seeds.len() < n_seeds && !positives.is_empty() {
        let mut round = positives.clone();
        round.shuffle(&mut rng);
        seeds.extend(round.into_iter().take(n_seeds - seeds.len()));
    }
    seeds
}

fn search_seed(
    task: &Task<'_>,
    config: &GleanerConfig,
    conduct: &Conduct<'_>,
    store: &Arc<CoverStore<'_>>,
    (seed_idx, seed_example): (usize, ExampleId),
) -> SeedResult {
    let background = &task.worlds[task.examples.world(seed_example).index()];
    let bottom = saturate(background, task.modes, task.examples, seed_example, config.saturation);
    let space = RefinementSpace::new(&bottom, config.max_literals);
    let mut engine = engine(store, &bottom, conduct);
    let totals = (task.train.n_positives(), task.train.negative_weight());
    let mut keeper = BinKeeper::new(config.keep, config.n_bins, totals, config.all_checkpoints());
    let mut evaluations =
        Evaluations::new(&space, &mut engine, task.train, config.limits.clone(), &mut keeper);
    let mut rng = stream(conduct.rng_seed, Purpose::Search, &[task.run_idx, seed_idx as u64]);
    let stop = match conduct.budget.stop() {
        Some(reason) => reason,
        None => config.search.strategy().run(&mut evaluations, &mut rng),
    };
    let funnel = evaluations.funnel();
    let snapshots = keeper.finish();
    engine.lift_budget();
    let best_score = snapshots.last().and_then(|bins| best_score(task, bins));
    let bins = keep(&bottom, &mut engine, snapshots);
    conduct.monitor.seed_finished(task.run_idx, funnel.evaluated(), best_score);
    let n_bottom_literals = bottom.literals.len();
    SeedResult { seed_example, n_bottom_literals, cuts: bottom.cuts, stop, funnel, bins }
}

fn engine<'a>(
    store: &Arc<CoverStore<'a>>,
    bottom: &BottomClause,
    conduct: &Conduct<'_>,
) -> ComponentEngine<'a> {
    let literals: Vec<Literal> = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
    ComponentEngine::sharing(store, bottom.head.clone(), literals, conduct.budget.clone())
}

fn best_score(task: &Task<'_>, bins: &Bins) -> Option<f64> {
    let totals = Totals::of(task.train);
    bins.iter()
        .flatten()
        .filter_map(|best| Score::F1.of(best.counts, totals, best.candidate.n_literals()))
        .max_by(f64::total_cmp)
}

/// Turns the kept candidates into clauses with their coverage; each candidate once.
fn keep(
    bottom: &BottomClause,
    engine: &mut ComponentEngine<'_>,
    snapshots: Vec<Bins>,
) -> Vec<Vec<Vec<Arc<KeptClause>>>> {
    let mut kept: BTreeMap<Candidate, Option<Arc<KeptClause>>> = BTreeMap::new();
    let mut keep_one = |candidate: Candidate, counts: Counts| {
        kept.entry(candidate)
            .or_insert_with_key(|candidate| {
                let coverage = engine.cover(candidate.positions()).ok()?.fingerprint();
                let clause = canonical(&bottom.clause(candidate.positions()));
                Some(Arc::new(KeptClause { clause, counts, coverage }))
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
