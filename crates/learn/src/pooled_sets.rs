//! Train and tune as one list of examples; parts of the list are held out in turn.
//!
//! Universes of some examples of train and tune, to learn from.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ClassId, ExampleId, FoldId, NegativeWeight, Pooling, Totals};
use gleaner_engine::coverage::Universe;
use gleaner_stats::eval::{rank_strata, stratified_folds, stratified_part};

use super::calibration::HeldOut;
use super::deciding::Alignment;
use super::decision::HeldOutScore;
use super::{StreamPath, Task};

/// Folds of train and tune that are held out where tune is small.
const N_INNER_FOLDS: NonZeroU32 = NonZeroU32::new(5).expect("above 0");

/// Most parts that cross-fitting leaves out in turn.
const MOST_PARTS: usize = 5;

/// Fewer given folds leave too little to learn from.
const FEWEST_GIVEN_FOLDS: usize = 3;

/// From so many positives on, tune is enough to choose by.
const ENOUGH_TUNE_POSITIVES: usize = 50;

/// The examples of train, then those of tune. Each set ascends by position, or by example if there are many classes.
#[derive(Clone, Debug)]
pub struct PooledSets {
    /// The examples.
    pub examples: Vec<PooledExample>,
    /// The sizes of train and of tune.
    pub totals: [Totals; 2],
    /// Tune examples of the class that has fewest; of two classes, the positives.
    pub fewest_of_tune: usize,
}

/// An example of train or tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PooledExample {
    /// Its position in its set.
    pub position: usize,
    /// Whether it is of the class that is learnt.
    pub is_positive: bool,
    /// Its class; of two classes, the first is the positive one.
    pub class: ClassId,
    /// Whether it is of tune.
    pub is_tune: bool,
    /// The fold that the data give it.
    pub fold: Option<FoldId>,
}

/// The examples that are held out in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldOutParts {
    /// Tune, alone.
    Tune,
    /// Tune, or inner folds where tune has fewer than 50 positives.
    TuneOrFolds,
    /// The folds that the data give to train and tune, or else five that are made of both.
    InnerFolds,
}

impl PooledSets {
    /// The examples of both sets. Where tune is the train set too, each example is there once, as one of train.
    pub fn of(train: &Universe, tune: &Universe) -> Self {
        let of_set = |universe: &Universe, is_tune: bool| -> Vec<PooledExample> {
            let example = |(position, id)| PooledExample {
                position,
                is_positive: universe.is_positive(position),
                class: universe.examples().class(id),
                is_tune,
                fold: universe.examples().fold(id),
            };
            universe.iter().map(example).collect()
        };
        let mut examples = of_set(train, false);
        if train.has_examples_of(tune) {
            let fewest_of_tune = 0;
            return Self { examples, totals: [train.totals(), tune.totals()], fewest_of_tune };
        }
        examples.extend(of_set(tune, true));
        Self { examples, totals: [train.totals(), tune.totals()], fewest_of_tune: tune.n_positives() }
    }

    /// The same sets where there are so many classes. Whichever class is learnt, examples have the same numbers, and
    /// the same ones are held out.
    pub fn of_classes(train: &Universe, tune: &Universe, n_classes: usize) -> Self {
        let mut sets = Self::of(train, tune);
        let id = |example: &PooledExample| {
            let universe = if example.is_tune { tune } else { train };
            universe.example(example.position)
        };
        sets.examples.sort_by_key(|example| (example.is_tune, id(example)));
        if sets.n_tune() == 0 {
            return sets;
        }
        let sizes = tune.class_sets(n_classes).into_iter().map(|set| set.count());
        sets.fewest_of_tune = sizes.min().unwrap_or(0);
        sets
    }

    /// The same sets for a target that is a number: classes are ranks of numbers, and become strata of them.
    pub fn in_strata(mut self) -> Self {
        const N_STRATA: usize = 10;
        let ranks: Vec<ClassId> = self.examples.iter().map(|example| example.class).collect();
        let strata = rank_strata(&ranks, N_STRATA);
        self.examples.iter_mut().zip(strata).for_each(|(example, stratum)| example.class = stratum);
        self
    }

    /// How many examples are of tune.
    pub fn n_tune(&self) -> usize {
        self.examples.iter().filter(|example| example.is_tune).count()
    }

    /// How counts on train and on tune are added.
    pub fn pooling(&self) -> Pooling {
        Self::pooling_of(self.totals)
    }

    /// The pooling of a train and a tune set of these sizes.
    pub fn pooling_of([train, tune]: [Totals; 2]) -> Pooling {
        Pooling::of(train.negative_weight, tune.negative_weight)
    }

    /// How many examples of the population an example stands for.
    pub fn weight_of(&self, example: PooledExample) -> f64 {
        let totals = self.totals[usize::from(example.is_tune)];
        if example.is_positive { 1.0 } else { totals.negative_weight.ratio() }
    }

    /// The examples, by their numbers, that are held out together.
    pub fn held_out_parts(&self, wanted: HeldOutParts, path: StreamPath) -> Vec<Vec<usize>> {
        let is_tune_enough = self.fewest_of_tune >= ENOUGH_TUNE_POSITIVES;
        let by_folds = match wanted {
            HeldOutParts::Tune => false,
            HeldOutParts::TuneOrFolds => !is_tune_enough,
            HeldOutParts::InnerFolds => true,
        };
        if !by_folds {
            return vec![
                (0..self.examples.len()).filter(|&example| self.examples[example].is_tune).collect(),
            ];
        }
        parts_of(&self.given_folds().unwrap_or_else(|| self.made_folds(path)))
    }

    /// The parts that cross-fitting leaves out in turn: inner folds, each with examples of both classes. Given folds
    /// are put together so that no more than five remain. Where only one part would remain, there is none.
    pub fn cross_fitting_parts(&self, path: StreamPath) -> Vec<Vec<usize>> {
        let mut folds = self.held_out_parts(HeldOutParts::InnerFolds, path);
        // The largest first, each to the smallest so far.
        folds.sort_by_key(|fold| std::cmp::Reverse(fold.len()));
        let mut dealt: Vec<Vec<usize>> = Vec::new();
        for fold in folds {
            if dealt.len() < MOST_PARTS {
                dealt.push(fold);
            } else if let Some(smallest) = dealt.iter_mut().min_by_key(|part| part.len()) {
                smallest.extend(fold);
            }
        }
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for part in dealt {
            open.extend(part);
            if self.has_both_classes(&open) {
                parts.push(std::mem::take(&mut open));
            }
        }
        if let Some(last) = parts.last_mut() {
            last.extend(open);
        }
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts.sort();
        if parts.len() < 2 { Vec::new() } else { parts }
    }

    /// Whether some examples, by their numbers, are of both classes.
    pub fn has_both_classes(&self, numbers: &[usize]) -> bool {
        let is_positive = |&number: &usize| self.examples[number].is_positive;
        numbers.iter().any(is_positive) && !numbers.iter().all(is_positive)
    }

    /// The scores of all examples by their numbers, from the scores by position in train and in tune.
    pub fn by_number(&self, of_train: &[f64], of_tune: &[f64]) -> Vec<f64> {
        let score =
            |of: &PooledExample| if of.is_tune { of_tune[of.position] } else { of_train[of.position] };
        self.examples.iter().map(score).collect()
    }

    /// The scores of a part by models that did not learn from it, on the scale of the last model. The scale is fitted
    /// to the examples that both learnt from.
    pub fn aligned(&self, part: &[usize], without: &[f64], last: &[f64]) -> Vec<(usize, f64)> {
        let mut weights: Vec<f64> = self.examples.iter().map(|of| self.weight_of(*of)).collect();
        part.iter().for_each(|&number| weights[number] = 0.0);
        let alignment = Alignment::fit(without, last, &weights);
        part.iter().map(|&number| (number, alignment.at(without[number]))).collect()
    }

    /// The fold of each example as the data have it, where train and tune are of several folds. Test is another fold
    /// still, with other people, pages or sentences. A model ranks the kind that it learnt from better than others.
    fn given_folds(&self) -> Option<Vec<u32>> {
        let folds: Option<Vec<u32>> =
            self.examples.iter().map(|example| example.fold.map(FoldId::raw)).collect();
        let distinct: BTreeSet<u32> = folds.iter().flatten().copied().collect();
        folds.filter(|_| distinct.len() >= FEWEST_GIVEN_FOLDS)
    }

    /// A fold for each example, each class dealt by itself.
    fn made_folds(&self, path: StreamPath) -> Vec<u32> {
        let labels: Vec<ClassId> = self.examples.iter().map(|example| example.class).collect();
        let mut rng = stream(path.rng_seed, Purpose::Weights, &[path.run_idx, 1]);
        stratified_folds(&labels, N_INNER_FOLDS, &mut rng)
    }

    /// Scores of examples, by their numbers, as calibrators take them.
    pub fn held_out(&self, scores: &[(usize, f64)]) -> HeldOut {
        let held_out = |&(example, score): &(usize, f64)| {
            let of = self.examples[example];
            HeldOutScore {
                is_tune: of.is_tune,
                position: of.position,
                score,
                is_positive: of.is_positive,
                weight: self.weight_of(of),
            }
        };
        HeldOut { examples: scores.iter().map(held_out).collect() }
    }
}

/// The examples of each fold.
fn parts_of(folds: &[u32]) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (example, &fold) in folds.iter().enumerate() {
        parts.entry(fold).or_default().push(example);
    }
    parts.into_values().collect()
}

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
    use gleaner_base::NegativeWeight;

    use super::{parts_of, weight_of_each};

    #[test]
    fn parts_are_the_examples_of_a_fold() {
        assert_eq!(parts_of(&[7, 2, 7, 5]), [vec![1], vec![3], vec![0, 2]]);
    }

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
