//! Trees one after the other, each fitted to what those before it miss. (RDNBOOST)
//!
//! DIVERGENCE: the first log-odds are those of the classes instead of -1.8. Each tree draws up to 30 negatives for each positive
//! instead of 2. Trees grow over what the facts of sampled examples propose at each node, instead of over all modes. The scores of
//! five forests are averaged, which know nothing of each other.

use std::sync::Arc;

use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use crate::kept_steps::{KeptSteps, SearchedStep};
use crate::pooled_sets::PooledSets;
use crate::saved::OverClauses;
use crate::shared_config::Refit;
use crate::{Covers, RunContext, SeedSearch, SetStores, StreamPath, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{ExampleId, ExampleSet, FixedMap, StopReason};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::Clause;

use super::config::{LeafStep, TreeConfig, TreeVariant};
use super::gradient::{GradientSum, Gradients};
use super::grow::{Growing, Grown, grow};
use super::proposed::KnownTests;
use super::tree::{Leaf, Tree};

/// Positives and negatives that are added to those of a single tree's leaf, shared as the classes are.
const PSEUDO_COUNT: f64 = 2.0;

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
pub struct GrownTree {
    /// The tree.
    pub tree: Tree,
    /// Tests evaluated for it.
    pub n_evaluated: u64,
}

/// The result of one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Round {
    /// Nothing after an outer stop.
    grown: Option<Vec<GrownTree>>,
}

impl SearchedStep for Round {
    fn searches(&self) -> &[SeedSearch] {
        &[]
    }
}

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
    #[must_use]
    pub fn n_evaluated(&self, n_rounds: usize) -> u64 {
        self.rounds[..n_rounds].iter().flatten().map(|grown| grown.n_evaluated).sum()
    }

    /// The forests of the model, by their numbers: the forests that learn from all examples, or else all forests.
    #[must_use]
    pub fn of_model(&self) -> Vec<usize> {
        let whole: Vec<usize> =
            (0..self.forests.len()).filter(|&at| self.forests[at].left_out.is_none()).collect();
        if whole.is_empty() { (0..self.forests.len()).collect() } else { whole }
    }

    /// The forests that leave a part out, by their numbers.
    #[must_use]
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
    let sets = PooledSets::of(task.train, task.tune);
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

struct Boosting<'a, 's> {
    task: &'a Task<'s>,
    config: &'a TreeConfig,
    context: &'a RunContext<'a>,
    store: &'a Arc<CoverStore<'s>>,
    known: KnownTests,
}

/// The examples that a forest learns from.
struct Learning {
    /// The examples.
    examples: ExampleSet,
    n_positives: usize,
    n_negatives: usize,
    /// How many positives there are for each negative that a tree grows on.
    prior: f64,
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
        let learning: Vec<Learning> = left_out
            .iter()
            .map(|&left_out| self.learning(weights, |at| left_out.is_none() || part_of(at) != left_out))
            .collect();
        let is_single = self.config.variant == TreeVariant::Single;
        let base = |learning: &Learning| if is_single { 0.0 } else { learning.prior.ln() };
        let forests = left_out.iter().zip(&learning);
        let mut found = TreesFound {
            forests: forests.map(|(&left_out, of)| Forest { left_out, base: base(of) }).collect(),
            ..TreesFound::default()
        };
        let mut scores: Vec<Vec<f64>> =
            learning.iter().map(|learning| vec![learning.prior.ln(); universe.len()]).collect();
        let mut steps: KeptSteps<'_, Round> = KeptSteps::new(self.context, "tree-".to_owned());
        for round in 0..if is_single { 1 } else { self.config.n_rounds } {
            found.stop = self.context.budget.stop();
            if found.stop.is_some() {
                return found;
            }
            let mut stop = None;
            let step = steps.next(|| {
                let trees = scores.iter().zip(&learning).enumerate().map(|(at, (scores, learning))| {
                    self.grown(scores, weights, learning, &[round as u64, at as u64])
                });
                match trees.collect::<Result<_, _>>() {
                    Ok(trees) => Round { grown: Some(trees) },
                    Err(reason) => {
                        stop = Some(reason);
                        Round { grown: None }
                    }
                }
            });
            found.stop = stop;
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
        }
        found
    }

    /// The examples that a forest learns from: those at some positions.
    fn learning(&self, weights: &[f64], is_learnt_from: impl Fn(usize) -> bool) -> Learning {
        let universe = self.store.universe();
        let positions = universe.iter().map(|(at, _)| at).filter(|&at| is_learnt_from(at));
        let examples = ExampleSet::from_positions(universe.len(), positions);
        let counts = universe.counts(&examples);
        let (n_positives, n_negatives) = (counts.true_positives, counts.false_positives);
        let mut learning = Learning { examples, n_positives, n_negatives, prior: 1.0 };
        let weight = |of_class: bool| {
            let positions = learning.examples.iter().filter(|&at| universe.is_positive(at) == of_class);
            compensated_sum(positions.map(|at| weights[at]))
        };
        let drawn = exact(self.n_drawn(&learning)) / exact(n_negatives);
        learning.prior = weight(true) / weight(false) / drawn;
        learning
    }

    /// The examples that a tree grows on: all positives, and so many negatives for each positive.
    fn sampled(&self, learning: &Learning, path: &[u64]) -> ExampleSet {
        let universe = self.store.universe();
        let n_drawn = self.n_drawn(learning);
        if n_drawn == learning.n_negatives {
            return learning.examples.clone();
        }
        let path = [&[self.task.run_idx], path].concat();
        let mut rng = stream(self.context.rng_seed, Purpose::Weights, &path);
        let (positives, negatives): (Vec<usize>, Vec<usize>) =
            learning.examples.iter().partition(|&at| universe.is_positive(at));
        let drawn = sample(&mut rng, negatives.len(), n_drawn).into_iter().map(|at| negatives[at]);
        ExampleSet::from_positions(universe.len(), positives.iter().copied().chain(drawn))
    }

    /// How many negatives a tree grows on.
    fn n_drawn(&self, learning: &Learning) -> usize {
        match self.config.variant {
            TreeVariant::Boosted => {
                share_of(learning.n_positives, self.config.tree_negatives).min(learning.n_negatives)
            }
            TreeVariant::Single => learning.n_negatives,
        }
    }

    /// A tree with the values of its leaves.
    fn grown(
        &self,
        scores: &[f64],
        weights: &[f64],
        learning: &Learning,
        path: &[u64],
    ) -> Result<GrownTree, StopReason> {
        let universe = self.store.universe();
        let margins = self.config.margins();
        let of = |position: usize| margins.gradient(scores[position], universe.is_positive(position));
        let gradients = Gradients { of: by_position(universe, &of), stands_for: weights.to_vec() };
        let examples = self.sampled(learning, path);
        let growing = Growing {
            examples: &examples,
            task: self.task,
            config: self.config,
            context: self.context,
            store: self.store,
            gradients: &gradients,
            path,
            known: &self.known,
        };
        let Grown { mut tree, n_evaluated } = grow(&growing)?;
        let covers = self.covers(&tree)?;
        let leaves: Vec<Leaf> = tree
            .sorted(&learning.examples, &covers)
            .into_iter()
            .map(|(_, reaching)| Leaf {
                train: universe.counts(&reaching),
                value: match self.config.variant {
                    TreeVariant::Boosted => {
                        let mut sampled = reaching;
                        sampled.intersect_with(&examples);
                        self.step(gradients.sum(&sampled))
                    }
                    TreeVariant::Single => self.log_odds(&reaching, &gradients, learning.prior),
                },
            })
            .collect();
        tree.set_leaves(leaves);
        Ok(GrownTree { tree, n_evaluated })
    }

    /// The amount that a leaf of boosted trees adds.
    fn step(&self, sum: GradientSum) -> f64 {
        let TreeConfig { leaf_step, most_step, shrinkage, .. } = *self.config;
        let below = match leaf_step {
            LeafStep::Mean => sum.weight,
            LeafStep::Newton => sum.curvature,
        };
        // For examples whose curvature is lost to rounding, the step is the greatest there is.
        let step = if below > 0.0 { sum.gradient / below } else { sum.gradient.signum() * most_step };
        shrinkage * step.clamp(-most_step, most_step)
    }

    /// The log-odds of the examples of a single tree's leaf.
    fn log_odds(&self, examples: &ExampleSet, gradients: &Gradients, prior: f64) -> f64 {
        let universe = self.store.universe();
        let share = prior / (1.0 + prior);
        let weight = |of_class: bool| {
            let of = examples.iter().filter(|&position| universe.is_positive(position) == of_class);
            compensated_sum(of.map(|position| gradients.stands_for[position]))
        };
        let positives = weight(true) + PSEUDO_COUNT * share;
        let negatives = weight(false) + PSEUDO_COUNT * (1.0 - share);
        (positives / negatives).ln()
    }

    /// The covers of a tree's tests, found even after a stop: a stop between a tree and its covers thus loses no tree.
    fn covers(&self, tree: &Tree) -> Result<Vec<ExampleSet>, StopReason> {
        let clauses: Vec<&Clause> = tree.all_clauses();
        let covers = Covers::sharing(self.store).all(&clauses, &self.context.budget.ending());
        covers.map_err(|interrupted| interrupted.0)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of fewer than 2^52 examples"
)]
fn share_of(n: usize, share: f64) -> usize {
    (n as f64 * share).ceil() as usize
}

#[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
const fn exact(n: usize) -> f64 {
    n as f64
}

/// A number for each position that holds an example; 0 at others.
fn by_position(universe: &Universe, number: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut numbers = vec![0.0; universe.len()];
    universe.iter().for_each(|(position, _)| numbers[position] = number(position));
    numbers
}
