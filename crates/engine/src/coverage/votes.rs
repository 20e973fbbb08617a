//! Votes of K sets on each example, counted in bit slices; "at least L of K" for all L at once.
//!
//! `ceil(log2(K + 1))` planes of words hold all counts, so that 64 examples are counted at once. An adder adds
//! two sets in a pass, and counts the examples with each number of votes.
//!
//! Votes that have weights give a sum on each example. Floating-point sums depend on their order. Here each
//! position's sum follows the order of the sets, whatever the blocks, and equals bit by bit the sum of a plain loop
//! over sets and positions.
//!
//! Adding sets to planes of counts through full adders, and reading the planes: how many positions have each number
//! of votes.
//!
//! A full adder takes three bits of one weight and gives their sum, of that weight, and a carry, of twice the weight.
//! So two sets go into the lowest plane in one pass, and of every two carries that reach a higher plane one waits for
//! the other. As in a binary counter, a plane is visited for every second carry of the plane below, so K sets take
//! about K passes in all. Passes go over blocks of words, so that planes and carries stay in the first cache while
//! the sets stream by.
//!
//! To read the planes, the positions of a block are split by the highest plane, each part by the next plane, and so
//! on; in the end all positions of a part have one number of votes. Only one side of a split needs to be counted, and
//! an empty part is not split further. So a block takes at most `2^n_planes` passes, and at most `n_planes` for each
//! number of votes that occurs in it.

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
    pub const fn new(len: usize) -> Self {
        Self { len, n_sets: 0, planes: Vec::new() }
    }

    /// The votes of these sets. Cost: `O(n_sets * n_words)`.
    ///
    /// # Panics
    ///
    /// When a set has another universe.
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
        add(&mut self.planes, sets);
        while self.planes.last().is_some_and(|plane| plane.iter().all(|&word| word == 0)) {
            self.planes.pop();
        }
    }

    /// `K`: how many sets were added.
    pub const fn n_sets(&self) -> usize {
        self.n_sets
    }

    const fn n_words(&self) -> usize {
        self.len.div_ceil(64)
    }

    /// The number of votes at a position.
    pub fn votes(&self, position: usize) -> usize {
        self.planes
            .iter()
            .enumerate()
            .map(|(bit, plane)| usize::from(plane[position / 64] >> (position % 64) & 1 == 1) << bit)
            .sum()
    }

    /// The positions with at least `threshold` votes. Cost: one pass over the planes. The sizes for all
    /// thresholds come cheaper from [`sizes`](Self::sizes) and [`counts`](Self::counts).
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
    pub fn sizes(&self) -> Vec<usize> {
        self.sizes_in(0..self.n_words())
    }

    /// True and false positives of "at least L of K" for every L: entry `L - 1` for L from 1 to K. The
    /// first `n_positive_words` words hold the positives, the others the negatives.
    ///
    /// Cost: as of [`sizes`](Self::sizes).
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
        let mut sizes = exactly(&self.planes, words);
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
pub fn at_least(sums: &[f64], threshold: f64) -> ExampleSet {
    let mut words = vec![0; sums.len().div_ceil(64)];
    kernels::at_least(&mut words, sums, threshold);
    let mut set = ExampleSet::empty(sums.len());
    for (word, bits) in words.into_iter().enumerate() {
        set.set_word(word, bits);
    }
    set
}

/// Words in a block: with 2 KB, planes and carries of a hundred sets take 30 KB. Larger blocks leave
/// the first cache, smaller ones start passes more often.
const WORDS_AT_ONCE: usize = 256;

/// Adds a vote for each position of each set. The planes must hold the result: `2^n_planes` is more
/// than any count.
fn add(planes: &mut [Vec<u64>], sets: &[&ExampleSet]) {
    let n_words = planes.first().map_or(0, Vec::len);
    let mut adder = Adder {
        waiting: vec![[0; WORDS_AT_ONCE]; planes.len()],
        does_wait: vec![false; planes.len()],
        carry: [0; WORDS_AT_ONCE],
        spare: [0; WORDS_AT_ONCE],
    };
    for start in (0..n_words).step_by(WORDS_AT_ONCE) {
        adder.add_block(planes, sets, start..n_words.min(start + WORDS_AT_ONCE));
    }
}

/// The carries that are not yet added to a plane.
struct Adder {
    /// For each plane the carries that wait to be added to it, if `does_wait`.
    waiting: Vec<[u64; WORDS_AT_ONCE]>,
    does_wait: Vec<bool>,
    /// The carries that go up now.
    carry: [u64; WORDS_AT_ONCE],
    /// The buffer into which the next carries are written.
    spare: [u64; WORDS_AT_ONCE],
}

impl Adder {
    fn add_block(&mut self, planes: &mut [Vec<u64>], sets: &[&ExampleSet], words: Range<usize>) {
        let (pairs, odd) = sets.as_chunks::<2>();
        let n_words = words.len();
        for [left, right] in pairs {
            let (left, right) = (&left.words()[words.clone()], &right.words()[words.clone()]);
            let carry = &mut self.carry[..n_words];
            if kernels::add_two(&mut planes[0][words.clone()], left, right, carry) {
                self.carry_up(planes, &words);
            }
        }
        if let [odd] = odd {
            self.waiting[0][..n_words].copy_from_slice(&odd.words()[words.clone()]);
            self.does_wait[0] = true;
        }
        self.finish(planes, &words);
    }

    /// Adds a carry from the lowest plane to the plane above, if another one waits there, and so on.
    fn carry_up(&mut self, planes: &mut [Vec<u64>], words: &Range<usize>) {
        let n_words = words.len();
        for (level, plane) in planes.iter_mut().enumerate().skip(1) {
            if !self.does_wait[level] {
                std::mem::swap(&mut self.waiting[level], &mut self.carry);
                self.does_wait[level] = true;
                return;
            }
            self.does_wait[level] = false;
            let (waiting, carry) = (&self.waiting[level][..n_words], &self.carry[..n_words]);
            if !kernels::add_two(&mut plane[words.clone()], waiting, carry, &mut self.spare[..n_words]) {
                return;
            }
            std::mem::swap(&mut self.carry, &mut self.spare);
        }
    }

    /// Adds the waiting carries, from the lowest plane up, with the new carries that this makes.
    fn finish(&mut self, planes: &mut [Vec<u64>], words: &Range<usize>) {
        let n_words = words.len();
        let mut is_carried = false;
        for (level, plane) in planes.iter_mut().enumerate() {
            let plane = &mut plane[words.clone()];
            let waiting = &mut self.waiting[level][..n_words];
            let carry = &mut self.carry[..n_words];
            is_carried = match (std::mem::take(&mut self.does_wait[level]), is_carried) {
                (false, false) => false,
                (false, true) => kernels::add_one(plane, carry),
                (true, false) => {
                    carry.copy_from_slice(waiting);
                    kernels::add_one(plane, carry)
                }
                (true, true) => {
                    let is_carried = kernels::add_two(plane, waiting, carry, &mut self.spare[..n_words]);
                    std::mem::swap(&mut self.carry, &mut self.spare);
                    is_carried
                }
            };
        }
    }
}

/// Words in a block: planes and parts of a hundred sets take 14 KB, and no part is split into more than
/// 8,192.
const TALLY_BLOCK: usize = 128;

/// By number of votes: how many positions of these words have it; padding counts at 0.
///
/// **Shape**: `2^n_planes` entries.
fn exactly(planes: &[Vec<u64>], words: Range<usize>) -> Vec<usize> {
    let mut splitter = Splitter { planes, words: 0..0, numbers: vec![0; 1 << planes.len()] };
    let mut parts = vec![[0; TALLY_BLOCK]; planes.len() + 1];
    for start in words.clone().step_by(TALLY_BLOCK) {
        splitter.words = start..words.end.min(start + TALLY_BLOCK);
        let n_words = splitter.words.len();
        let Some(whole) = parts.last_mut() else { break };
        whole[..n_words].fill(!0);
        splitter.split(&mut parts, n_words * 64, 0);
    }
    splitter.numbers
}

struct Splitter<'planes> {
    planes: &'planes [Vec<u64>],
    /// The words of the block.
    words: Range<usize>,
    numbers: Vec<usize>,
}

impl Splitter<'_> {
    /// Counts the `n_positions` positions of the last part. From plane `parts.len() - 1` on, all of them have the
    /// same bits of votes, given as `votes`. The parts are overwritten.
    fn split(&mut self, parts: &mut [[u64; TALLY_BLOCK]], n_positions: usize, votes: usize) {
        let Some((part, below)) = parts.split_last_mut() else { return };
        let bit = below.len();
        if n_positions == 0 {
            return;
        }
        let Some(lower) = bit.checked_sub(1) else {
            self.numbers[votes] += n_positions;
            return;
        };
        let n_words = self.words.len();
        let plane = &self.planes[lower][self.words.clone()];
        let part = &mut part[..n_words];
        if lower == 0 {
            let n_set = kernels::count_both(part, plane);
            self.numbers[votes | 1] += n_set;
            self.numbers[votes] += n_positions - n_set;
            return;
        }
        let n_set = kernels::intersect_into(&mut below[lower][..n_words], part, plane);
        self.split(below, n_set, votes | 1 << lower);
        if n_set < n_positions {
            kernels::subtract(part, plane);
            below[lower][..n_words].copy_from_slice(part);
            self.split(below, n_positions - n_set, votes);
        }
    }
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
