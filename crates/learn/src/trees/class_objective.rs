//! Trees for two classes: the log-odds of positives.

use rand::seq::index::sample;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Counts, ExampleSet};
use gleaner_engine::coverage::Universe;

use super::config::{LeafStep, TreeConfig, TreeVariant};
use super::gradient::{GradientSum, Gradients};
use super::objective::{Objective, Reaching};
use super::tree::Leaf;
use crate::StreamPath;

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
