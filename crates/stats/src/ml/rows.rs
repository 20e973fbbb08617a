//! The distinct rows of a feature table.
//!
//! The method takes 64 examples at a time, from dense words of all columns at a few thousand positions. It transposes
//! their bits of all columns, 64 columns at once, into one row of words for each example. Then it looks up this row
//! among the known rows. It compares whole rows, so equal hashes never merge different rows. The time of transposing
//! does not depend on the columns' density. There are two alternatives: to split a partition of the examples column
//! by column, or to sum a hash for each example over the columns that hold it. Both visit every set bit in random
//! order, and give no rows.

use hashbrown::HashTable;
use roaring::RoaringBitmap;

use gleaner_base::{ExampleSet, FeatureId, RowId};

use super::features::{Cursor, Features, for_each_word};

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
    pub fn features(&self) -> impl Iterator<Item = FeatureId> + use<'rows> {
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
    pub fn n_rows(&self) -> usize {
        self.counts.len()
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
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

/// The number of positions that are transposed between two visits of the compressed columns, a multiple of 64. At 2,000
/// features their dense words take 1 MB.
const BLOCK: usize = 4_096;

/// Dense words of all columns at `BLOCK` positions.
struct Block<'columns> {
    cursors: Vec<Cursor<'columns>>,
    /// `ceil(n_features / 64)`.
    width: usize,
    /// For each 64 positions, a word of each column; these groups are `stride` words apart.
    words: Vec<u64>,
    stride: usize,
}

impl<'columns> Block<'columns> {
    fn new(columns: &'columns [RoaringBitmap]) -> Self {
        let width = columns.len().div_ceil(64);
        // A column's words are written one stride apart: the 8 more keep strides of a power of two, which
        // would all fall into the same lines of the cache, away.
        let stride = width * 64 + 8;
        let cursors = columns.iter().map(Cursor::new).collect();
        Self { cursors, width, words: vec![0; stride * (BLOCK / 64)], stride }
    }

    /// Reads the columns' bits at the `BLOCK` positions from `start` on; calls must ascend.
    fn fill(&mut self, start: usize) {
        self.words.fill(0);
        for (column, cursor) in self.cursors.iter_mut().enumerate() {
            let positions = cursor.below(start + BLOCK).map(|position| position - start);
            for_each_word(positions, |word, bits| self.words[word * self.stride + column] = bits);
        }
    }

    /// Writes the rows of the 64 positions of a slice, one after the other.
    fn transpose(&self, slice: usize, rows: &mut [u64]) {
        let columns = &self.words[slice * self.stride..][..self.width * 64];
        for (word, columns) in columns.as_chunks::<64>().0.iter().enumerate() {
            let mut square = *columns;
            transpose(&mut square);
            for (row, bits) in rows.chunks_exact_mut(self.width).zip(square) {
                row[word] = bits;
            }
        }
    }
}

/// Bit `i` of word `j` becomes bit `j` of word `i`.
fn transpose(words: &mut [u64; 64]) {
    // Blocks of half the size are exchanged across the diagonal of each block of the size before.
    swap::<32>(words, 0x0000_0000_FFFF_FFFF);
    swap::<16>(words, 0x0000_FFFF_0000_FFFF);
    swap::<8>(words, 0x00FF_00FF_00FF_00FF);
    swap::<4>(words, 0x0F0F_0F0F_0F0F_0F0F);
    swap::<2>(words, 0x3333_3333_3333_3333);
    swap::<1>(words, 0x5555_5555_5555_5555);
}

/// Exchanges the high bits of the first `SIZE` of each `2 * SIZE` words with the low bits of the others;
/// `low` has the low bits of each `2 * SIZE`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the loops unroll once the size is known")]
fn swap<const SIZE: usize>(words: &mut [u64; 64], low: u64) {
    for pair in words.chunks_exact_mut(2 * SIZE) {
        let (first, second) = pair.split_at_mut(SIZE);
        for (first, second) in first.iter_mut().zip(second) {
            let differing = (*first >> SIZE ^ *second) & low;
            *first ^= differing << SIZE;
            *second ^= differing;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use rand::RngExt;

    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{FeatureId, RowId};

    use super::super::features::tests::table_of;
    use super::{Row, Rows, transpose};

    /// Rows as lists of bits, numbered by first occurrence over the positions.
    fn assert_agrees(classes: &[Option<bool>], columns: &[Vec<bool>]) {
        let rows = Rows::of(&table_of(classes, columns));
        let mut numbers: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for (position, class) in classes.iter().enumerate() {
            let Some(is_positive) = *class else {
                assert_eq!(rows.row_of(position), None);
                continue;
            };
            let row: Vec<bool> = columns.iter().map(|column| column[position]).collect();
            let held = (0..columns.len()).filter(|&column| row[column]).map(FeatureId::new);
            let number = *numbers.entry(row.clone()).or_insert(counts.len());
            if number == counts.len() {
                counts.push((0, 0));
                let found: Vec<FeatureId> = rows.row(RowId::new(number)).features().collect();
                assert_eq!(found, held.collect::<Vec<_>>());
            }
            assert_eq!(rows.row_of(position), Some(RowId::new(number)));
            if is_positive {
                counts[number].0 += 1;
            } else {
                counts[number].1 += 1;
            }
        }
        let found: Vec<(usize, usize)> = rows.iter().map(|row| (row.n_positives, row.n_negatives)).collect();
        assert_eq!(found, counts);
        assert_eq!(rows.n_rows(), counts.len());
        assert_eq!(rows.row_of(classes.len()), None);
    }

    proptest! {
        #[test]
        fn rows_agree_with_plain_lists(
            classes in vec(any::<Option<bool>>(), 0..200),
            columns in vec(vec(any::<bool>(), 200), 0..4),
        ) {
            assert_agrees(&classes, &columns);
        }

        #[test]
        fn rows_of_several_words_agree_with_plain_lists(
            classes in vec(any::<Option<bool>>(), 0..150),
            patterns in vec(vec(any::<bool>(), 130), 1..5),
            chosen in vec(any::<usize>(), 150),
            n_columns in 60_usize..131,
        ) {
            // Few patterns, so that rows of up to three words recur.
            let columns: Vec<Vec<bool>> = (0..n_columns)
                .map(|column| chosen.iter().map(|pattern| patterns[pattern % patterns.len()][column]).collect())
                .collect();
            assert_agrees(&classes, &columns);
        }

        #[test]
        fn a_repeated_column_changes_no_row_number(
            classes in vec(any::<Option<bool>>(), 0..100),
            columns in vec(vec(any::<bool>(), 100), 1..4),
        ) {
            let once = Rows::of(&table_of(&classes, &columns));
            let twice = Rows::of(&table_of(&classes, &[columns.clone(), columns].concat()));
            for position in 0..classes.len() {
                prop_assert_eq!(once.row_of(position), twice.row_of(position));
            }
        }
    }

    /// More positions than one transposition takes, columns of every density, and a last word that is not full.
    #[test]
    fn rows_over_several_blocks_agree_with_plain_lists() {
        let n_positions = 3 * 4_096 + 77;
        let mut rng = stream(1, Purpose::Generate, &[9]);
        let kinds: Vec<usize> = (0..n_positions).map(|_| rng.random_range(0..50)).collect();
        let classes: Vec<Option<bool>> =
            (0..n_positions).map(|at| (at % 97 != 5).then(|| rng.random_bool(0.01))).collect();
        let columns: Vec<Vec<bool>> = (0..70)
            .map(|column| {
                let holds: Vec<bool> = (0..50).map(|_| rng.random_bool(f64::from(column) / 70.0)).collect();
                (0..n_positions).map(|at| holds[kinds[at]] && (column > 2 || at % 1_000 == 0)).collect()
            })
            .collect();
        assert_agrees(&classes, &columns);
    }

    #[test]
    fn tables_without_features_or_examples() {
        assert_eq!(Rows::of(&table_of(&[], &[])).n_rows(), 0);
        assert_eq!(Rows::of(&table_of(&[None, None], &[vec![false; 2]])).n_rows(), 0);
        assert_eq!(Rows::of(&table_of(&[], &[vec![]])).n_rows(), 0);
        let rows = Rows::of(&table_of(&[Some(true), None, Some(false), Some(false)], &[]));
        let all: Vec<Row<'_>> = rows.iter().collect();
        assert_eq!(all, [Row { words: &[], n_positives: 1, n_negatives: 2 }]);
    }

    proptest! {
        #[test]
        fn every_bit_crosses_the_diagonal(words in vec(any::<u64>(), 64)) {
            let mut transposed: [u64; 64] = words.clone().try_into().expect("64 words");
            transpose(&mut transposed);
            for (row, &word) in words.iter().enumerate() {
                for (column, &other) in transposed.iter().enumerate() {
                    prop_assert_eq!(word >> column & 1, other >> row & 1);
                }
            }
        }
    }
}
