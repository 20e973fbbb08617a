//! Votes of K sets on each example, counted in bit slices; "at least L of K" for all L at once.
//!
//! `ceil(log2(K + 1))` planes of words hold all counts, so that 64 examples are counted at once. Module `adder` adds
//! two sets in a pass, and counts the examples with each number of votes.
//!
//! Votes that have weights give a sum on each example. Floating-point sums depend on their order. Here each
//! position's sum follows the order of the sets, whatever the blocks, and equals bit by bit the sum of a plain loop
//! over sets and positions.

mod adder;

use std::ops::Range;

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use gleaner_base::{Counts, ExampleSet, kernels};

/// For each position the number of sets added that hold it.
#[derive(Clone, Debug)]
pub struct VoteCounter {
    len: usize,
    /// `K`.
    n_sets: usize,
    /// Plane `j` holds bit `j` of every count; the highest is not empty.
    planes: Vec<Vec<u64>>,
}

impl VoteCounter {
    /// No votes over a universe of `len` positions.
    #[must_use]
    pub const fn new(len: usize) -> Self {
        Self { len, n_sets: 0, planes: Vec::new() }
    }

    /// The votes of these sets. Cost: `O(n_sets * n_words)`.
    ///
    /// # Panics
    ///
    /// When a set has another universe.
    #[must_use]
    pub fn of<'a>(len: usize, sets: impl IntoIterator<Item = &'a ExampleSet>) -> Self {
        let mut counter = Self::new(len);
        let sets: Vec<&ExampleSet> = sets.into_iter().collect();
        counter.add_all(&sets);
        counter
    }

    /// Adds one vote for each position in `set`. To add many, [`add_all`](Self::add_all) is faster.
    ///
    /// # Panics
    ///
    /// When the universes differ.
    pub fn add(&mut self, set: &ExampleSet) {
        self.add_all(&[set]);
    }

    /// Adds one vote for each position in each of the sets.
    ///
    /// Cost: `O(n_sets * n_words)`, each word of a set read once; memory beside the planes: a block of
    /// 2 KB for each plane.
    ///
    /// # Panics
    ///
    /// When a set has another universe.
    pub fn add_all(&mut self, sets: &[&ExampleSet]) {
        assert!(sets.iter().all(|set| set.universe() == self.len), "votes over different universes");
        self.n_sets += sets.len();
        let n_planes = (usize::BITS - self.n_sets.leading_zeros()) as usize;
        self.planes.resize(n_planes, vec![0; self.n_words()]);
        adder::add(&mut self.planes, sets);
        while self.planes.last().is_some_and(|plane| plane.iter().all(|&word| word == 0)) {
            self.planes.pop();
        }
    }

    /// `K`: how many sets were added.
    #[must_use]
    pub const fn n_sets(&self) -> usize {
        self.n_sets
    }

    const fn n_words(&self) -> usize {
        self.len.div_ceil(64)
    }

    /// The number of votes at a position.
    #[must_use]
    pub fn votes(&self, position: usize) -> usize {
        self.planes
            .iter()
            .enumerate()
            .map(|(bit, plane)| usize::from(plane[position / 64] >> (position % 64) & 1 == 1) << bit)
            .sum()
    }

    /// The positions with at least `threshold` votes. Cost: one pass over the planes. The sizes for all
    /// thresholds come cheaper from [`sizes`](Self::sizes) and [`counts`](Self::counts).
    #[must_use]
    pub fn at_least(&self, threshold: usize) -> ExampleSet {
        if threshold == 0 {
            return ExampleSet::full(self.len);
        }
        if threshold >> self.planes.len() != 0 {
            return ExampleSet::empty(self.len);
        }
        // From the highest plane down: `greater` where the count already exceeds the threshold,
        // `equal` where all higher bits agree.
        let full = ExampleSet::full(self.len);
        let mut result = ExampleSet::empty(self.len);
        for (word, &in_universe) in full.words().iter().enumerate() {
            let (mut greater, mut equal) = (0_u64, in_universe);
            for (bit, plane) in self.planes.iter().enumerate().rev() {
                if threshold >> bit & 1 == 1 {
                    equal &= plane[word];
                } else {
                    greater |= equal & plane[word];
                    equal &= !plane[word];
                }
            }
            result.set_word(word, greater | equal);
        }
        result
    }

    /// How many positions have at least L votes, for every L: entry `L - 1` for L from 1 to K.
    ///
    /// Cost: `O(n_words * min(2^n_planes, 4096 * n_planes))`, at K = 100 as much as a few dozen sets
    /// take to add.
    ///
    /// # Example
    ///
    /// ```
    /// use gleaner_base::ExampleSet;
    /// use gleaner_engine::coverage::votes::VoteCounter;
    ///
    /// let sets = [[0, 1, 2].as_slice(), &[1, 2], &[2, 70]];
    /// let sets = sets.map(|positions| ExampleSet::from_positions(80, positions.iter().copied()));
    /// let counter = VoteCounter::of(80, &sets);
    /// assert_eq!(counter.sizes(), [4, 2, 1]);
    /// ```
    #[must_use]
    pub fn sizes(&self) -> Vec<usize> {
        self.sizes_in(0..self.n_words())
    }

    /// True and false positives of "at least L of K" for every L: entry `L - 1` for L from 1 to K. The
    /// first `n_positive_words` words hold the positives, the others the negatives.
    ///
    /// Cost: as of [`sizes`](Self::sizes).
    #[must_use]
    pub fn counts(&self, n_positive_words: usize) -> Vec<Counts> {
        let middle = n_positive_words.min(self.n_words());
        let positives = self.sizes_in(0..middle);
        let negatives = self.sizes_in(middle..self.n_words());
        positives
            .into_iter()
            .zip(negatives)
            .map(|(true_positives, false_positives)| Counts { true_positives, false_positives })
            .collect()
    }

    fn sizes_in(&self, words: Range<usize>) -> Vec<usize> {
        let mut sizes = adder::exactly(&self.planes, words);
        sizes.resize(self.n_sets + 1, 0);
        // From "exactly L" to "at least L". The first entry, for 0 votes, is left out.
        for votes in (1..self.n_sets).rev() {
            sizes[votes] += sizes[votes + 1];
        }
        sizes.split_off(1)
    }
}

/// Words in a block: its sums, 16 KB, stay in the first cache while the sets pass.
const BLOCK: usize = 32;

/// The sum of the weights of the sets that hold each position, added in the order of the sets from 0.
///
/// **Shape**: `len` sums; as many weights as sets are used. **Cost**: one pass over the words of all
/// sets, and a visit of each position that is held, or of 64 at once where at least 8 are.
///
/// # Panics
///
/// When a set has another universe than `len` positions.
///
/// # Example
///
/// ```
/// use gleaner_base::ExampleSet;
/// use gleaner_engine::coverage::votes::weighted_votes;
///
/// let (left, right) = (ExampleSet::from_positions(3, [0, 1]), ExampleSet::from_positions(3, [1]));
/// assert_eq!(weighted_votes(3, &[&left, &right], &[0.5, 0.25]), [0.5, 0.75, 0.0]);
/// ```
#[must_use]
pub fn weighted_votes(len: usize, sets: &[&ExampleSet], weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    add_weighted_votes(&mut sums, sets, weights);
    sums
}

/// Adds to the sum of each position the weights of the sets that hold it, in the order of the sets; in
/// parallel. Cost: as of [`weighted_votes`].
///
/// # Panics
///
/// When a set's universe is not that of the sums.
pub fn add_weighted_votes(sums: &mut [f64], sets: &[&ExampleSet], weights: &[f64]) {
    assert!(sets.iter().all(|set| set.universe() == sums.len()), "votes over different universes");
    sums.par_chunks_mut(BLOCK * 64).enumerate().for_each(|(block, sums)| {
        let words = block * BLOCK..block * BLOCK + sums.len().div_ceil(64);
        for (set, &weight) in sets.iter().zip(weights) {
            kernels::add_weight(sums, &set.words()[words.clone()], weight);
        }
    });
}

/// The positions whose sum is at least `threshold`. Cost: one pass over the sums.
#[must_use]
pub fn at_least(sums: &[f64], threshold: f64) -> ExampleSet {
    let mut words = vec![0; sums.len().div_ceil(64)];
    kernels::at_least(&mut words, sums, threshold);
    let mut set = ExampleSet::empty(sums.len());
    for (word, bits) in words.into_iter().enumerate() {
        set.set_word(word, bits);
    }
    set
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};
    use rand::RngExt;

    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{Counts, ExampleSet};

    use super::{VoteCounter, at_least, weighted_votes};

    fn set_of(len: usize, bits: &[bool]) -> ExampleSet {
        ExampleSet::from_positions(len, (0..len).filter(|&position| bits[position]))
    }

    /// The votes, counted for one position and one set after the other.
    fn plain_votes(len: usize, sets: &[ExampleSet]) -> Vec<usize> {
        (0..len).map(|position| sets.iter().filter(|set| set.contains(position)).count()).collect()
    }

    fn assert_all_agree(len: usize, sets: &[ExampleSet], n_positive_words: usize) {
        let counter = VoteCounter::of(len, sets);
        let plain = plain_votes(len, sets);
        for (position, &votes) in plain.iter().enumerate() {
            assert_eq!(counter.votes(position), votes);
        }
        let (sizes, counts) = (counter.sizes(), counter.counts(n_positive_words));
        assert_eq!((sizes.len(), counts.len()), (sets.len(), sets.len()));
        for threshold in 0..=sets.len() + 1 {
            let covered: Vec<usize> = (0..len).filter(|&position| plain[position] >= threshold).collect();
            assert_eq!(counter.at_least(threshold), ExampleSet::from_positions(len, covered.iter().copied()));
            if (1..=sets.len()).contains(&threshold) {
                let true_positives =
                    covered.iter().filter(|&&position| position < n_positive_words * 64).count();
                let false_positives = covered.len() - true_positives;
                assert_eq!(sizes[threshold - 1], covered.len());
                assert_eq!(counts[threshold - 1], Counts { true_positives, false_positives });
            }
        }
    }

    proptest! {
        #[test]
        fn counts_agree_with_plain_addition(
            len in 0_usize..200,
            sets in prop::collection::vec(prop::collection::vec(any::<bool>(), 200), 0..40),
            n_positive_words in 0_usize..5,
        ) {
            let sets: Vec<ExampleSet> = sets.iter().map(|bits| set_of(len, bits)).collect();
            assert_all_agree(len, &sets, n_positive_words);
        }

        #[test]
        fn sets_added_in_parts_count_as_together(
            sets in prop::collection::vec(prop::collection::vec(any::<bool>(), 130), 0..30),
            n_first in 0_usize..30,
        ) {
            let sets: Vec<ExampleSet> = sets.iter().map(|bits| set_of(130, bits)).collect();
            let together = VoteCounter::of(130, &sets);
            let (first, rest) = sets.split_at(n_first.min(sets.len()));
            let mut in_parts = VoteCounter::of(130, first);
            let (one_by_one, rest) = rest.split_at(rest.len() / 2);
            for set in one_by_one {
                in_parts.add(set);
            }
            in_parts.add_all(&rest.iter().collect::<Vec<_>>());
            assert_eq!((in_parts.n_sets(), in_parts.sizes()), (together.n_sets(), together.sizes()));
        }

        #[test]
        fn weighted_votes_agree_bit_by_bit_with_plain_sums(
            len in 0_usize..200,
            sets in prop::collection::vec((prop::collection::vec(any::<bool>(), 200), -1e3_f64..1e3), 0..20),
        ) {
            let (bits, weights): (Vec<Vec<bool>>, Vec<f64>) = sets.into_iter().unzip();
            let sets: Vec<ExampleSet> = bits.iter().map(|bits| set_of(len, bits)).collect();
            let sums = weighted_votes(len, &sets.iter().collect::<Vec<_>>(), &weights);
            let plain = plain_sums(len, &sets, &weights);
            assert_eq!(bits_of(&sums), bits_of(&plain));
            let covered = ExampleSet::from_positions(len, (0..len).filter(|&position| plain[position] >= 0.5));
            assert_eq!(at_least(&sums, 0.5), covered);
        }
    }

    /// The loop that the blocked sums must equal.
    fn plain_sums(len: usize, sets: &[ExampleSet], weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; len];
        for (set, weight) in sets.iter().zip(weights) {
            for position in set.iter() {
                sums[position] += weight;
            }
        }
        sums
    }

    fn bits_of(sums: &[f64]) -> Vec<u64> {
        sums.iter().map(|sum| sum.to_bits()).collect()
    }

    /// Sets of every density, so that all of 137 planes' carries and empty parts occur, over several blocks
    /// and a last word that is not full.
    #[test]
    fn many_sets_over_several_blocks_agree_with_plain_addition() {
        let len = 40_003;
        let mut rng = stream(1, Purpose::Generate, &[7]);
        let sets: Vec<ExampleSet> = (0..137)
            .map(|set| {
                let density = f64::from(set) / 140.0;
                ExampleSet::from_positions(len, (0..len).filter(|_| rng.random_bool(density)))
            })
            .collect();
        for n_positive_words in [0, 1, 300, 1_000_000] {
            assert_all_agree(len, &sets, n_positive_words);
        }
        let weights: Vec<f64> = (0..137).map(|set| 1.0 / f64::from(set + 3)).collect();
        let sums = weighted_votes(len, &sets.iter().collect::<Vec<_>>(), &weights);
        assert_eq!(bits_of(&sums), bits_of(&plain_sums(len, &sets, &weights)));
    }

    #[test]
    fn sets_that_never_meet_fill_one_plane() {
        let sets: Vec<ExampleSet> = (0..100).map(|at| ExampleSet::from_positions(100, [at])).collect();
        let counter = VoteCounter::of(100, &sets);
        assert_eq!(counter.planes.len(), 1);
        let mut sizes = vec![0; 100];
        sizes[0] = 100;
        assert_eq!(counter.sizes(), sizes);
    }

    #[test]
    fn nothing_to_count() {
        assert!(VoteCounter::new(0).sizes().is_empty());
        assert!(VoteCounter::new(100).counts(1).is_empty());
        let empty = ExampleSet::empty(0);
        assert_eq!(VoteCounter::of(0, [&empty, &empty, &empty]).sizes(), [0, 0, 0]);
        assert!(weighted_votes(0, &[&empty], &[1.0]).is_empty());
        assert!(weighted_votes(70, &[], &[]).iter().all(|sum| sum.to_bits() == 0));
    }
}
