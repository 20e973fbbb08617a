//! Votes of K sets on each example, counted in bit slices; "at least L of K" for all L at once.
//!
//! `ceil(log2(K + 1))` planes of words hold all counts, so that 64 examples are counted at once. Full adders add two
//! sets in a pass (module `adder`). To count the examples with each number of votes, module `tally` splits the
//! examples plane by plane. Module [`weighted`] sums votes that have weights.

mod adder;
mod tally;
pub mod weighted;

use std::ops::Range;

use gleaner_base::{Counts, ExampleSet};

pub use weighted::{add_weighted_votes, at_least, weighted_votes};

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
        let mut sizes = tally::exactly(&self.planes, words);
        sizes.resize(self.n_sets + 1, 0);
        // From "exactly L" to "at least L". The first entry, for 0 votes, is left out.
        for votes in (1..self.n_sets).rev() {
            sizes[votes] += sizes[votes + 1];
        }
        sizes.split_off(1)
    }
}

#[cfg(test)]
mod tests;
