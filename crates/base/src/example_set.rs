//! A set of examples as dense words; all code that computes coverage uses it.

use xxhash_rust::xxh3::Xxh3Default;

use super::kernels;

/// A subset of `0..len` positions, 64 to a word.
///
/// **Invariant**: bits at and above `len` are zero, so counts need no mask.
/// **Cost**: `len / 8` bytes; every operation is one pass over `len / 64` words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ExampleSet {
    len: usize,
    words: Box<[u64]>,
}

impl ExampleSet {
    /// The empty subset of `0..len`.
    pub fn empty(len: usize) -> Self {
        Self { len, words: vec![0; len.div_ceil(64)].into_boxed_slice() }
    }

    /// The whole of `0..len`.
    pub fn full(len: usize) -> Self {
        let mut set = Self { len, words: vec![!0; len.div_ceil(64)].into_boxed_slice() };
        if !len.is_multiple_of(64)
            && let Some(last) = set.words.last_mut()
        {
            *last = (1 << (len % 64)) - 1;
        }
        set
    }

    /// The subset holding `positions`, each below `len`.
    pub fn from_positions(len: usize, positions: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::empty(len);
        for position in positions {
            set.insert(position);
        }
        set
    }

    /// The size of the universe, not of the set.
    pub const fn universe(&self) -> usize {
        self.len
    }

    /// The words, lowest positions first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, for changes; bits beyond the universe must stay zero.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Adds a position.
    ///
    /// # Panics
    ///
    /// When `position` is outside the universe.
    pub fn insert(&mut self, position: usize) {
        assert!(position < self.len, "position {position} outside a universe of {}", self.len);
        self.words[position / 64] |= 1 << (position % 64);
    }

    /// Adds `len` positions from `start` on.
    ///
    /// # Panics
    ///
    /// When a position is outside the universe.
    pub fn insert_run(&mut self, start: usize, len: usize) {
        assert!(start + len <= self.len, "a run up to {} outside a universe of {}", start + len, self.len);
        if len == 1 {
            self.words[start / 64] |= 1 << (start % 64);
            return;
        }
        let (mut at, end) = (start, start + len);
        while at < end {
            let n_bits = (64 - at % 64).min(end - at);
            self.words[at / 64] |= (!0 >> (64 - n_bits)) << (at % 64);
            at += n_bits;
        }
    }

    /// Replaces one word; bits beyond the universe are dropped.
    ///
    /// # Panics
    ///
    /// When there is no such word.
    pub fn set_word(&mut self, word: usize, bits: u64) {
        let n_bits = self.len - word * 64;
        self.words[word] = if n_bits < 64 { bits & ((1 << n_bits) - 1) } else { bits };
    }

    /// Whether a position is in the set; false outside the universe.
    pub fn contains(&self, position: usize) -> bool {
        self.words.get(position / 64).is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// How many positions are in the set.
    pub fn count(&self) -> usize {
        kernels::count(&self.words)
    }

    /// How many positions of the set lie in its first `n_words` words, and how many in the rest.
    pub fn count_split(&self, n_words: usize) -> (usize, usize) {
        let (low, high) = self.words.split_at(n_words.min(self.words.len()));
        (kernels::count(low), kernels::count(high))
    }

    /// Keeps the positions that are also in `other`.
    ///
    /// # Panics
    ///
    /// When the universes differ.
    pub fn intersect_with(&mut self, other: &Self) {
        assert_eq!(self.len, other.len, "sets over different universes");
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Keeps, in a range of words, the positions that are also in `other`. Returns how many positions are left in the
    /// range.
    ///
    /// # Panics
    ///
    /// When the range reaches beyond either set's words.
    pub fn intersect_words_with(&mut self, other: &Self, range: std::ops::Range<usize>) -> usize {
        kernels::intersect(&mut self.words[range.clone()], &other.words[range])
    }

    /// How many positions this set shares with another one, which has these first words and is empty beyond them.
    ///
    /// # Panics
    ///
    /// When there are more words than the set has.
    pub fn count_common(&self, first_words: &[u64]) -> usize {
        kernels::count_both(first_words, &self.words[..first_words.len()])
    }

    /// How many positions this set shares with blocks of eight words, each given with the number of its first word.
    /// Words of a block beyond the universe count for nothing.
    ///
    /// # Panics
    ///
    /// When a block begins beyond the universe.
    pub fn count_common_blocks(&self, blocks: &[(u32, [u64; 8])]) -> usize {
        kernels::count_common_blocks(&self.words, blocks)
    }

    /// A hash of 128 bits. Different sets have different hashes, except by chance: among a million sets, two hashes
    /// agree with a probability below 10^-26.
    pub fn fingerprint(&self) -> u128 {
        let mut hash = Xxh3Default::new();
        let mut bytes = [0; 512];
        hash.update(&(self.len as u64).to_le_bytes());
        for words in self.words.chunks(64) {
            for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            hash.update(&bytes[..words.len() * 8]);
        }
        hash.digest128()
    }

    /// Copies a range of words from `other`.
    ///
    /// # Panics
    ///
    /// When the range reaches beyond either set's words.
    pub fn copy_words_from(&mut self, other: &Self, range: std::ops::Range<usize>) {
        self.words[range.clone()].copy_from_slice(&other.words[range]);
    }

    /// How many positions of a range of words are in the set.
    ///
    /// # Panics
    ///
    /// When the range reaches beyond the set's words.
    pub fn count_words(&self, range: std::ops::Range<usize>) -> usize {
        kernels::count(&self.words[range])
    }

    /// How many positions of a range of words are in both sets.
    ///
    /// # Panics
    ///
    /// When the range reaches beyond either set's words.
    pub fn count_both(&self, other: &Self, range: std::ops::Range<usize>) -> usize {
        kernels::count_both(&self.words[range.clone()], &other.words[range])
    }

    /// Adds the positions of `other`.
    ///
    /// # Panics
    ///
    /// When the universes differ.
    pub fn union_with(&mut self, other: &Self) {
        assert_eq!(self.len, other.len, "sets over different universes");
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Removes the positions of `other`.
    ///
    /// # Panics
    ///
    /// When the universes differ.
    pub fn subtract(&mut self, other: &Self) {
        assert_eq!(self.len, other.len, "sets over different universes");
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Adds the positions that are in `left` and not in `right`.
    ///
    /// # Panics
    ///
    /// When the universes differ.
    pub fn union_with_difference(&mut self, left: &Self, right: &Self) {
        assert!(self.len == left.len && self.len == right.len, "sets over different universes");
        for ((word, left), right) in self.words.iter_mut().zip(&left.words).zip(&right.words) {
            *word |= left & !right;
        }
    }

    /// The positions in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(word_idx, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    word_idx * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ExampleSet;

    #[test]
    fn full_set_has_no_bits_beyond_its_universe() {
        for len in [0, 1, 63, 64, 65, 128, 200] {
            let full = ExampleSet::full(len);
            assert_eq!(full.count(), len);
            assert_eq!(full.iter().collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
            assert!(!full.contains(len));
        }
    }

    #[test]
    fn operations_agree_with_sorted_vectors() {
        let evens: Vec<usize> = (0..150).filter(|n| n % 2 == 0).collect();
        let threes: Vec<usize> = (0..150).filter(|n| n % 3 == 0).collect();
        let mut both = ExampleSet::from_positions(150, evens.iter().copied());
        let mut either = both.clone();
        let other = ExampleSet::from_positions(150, threes.iter().copied());
        both.intersect_with(&other);
        either.union_with(&other);
        assert_eq!(both.iter().collect::<Vec<_>>(), (0..150).filter(|n| n % 6 == 0).collect::<Vec<_>>());
        assert_eq!(either.count(), (0..150).filter(|n| n % 2 == 0 || n % 3 == 0).count());
        assert_eq!(
            either.count_split(1),
            (either.iter().filter(|&n| n < 64).count(), either.iter().filter(|&n| n >= 64).count())
        );
    }

    #[test]
    fn a_run_is_the_positions_one_by_one() {
        for start in [0, 1, 60, 63, 64, 65, 127] {
            for len in [0, 1, 3, 4, 63, 64, 65, 128, 129] {
                let mut run = ExampleSet::from_positions(300, [5, 299]);
                let by_one = ExampleSet::from_positions(300, run.iter().chain(start..start + len));
                run.insert_run(start, len);
                assert_eq!(run, by_one, "{len} from {start} on");
            }
        }
    }

    #[test]
    fn fingerprints_of_near_sets_differ() {
        let mut sets = vec![ExampleSet::empty(300), ExampleSet::full(300), ExampleSet::empty(301)];
        for first in 0..300 {
            sets.push(ExampleSet::from_positions(300, [first]));
            sets.extend((first + 1..300).map(|second| ExampleSet::from_positions(300, [first, second])));
        }
        let mut fingerprints: Vec<u128> = sets.iter().map(ExampleSet::fingerprint).collect();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        assert_eq!(fingerprints.len(), sets.len());
        let halves = |shift: u32| fingerprints.iter().map(move |known| known >> shift & u128::from(u64::MAX));
        for shift in [0, 64] {
            let mut half: Vec<u128> = halves(shift).collect();
            half.sort_unstable();
            half.dedup();
            assert_eq!(half.len(), sets.len(), "each half alone tells them apart");
        }
    }
}
