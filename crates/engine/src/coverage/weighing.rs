//! Sums of weights over a clause's cover, beside the number of its examples.

use std::ops::Range;

use gleaner_base::{Counts, ExampleSet, ExampleWeights, WeightSum};

/// A number of examples, and the sum of their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    /// How many examples there are.
    pub n: usize,
    /// The sum of their weights.
    pub weight: f64,
}

/// The positives and the negatives that a clause covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weighed {
    /// Positives.
    pub positives: Mass,
    /// Negatives.
    pub negatives: Mass,
}

impl Weighed {
    /// The numbers of examples.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        Counts { true_positives: self.positives.n, false_positives: self.negatives.n }
    }
}

/// The weights of examples.
pub(super) trait Weighing: Copy {
    /// The weight of a set's positions in a range of words.
    fn words(self, set: &ExampleSet, range: Range<usize>) -> f64;

    /// The weight of the positions that are also in the set whose first words these are.
    fn common(self, set: &ExampleSet, first_words: &[u64]) -> f64;

    /// The weight of the positions that are also in blocks of eight words.
    fn common_blocks(self, set: &ExampleSet, blocks: &[(u32, [u64; 8])]) -> f64;

    /// Adds the weight of some positions, ascending, to a sum.
    fn add(self, sum: &mut WeightSum, positions: &[usize]);
}

/// Examples are counted, not weighed: every sum is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unweighed;

impl Weighing for Unweighed {
    fn words(self, _set: &ExampleSet, _range: Range<usize>) -> f64 {
        0.0
    }

    fn common(self, _set: &ExampleSet, _first_words: &[u64]) -> f64 {
        0.0
    }

    fn common_blocks(self, _set: &ExampleSet, _blocks: &[(u32, [u64; 8])]) -> f64 {
        0.0
    }

    fn add(self, _sum: &mut WeightSum, _positions: &[usize]) {}
}

impl Weighing for &ExampleWeights {
    fn words(self, set: &ExampleSet, range: Range<usize>) -> f64 {
        self.sum_words(set, range)
    }

    fn common(self, set: &ExampleSet, first_words: &[u64]) -> f64 {
        self.sum_common(set, first_words)
    }

    fn common_blocks(self, set: &ExampleSet, blocks: &[(u32, [u64; 8])]) -> f64 {
        self.sum_common_blocks(set, blocks)
    }

    fn add(self, sum: &mut WeightSum, positions: &[usize]) {
        positions.iter().for_each(|&position| sum.add(self, position));
    }
}
