//! A tree after the other, each fitted to what those before it miss. (RDNBOOST)
//!
//! DIVERGENCE: the first log-odds are those of the classes instead of -1.8. Each tree draws up to 30 negatives for each positive
//! instead of 2. Trees grow over what the facts of sampled examples propose at each node, instead of over all modes. The scores of
//! five forests are averaged, which know nothing of each other.

use std::sync::Arc;

use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use crate::base::random::{Purpose, stream};
use crate::base::statistics::compensated_sum;
use crate::base::{ExampleId, ExampleSet, FixedSet, StopReason};
use crate::coverage::{CoverStore, Universe};
use crate::learn::kept_steps::{KeptSteps, SearchedStep};
use crate::learn::shared_config::Refit;
use crate::learn::{Covers, RunContext, SeedSearch, SetStores, Task};
use crate::program::Clause;

use super::config::{LeafStep, TreeConfig, TreeVariant};
use super::gradient::{GradientSum, Gradients};
use super::grow::{Growing, Grown, grow};
use super::tree::{Leaf, Tree};

/// Positives and negatives that count beside those of a leaf of a single tree, shared as the classes are.
const PSEUDO_COUNT: f64 = 2.0;

/// Rounds in the order in which they grew.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    /// The log-odds of an example before the first tree.
    pub base: f64,
    /// By round: a tree of each of the forests, which know nothing of each other.
    pub rounds: Vec<Vec<GrownTree>>,
}

/// A tree, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownTree {
    /// The tree.
    pub tree: Tree,
    /// Tests evaluated for it.
    pub n_evaluated: u64,
}

/// What one round came to.
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

/// What was grown.
#[derive(Clone, Debug, Default)]
pub struct TreesFound {
    /// From train.
    pub of_train: Forest,
    /// From train and tune, if that was wanted and ended in time.
    pub of_both: Option<Forest>,
    /// The outer stop.
    pub stop: Option<StopReason>,
}

impl TreesFound {
    /// Tests evaluated for the first rounds of train.
    #[must_use]
    pub fn n_evaluated(&self, n_rounds: usize) -> u64 {
        self.of_train.rounds[..n_rounds].iter().flatten().map(|grown| grown.n_evaluated).sum()
    }

    /// Tests evaluated.
    #[must_use]
    pub fn n_evaluated_in_all(&self) -> u64 {
        let both = self.of_both.iter().flat_map(|forest| &forest.rounds);
        self.of_train.rounds.iter().chain(both).flatten().map(|grown| grown.n_evaluated).sum()
    }
}

/// Grows trees from train, and then from train and tune.
pub fn boost(
    task: &Task<'_>,
    config: &TreeConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> TreesFound {
    let mut found = TreesFound::default();
    let stands_for = |position: usize| stands_for(task.train, position);
    let boosting = Boosting { task, config, context, store: stores.train, stage: 0 };
    found.stop = boosting.run(&stands_for, &mut found.of_train);
    if config.refit == Refit::None || found.stop.is_some() || found.of_train.rounds.is_empty() {
        return found;
    }
    let both: Vec<ExampleId> =
        task.train.iter().chain(task.tune.iter()).map(|(_, example)| example).collect();
    let both = Universe::new(Arc::clone(task.examples), &both);
    let of_tune: FixedSet<ExampleId> = task.tune.iter().map(|(_, example)| example).collect();
    let weights = [task.train, task.tune].map(|set| set.negative_weight().ratio());
    let stands_for = |position: usize| match both.example(position) {
        Some(example) if !both.is_positive(position) => weights[usize::from(of_tune.contains(&example))],
        _ => 1.0,
    };
    let capacity = CoverStore::usual_capacity(&both).min(context.cover_bytes);
    let store = Arc::new(CoverStore::with_capacity(task.worlds, &both, capacity));
    let boosting = Boosting { task, config, context, store: &store, stage: 1 };
    let mut of_both = Forest::default();
    found.stop = boosting.run(&stands_for, &mut of_both);
    found.of_both = Some(of_both).filter(|forest| found.stop.is_none() && !forest.rounds.is_empty());
    found
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
    /// 0 on train, 1 on train and tune: names random streams.
    stage: u64,
}

impl Boosting<'_, '_> {
    /// Grows all trees; the outer stop, if one came first.
    fn run(&self, stands_for: &dyn Fn(usize) -> f64, forest: &mut Forest) -> Option<StopReason> {
        let universe = self.store.universe();
        let weights = by_position(universe, stands_for);
        let drawn = exact(self.n_drawn()) / exact(universe.n_negatives());
        let prior = prior(universe, &weights) / drawn;
        let is_single = self.config.variant == TreeVariant::Single;
        forest.base = if is_single { 0.0 } else { prior.ln() };
        let (n_rounds, n_forests) =
            if is_single { (1, 1) } else { (self.config.n_rounds, self.config.n_forests) };
        let mut scores = vec![vec![prior.ln(); universe.len()]; n_forests];
        let beginning = if self.stage == 0 { "tree-" } else { "refit-tree-" };
        let mut steps: KeptSteps<'_, Round> = KeptSteps::new(self.context, beginning.to_owned());
        for round in 0..n_rounds {
            let mut stop = self.context.budget.stop();
            if stop.is_some() {
                return stop;
            }
            let step = steps.next(|| {
                let trees = scores.iter().enumerate().map(|(at, scores)| {
                    let path = [self.stage, round as u64, at as u64];
                    self.grown(scores, &weights, prior, &path)
                });
                match trees.collect::<Result<_, _>>() {
                    Ok(trees) => Round { grown: Some(trees) },
                    Err(reason) => {
                        stop = Some(reason);
                        Round { grown: None }
                    }
                }
            });
            let Some(trees) = step.grown else { return stop };
            // Trees that are one leaf tell nothing apart, and neither would those after them.
            if trees.iter().all(|grown| grown.tree.nodes.len() == 1) {
                return None;
            }
            for (grown, scores) in trees.iter().zip(&mut scores) {
                match self.covers(&grown.tree) {
                    Ok(covers) => grown.tree.add_to(scores, universe.all(), &covers),
                    Err(reason) => return Some(reason),
                }
            }
            let n_evaluated = trees.iter().map(|grown| grown.n_evaluated).sum();
            self.context.monitor.seed_finished(self.task.run_idx, n_evaluated, None);
            forest.rounds.push(trees);
        }
        None
    }

    /// The examples that a tree grows on: all positives, and so many negatives for each.
    fn sampled(&self, path: &[u64]) -> ExampleSet {
        let universe = self.store.universe();
        let n_drawn = self.n_drawn();
        if n_drawn == universe.n_negatives() {
            return universe.all().clone();
        }
        let path = [&[self.task.run_idx], path].concat();
        let mut rng = stream(self.context.rng_seed, Purpose::Weights, &path);
        let negatives: Vec<usize> =
            universe.iter().map(|(at, _)| at).filter(|&at| !universe.is_positive(at)).collect();
        let drawn = sample(&mut rng, negatives.len(), n_drawn).into_iter().map(|at| negatives[at]);
        ExampleSet::from_positions(universe.len(), (0..universe.n_positives()).chain(drawn))
    }

    /// How many negatives a tree grows on.
    fn n_drawn(&self) -> usize {
        let universe = self.store.universe();
        let most = share_of(universe.n_positives(), self.config.tree_negatives);
        match self.config.variant {
            TreeVariant::Boosted => most.min(universe.n_negatives()),
            TreeVariant::Single => universe.n_negatives(),
        }
    }

    /// A tree with the values of its leaves.
    fn grown(
        &self,
        scores: &[f64],
        weights: &[f64],
        prior: f64,
        path: &[u64],
    ) -> Result<GrownTree, StopReason> {
        let universe = self.store.universe();
        let margins = self.config.margins();
        let of = |position: usize| margins.gradient(scores[position], universe.is_positive(position));
        let gradients = Gradients { of: by_position(universe, &of), stands_for: weights.to_vec() };
        let examples = self.sampled(path);
        let growing = Growing {
            examples: &examples,
            task: self.task,
            config: self.config,
            context: self.context,
            store: self.store,
            gradients: &gradients,
            path,
        };
        let Grown { mut tree, n_evaluated } = grow(&growing)?;
        let covers = self.covers(&tree)?;
        let leaves: Vec<Leaf> = tree
            .sorted(universe.all(), &covers)
            .into_iter()
            .map(|(_, reaching)| Leaf {
                train: universe.counts(&reaching),
                value: match self.config.variant {
                    TreeVariant::Boosted => {
                        let mut sampled = reaching;
                        sampled.intersect_with(&examples);
                        self.step(gradients.sum(&sampled))
                    }
                    TreeVariant::Single => self.log_odds(&reaching, &gradients, prior),
                },
            })
            .collect();
        tree.set_leaves(leaves);
        Ok(GrownTree { tree, n_evaluated })
    }

    /// What a leaf of boosted trees adds.
    fn step(&self, sum: GradientSum) -> f64 {
        let TreeConfig { leaf_step, most_step, shrinkage, .. } = *self.config;
        let below = match leaf_step {
            LeafStep::Mean => sum.weight,
            LeafStep::Newton => sum.curvature,
        };
        // Of examples whose curvature is lost to rounding the step is the greatest there is.
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

    /// What the tests of a tree cover; after a stop too, so that one between a tree and its covers loses no tree.
    fn covers(&self, tree: &Tree) -> Result<Vec<ExampleSet>, StopReason> {
        let clauses: Vec<&Clause> = tree.clauses().collect();
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

/// How many positives there are for each negative of the population.
fn prior(universe: &Universe, stands_for: &[f64]) -> f64 {
    let weight = |of_class: bool| {
        let positions = universe.iter().map(|(position, _)| position);
        compensated_sum(positions.filter(|&at| universe.is_positive(at) == of_class).map(|at| stands_for[at]))
    };
    weight(true) / weight(false)
}
