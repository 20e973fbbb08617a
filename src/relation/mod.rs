//! Column store: the facts of each predicate as sorted columns with an index for each column.
//!
//! A relation never changes. Rows ascend lexicographically, so that a row id is a canonical rank,
//! membership is a binary search, and the first column's index needs no permutation.

mod columns;
mod index;
mod links;
mod order;

use std::sync::{Arc, OnceLock};

use crate::base::ConstantId;
use crate::program::Rows;

use columns::sorted_columns;
use index::ColumnIndex;
pub use links::{LinkHead, LinkWord, Links};
use order::ColumnOrder;
pub use order::ValueWords;

/// The tuples for which a predicate is true.
///
/// **Shape**: `arity` columns of `n_rows` constants; rows ascend and are distinct.
/// **Memory**: 4 bytes a value, 4 bytes a value for the index beyond the first column, and the
/// indices' offsets (at most 4 bytes for each id in a column's range, where that range is dense);
/// the tables of `semi_join` and `links` are made when they are first asked for.
#[derive(Debug, Default)]
pub struct Relation {
    n_rows: u32,
    columns: Vec<Box<[ConstantId]>>,
    indices: Vec<ColumnIndex>,
    /// By key column.
    orders: Box<[OnceLock<ColumnOrder>]>,
    /// By key column, then target column; the table of a key column is made with its first links, for all of
    /// them together grow with the square of the arity.
    links: Box<[OnceLock<LinksOfKey>]>,
}

/// By target column.
type LinksOfKey = Box<[OnceLock<Option<Arc<Links>>>]>;

impl Relation {
    /// The relation of these rows, which need not be sorted or distinct. Cost: linear where the ids of
    /// each column are dense, else `O(arity * n log n)`.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
    #[must_use]
    pub fn new(rows: &Rows) -> Self {
        Self::renumbered(rows, |constant| constant)
    }

    /// The relation of these rows with every constant replaced.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
    #[must_use]
    pub fn renumbered(rows: &Rows, renumber: impl Fn(ConstantId) -> ConstantId) -> Self {
        let columns = sorted_columns(rows, renumber);
        let indices = columns.iter().map(|column| ColumnIndex::new(column)).collect();
        let n_rows = columns.first().map_or(rows.len().min(1), |column| column.len());
        let n_rows = u32::try_from(n_rows).expect("relations hold fewer than 2^32 rows");
        let orders = columns.iter().map(|_| OnceLock::new()).collect();
        let links = columns.iter().map(|_| OnceLock::new()).collect();
        Self { n_rows, columns, indices, orders, links }
    }

    /// How many tuples the relation has.
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.n_rows as usize
    }

    /// All rows, ascending.
    #[must_use]
    pub fn all_rows(&self) -> RowsWith<'_> {
        RowsWith::Range(0, self.n_rows)
    }

    /// How many arguments the predicate takes.
    #[must_use]
    pub const fn arity(&self) -> usize {
        self.columns.len()
    }

    /// The values of one argument, by row.
    #[must_use]
    pub fn column(&self, column: usize) -> &[ConstantId] {
        &self.columns[column]
    }

    /// The value of an argument in a row.
    #[must_use]
    pub fn value(&self, row: usize, column: usize) -> ConstantId {
        self.columns[column][row]
    }

    /// How many distinct values an argument takes.
    #[must_use]
    pub fn n_distinct(&self, column: usize) -> usize {
        self.indices[column].n_distinct()
    }

    /// The rows whose argument has a value, ascending. Cost: `O(1)` where ids are dense, else a
    /// binary search over the distinct values.
    #[must_use]
    pub fn rows_with(&self, column: usize, value: ConstantId) -> RowsWith<'_> {
        self.indices[column].rows_with(value)
    }

    /// Whether a tuple is in the relation. Cost: the first column's look-up, then binary search.
    #[must_use]
    pub fn contains(&self, tuple: &[ConstantId]) -> bool {
        debug_assert_eq!(tuple.len(), self.arity(), "a tuple has one value for each argument");
        let Some((&first, rest)) = tuple.split_first() else { return self.n_rows > 0 };
        let RowsWith::Range(start, end) = self.rows_with(0, first) else {
            unreachable!("the first column is sorted, so its index gives ranges")
        };
        let (mut low, mut high) = (start as usize, end as usize);
        for (column, value) in (1..).zip(rest) {
            let values = &self.columns[column][low..high];
            let begin = values.partition_point(|known| known < value);
            let count = values[begin..].partition_point(|known| known == value);
            (low, high) = (low + begin, low + begin + count);
        }
        low < high
    }
}

/// Rows found through an index.
#[derive(Clone, Copy, Debug)]
pub enum RowsWith<'relation> {
    /// The rows `start..end`.
    Range(u32, u32),
    /// These rows, ascending.
    List(&'relation [u32]),
}

impl RowsWith<'_> {
    /// How many rows there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Range(start, end) => (*end - *start) as usize,
            Self::List(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position.
    #[must_use]
    pub const fn get(&self, position: usize) -> usize {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "a position is below the u32 row count")]
            Self::Range(start, _) => (*start + position as u32) as usize,
            Self::List(rows) => rows[position] as usize,
        }
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|position| self.get(position))
    }
}

#[cfg(test)]
mod tests;
