//! Trees one after the other, each fitted to what those before it miss. (RDNBOOST)
//!
//! DIVERGENCE: the first log-odds are those of the classes instead of -1.8. Each tree draws up to 30 negatives for each positive
//! instead of 2. Trees grow over what the facts of sampled examples propose at each node, instead of over all modes. The scores of
//! five forests are averaged, which know nothing of each other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::pooled_sets::PooledSets;
use crate::saved::{OverClauses, over_clauses};
use crate::seeds::{KeptSteps, SearchedStep};
use crate::shared_config::Refit;
use crate::{Covers, RunContext, SeedSearch, SetStores, StreamPath, Task};
use gleaner_base::{Budget, ExampleId, ExampleSet, FixedMap, StopReason};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::Clause;
use gleaner_stats::eval::numbers::mean;

use super::grow::{Growing, Grown, grow};
use super::objective::{ClassObjective, NumberObjective, Objective, Reaching};
use super::proposed::KnownTests;
use super::splits::{Sorted, bound_leaves};
use super::tree::{Leaf, Tree};
use super::{TreeConfig, TreeVariant};

/// A forest, with the examples that its trees do not learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// The part of the examples that is left out, by its number; `None` where it learns from all.
    pub left_out: Option<usize>,
    /// The log-odds of an example before its first tree.
    pub base: f64,
}

/// A tree, and the number of its evaluated tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownTree<C = Clause> {
    /// The tree.
    pub tree: Tree<C>,
    /// Tests evaluated for it.
    pub n_evaluated: u64,
}

over_clauses!(GrownTree { in tree; n_evaluated });

/// A tree, and the outer stop that cut it.
type MayBeCut = (GrownTree, Option<StopReason>);

/// The result of one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Round<C = Clause> {
    /// Nothing after an outer stop.
    grown: Option<Vec<GrownTree<C>>>,
    /// The outer stop that cut some of its trees.
    #[serde(skip)]
    stop: Option<StopReason>,
}

over_clauses!(Round { in grown; stop });

impl SearchedStep for Round {
    fn searches(&self) -> &[SeedSearch] {
        &[]
    }

    fn is_cut(&self) -> bool {
        self.stop.is_some()
    }
}

/// Of the time that is left, the first trees of all forests that are grown quickly take so much.
const QUICK_SHARE: f64 = 0.2;

/// The forests that were grown.
#[derive(Clone, Debug, Default)]
pub struct TreesFound {
    /// The forests.
    pub forests: Vec<Forest>,
    /// The trees by round: one of each forest.
    pub rounds: Vec<Vec<GrownTree>>,
    /// Parts of train and tune, by the numbers of their examples, each left out by some forest; none where trees learn from train
    /// alone.
    pub parts: Vec<Vec<usize>>,
    /// The outer stop.
    pub stop: Option<StopReason>,
}

impl TreesFound {
    /// Tests evaluated for the first rounds.
    pub fn n_evaluated(&self, n_rounds: usize) -> u64 {
        self.rounds[..n_rounds].iter().flatten().map(|grown| grown.n_evaluated).sum()
    }

    /// The forests of the model, by their numbers: the forests that learn from all examples, or else all forests.
    pub fn of_model(&self) -> Vec<usize> {
        let whole: Vec<usize> =
            (0..self.forests.len()).filter(|&at| self.forests[at].left_out.is_none()).collect();
        if whole.is_empty() { (0..self.forests.len()).collect() } else { whole }
    }

    /// The forests that leave a part out, by their numbers.
    pub fn without(&self, part: usize) -> Vec<usize> {
        (0..self.forests.len()).filter(|&at| self.forests[at].left_out == Some(part)).collect()
    }
}

/// Grows trees from train and tune, or from train.
///
/// From train and tune they are *cross-fitted*: each forest leaves one part of the examples out, in turn. So the
/// forests that leave a part out say what such forests say of unknown examples. If there are fewer forests than parts,
/// as with a single tree, each forest learns from all, and each part has a further one.
pub fn boost(
    task: &Task<'_>,
    config: &TreeConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> TreesFound {
    let n_forests = match config.variant {
        TreeVariant::Single => 1,
        TreeVariant::Boosted => config.n_forests,
    };
    let whole = vec![None; n_forests];
    if config.refit == Refit::None {
        let weights = by_position(task.train, &|position| stands_for(task.train, position));
        let boosting = Boosting { task, config, context, store: stores.train, known: KnownTests::default() };
        return boosting.run(&weights, &whole, &|_| None);
    }
    let sets = pooled_sets(task.train, task.tune, task.labels.numbers().is_some());
    let path = StreamPath { rng_seed: context.rng_seed, run_idx: task.run_idx };
    let parts = sets.cross_fitting_parts(path);
    let part_of = PartOf::new(task, &sets, &parts);
    let both: Vec<ExampleId> =
        task.train.iter().chain(task.tune.iter()).map(|(_, example)| example).collect();
    let both = Universe::new(Arc::clone(task.examples), &both);
    let capacity = CoverStore::usual_capacity(&both).min(context.cover_bytes);
    let store = Arc::new(CoverStore::with_capacity(task.worlds, &both, capacity));
    let boosting = Boosting { task, config, context, store: &store, known: KnownTests::default() };
    let in_turn = |n: usize| (0..n).map(|at| Some(at % parts.len()));
    let left_out: Vec<Option<usize>> = match parts.len() {
        0 => whole,
        n_parts if n_parts <= n_forests => in_turn(n_forests).collect(),
        n_parts => whole.into_iter().chain(in_turn(n_parts)).collect(),
    };
    let of = |position: usize| both.example(position).and_then(|id| part_of.known.get(&id).copied());
    let weights = by_position(&both, &|position| of(position).map_or(1.0, |of| of.stands_for));
    let found = boosting.run(&weights, &left_out, &|position| of(position).and_then(|of| of.part));
    TreesFound { parts, ..found }
}

/// The examples of train and tune, in strata of their numbers where the target is a number.
pub(super) fn pooled_sets(train: &Universe, tune: &Universe, are_numbers: bool) -> PooledSets {
    let sets = PooledSets::of(train, tune);
    if are_numbers { sets.in_strata() } else { sets }
}

/// The part and the weight of each example of train and tune.
struct PartOf {
    known: FixedMap<ExampleId, InPart>,
}

/// The part of an example.
#[derive(Clone, Copy)]
struct InPart {
    part: Option<usize>,
    /// How many examples of the population it stands for.
    stands_for: f64,
}

impl PartOf {
    fn new(task: &Task<'_>, sets: &PooledSets, parts: &[Vec<usize>]) -> Self {
        let mut part_of = vec![None; sets.examples.len()];
        for (at, part) in parts.iter().enumerate() {
            part.iter().for_each(|&number| part_of[number] = Some(at));
        }
        let known = sets.examples.iter().zip(part_of).filter_map(|(of, part)| {
            let set = if of.is_tune { task.tune } else { task.train };
            Some((set.example(of.position)?, InPart { part, stands_for: sets.weight_of(*of) }))
        });
        Self { known: known.collect() }
    }
}

/// How many examples of the population one stands for.
fn stands_for(universe: &Universe, position: usize) -> f64 {
    if universe.is_positive(position) { 1.0 } else { universe.negative_weight().ratio() }
}

/// Each example of a part that some forests leave out, with these forests.
struct HeldOutExamples {
    examples: Vec<(usize, Vec<usize>)>,
}

impl HeldOutExamples {
    fn of(universe: &Universe, left_out: &[Option<usize>], part_of: &dyn Fn(usize) -> Option<usize>) -> Self {
        let without = |part: usize| (0..left_out.len()).filter(move |&at| left_out[at] == Some(part));
        let examples = universe.iter().filter_map(|(at, _)| Some((at, without(part_of(at)?).collect())));
        let is_held_out = |(_, forests): &(usize, Vec<usize>)| !forests.is_empty();
        Self { examples: examples.filter(is_held_out).collect() }
    }

    /// The mean score of each example by the forests that leave it out.
    fn scores(&self, of_forests: &[Vec<f64>]) -> Vec<(usize, f64)> {
        let score = |&(at, ref forests): &(usize, Vec<usize>)| {
            let scores = forests.iter().map(|&forest| of_forests[forest][at]);
            (at, mean(scores).unwrap_or(0.0))
        };
        self.examples.iter().map(score).collect()
    }
}

/// Ends boosting once the loss of examples that were held out has not fallen for some rounds.
#[derive(Default)]
struct Patience {
    least: Option<f64>,
    n_waited: usize,
}

/// Rounds without a smaller loss after which no more are made.
const MOST_WAITED: usize = 15;

impl Patience {
    /// Whether no round shall follow one with this loss.
    fn ends_after(&mut self, loss: Option<f64>) -> bool {
        let Some(loss) = loss else { return false };
        if self.least.is_none_or(|least| loss < least) {
            (self.least, self.n_waited) = (Some(loss), 0);
        } else {
            self.n_waited += 1;
        }
        self.n_waited >= MOST_WAITED
    }
}

struct Boosting<'a, 's> {
    task: &'a Task<'s>,
    config: &'a TreeConfig,
    context: &'a RunContext<'a>,
    store: &'a Arc<CoverStore<'s>>,
    known: KnownTests,
}

impl Boosting<'_, '_> {
    /// Grows all trees, until an outer stop comes.
    fn run(
        &self,
        weights: &[f64],
        left_out: &[Option<usize>],
        part_of: &dyn Fn(usize) -> Option<usize>,
    ) -> TreesFound {
        let universe = self.store.universe();
        let Self { config, .. } = *self;
        match self.task.labels.numbers() {
            Some(list) => self.run_for(&NumberObjective::new(universe, config, list), left_out, part_of),
            None => {
                let stream = StreamPath { rng_seed: self.context.rng_seed, run_idx: self.task.run_idx };
                self.run_for(&ClassObjective { universe, config, weights, stream }, left_out, part_of)
            }
        }
    }

    fn run_for<O: Objective>(
        &self,
        objective: &O,
        left_out: &[Option<usize>],
        part_of: &dyn Fn(usize) -> Option<usize>,
    ) -> TreesFound {
        let universe = self.store.universe();
        let learning: Vec<O::Learning> = left_out
            .iter()
            .map(|&left_out| {
                let is_learnt_from = |at: &usize| left_out.is_none() || part_of(*at) != left_out;
                let positions = universe.iter().map(|(at, _)| at).filter(is_learnt_from);
                objective.learning(ExampleSet::from_positions(universe.len(), positions))
            })
            .collect();
        let is_single = self.config.variant == TreeVariant::Single;
        let forests = left_out.iter().zip(&learning);
        let forest = |(&left_out, of)| Forest { left_out, base: objective.base(of) };
        let mut found = TreesFound { forests: forests.map(forest).collect(), ..TreesFound::default() };
        let mut scores: Vec<Vec<f64>> =
            learning.iter().map(|learning| vec![objective.start(learning); universe.len()]).collect();
        let held_out = self.task.labels.numbers().map(|_| HeldOutExamples::of(universe, left_out, part_of));
        let mut patience = Patience::default();
        let mut steps: KeptSteps<'_, Round> = KeptSteps::new(self.task, self.context, "tree-".to_owned());
        let n_rounds = if is_single { 1 } else { self.config.n_rounds };
        for round in 0..n_rounds {
            if let Some(stop) = self.context.budget.stop() {
                found.stop = Some(stop);
                return found;
            }
            let step = steps.next(|| {
                let forests: Vec<(&[f64], &O::Learning)> =
                    scores.iter().map(Vec::as_slice).zip(&learning).collect();
                self.round(objective, &forests, round)
            });
            found.stop = found.stop.or(step.stop);
            let Some(trees) = step.grown else { return found };
            // Trees that are one leaf tell nothing apart, and neither would the trees after them.
            if trees.iter().all(|grown| grown.tree.nodes.len() == 1) {
                return found;
            }
            for (grown, scores) in trees.iter().zip(&mut scores) {
                match self.covers(&grown.tree) {
                    Ok(covers) => grown.tree.add_to(scores, universe.all(), &covers),
                    Err(reason) => {
                        found.stop = Some(reason);
                        return found;
                    }
                }
            }
            let n_evaluated = trees.iter().map(|grown| grown.n_evaluated).sum();
            self.context.monitor.seed_finished(self.task.run_idx, n_evaluated, None);
            found.rounds.push(trees);
            self.context.monitor.share_done(self.task.run_idx, ratio(found.rounds.len(), n_rounds));
            let loss =
                held_out.as_ref().and_then(|held_out| objective.held_out_loss(&held_out.scores(&scores)));
            if patience.ends_after(loss) {
                return found;
            }
        }
        found
    }

    /// A tree of each forest. Trees of the first round may be cut, as without any there is no model.
    fn round<O: Objective>(&self, objective: &O, forests: &[(&[f64], &O::Learning)], round: usize) -> Round {
        let budget = self.context.budget;
        let path = |at: usize| [round as u64, at as u64];
        let whole = |at: usize| self.grown(objective, forests[at], &path(at), (budget, round == 0));
        let trees: Result<Vec<MayBeCut>, StopReason> = match budget.left() {
            Some(left) if round == 0 => {
                let quick = budget.for_at_most(left.mul_f64(QUICK_SHARE));
                let n_left = (1..=u32::try_from(forests.len()).unwrap_or(u32::MAX)).rev();
                let quickly = |(at, n_left): (usize, u32)| {
                    self.grown(objective, forests[at], &path(at), (&quick.for_one_of(n_left), true))
                };
                let quick: Vec<_> = (0..forests.len()).zip(n_left).map(quickly).collect();
                let whole = |at: usize| budget.stop().is_none().then(|| whole(at));
                quick.into_iter().enumerate().map(|(at, quick)| better_of(quick, || whole(at))).collect()
            }
            _ => (0..forests.len()).map(whole).collect(),
        };
        let is_starved = |(tree, stop): &MayBeCut| stop.is_some() && tree.n_evaluated == 0;
        match trees {
            Err(stop) => Round { grown: None, stop: Some(stop) },
            Ok(trees) => {
                let stop = trees.iter().find_map(|&(_, stop)| stop);
                let grown = !trees.iter().any(is_starved);
                Round { grown: grown.then(|| trees.into_iter().map(|(tree, _)| tree).collect()), stop }
            }
        }
    }

    /// A tree with the values of its leaves, and the outer stop that cut it. It has its budget, and may be cut or not.
    fn grown<O: Objective>(
        &self,
        objective: &O,
        (scores, learning): (&[f64], &O::Learning),
        path: &[u64],
        (budget, may_be_cut): (&Budget, bool),
    ) -> Result<MayBeCut, StopReason> {
        let gradients = objective.gradients(scores);
        let examples = objective.sampled(learning, path);
        let growing = Growing {
            examples: &examples,
            task: self.task,
            config: self.config,
            context: &RunContext { budget, ..*self.context },
            store: self.store,
            gradients: &gradients,
            path,
            known: &self.known,
            may_be_cut,
        };
        let Grown { mut tree, orders, n_evaluated, stop } = grow(&growing)?;
        let covers = self.covers(&tree)?;
        let leaf = |all: ExampleSet| {
            let reaching = Reaching { all, sampled: &examples, gradients: &gradients, scores };
            objective.leaf(learning, &reaching)
        };
        let leaves: Vec<Leaf> = tree
            .sorted(objective.examples(learning), &covers)
            .into_iter()
            .map(|(_, all)| leaf(all))
            .collect();
        tree.set_leaves(leaves);
        let sorted = Sorted { all: objective.examples(learning), covers: &covers };
        bound_leaves(&mut tree, &orders, sorted, &|reaching| leaf(reaching.clone()).value);
        Ok((GrownTree { tree, n_evaluated }, stop))
    }

    /// The covers of a tree's tests, found even after a stop: a stop between a tree and its covers thus loses no tree.
    fn covers(&self, tree: &Tree) -> Result<Vec<ExampleSet>, StopReason> {
        let clauses: Vec<&Clause> = tree.all_clauses();
        let covers = Covers::sharing(self.store).all(&clauses, &self.context.budget.ending());
        covers.map_err(|interrupted| interrupted.0)
    }
}

/// A tree that grew quickly if no stop cut it, or else the same with more time, if there is any, unless a stop left that
/// without a test.
fn better_of(
    quick: Result<MayBeCut, StopReason>,
    whole: impl FnOnce() -> Option<Result<MayBeCut, StopReason>>,
) -> Result<MayBeCut, StopReason> {
    let (quick, stop) = match quick {
        Ok((tree, Some(stop))) => (tree, stop),
        Ok(done) => return Ok(done),
        Err(stop) => return whole().unwrap_or(Err(stop)),
    };
    let n_evaluated = |tree: &GrownTree| tree.n_evaluated + quick.n_evaluated;
    match whole() {
        Some(Ok((tree, stop))) if stop.is_none() || tree.tree.nodes.len() > 1 => {
            Ok((GrownTree { n_evaluated: n_evaluated(&tree), ..tree }, stop))
        }
        Some(Ok((_, Some(stop))) | Err(stop)) => Ok((quick, Some(stop))),
        _ => Ok((quick, Some(stop))),
    }
}

/// A number for each position that holds an example; 0 at others.
fn by_position(universe: &Universe, number: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut numbers = vec![0.0; universe.len()];
    universe.iter().for_each(|(position, _)| numbers[position] = number(position));
    numbers
}

#[expect(clippy::cast_precision_loss, reason = "there are few rounds")]
fn ratio(n: usize, of: usize) -> f64 {
    n as f64 / of as f64
}
