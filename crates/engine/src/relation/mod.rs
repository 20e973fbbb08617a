//! Column store: the facts of each predicate as sorted columns with an index for each column.
//!
//! A relation never changes. Rows ascend lexicographically, so that a row id is a canonical rank, membership is a
//! binary search, and the first column's index needs no permutation. Passes over whole words of rows need the rows in
//! the order of another column; that order is made on demand.
//!
//! Keys that the relations of one table share: its columns are functions of the names of its rows.
//!
//! Links from a constant in one column to the set of constants beside it in another.

mod table;

use std::sync::{Arc, OnceLock};

use gleaner_base::{BitGather, BitSegments, ConstantId};
use gleaner_lang::program::Rows;
use gleaner_lang::program::rows::Function;

use table::{Keys, Table};

pub use table::RowsWith;

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
    pub fn new(rows: &Rows) -> Self {
        Self::renumbered(rows, |constant| constant)
    }

    /// The relation of these rows with every constant replaced.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
    pub fn renumbered(rows: &Rows, renumber: impl Fn(ConstantId) -> ConstantId) -> Self {
        Self::of(Table::renumbered(rows, renumber))
    }

    /// As [`Self::renumbered`]; the relations of functions on keys among these share them.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
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
    pub const fn n_rows(&self) -> usize {
        self.table.n_rows() as usize
    }

    /// All rows, ascending.
    pub fn all_rows(&self) -> RowsWith<'_> {
        RowsWith::Range(0, self.table.n_rows())
    }

    /// How many arguments the predicate takes.
    pub const fn arity(&self) -> usize {
        self.table.arity()
    }

    /// The values of one argument, by row.
    pub fn column(&self, column: usize) -> &[ConstantId] {
        self.table.column(column)
    }

    /// The value of an argument in a row.
    pub fn value(&self, row: usize, column: usize) -> ConstantId {
        self.table.value(row, column)
    }

    /// How many distinct values an argument takes.
    pub fn n_distinct(&self, column: usize) -> usize {
        self.table.index(column).n_distinct()
    }

    /// The rows whose argument has a value, ascending. Cost: `O(1)` where ids are dense, else a
    /// binary search over the distinct values.
    pub fn rows_with(&self, column: usize, value: ConstantId) -> RowsWith<'_> {
        self.table.rows_with(column, value)
    }

    /// Whether a tuple is in the relation. Cost: the first column's look-up, then binary search.
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

    /// As [`Relation::semi_join`], for the table and the key that it was made of.
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

/// The keys of functions among some rows, each put into order once, when a relation first asks for it.
#[derive(Debug)]
pub struct SharedKeys {
    known: Vec<Known>,
}

/// The columns of keys as given, and under new ids: none if two keys are the same.
type Known = (Vec<Arc<[ConstantId]>>, OnceLock<Option<Keys>>);

impl SharedKeys {
    /// The keys of these rows. Cost: a look at each.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Rows>) -> Self {
        let mut known: Vec<Known> = Vec::new();
        for Function { keys, .. } in rows.into_iter().filter_map(Rows::as_function) {
            if !known.iter().any(|(other, _)| are_same(other, keys)) {
                known.push((keys.to_vec(), OnceLock::new()));
            }
        }
        Self { known }
    }

    /// These keys under new ids; none if they are not among the known ones, or two are the same.
    ///
    /// **Invariant**: all calls renumber alike.
    fn renumbered(
        &self,
        keys: &[Arc<[ConstantId]>],
        renumber: impl Fn(ConstantId) -> ConstantId,
    ) -> Option<&Keys> {
        let (_, renumbered) = self.known.iter().find(|(known, _)| are_same(known, keys))?;
        renumbered.get_or_init(|| Keys::renumbered(keys, renumber)).as_ref()
    }
}

/// Whether these are the very same columns.
fn are_same(one: &[Arc<[ConstantId]>], other: &[Arc<[ConstantId]>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other))
}

/// For each constant of a key column, the constants of a target column that occur in rows with it, as words of bits.
/// Every other column is a function of the key.
///
/// Constants of one kind that belong together have neighbouring ids. So most keys take one word or two, and an AND
/// intersects the sets of several keys.
///
/// **Memory**: 16 bytes for each id between the least and the greatest key, and for each word of a key's
/// targets beyond its first.
#[derive(Debug)]
pub struct Links {
    first_key: u32,
    /// By id, from the first key to the last.
    heads: Box<[LinkHead]>,
    /// For each key with further words, the position where they begin; and the end of the last key's words.
    more_starts: Box<[u32]>,
    more: Box<[LinkWord]>,
    /// The other columns, and their value for each key.
    determined: Box<[(usize, Box<[ConstantId]>)]>,
}

/// 64 neighbouring constants; some are linked.
#[derive(Clone, Copy, Debug)]
pub struct LinkWord {
    /// The id of the least constant, divided by 64.
    pub word: u32,
    /// The linked constants, as bits.
    pub bits: u64,
}

/// The first word of a key's targets. One look-up finds it, and for most keys it holds all targets.
#[derive(Clone, Copy, Debug)]
pub struct LinkHead {
    word: u32,
    /// One more than the number of the key among those with further words; 0 for a key without.
    more: u32,
    bits: u64,
}

impl LinkHead {
    /// No targets.
    pub const EMPTY: Self = Self { word: 0, more: 0, bits: 0 };

    /// Whether there are further words.
    pub const fn has_more(self) -> bool {
        self.more != 0
    }

    /// The first word; it has no bits where there are no targets.
    pub const fn first(self) -> LinkWord {
        LinkWord { word: self.word, bits: self.bits }
    }
}

impl Links {
    /// The links from a column to another, if a table holds them.
    fn new(table: &Table, key: usize, target: usize) -> Option<Self> {
        let ids = table.index(key).dense_range()?;
        let mut links = Self {
            first_key: ids.start,
            heads: vec![LinkHead::EMPTY; ids.len()].into(),
            more_starts: Box::default(),
            more: Box::default(),
            determined: Box::default(),
        };
        let mut determined: Vec<(usize, Box<[ConstantId]>)> = (0..table.arity())
            .filter(|column| ![key, target].contains(column))
            .map(|column| (column, vec![ConstantId::default(); ids.len()].into()))
            .collect();
        let (mut more, mut more_starts) = (Vec::new(), vec![0]);
        let (mut words, mut targets): (Vec<LinkWord>, Vec<u32>) = (Vec::new(), Vec::new());
        for id in ids.clone() {
            let slot = (id - ids.start) as usize;
            let rows = table.rows_with(key, ConstantId::new(id as usize));
            for (column, values) in &mut determined {
                let mut of_rows = rows.iter().map(|row| table.value(row, *column));
                let Some(value) = of_rows.next() else { continue };
                if of_rows.any(|other| other != value) {
                    return None;
                }
                values[slot] = value;
            }
            targets.clear();
            targets.extend(rows.iter().map(|row| table.value(row, target).raw()));
            targets.sort_unstable();
            words.clear();
            for &target in &targets {
                match words.last_mut() {
                    Some(last) if last.word == target / 64 => last.bits |= 1 << (target % 64),
                    _ => words.push(LinkWord { word: target / 64, bits: 1 << (target % 64) }),
                }
            }
            let Some((&LinkWord { word, bits }, further)) = words.split_first() else { continue };
            links.heads[slot] = LinkHead { word, more: 0, bits };
            if !further.is_empty() {
                more.extend_from_slice(further);
                links.heads[slot].more = narrow(more_starts.len());
                more_starts.push(narrow(more.len()));
            }
        }
        links.more = more.into();
        links.more_starts = more_starts.into();
        links.determined = determined.into();
        Some(links)
    }

    /// The first word of the targets of a constant.
    #[inline]
    pub fn head(&self, key: ConstantId) -> LinkHead {
        self.heads.get(self.slot(key)).copied().unwrap_or(LinkHead::EMPTY)
    }

    /// The words after the first, ascending.
    #[inline]
    pub fn more(&self, head: LinkHead) -> &[LinkWord] {
        match head.more as usize {
            0 => &[],
            more => &self.more[self.more_starts[more - 1] as usize..self.more_starts[more] as usize],
        }
    }

    /// The targets in one word.
    #[inline]
    pub fn bits(&self, head: LinkHead, word: u32) -> u64 {
        if head.word == word {
            return head.bits;
        }
        let more = self.more(head);
        // Most keys have a word or two.
        if more.len() <= 8 {
            return more.iter().find(|known| known.word == word).map_or(0, |known| known.bits);
        }
        more.binary_search_by_key(&word, |known| known.word).map_or(0, |position| more[position].bits)
    }

    /// The columns that are neither key nor target, each with its value for a constant. The constant must have targets.
    pub fn determined(&self, key: ConstantId) -> impl Iterator<Item = (usize, ConstantId)> + '_ {
        let slot = self.slot(key);
        self.determined.iter().map(move |(column, values)| (*column, values[slot]))
    }

    /// The slot of a key, if the key is between the first and the last.
    const fn slot(&self, key: ConstantId) -> usize {
        key.raw().wrapping_sub(self.first_key) as usize
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("words are no more than rows")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

    use gleaner_base::ConstantId;
    use gleaner_lang::program::Rows;

    use super::{Relation, SharedKeys};

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

    proptest! {
        /// The plain twin is a relation of the same rows on its own.
        #[test]
        fn sharing_changes_nothing(
            rows in prop::collection::vec((0..6_u32, 0..6_u32, 0..5_u32, 0..5_u32), 0..14),
            shift in 1..13_u32,
        ) {
            let id = ConstantId::from_raw;
            // Another order of ids; thirteen is prime, so they stay different.
            let renumber = |constant: ConstantId| id((constant.raw() * shift + 3) % 13);
            let keys: Vec<Arc<[ConstantId]>> =
                vec![rows.iter().map(|row| id(row.0)).collect(), rows.iter().map(|row| id(row.1)).collect()];
            let values: [Vec<ConstantId>; 2] =
                [rows.iter().map(|row| id(row.2)).collect(), rows.iter().map(|row| id(row.3)).collect()];
            let [one, other] = values;
            let functions = [
                Rows::function(keys.clone(), one.clone()),
                Rows::function(keys[..1].to_vec(), one),
                Rows::function(keys, other),
            ];
            let shared = SharedKeys::of(&functions);
            for function in &functions {
                let (found, alone) = (Relation::sharing(function, &shared, renumber), Relation::renumbered(function, renumber));
                prop_assert_eq!(found.n_rows(), alone.n_rows());
                for column in 0..function.arity() {
                    prop_assert_eq!(found.column(column), alone.column(column));
                    prop_assert_eq!(found.n_distinct(column), alone.n_distinct(column));
                    for value in (0..13).map(id) {
                        let rows = |relation: &Relation| relation.rows_with(column, value).iter().collect::<Vec<_>>();
                        prop_assert_eq!(rows(&found), rows(&alone));
                    }
                }
            }
        }
    }
}
