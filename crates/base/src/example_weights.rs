//! Weights of examples, and their sums over sets.

use std::ops::Range;

use super::{ExampleSet, kernels};

/// A weight for each of `0..len` positions, 64 to a block as the words of an [`ExampleSet`].
///
/// A sum adds, for each bit of a word, the weights at this bit in ascending order of words; then it adds the 64 results
/// by halves. So sums do not depend on how positions were found: equal covers of two clauses have sums of the same
/// bits.
///
/// **Invariant**: weights are finite and not below 0; beyond `len` they are 0.
/// **Cost**: 8 bytes a position. A sum visits all words; in words with few positions it visits only the weights of
/// these.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleWeights {
    len: usize,
    blocks: Box<[[f64; 64]]>,
}

impl ExampleWeights {
    /// Weights of 0.
    pub fn zero(len: usize) -> Self {
        Self { len, blocks: vec![[0.0; 64]; len.div_ceil(64)].into_boxed_slice() }
    }

    /// The number of positions.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no position.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The weight at a position.
    ///
    /// # Panics
    ///
    /// When there is no such position.
    pub fn at(&self, position: usize) -> f64 {
        self.blocks[position / 64][position % 64]
    }

    /// Sets the weight at a position.
    ///
    /// # Panics
    ///
    /// When there is no such position, or the weight is below 0 or not finite.
    pub fn set(&mut self, position: usize, weight: f64) {
        assert!(position < self.len, "position {position} outside of {}", self.len);
        assert!(weight >= 0.0 && weight.is_finite(), "a weight of {weight}");
        self.blocks[position / 64][position % 64] = weight;
    }

    /// The sum over the set's positions in a range of words.
    ///
    /// # Panics
    ///
    /// When the range reaches beyond the set's words or the weights.
    pub fn sum_words(&self, set: &ExampleSet, range: Range<usize>) -> f64 {
        let words = &set.words()[range.clone()];
        let mut sum = WeightSum::default();
        kernels::add_common_weights(&mut sum.lanes, &self.blocks[range], words, words);
        sum.total()
    }

    /// The sum over the positions that `set` shares with another set, which has these first words and is empty beyond
    /// them.
    ///
    /// # Panics
    ///
    /// When there are more words than the set has.
    pub fn sum_common(&self, set: &ExampleSet, first_words: &[u64]) -> f64 {
        let words = &set.words()[..first_words.len()];
        let mut sum = WeightSum::default();
        kernels::add_common_weights(&mut sum.lanes, &self.blocks, words, first_words);
        sum.total()
    }

    /// The sum over the positions that `set` shares with ascending blocks of eight words, each given with the number of
    /// its first word.
    ///
    /// # Panics
    ///
    /// When a block begins beyond the set's words.
    pub fn sum_common_blocks(&self, set: &ExampleSet, blocks: &[(u32, [u64; 8])]) -> f64 {
        let mut sum = WeightSum::default();
        kernels::add_common_block_weights(&mut sum.lanes, &self.blocks, set.words(), blocks);
        sum.total()
    }
}

/// A sum of weights that are added one by one, in ascending order of positions. It has the same bits as a sum over
/// words.
#[derive(Clone, Debug)]
pub struct WeightSum {
    lanes: [f64; 64],
}

impl Default for WeightSum {
    fn default() -> Self {
        Self { lanes: [0.0; 64] }
    }
}

impl WeightSum {
    /// Adds the weight of a position.
    ///
    /// # Panics
    ///
    /// When there is no such position.
    pub fn add(&mut self, weights: &ExampleWeights, position: usize) {
        self.lanes[position % 64] += weights.at(position);
    }

    /// The sum.
    pub fn total(&self) -> f64 {
        let mut lanes = self.lanes;
        let mut half = 32;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
            half /= 2;
        }
        lanes[0]
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::{ExampleWeights, WeightSum};
    use crate::ExampleSet;
    use crate::statistics::compensated_sum;

    fn weights_of(values: &[f64]) -> ExampleWeights {
        let mut weights = ExampleWeights::zero(values.len());
        values.iter().enumerate().for_each(|(position, &value)| weights.set(position, value));
        weights
    }

    proptest! {
        /// Every way to the same positions gives the same bits, and a sum near the exact one.
        #[test]
        fn sums_do_not_depend_on_the_way(
            values in vec((0.0..1.0, any::<bool>(), any::<bool>(), 0_u8..4), 1..2_000),
        ) {
            let len = values.len();
            let weights = weights_of(&values.iter().map(|value| value.0).collect::<Vec<_>>());
            let chosen = |keep: &[bool]| {
                ExampleSet::from_positions(len, (0..len).filter(|&position| keep[position]))
            };
            // Dense and sparse words.
            let left = chosen(&values.iter().map(|value| value.1 || value.3 > 0).collect::<Vec<_>>());
            let right = chosen(&values.iter().map(|value| value.2 && value.3 == 3).collect::<Vec<_>>());
            let mut both = left.clone();
            both.intersect_with(&right);
            let sum = weights.sum_words(&both, 0..both.words().len());
            let exact = compensated_sum(both.iter().map(|position| weights.at(position)));
            prop_assert!((sum - exact).abs() <= 1e-14 * (1.0 + exact) * 16.0);
            prop_assert_eq!(weights.sum_common(&left, right.words()).to_bits(), sum.to_bits());
            let blocks: Vec<(u32, [u64; 8])> = right
                .words()
                .chunks(8)
                .zip((0..).step_by(8))
                .map(|(words, start)| {
                    let mut block = [0; 8];
                    block[..words.len()].copy_from_slice(words);
                    (start, block)
                })
                .filter(|(_, block)| *block != [0; 8])
                .collect();
            prop_assert_eq!(weights.sum_common_blocks(&left, &blocks).to_bits(), sum.to_bits());
            let mut one_by_one = WeightSum::default();
            both.iter().for_each(|position| one_by_one.add(&weights, position));
            prop_assert_eq!(one_by_one.total().to_bits(), sum.to_bits());
        }
    }

    #[test]
    #[should_panic(expected = "a weight of NaN")]
    fn a_weight_is_a_number() {
        ExampleWeights::zero(1).set(0, f64::NAN);
    }
}
