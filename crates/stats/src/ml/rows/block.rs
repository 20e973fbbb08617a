//! Dense words of all columns at a few thousand positions, and their rows.

use roaring::RoaringBitmap;

use super::transpose::transpose;
use crate::ml::cursor::{Cursor, for_each_word};

/// The number of positions that are transposed between two visits of the compressed columns, a multiple of 64. At 2,000
/// features their dense words take 1 MB.
pub(super) const BLOCK: usize = 4_096;

/// Dense words of all columns at `BLOCK` positions.
pub(super) struct Block<'columns> {
    cursors: Vec<Cursor<'columns>>,
    /// `ceil(n_features / 64)`.
    width: usize,
    /// For each 64 positions, a word of each column; these groups are `stride` words apart.
    words: Vec<u64>,
    stride: usize,
}

impl<'columns> Block<'columns> {
    pub(super) fn new(columns: &'columns [RoaringBitmap]) -> Self {
        let width = columns.len().div_ceil(64);
        // A column's words are written one stride apart: the 8 more keep strides of a power of two, which
        // would all fall into the same lines of the cache, away.
        let stride = width * 64 + 8;
        let cursors = columns.iter().map(Cursor::new).collect();
        Self { cursors, width, words: vec![0; stride * (BLOCK / 64)], stride }
    }

    /// Reads the columns' bits at the `BLOCK` positions from `start` on; calls must ascend.
    pub(super) fn fill(&mut self, start: usize) {
        self.words.fill(0);
        for (column, cursor) in self.cursors.iter_mut().enumerate() {
            let positions = cursor.below(start + BLOCK).map(|position| position - start);
            for_each_word(positions, |word, bits| self.words[word * self.stride + column] = bits);
        }
    }

    /// Writes the rows of the 64 positions of a slice, one after the other.
    pub(super) fn transpose(&self, slice: usize, rows: &mut [u64]) {
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
