//! Theories grown by covering: a seed example, the best clause that covers it, and so on.
//! [GLEANER §3.2]
//!
//! Bootstrap samples of the train examples, one for each theory. [GLEANER §2.4]

use std::cmp::Ordering;
use std::sync::Arc;

use rand::RngExt;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::saved::over_clauses;
use crate::seeds::{KeptSteps, SearchedStep, SeedSearch, draw_seeds};
use crate::{RunContext, SeedBottom, SetStores, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Counts, ExampleId, ExampleSet, StopReason};
use gleaner_engine::bias::Candidate;
use gleaner_engine::coverage::component::cover_clause_sharing;
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe};
use gleaner_engine::search::{ClauseScore, Counting, Evaluated, Evaluations, Observer, Score};
use gleaner_lang::program::Clause;

use super::{CoveringConfig, Induction, Resample};

/// A clause that was added to a theory.
#[derive(Clone, Debug)]
pub struct LearntClause {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on all of train.
    pub train: Counts,
    /// Clauses evaluated for the theory until it was added, including those for seeds without a clause.
    pub n_evaluated: u64,
}

/// A theory as it grew.
#[derive(Clone, Debug, Default)]
pub struct GrownTheory {
    /// The clauses in the order they were added.
    pub clauses: Vec<LearntClause>,
    /// Seeds without an acceptable clause. Aleph would add the examples themselves; here they are left out.
    pub n_singletons: usize,
    /// The search from each seed.
    pub searches: Vec<SeedSearch>,
    /// Clauses evaluated.
    pub n_evaluated: u64,
    /// The outer stop that cut it short before it covered.
    pub stop: Option<StopReason>,
}

/// Theories, each from seeds of its own.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    /// The theories.
    pub theories: Vec<GrownTheory>,
    /// The outer stop that a theory met between two seeds.
    pub stop: Option<StopReason>,
}

/// The first theories of a growth, each cut to its first clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrownPart {
    /// Theories.
    pub n_theories: usize,
    /// Clauses of each.
    pub n_clauses: usize,
}

impl Growth {
    /// Clauses evaluated for a part: until each theory had its clauses, or was whole.
    pub fn n_evaluated(&self, part: GrownPart) -> u64 {
        let cost = |theory: &GrownTheory| match theory.clauses.get(part.n_clauses.wrapping_sub(1)) {
            Some(last) => last.n_evaluated,
            None => theory.n_evaluated,
        };
        self.theories.iter().take(part.n_theories).map(cost).sum()
    }
}

/// Grows all theories, in parallel. A theory that an outer stop
/// kept from its first seed is left out.
pub fn grow(
    task: &Task<'_>,
    config: &CoveringConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> Growth {
    let positives: Vec<ExampleId> = task.train.positives().collect();
    let theories: Vec<GrownTheory> = (0..config.n_theories as u64)
        .into_par_iter()
        .map(|theory_idx| {
            let grower = Grower { task, config, context, stores, positives: &positives, theory_idx };
            match config.resample {
                Resample::Bootstrap if config.is_ensemble => grower.grow_resampled(),
                Resample::Bootstrap | Resample::None => grower.grow(),
            }
        })
        .collect();
    let mut growth = Growth { stop: theories.iter().find_map(|theory| theory.stop), theories };
    growth.theories.retain(|theory| theory.searches.iter().any(SeedSearch::is_begun));
    growth
}

/// The result of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SeedClause<C = Clause> {
    /// The record of the search.
    search: SeedSearch,
    /// The clause that is added to the theory.
    found: Option<FoundClause<C>>,
    /// Whether the seed has no acceptable clause.
    is_singleton: bool,
}

over_clauses!(SeedClause { in found; search, is_singleton });

/// A clause that a seed gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FoundClause<C = Clause> {
    /// The clause, canonical.
    clause: C,
    /// Its counts on all of train.
    train: Counts,
}

over_clauses!(FoundClause { clause; train });

impl SearchedStep for SeedClause {
    fn searches(&self) -> &[SeedSearch] {
        std::slice::from_ref(&self.search)
    }
}

struct Grower<'a, 's> {
    task: &'a Task<'s>,
    config: &'a CoveringConfig,
    context: &'a RunContext<'a>,
    stores: SetStores<'a, 's>,
    /// The positives by their position in the train universe.
    positives: &'a [ExampleId],
    theory_idx: u64,
}

impl Grower<'_, '_> {
    /// Grows the theory from a bootstrap sample of train. Its clauses then have their counts on all of train; the first
    /// clause that the budget leaves no time for ends the theory.
    fn grow_resampled(&self) -> GrownTheory {
        let Self { task, context, config, stores, .. } = *self;
        let sample = bootstrap(task.train, &[task.run_idx, self.theory_idx + 1], context.rng_seed);
        let n_at_once = config.n_theories.min(rayon::current_num_threads()).max(1);
        let capacity = CoverStore::usual_capacity(&sample).min(context.cover_bytes / n_at_once);
        let train = &Arc::new(CoverStore::with_capacity(task.worlds, &sample, capacity));
        let of_sample = Task { train: &sample, ..*task };
        let positives: Vec<ExampleId> = sample.positives().collect();
        let stores = SetStores { train, ..stores };
        let mut theory = Grower { task: &of_sample, stores, positives: &positives, ..*self }.grow();
        let budget = context.budget.ending();
        let counted = theory.clauses.iter_mut().map_while(|learnt| {
            let cover = cover_clause_sharing(self.stores.train, &learnt.clause, &budget).ok()?;
            learnt.train = task.train.counts(&cover);
            Some(())
        });
        let n_counted = counted.count();
        theory.clauses.truncate(n_counted);
        theory
    }

    fn grow(&self) -> GrownTheory {
        let path = [self.theory_idx + 1];
        let seeds = draw_seeds(self.task, self.positives.len(), &path, self.context.rng_seed);
        let universe = self.task.train;
        let mut uncovered = ExampleSet::from_positions(universe.len(), 0..self.positives.len());
        let mut theory = GrownTheory::default();
        // A seed is searched for the positives that those before it left uncovered: its number says which these are.
        let mut steps = KeptSteps::new(self.task, self.context, format!("{}-", self.theory_idx + 1));
        for seed in seeds {
            let is_whole = self.config.max_clauses.is_some_and(|most| theory.clauses.len() >= most);
            if is_whole {
                break;
            }
            theory.stop = self.context.budget.stop();
            if theory.stop.is_some() {
                break;
            }
            let Ok(position) = self.positives.binary_search(&seed) else { continue };
            if self.config.induction != Induction::InduceMax && !uncovered.contains(position) {
                continue;
            }
            let mut cover = None;
            let n_searched = theory.searches.len();
            let step = steps.next(|| self.search(seed, n_searched, &uncovered, &mut cover));
            let covered = self.add(step, cover, &mut theory);
            let covered = covered.unwrap_or_else(|| ExampleSet::from_positions(universe.len(), [position]));
            let mut left = ExampleSet::empty(universe.len());
            left.union_with_difference(&uncovered, &covered);
            uncovered = left;
        }
        theory
    }

    /// Searches from one seed for the best clause; `cover` is then its cover.
    fn search(
        &self,
        seed_example: ExampleId,
        n_searched: usize,
        uncovered: &ExampleSet,
        cover: &mut Option<ExampleSet>,
    ) -> SeedClause {
        let Self { task, config, context, stores, .. } = self;
        let seed = match SeedBottom::new(task, seed_example, config.saturation, context) {
            Ok(seed) => seed,
            Err(search) => return SeedClause { search: *search, found: None, is_singleton: false },
        };
        let space = seed.space(config.max_literals);
        let mut engine = seed.engine(stores.train, context);
        let tune = (config.min_tune_positives > 0).then(|| seed.engine(stores.tune, context));
        let mut keeper = BestKeeper { best: None, tune, min_tune_positives: config.min_tune_positives };
        let limits = config.limits.clone();
        let evaluations = Evaluations::new(&space, &mut engine, task.train, limits, &mut keeper)
            .counting(self.counting(uncovered))
            .for_best_only();
        let path = [task.run_idx, self.theory_idx + 1, n_searched as u64];
        let search = seed.search(&*config.search.strategy(None), evaluations, &path, context);
        let best = keeper.best.take();
        let totals = task.train.totals();
        let f1 = best.as_ref().and_then(|best| Score::F1.of(best.counts, totals, 0));
        context.monitor.seed_finished(task.run_idx, search.funnel.evaluated(), f1);
        engine.go_on_within(context.budget.ending());
        *cover = best.as_ref().and_then(|best| engine.cover(best.candidate.positions()).ok());
        let found = best.as_ref().zip(cover.as_ref()).map(|(best, cover)| FoundClause {
            clause: seed.clause(&best.candidate),
            train: task.train.counts(cover),
        });
        SeedClause { search, found, is_singleton: best.is_none() }
    }

    /// Adds a seed's result to a theory, and returns the cover of its clause. For a kept step the cover is found again.
    fn add(
        &self,
        step: SeedClause,
        cover: Option<ExampleSet>,
        theory: &mut GrownTheory,
    ) -> Option<ExampleSet> {
        let SeedClause { search, found, is_singleton } = step;
        theory.n_evaluated += search.funnel.evaluated();
        theory.searches.push(search);
        theory.n_singletons += usize::from(is_singleton);
        let FoundClause { clause, train } = found?;
        let again = || cover_clause_sharing(self.stores.train, &clause, &self.context.budget.ending()).ok();
        let covered = cover.or_else(again)?;
        theory.clauses.push(LearntClause { clause, train, n_evaluated: theory.n_evaluated });
        Some(covered)
    }

    fn counting<'u>(&self, uncovered: &'u ExampleSet) -> Counting<'u> {
        match self.config.induction {
            Induction::Induce => Counting::Remaining { positives: uncovered, n_positives: uncovered.count() },
            Induction::InduceCover | Induction::InduceMax => Counting::Plain,
        }
    }
}

/// The best clause so far.
struct Best {
    score: f64,
    counts: Counts,
    candidate: Candidate,
}

/// Keeps the best clause that covers enough tune positives.
struct BestKeeper<'e> {
    best: Option<Best>,
    tune: Option<ComponentEngine<'e>>,
    min_tune_positives: usize,
}

impl BestKeeper<'_> {
    /// Better is greater: higher score, more positives, shorter, canonically first.
    fn rank(score: f64, evaluated: &Evaluated<'_>, best: &Best) -> Ordering {
        score
            .total_cmp(&best.score)
            .then(evaluated.counts.true_positives.cmp(&best.counts.true_positives))
            .then_with(|| best.candidate.n_literals().cmp(&evaluated.candidate.n_literals()))
            .then_with(|| best.candidate.cmp(evaluated.candidate))
    }
}

impl Observer for BestKeeper<'_> {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        let Some(score) = evaluated.score else { return false };
        if self.best.as_ref().is_some_and(|best| Self::rank(score, evaluated, best).is_le()) {
            return false;
        }
        // Only clauses that would be kept are looked at on tune: few.
        let is_general = self.tune.as_mut().is_none_or(|tune| {
            let counted = tune.count(evaluated.candidate.positions(), self.min_tune_positives);
            matches!(counted, Ok(Some(_)))
        });
        if is_general {
            let candidate = evaluated.candidate.clone();
            self.best = Some(Best { score, counts: evaluated.counts, candidate });
        }
        is_general
    }
}

/// The examples that a bootstrap draws from train: of each class as many draws as it has examples, with replacement, each
/// drawn example once. About `1 - 1/e`, 63.2 %, of each class; a class with examples keeps at least one. Negatives keep
/// their weight.
///
/// The path names the sample: the same path and seed give the same sample.
///
/// DIVERGENCE: in bagging (Breiman, 1996) an example counts as often as it was drawn. Covers are sets here, so each drawn
/// example counts once, and limits such as the fewest positives of a clause count distinct examples. The thesis asks for
/// "different subsamples".
///
/// **Cost**: linear in the examples.
pub fn bootstrap(train: &Universe, path: &[u64], rng_seed: u64) -> Universe {
    let mut rng = stream(rng_seed, Purpose::Resample, path);
    let (positives, negatives): (Vec<ExampleId>, Vec<ExampleId>) =
        train.iter().map(|(_, id)| id).partition(|&id| train.examples().is_positive(id));
    let mut chosen = Vec::with_capacity(train.len());
    for class in [positives, negatives] {
        let mut drawn = ExampleSet::empty(class.len());
        for _ in 0..class.len() {
            drawn.insert(rng.random_range(0..class.len()));
        }
        chosen.extend(drawn.iter().map(|position| class[position]));
    }
    let examples = Arc::clone(train.examples());
    Universe::new(examples, &chosen).with_negative_weight(train.negative_weight())
}
