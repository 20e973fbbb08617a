//! Weights of examples, and their sums over sets.
//!
//! How many negatives each sampled one stands for.

use std::ops::Range;

use serde::{Deserialize, Serialize};

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

/// The ratio of all negatives of a population to those that were sampled from it: 1 where all are used.
///
/// Counts multiply each negative by this ratio, so that precision, areas and prevalence are those of the population.
/// Sampling is uniform within a set, so a set has one ratio.
///
/// **Invariant**: in lowest terms, neither part 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NegativeWeight {
    population: u64,
    sampled: u64,
}

impl Default for NegativeWeight {
    fn default() -> Self {
        Self::ONE
    }
}

impl NegativeWeight {
    /// Each negative stands for itself.
    pub const ONE: Self = Self { population: 1, sampled: 1 };

    /// `sampled` of a population of negatives were drawn; without any, each would stand for itself.
    pub fn new(population: u64, sampled: u64) -> Self {
        if population == 0 || sampled == 0 {
            return Self::ONE;
        }
        let divisor = greatest_common_divisor(u128::from(population), u128::from(sampled));
        // It divides both, so that it is no larger.
        let divisor = u64::try_from(divisor).unwrap_or(1);
        Self { population: population / divisor, sampled: sampled / divisor }
    }

    /// The product of two weights: each of these negatives stands for several others, each of which stands for several
    /// more. Parts too large for 64 bits lose their last bits.
    pub fn times(self, other: Self) -> Self {
        Self::of_parts(
            u128::from(self.population) * u128::from(other.population),
            u128::from(self.sampled) * u128::from(other.sampled),
        )
    }

    /// The ratio of two parts, neither 0. Parts too large for 64 bits lose their last bits.
    fn of_parts(mut population: u128, mut sampled: u128) -> Self {
        let divisor = greatest_common_divisor(population, sampled);
        (population, sampled) = (population / divisor, sampled / divisor);
        while population > u128::from(u64::MAX) || sampled > u128::from(u64::MAX) {
            (population, sampled) = (population / 2, sampled / 2);
        }
        let part = |part| u64::try_from(part).unwrap_or(u64::MAX).max(1);
        Self::new(part(population), part(sampled))
    }

    /// The whole number of units in a negative of each weight, and the weight of one unit. Units above 2^32 lose their
    /// last bits.
    pub(super) fn common_units(self, other: Self) -> ([u64; 2], Self) {
        let sampled = u128::from(self.sampled);
        let other_sampled = u128::from(other.sampled);
        let multiple = sampled / greatest_common_divisor(sampled, other_sampled) * other_sampled;
        let in_multiples =
            |weight: Self| u128::from(weight.population) * (multiple / u128::from(weight.sampled));
        let units = [self, other].map(in_multiples);
        let mut unit = greatest_common_divisor(units[0], units[1]);
        let mut units = units.map(|in_multiples| in_multiples / unit);
        while units.iter().any(|&units| units > 1 << 32) {
            units = units.map(|units| (units.div_ceil(2)).max(1));
            unit *= 2;
        }
        (units.map(|units| u64::try_from(units).unwrap_or(u64::MAX)), Self::of_parts(unit, multiple))
    }

    /// Whether each negative stands for itself.
    pub fn is_one(&self) -> bool {
        *self == Self::ONE
    }

    /// How many negatives one stands for.
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
    pub fn ratio(self) -> f64 {
        self.population as f64 / self.sampled as f64
    }

    /// `n_positives + weight · n_negatives`, in units of one part of the ratio, for comparisons that must be exact. All
    /// calls on one weight have the same unit.
    pub fn in_parts(self, n_positives: usize, n_negatives: usize) -> u128 {
        n_positives as u128 * u128::from(self.sampled) + n_negatives as u128 * u128::from(self.population)
    }

    /// Whether the ratio is above 0 and finite; a user may have changed the file by hand.
    pub fn is_sound(self) -> bool {
        self.ratio() > 0.0 && self.ratio().is_finite()
    }
}

const fn greatest_common_divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use crate::ExampleSet;
    use crate::statistics::compensated_sum;

    use super::{ExampleWeights, NegativeWeight, WeightSum};

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

    /// 1,000 of 24,000 negatives: each stands for 24, so 3 positives and 2 negatives are 3 + 48 examples.
    #[test]
    fn a_sampled_negative_counts_for_those_it_stands_for() {
        let weight = NegativeWeight::new(24_000, 1_000);
        assert_eq!(weight, NegativeWeight::new(24, 1));
        assert!((weight.ratio() - 24.0).abs() < f64::EPSILON);
        assert_eq!(weight.in_parts(3, 2), 51);
        // 5 of 8: in fifths, 3 positives are 15 and 2 negatives 16.
        assert_eq!(NegativeWeight::new(8, 5).in_parts(3, 2), 31);
        assert_eq!(NegativeWeight::new(7, 0), NegativeWeight::ONE);
        assert_eq!(NegativeWeight::new(6, 4).times(NegativeWeight::new(10, 3)), NegativeWeight::new(5, 1));
        let most = NegativeWeight::new(u64::MAX, 2);
        let times = most.times(NegativeWeight::new(3, u64::MAX - 1));
        assert!((times.ratio() - 1.5).abs() < 1e-12, "{times:?}");
    }
}
