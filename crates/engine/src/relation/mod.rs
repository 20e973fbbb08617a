//! Column store: the facts of each predicate as sorted columns with an index for each column.
//!
//! A relation never changes. Rows ascend lexicographically, so that a row id is a canonical rank,
//! membership is a binary search, and the first column's index needs no permutation.

mod columns;
mod index;
mod links;
mod order;
mod rows_with;
mod table;

use std::sync::{Arc, OnceLock};

use gleaner_base::ConstantId;
use gleaner_lang::program::Rows;

pub use links::{LinkHead, LinkWord, Links};
use order::ColumnOrder;
pub use order::ValueWords;
pub use rows_with::RowsWith;
use table::Table;

/// The tuples for which a predicate is true.
///
/// **Shape**: `arity` columns of `n_rows` constants; rows ascend and are distinct.
/// **Memory**: 4 bytes a value, and 4 bytes a value for the index beyond the first column. The indices' offsets take at
/// most 4 bytes for each id in a column's range, where that range is dense. The tables of `semi_join` and `links` are
/// made when they are first asked for.
#[derive(Debug, Default)]
pub struct Relation {
    table: Table,
    /// By key column.
    orders: Box<[OnceLock<ColumnOrder>]>,
    /// By key column, then target column. The table of a key column is made with its first links, because all tables
    /// together grow with the square of the arity.
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
        let table = Table::renumbered(rows, renumber);
        let orders = (0..table.arity()).map(|_| OnceLock::new()).collect();
        let links = (0..table.arity()).map(|_| OnceLock::new()).collect();
        Self { table, orders, links }
    }

    /// How many tuples the relation has.
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.table.n_rows() as usize
    }

    /// All rows, ascending.
    #[must_use]
    pub fn all_rows(&self) -> RowsWith<'_> {
        RowsWith::Range(0, self.table.n_rows())
    }

    /// How many arguments the predicate takes.
    #[must_use]
    pub const fn arity(&self) -> usize {
        self.table.arity()
    }

    /// The values of one argument, by row.
    #[must_use]
    pub fn column(&self, column: usize) -> &[ConstantId] {
        self.table.column(column)
    }

    /// The value of an argument in a row.
    #[must_use]
    pub fn value(&self, row: usize, column: usize) -> ConstantId {
        self.table.value(row, column)
    }

    /// How many distinct values an argument takes.
    #[must_use]
    pub fn n_distinct(&self, column: usize) -> usize {
        self.table.index(column).n_distinct()
    }

    /// The rows whose argument has a value, ascending. Cost: `O(1)` where ids are dense, else a
    /// binary search over the distinct values.
    #[must_use]
    pub fn rows_with(&self, column: usize, value: ConstantId) -> RowsWith<'_> {
        self.table.rows_with(column, value)
    }

    /// Whether a tuple is in the relation. Cost: the first column's look-up, then binary search.
    #[must_use]
    pub fn contains(&self, tuple: &[ConstantId]) -> bool {
        debug_assert_eq!(tuple.len(), self.arity(), "a tuple has one value for each argument");
        let Some((&first, rest)) = tuple.split_first() else { return self.table.n_rows() > 0 };
        let RowsWith::Range(start, end) = self.rows_with(0, first) else {
            unreachable!("the first column is sorted, so its index gives ranges")
        };
        let (mut low, mut high) = (start as usize, end as usize);
        for (column, value) in (1..).zip(rest) {
            let values = &self.table.column(column)[low..high];
            let begin = values.partition_point(|known| known < value);
            let count = values[begin..].partition_point(|known| known == value);
            (low, high) = (low + begin, low + begin + count);
        }
        low < high
    }

    /// The rows in the order of a column; rows of equal value ascend.
    pub fn rows_by(&self, key: usize) -> impl Iterator<Item = usize> + '_ {
        self.table.rows_by(key)
    }

    /// The values of column `key` in those rows that are in each of `among` and whose values in other columns are in
    /// these sets. The result is the number of the first word, and the words. The bits of `among` are rows in the
    /// order of the column (`rows_by`).
    ///
    /// **Cost**: about half a cycle for each row and set, if the column's order was made before; the orders of all
    /// columns take about a byte a value.
    #[must_use]
    pub fn semi_join(
        &self,
        key: usize,
        sets: &[(usize, ValueWords<'_>)],
        among: &[&[u64]],
    ) -> (usize, Vec<u64>) {
        let order = self.orders[key].get_or_init(|| ColumnOrder::new(&self.table, key));
        order.semi_join(&self.table, key, sets, among)
    }

    /// The links from a column to another. `None` where a third column is no function of the first, or where ids of the
    /// first are too far apart for a table. The first call makes the links, at a cost of `O(n log n)`, and keeps them.
    #[must_use]
    pub fn links(&self, key: usize, target: usize) -> Option<Arc<Links>> {
        let of_key = self.links[key].get_or_init(|| (0..self.arity()).map(|_| OnceLock::new()).collect());
        of_key[target].get_or_init(|| Links::new(&self.table, key, target).map(Arc::new)).clone()
    }
}

#[cfg(test)]
mod tests;
