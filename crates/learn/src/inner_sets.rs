//! Universes of some examples of train and tune, to learn from.

use std::sync::Arc;

use rand_pcg::Pcg64;

use gleaner_base::{ExampleId, NegativeWeight};
use gleaner_engine::coverage::Universe;
use gleaner_stats::eval::stratified_part;

use super::Task;
use super::pooled_sets::PooledSets;

/// Makes universes of some of the train and tune examples of a run.
#[derive(Clone, Copy)]
pub struct InnerSets<'a> {
    /// The run.
    pub task: &'a Task<'a>,
    /// Train and tune.
    pub sets: &'a PooledSets,
}

impl std::fmt::Debug for InnerSets<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InnerSets").finish_non_exhaustive()
    }
}

impl InnerSets<'_> {
    /// The example of a number.
    pub fn id(&self, number: usize) -> Option<ExampleId> {
        let of = self.sets.examples[number];
        let set = if of.is_tune { self.task.tune } else { self.task.train };
        set.example(of.position)
    }

    /// Examples as they are. They are only scored, so it does not matter how many examples their negatives stand for.
    pub fn whole(&self, numbers: &[usize]) -> Universe {
        let ids: Vec<ExampleId> = numbers.iter().filter_map(|&number| self.id(number)).collect();
        Universe::new(Arc::clone(self.task.examples), &ids)
    }

    /// Examples to learn from: all positives, and at most so many negatives. Each drawn negative stands for the same
    /// number of examples. If train's and tune's negatives differ in that number, fewer of the lighter ones are drawn.
    ///
    /// # Panics
    ///
    /// Never: shares are from 0 to 1.
    pub fn to_learn_from(&self, numbers: &[usize], most_negatives: usize, rng: &mut Pcg64) -> Universe {
        let is_positive = |number: &usize| self.sets.examples[*number].is_positive;
        let (mut drawn, negatives): (Vec<usize>, Vec<usize>) =
            numbers.iter().partition(|&of| is_positive(of));
        let weights = self.sets.totals.map(|totals| totals.negative_weight);
        let of_set = |is_tune: bool| -> Vec<usize> {
            negatives.iter().copied().filter(|&of| self.sets.examples[of].is_tune == is_tune).collect()
        };
        let by_set = [of_set(false), of_set(true)];
        let each = weight_of_each(&by_set.each_ref().map(Vec::len), weights, most_negatives);
        for (negatives, weight) in by_set.into_iter().zip(weights) {
            let share = (weight.ratio() / each.ratio()).min(1.0);
            let is_drawn = stratified_part(&vec![false; negatives.len()], share, rng);
            let is_drawn = is_drawn.expect("a share is from 0 to 1");
            drawn.extend(negatives.into_iter().zip(is_drawn).filter(|of| of.1).map(|of| of.0));
        }
        self.whole(&drawn).with_negative_weight(each)
    }
}

/// The number of negatives that each drawn one stands for: that of the heavier set, or more where there would be too
/// many.
fn weight_of_each(n_negatives: &[usize; 2], weights: [NegativeWeight; 2], most: usize) -> NegativeWeight {
    let heavier = match n_negatives {
        [0, _] => weights[1],
        [_, 0] => weights[0],
        _ if weights[1].ratio() > weights[0].ratio() => weights[1],
        _ => weights[0],
    };
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 examples")]
    let n_drawn = |(&n, weight): (&usize, NegativeWeight)| n as f64 * weight.ratio() / heavier.ratio();
    let n_drawn: f64 = n_negatives.iter().zip(weights).map(n_drawn).sum();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the negatives")]
    let n_drawn = n_drawn.round() as u64;
    let most = most as u64;
    if n_drawn > most { heavier.times(NegativeWeight::new(n_drawn, most)) } else { heavier }
}

#[cfg(test)]
mod tests {
    use super::weight_of_each;
    use gleaner_base::NegativeWeight;

    /// By hand: 3,000 that stand for two each and 1,000 that stand for four are as many as 2,500 that stand for four; of 500
    /// each stands for five of these.
    #[test]
    fn each_stands_for_the_heavier_or_for_more() {
        let weights = [NegativeWeight::new(2, 1), NegativeWeight::new(4, 1)];
        let of = |n_negatives: [usize; 2], most: usize| weight_of_each(&n_negatives, weights, most).ratio();
        let found =
            [of([3_000, 1_000], 5_000), of([3_000, 1_000], 500), of([3_000, 0], 5_000), of([0, 7], 5_000)];
        assert_eq!(format!("{found:?}"), "[4.0, 20.0, 2.0, 4.0]");
    }
}
