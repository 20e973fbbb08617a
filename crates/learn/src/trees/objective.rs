//! The objective that trees are grown for: two classes, or numbers.
//!
//! Trees for two classes: the log-odds of positives.
//!
//! Trees for numbers: gradients and leaves of a loss.

use rand::seq::index::sample;

use crate::StreamPath;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Counts, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::NumberList;
use gleaner_stats::eval::numbers::mean;

use super::loss::{GradientSum, Gradients, Loss, LossName};
use super::tree::{Leaf, LeafNumbers};
use super::{LeafStep, TreeConfig, TreeVariant};

/// What is learnt: where scores start, what each tree is fitted to, and what its leaves hold.
pub(super) trait Objective {
    /// The examples that a forest learns from, with all that depends on them alone.
    type Learning;

    /// The examples that a forest learns from.
    fn learning(&self, examples: ExampleSet) -> Self::Learning;

    /// The examples of a forest.
    fn examples<'l>(&self, learning: &'l Self::Learning) -> &'l ExampleSet;

    /// The score that the first tree is fitted from.
    fn start(&self, learning: &Self::Learning) -> f64;

    /// The score of the model before its first tree.
    fn base(&self, learning: &Self::Learning) -> f64;

    /// The examples that a tree grows on. The path names the random stream.
    fn sampled(&self, learning: &Self::Learning, path: &[u64]) -> ExampleSet;

    /// The gradients of all examples at these scores, by position.
    fn gradients(&self, scores: &[f64]) -> Gradients;

    /// The mean loss of examples that were held out, each with its score. None where nothing is to be judged by it.
    fn held_out_loss(&self, _held_out: &[(usize, f64)]) -> Option<f64> {
        None
    }

    /// The leaf of some examples.
    fn leaf(&self, learning: &Self::Learning, reaching: &Reaching<'_>) -> Leaf;
}

/// The examples that reach a leaf.
#[derive(Debug)]
pub(super) struct Reaching<'a> {
    /// All of the forest.
    pub(super) all: ExampleSet,
    /// The examples that the tree grew on.
    pub(super) sampled: &'a ExampleSet,
    /// The gradients that the tree was fitted to.
    pub(super) gradients: &'a Gradients,
    /// The scores before the tree.
    pub(super) scores: &'a [f64],
}

/// Positives and negatives that are added to those of a single tree's leaf, shared as the classes are.
const PSEUDO_COUNT: f64 = 2.0;

/// The log-odds of positives.
pub(super) struct ClassObjective<'a> {
    pub(super) universe: &'a Universe,
    pub(super) config: &'a TreeConfig,
    /// How many examples of the population each stands for, by position.
    pub(super) weights: &'a [f64],
    /// Names the random streams.
    pub(super) stream: StreamPath,
}

/// The examples that a forest learns from.
pub(super) struct ClassLearning {
    /// The examples.
    examples: ExampleSet,
    n_positives: usize,
    n_negatives: usize,
    /// How many positives there are for each negative that a tree grows on.
    prior: f64,
}

impl Objective for ClassObjective<'_> {
    type Learning = ClassLearning;

    fn learning(&self, examples: ExampleSet) -> ClassLearning {
        let Counts { true_positives, false_positives } = self.universe.counts(&examples);
        let (n_positives, n_negatives) = (true_positives, false_positives);
        let mut learning = ClassLearning { examples, n_positives, n_negatives, prior: 1.0 };
        let weight = |of_class: bool| {
            let positions = learning.examples.iter().filter(|&at| self.universe.is_positive(at) == of_class);
            compensated_sum(positions.map(|at| self.weights[at]))
        };
        let drawn = exact(self.n_drawn(&learning)) / exact(n_negatives);
        learning.prior = weight(true) / weight(false) / drawn;
        learning
    }

    fn examples<'l>(&self, learning: &'l ClassLearning) -> &'l ExampleSet {
        &learning.examples
    }

    fn start(&self, learning: &ClassLearning) -> f64 {
        learning.prior.ln()
    }

    fn base(&self, learning: &ClassLearning) -> f64 {
        if self.config.variant == TreeVariant::Single { 0.0 } else { learning.prior.ln() }
    }

    /// All positives, and so many negatives for each positive.
    fn sampled(&self, learning: &ClassLearning, path: &[u64]) -> ExampleSet {
        let n_drawn = self.n_drawn(learning);
        if n_drawn == learning.n_negatives {
            return learning.examples.clone();
        }
        let path = [&[self.stream.run_idx], path].concat();
        let mut rng = stream(self.stream.rng_seed, Purpose::Weights, &path);
        let (positives, negatives): (Vec<usize>, Vec<usize>) =
            learning.examples.iter().partition(|&at| self.universe.is_positive(at));
        let drawn = sample(&mut rng, negatives.len(), n_drawn).into_iter().map(|at| negatives[at]);
        ExampleSet::from_positions(self.universe.len(), positives.iter().copied().chain(drawn))
    }

    fn gradients(&self, scores: &[f64]) -> Gradients {
        let margins = self.config.margins();
        let mut of = vec![0.0; self.universe.len()];
        for (position, _) in self.universe.iter() {
            of[position] = margins.gradient(scores[position], self.universe.is_positive(position));
        }
        Gradients::of_classes(of, self.weights.to_vec())
    }

    fn leaf(&self, learning: &ClassLearning, reaching: &Reaching<'_>) -> Leaf {
        let value = match self.config.variant {
            TreeVariant::Boosted => {
                let mut sampled = reaching.all.clone();
                sampled.intersect_with(reaching.sampled);
                self.step(reaching.gradients.sum(&sampled))
            }
            TreeVariant::Single => self.log_odds(&reaching.all, learning.prior),
        };
        Leaf::of(value, self.universe.counts(&reaching.all))
    }
}

impl ClassObjective<'_> {
    /// How many negatives a tree grows on.
    fn n_drawn(&self, learning: &ClassLearning) -> usize {
        match self.config.variant {
            TreeVariant::Boosted => {
                share_of(learning.n_positives, self.config.tree_negatives).min(learning.n_negatives)
            }
            TreeVariant::Single => learning.n_negatives,
        }
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
    fn log_odds(&self, examples: &ExampleSet, prior: f64) -> f64 {
        let share = prior / (1.0 + prior);
        let weight = |of_class: bool| {
            let of = examples.iter().filter(|&position| self.universe.is_positive(position) == of_class);
            compensated_sum(of.map(|position| self.weights[position]))
        };
        let positives = weight(true) + PSEUDO_COUNT * share;
        let negatives = weight(false) + PSEUDO_COUNT * (1.0 - share);
        (positives / negatives).ln()
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

/// A loss of numbers.
pub(super) struct NumberObjective<'a> {
    universe: &'a Universe,
    config: &'a TreeConfig,
    loss: Loss,
    /// The number of each example, by position; 0 of padding.
    numbers: Vec<f64>,
    /// The unit of gradients: the spread of the numbers. So no test's gain is lost to rounding, however small they are.
    unit: f64,
}

/// The examples that a forest learns from, and the score that they start at.
pub(super) struct NumberLearning {
    examples: ExampleSet,
    start: f64,
}

impl<'a> NumberObjective<'a> {
    pub(super) fn new(universe: &'a Universe, config: &'a TreeConfig, list: &NumberList) -> Self {
        let numbers = numbers_by_position(universe, list);
        let all: Vec<f64> = universe.iter().map(|(position, _)| numbers[position]).collect();
        let loss = config.loss();
        // Gradients of counts and of quantiles have a unit of their own.
        let unit = match loss.name {
            LossName::Squared => spread(&all).map_or(1.0, |spread| spread.deviation),
            LossName::Poisson | LossName::Quantile => 1.0,
        };
        Self { universe, config, loss, numbers, unit: if unit > 0.0 { unit } else { 1.0 } }
    }

    fn of(&self, examples: &ExampleSet) -> Vec<f64> {
        examples.iter().map(|position| self.numbers[position]).collect()
    }
}

/// The number of each example of a universe, by position; 0 of padding and where it is not known.
pub(super) fn numbers_by_position(universe: &Universe, list: &NumberList) -> Vec<f64> {
    let mut numbers = vec![0.0; universe.len()];
    for (position, example) in universe.iter() {
        numbers[position] = list.of(universe.examples(), example).unwrap_or(0.0);
    }
    numbers
}

/// The mean of some numbers and their spread about it; `None` of none.
fn spread(numbers: &[f64]) -> Option<LeafNumbers> {
    let center = mean(numbers.iter().copied())?;
    let squares = mean(numbers.iter().map(|number| (number - center) * (number - center)))?;
    Some(LeafNumbers { mean: center, deviation: squares.sqrt() })
}

impl Objective for NumberObjective<'_> {
    type Learning = NumberLearning;

    fn learning(&self, examples: ExampleSet) -> NumberLearning {
        let start = self.loss.constant(&self.of(&examples));
        NumberLearning { examples, start }
    }

    fn examples<'l>(&self, learning: &'l NumberLearning) -> &'l ExampleSet {
        &learning.examples
    }

    fn start(&self, learning: &NumberLearning) -> f64 {
        learning.start
    }

    fn base(&self, learning: &NumberLearning) -> f64 {
        learning.start
    }

    fn sampled(&self, learning: &NumberLearning, _: &[u64]) -> ExampleSet {
        learning.examples.clone()
    }

    /// Trees fit Newton's steps, the gradient over the second derivative, each with the weight of the latter.
    fn gradients(&self, scores: &[f64]) -> Gradients {
        let (mut of, mut stands_for) = (vec![0.0; self.universe.len()], vec![1.0; self.universe.len()]);
        for (position, _) in self.universe.iter() {
            let (number, score) = (self.numbers[position], scores[position]);
            let curvature = self.loss.curvature(score);
            of[position] = self.loss.gradient(number, score) / curvature / self.unit;
            stands_for[position] = curvature;
        }
        Gradients::of_numbers(of, stands_for)
    }

    fn held_out_loss(&self, held_out: &[(usize, f64)]) -> Option<f64> {
        let goal = self.config.goal.loss(self.config.quantile);
        let loss = |&(at, score): &(usize, f64)| goal.of(self.numbers[at], self.loss.prediction(score));
        mean(held_out.iter().map(loss))
    }

    fn leaf(&self, learning: &NumberLearning, reaching: &Reaching<'_>) -> Leaf {
        let examples: Vec<(f64, f64)> =
            reaching.all.iter().map(|at| (self.numbers[at], reaching.scores[at])).collect();
        let TreeConfig { variant, most_step, shrinkage, .. } = *self.config;
        let value = match variant {
            TreeVariant::Boosted => shrinkage * self.loss.step(&examples, most_step),
            TreeVariant::Single if examples.is_empty() => 0.0,
            TreeVariant::Single => {
                let mut numbers: Vec<f64> = examples.iter().map(|of| of.0).collect();
                // A leaf of few counts of 0 does not predict that there is never one.
                if self.loss.name == LossName::Poisson {
                    numbers.push(self.loss.prediction(learning.start));
                }
                self.loss.constant(&numbers) - learning.start
            }
        };
        let numbers = spread(&self.of(&reaching.all));
        Leaf { numbers, ..Leaf::of(value, self.universe.counts(&reaching.all)) }
    }
}
