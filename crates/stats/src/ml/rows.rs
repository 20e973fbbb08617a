//! The distinct rows of a feature table.
//!
//! The method takes 64 examples at a time. It transposes their bits of all columns, 64 columns at once, into one row of
//! words for each example. Then it looks up this row among the known rows. It compares whole rows, so equal hashes
//! never merge different rows. The time of transposing does not depend on the columns' density. There are two
//! alternatives: to split a partition of the examples column by column, or to sum a hash for each example over the
//! columns that hold it. Both visit every set bit in random order, and give no rows.

mod block;
mod transpose;

use hashbrown::HashTable;

use super::features::Features;
use block::{BLOCK, Block};
use gleaner_base::{ExampleSet, FeatureId, RowId};

/// The distinct rows of feature values, each with its examples counted by class.
///
/// **Shape**: rows are numbered by their first positions, so their order depends only on that of the examples. Without
/// features all examples have one row; without examples there is no row.
///
/// **Memory**: `ceil(n_features / 64)` words and two counts for each distinct row, 4 bytes for each
/// position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// How many words a row has.
    width: usize,
    /// The rows one after the other; bit `f % 64` of word `f / 64` is feature `f`.
    words: Vec<u64>,
    /// For each row, the numbers of its positives and negatives.
    counts: Vec<(usize, usize)>,
    /// For each position, the row of its example; `NO_ROW` without an example.
    row_of: Vec<u32>,
}

const NO_ROW: u32 = u32::MAX;

/// A distinct row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'rows> {
    /// Its feature values: bit `f % 64` of word `f / 64` is feature `f`.
    pub words: &'rows [u64],
    /// How many positives have it.
    pub n_positives: usize,
    /// How many negatives have it.
    pub n_negatives: usize,
}

impl<'rows> Row<'rows> {
    /// The features that hold, ascending.
    pub fn features(&self) -> impl Iterator<Item = FeatureId> + 'rows {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(word_idx, &word)| bits(word).map(move |bit| FeatureId::new(word_idx * 64 + bit)))
    }
}

impl Rows {
    /// The distinct rows of a table.
    ///
    /// **Cost**: a visit of each position that a column holds, `O(n_positions * n_features / 64)` word
    /// operations, and a look-up for each example. **Memory** beside the result: `512 * n_features`
    /// bytes and 8 for each row.
    #[must_use]
    pub fn of(features: &Features) -> Self {
        let labels = features.labels();
        let width = features.n_features().div_ceil(64);
        let mut rows =
            Self { width, words: Vec::new(), counts: Vec::new(), row_of: vec![NO_ROW; labels.n_positions()] };
        let mut known = HashTable::new();
        let mut block = Block::new(features.columns());
        let mut transposed = vec![0; 64 * width];
        for start in (0..labels.n_positions()).step_by(BLOCK) {
            block.fill(start);
            for slice in 0..BLOCK / 64 {
                let word = start / 64 + slice;
                let of_class = |set: &ExampleSet| set.words().get(word).copied().unwrap_or(0);
                let (positives, negatives) = (of_class(labels.positives()), of_class(labels.negatives()));
                if positives | negatives == 0 {
                    continue;
                }
                block.transpose(slice, &mut transposed);
                for bit in bits(positives | negatives) {
                    let row = rows.find_or_add(&mut known, &transposed[bit * width..(bit + 1) * width]);
                    rows.row_of[word * 64 + bit] = row.raw();
                    let counts = &mut rows.counts[row.index()];
                    counts.0 += (positives >> bit & 1) as usize;
                    counts.1 += (negatives >> bit & 1) as usize;
                }
            }
        }
        rows
    }

    fn find_or_add(&mut self, known: &mut HashTable<RowId>, words: &[u64]) -> RowId {
        let hash_here = hash(words);
        if let Some(&row) = known.find(hash_here, |&row| self.row(row).words == words) {
            return row;
        }
        let row = RowId::new(self.counts.len());
        known.insert_unique(hash_here, row, |&row| hash(self.row(row).words));
        self.words.extend_from_slice(words);
        self.counts.push((0, 0));
        row
    }

    /// How many distinct rows there are.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.counts.len()
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[must_use]
    pub fn row(&self, row: RowId) -> Row<'_> {
        let (n_positives, n_negatives) = self.counts[row.index()];
        let words = &self.words[row.index() * self.width..][..self.width];
        Row { words, n_positives, n_negatives }
    }

    /// The rows, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.n_rows()).map(|row| self.row(RowId::new(row)))
    }

    /// The row of the example at a position; `None` where there is no example.
    #[must_use]
    pub fn row_of(&self, position: usize) -> Option<RowId> {
        self.row_of.get(position).filter(|&&row| row != NO_ROW).map(|&row| RowId::from_raw(row))
    }
}

/// The positions of the bits that are set, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

/// A hash of a row: the folded sum of each word times an odd number that depends on its place. Unlike in a chain, no
/// product waits for another.
fn hash(words: &[u64]) -> u64 {
    let mut sum = 0;
    let mut factor = 0x9E37_79B9_7F4A_7C15_u64;
    for &word in words {
        let product = u128::from(word) * u128::from(factor);
        sum ^= low_half(product) ^ low_half(product >> 64);
        factor = factor.wrapping_add(0xD1B5_4A32_D192_ED02);
    }
    // The table takes the tag from the high bits and the place from the low bits.
    (sum ^ sum >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[expect(clippy::cast_possible_truncation, reason = "the other half is not wanted")]
const fn low_half(product: u128) -> u64 {
    product as u64
}

#[cfg(test)]
mod tests;
