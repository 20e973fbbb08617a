//! Column store: the facts of each predicate as sorted columns with an index for each column.
//!
//! A relation never changes. Rows ascend lexicographically, so that a row id is a canonical rank, membership is a
//! binary search, and the first column's index needs no permutation. Passes over whole words of rows need the rows in
//! the order of another column; that order is made on demand.

mod links;
mod shared_keys;
mod table;

use std::sync::{Arc, OnceLock};

use gleaner_base::{BitGather, BitSegments, ConstantId};
use gleaner_lang::program::Rows;

pub use links::{LinkHead, LinkWord, Links};
pub use shared_keys::SharedKeys;
pub use table::RowsWith;
use table::Table;

/// The tuples for which a predicate is true.
///
/// **Shape**: `arity` columns of `n_rows` constants; rows ascend and are distinct.
/// **Memory**: 4 bytes a value, and 4 bytes a value for the index beyond the first column. The indices' offsets take at
/// most 4 bytes for each id in a column's range, where that range is dense. Indices and the tables of `semi_join` and
/// `links` are made when they are first asked for. Functions on the same keys share these ([`SharedKeys`]).
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
        Self::of(Table::renumbered(rows, renumber))
    }

    /// As [`Self::renumbered`]; the relations of functions on keys among these share them.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
    #[must_use]
    pub fn sharing(rows: &Rows, keys: &SharedKeys, renumber: impl Fn(ConstantId) -> ConstantId) -> Self {
        let table = rows.as_function().and_then(|function| {
            let keys = keys.renumbered(function.keys, &renumber)?;
            Some(Table::function(keys, |position| renumber(function.values[position])))
        });
        table.map_or_else(|| Self::renumbered(rows, &renumber), Self::of)
    }

    fn of(table: Table) -> Self {
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

/// The rows in the order of one column: its *key*.
#[derive(Debug)]
struct ColumnOrder {
    segments: BitSegments,
    /// For each column, the places of the rows' values in a set of constants.
    gathers: Box<[OnceLock<BitGather>]>,
}

/// The values of a column as bits: the number of the first word, and the words.
pub type ValueWords<'a> = (usize, &'a [u64]);

impl ColumnOrder {
    fn new(table: &Table, key: usize) -> Self {
        Self {
            segments: BitSegments::new(table.rows_by(key).map(|row| table.value(row, key).raw())),
            gathers: (0..table.arity()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// As [`super::Relation::semi_join`], for the table and the key that it was made of.
    fn semi_join(
        &self,
        table: &Table,
        key: usize,
        sets: &[(usize, ValueWords<'_>)],
        among: &[&[u64]],
    ) -> (usize, Vec<u64>) {
        let mut rows = vec![!0; self.segments.n_words()];
        for among in among {
            rows.iter_mut().zip(*among).for_each(|(row, among)| *row &= among);
        }
        for &(column, (first_word, words)) in sets {
            let gather = self.gathers[column].get_or_init(|| gather(table, key, column));
            gather.retain(&mut rows, first_word, words);
        }
        (self.segments.first_word(), self.segments.keys_of(&rows))
    }
}

fn gather(table: &Table, key: usize, column: usize) -> BitGather {
    let sources: Vec<Option<u32>> =
        table.rows_by(key).map(|row| Some(table.value(row, column).raw())).collect();
    BitGather::new(&sources)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop, proptest};

    use gleaner_base::ConstantId;
    use gleaner_lang::program::Rows;

    use super::Relation;

    fn relation(arity: usize, tuples: &[Vec<u32>]) -> Relation {
        let mut rows = Rows::new(arity);
        for tuple in tuples {
            rows.push(&tuple.iter().map(|&raw| ConstantId::from_raw(raw)).collect::<Vec<_>>());
        }
        Relation::new(&rows)
    }

    #[test]
    fn a_predicate_without_arguments_is_true_or_false() {
        assert!(relation(0, &[vec![]]).contains(&[]));
        assert!(!relation(0, &[]).contains(&[]));
    }

    fn tuples() -> impl Strategy<Value = Vec<Vec<u32>>> {
        // Ids from two far ranges, so that both kinds of index are built.
        let value = prop::sample::select(vec![0_u32, 1, 2, 3, 7, 1_000_000, 1_000_001, 4_000_000_000]);
        prop::collection::vec(prop::collection::vec(value, 3), 0..40)
    }

    proptest! {
        #[test]
        fn look_ups_agree_with_a_scan(tuples in tuples(), probe in prop::sample::select(vec![0_u32, 3, 5, 1_000_001, 4_000_000_000])) {
            let relation = relation(3, &tuples);
            let mut sorted = tuples.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(relation.n_rows(), sorted.len());
            for column in 0..3 {
                let found: Vec<usize> = relation.rows_with(column, ConstantId::from_raw(probe)).iter().collect();
                let expected: Vec<usize> = (0..sorted.len()).filter(|&row| sorted[row][column] == probe).collect();
                assert_eq!(found, expected);
            }
            for tuple in &tuples {
                let ids: Vec<ConstantId> = tuple.iter().map(|&raw| ConstantId::from_raw(raw)).collect();
                assert!(relation.contains(&ids));
                let mut other = tuple.clone();
                other[2] = probe;
                let other_ids: Vec<ConstantId> = other.iter().map(|&raw| ConstantId::from_raw(raw)).collect();
                assert_eq!(relation.contains(&other_ids), sorted.contains(&other));
            }
        }
    }
}
