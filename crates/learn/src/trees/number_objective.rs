//! Trees for numbers: gradients and leaves of a loss.

use gleaner_base::ExampleSet;
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::NumberList;
use gleaner_stats::eval::numbers::mean;

use super::config::{TreeConfig, TreeVariant};
use super::gradient::Gradients;
use super::loss::{Loss, LossName};
use super::objective::{Objective, Reaching};
use super::tree::{Leaf, LeafNumbers};

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
