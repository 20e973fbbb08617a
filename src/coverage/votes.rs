//! Votes of K sets on each example, counted in bit slices.
//!
//! `ceil(log2(K + 1))` planes of words hold all counts; adding a set is a carry-save addition over
//! words, so 64 examples are counted at once.

use crate::base::ExampleSet;

/// For each position the number of sets added that hold it.
#[derive(Clone, Debug)]
pub struct VoteCounter {
    len: usize,
    /// Plane `j` holds bit `j` of every count.
    planes: Vec<Vec<u64>>,
}

impl VoteCounter {
    /// No votes over a universe of `len` positions.
    #[must_use]
    pub const fn new(len: usize) -> Self {
        Self { len, planes: Vec::new() }
    }

    /// The votes of these sets. Cost: `O(n_sets * n_words)` amortised.
    #[must_use]
    pub fn of<'a>(len: usize, sets: impl IntoIterator<Item = &'a ExampleSet>) -> Self {
        let mut counter = Self::new(len);
        for set in sets {
            counter.add(set);
        }
        counter
    }

    /// Adds one vote for each position in `set`.
    ///
    /// # Panics
    ///
    /// When the universes differ.
    pub fn add(&mut self, set: &ExampleSet) {
        assert_eq!(set.universe(), self.len, "votes over different universes");
        let mut carry: Vec<u64> = set.words().to_vec();
        for plane in &mut self.planes {
            let mut any = 0;
            for (bit, carried) in plane.iter_mut().zip(&mut carry) {
                let both = *bit & *carried;
                *bit ^= *carried;
                *carried = both;
                any |= both;
            }
            if any == 0 {
                return;
            }
        }
        if carry.iter().any(|&word| word != 0) {
            self.planes.push(carry);
        }
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

    /// The positions with at least `threshold` votes. Cost: one pass over the planes.
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
}

#[cfg(test)]
mod tests;
