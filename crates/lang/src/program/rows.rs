//! Tuples of one predicate while the reader gathers them, before they become a relation.

use std::sync::{Arc, OnceLock};

use gleaner_base::{ConstantId, PredicateId};

/// Tuples of equal arity, one after the other.
///
/// **Shape**: `n_rows` tuples of `arity` constants; a predicate of arity 0 has rows but no values.
/// **Memory**: 4 bytes a value. Functions of the same keys share these ([`Rows::function`]).
#[derive(Clone, Debug, Default)]
pub struct Rows {
    arity: usize,
    n_rows: usize,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    /// Row after row.
    Together(Vec<ConstantId>),
    /// Columns: those of the keys, which other rows may share, and that of the values. Code that asks for whole rows
    /// makes them once, in `together`.
    Function { keys: Vec<Arc<[ConstantId]>>, values: Vec<ConstantId>, together: OnceLock<Box<[ConstantId]>> },
}

/// Rows by columns: a value for each key.
#[derive(Clone, Copy, Debug)]
pub struct Function<'r> {
    /// The columns of the keys, as long as that of the values.
    pub keys: &'r [Arc<[ConstantId]>],
    /// The last column.
    pub values: &'r [ConstantId],
}

impl Default for Values {
    fn default() -> Self {
        Self::Together(Vec::new())
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        (self.arity, self.n_rows) == (other.arity, other.n_rows)
            && (0..self.arity).all(|column| self.column(column).eq(other.column(column)))
    }
}

impl Eq for Rows {}

impl Rows {
    /// No rows of this arity.
    pub const fn new(arity: usize) -> Self {
        Self { arity, n_rows: 0, values: Values::Together(Vec::new()) }
    }

    /// No rows of this arity, with room for so many.
    pub fn with_capacity(arity: usize, n_rows: usize) -> Self {
        Self { arity, n_rows: 0, values: Values::Together(Vec::with_capacity(arity * n_rows)) }
    }

    /// Rows by columns: those of the keys, and that of the value of each. **Memory**: 4 bytes a row beside the keys, as long
    /// as only columns are asked for.
    ///
    /// # Panics
    ///
    /// When columns differ in length.
    pub fn function(keys: Vec<Arc<[ConstantId]>>, values: Vec<ConstantId>) -> Self {
        assert!(keys.iter().all(|column| column.len() == values.len()), "a value for each key");
        let (arity, n_rows) = (keys.len() + 1, values.len());
        Self { arity, n_rows, values: Values::Function { keys, values, together: OnceLock::new() } }
    }

    /// The keys and values, if the rows were given so.
    pub const fn as_function(&self) -> Option<Function<'_>> {
        match &self.values {
            Values::Together(_) => None,
            Values::Function { keys, values, .. } => {
                Some(Function { keys: keys.as_slice(), values: values.as_slice() })
            }
        }
    }

    /// Appends a row.
    ///
    /// # Panics
    ///
    /// When the row's length is not the arity.
    pub fn push(&mut self, row: &[ConstantId]) {
        assert_eq!(row.len(), self.arity, "a row has one value for each argument");
        self.together_mut().extend_from_slice(row);
        self.n_rows += 1;
    }

    /// Values in each row.
    pub const fn arity(&self) -> usize {
        self.arity
    }

    /// How many rows, repeats included.
    pub const fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether there is no row.
    pub const fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The row at a position.
    pub fn row(&self, position: usize) -> &[ConstantId] {
        &self.together()[position * self.arity..(position + 1) * self.arity]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[ConstantId]> + '_ {
        let (together, arity) = (self.together(), self.arity);
        (0..self.n_rows).map(move |position| &together[position * arity..(position + 1) * arity])
    }

    /// Appends the rows of `other`, which has the same arity.
    ///
    /// # Panics
    ///
    /// When the arities differ.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.arity, other.arity, "rows of one predicate");
        self.together_mut().extend_from_slice(other.together());
        self.n_rows += other.n_rows;
    }

    /// The values of one column, in the order of the rows.
    pub fn column(&self, column: usize) -> impl Iterator<Item = ConstantId> + Clone + '_ {
        let (values, step) = match &self.values {
            Values::Together(values) => (values.get(column..).unwrap_or_default(), self.arity.max(1)),
            Values::Function { keys, values, .. } => (keys.get(column).map_or(values.as_slice(), |of| of), 1),
        };
        values.iter().step_by(step).copied()
    }

    /// The same rows over other constants.
    pub fn map_constants(&self, map: impl Fn(ConstantId) -> ConstantId) -> Self {
        let values = self.together().iter().map(|&value| map(value)).collect();
        Self { arity: self.arity, n_rows: self.n_rows, values: Values::Together(values) }
    }

    /// All values, row after row.
    fn together(&self) -> &[ConstantId] {
        match &self.values {
            Values::Together(values) => values,
            Values::Function { keys, values, together } => together.get_or_init(|| by_row(keys, values)),
        }
    }

    fn together_mut(&mut self) -> &mut Vec<ConstantId> {
        if let Values::Function { keys, values, .. } = &self.values {
            self.values = Values::Together(by_row(keys, values).into_vec());
        }
        match &mut self.values {
            Values::Together(values) => values,
            Values::Function { .. } => unreachable!("it was put together above"),
        }
    }

    /// The positions of the rows, in ascending order of the rows; equal rows keep their order. Cost: `O(arity * n)`
    /// where the ids of each column are dense, else `O(arity * n log n)`.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
    pub fn order(&self) -> Vec<u32> {
        let n_rows = u32::try_from(self.n_rows).expect("fewer than 2^32 rows");
        let mut order: Vec<u32> = (0..n_rows).collect();
        let mut scratch = Vec::new();
        let values = self.together();
        // From the last column to the first; each pass keeps the order of equal keys.
        for column in (0..self.arity).rev() {
            let key = |position: u32| values[position as usize * self.arity + column].raw();
            sort_by_key(&mut order, &mut scratch, key);
        }
        order
    }

    /// Whether all rows are easily found to be distinct: rows with the same first value are neighbours and ascend. Where it
    /// is false some may be equal.
    fn are_all_distinct(&self) -> bool {
        let mut runs: Vec<ConstantId> = Vec::new();
        for row in 0..self.n_rows {
            let first = self.value(row, 0);
            if runs.last() != Some(&first) {
                runs.push(first);
                continue;
            }
            let mut columns = 1..self.arity;
            let differing = columns.find(|&column| self.value(row, column) != self.value(row - 1, column));
            if differing.is_none_or(|column| self.value(row, column) < self.value(row - 1, column)) {
                return false;
            }
        }
        are_distinct(&runs)
    }

    /// The value of an argument in a row.
    fn value(&self, row: usize, column: usize) -> ConstantId {
        match &self.values {
            Values::Together(values) => values[row * self.arity + column],
            Values::Function { keys, values, .. } => keys.get(column).map_or(values[row], |of| of[row]),
        }
    }

    /// How many distinct rows there are. Cost: a pass where no two rows have the same first value, else as of `order`.
    pub fn n_distinct(&self) -> usize {
        if self.arity == 0 {
            return self.n_rows.min(1);
        }
        if self.are_all_distinct() {
            return self.n_rows;
        }
        let order = self.order();
        let n_repeats =
            order.windows(2).filter(|pair| self.row(pair[0] as usize) == self.row(pair[1] as usize)).count();
        self.n_rows - n_repeats
    }
}

/// The values of all columns, row after row.
fn by_row(keys: &[Arc<[ConstantId]>], values: &[ConstantId]) -> Box<[ConstantId]> {
    let mut rows = Vec::with_capacity((keys.len() + 1) * values.len());
    for (row, &value) in values.iter().enumerate() {
        rows.extend(keys.iter().map(|column| column[row]));
        rows.push(value);
    }
    rows.into()
}

/// The most bits for each row in a set of keys: a set of few keys that lie far apart is not made.
const BITS_PER_ROW: usize = 256;

/// Whether ids are found to be distinct. False where they lie too far apart to tell.
fn are_distinct(ids: &[ConstantId]) -> bool {
    let n_bits = ids.iter().max().map_or(0, |greatest| greatest.index() + 1);
    if n_bits > BITS_PER_ROW * ids.len() {
        return false;
    }
    let mut seen = vec![0_u64; n_bits.div_ceil(64)];
    let mut ids = ids.iter().map(|id| (id.index() / 64, 1_u64 << (id.index() % 64)));
    ids.all(|(word, bit)| {
        let is_new = seen[word] & bit == 0;
        seen[word] |= bit;
        is_new
    })
}

/// The most slots for each row in a table by key.
const SLOTS_PER_ROW: usize = 4;

/// Sorts by a key, where equal keys keep their order. It counts where keys are dense.
fn sort_by_key(order: &mut Vec<u32>, scratch: &mut Vec<u32>, key: impl Fn(u32) -> u32) {
    let keys = || order.iter().map(|&position| key(position));
    if keys().is_sorted() {
        return;
    }
    let (first, last) = (keys().min().unwrap_or(0), keys().max().unwrap_or(0));
    let n_slots = (last - first) as usize + 1;
    if n_slots > SLOTS_PER_ROW * order.len() {
        order.sort_by_key(|&position| key(position));
        return;
    }
    let mut starts = vec![0_u32; n_slots];
    for key in keys() {
        starts[(key - first) as usize] += 1;
    }
    let mut at = 0;
    for start in &mut starts {
        (*start, at) = (at, at + *start);
    }
    scratch.resize(order.len(), 0);
    for &position in order.iter() {
        let next = &mut starts[(key(position) - first) as usize];
        scratch[*next as usize] = position;
        *next += 1;
    }
    std::mem::swap(order, scratch);
}

/// The rows of every predicate of a program, by predicate id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactTable {
    rows: Vec<Rows>,
}

impl FactTable {
    /// Empty rows for predicates of these arities.
    pub fn new(arities: impl IntoIterator<Item = usize>) -> Self {
        Self { rows: arities.into_iter().map(Rows::new).collect() }
    }

    /// Makes room for a predicate that follows the known ones.
    pub fn add_predicate(&mut self, arity: usize) -> PredicateId {
        self.rows.push(Rows::new(arity));
        PredicateId::new(self.rows.len() - 1)
    }

    /// Forgets the predicates from the one with this number on.
    pub fn truncate(&mut self, n_predicates: usize) {
        self.rows.truncate(n_predicates);
    }

    /// How many predicates the table has room for.
    pub const fn n_predicates(&self) -> usize {
        self.rows.len()
    }

    /// The rows of all predicates together.
    pub fn n_rows(&self) -> usize {
        self.rows.iter().map(Rows::len).sum()
    }

    /// The rows of a predicate.
    pub fn rows(&self, predicate: PredicateId) -> &Rows {
        &self.rows[predicate.index()]
    }

    /// Takes the rows of a predicate out of the table.
    pub fn take_rows(&mut self, predicate: PredicateId) -> Rows {
        let rows = &mut self.rows[predicate.index()];
        let arity = rows.arity();
        std::mem::replace(rows, Rows::new(arity))
    }

    /// The rows of a predicate, for changes.
    pub fn rows_mut(&mut self, predicate: PredicateId) -> &mut Rows {
        &mut self.rows[predicate.index()]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

    use super::Rows;
    use gleaner_base::ConstantId;

    proptest! {
        #[test]
        fn the_order_is_stable_and_ascending(
            tuples in prop::collection::vec((0..9_u32, prop::sample::select(vec![0, 1, 4_000_000_000])), 0..60),
        ) {
            let mut rows = Rows::new(2);
            tuples.iter().for_each(|tuple| rows.push(&[tuple.0, tuple.1].map(ConstantId::from_raw)));
            let mut expected: Vec<u32> = (0..).take(tuples.len()).collect();
            expected.sort_by_key(|&position| tuples[position as usize]);
            prop_assert_eq!(rows.order(), expected);
            let distinct: std::collections::BTreeSet<&(u32, u32)> = tuples.iter().collect();
            prop_assert_eq!(rows.n_distinct(), distinct.len());
        }

        /// Rows of two columns answer as the same rows pushed one by one.
        #[test]
        fn a_function_is_its_rows(tuples in prop::collection::vec((0..9_u32, 0..3_u32, 0..3_u32), 0..20)) {
            let id = ConstantId::from_raw;
            let keys = [tuples.iter().map(|of| id(of.0)).collect(), tuples.iter().map(|of| id(of.1)).collect()];
            let mut function = Rows::function(keys.into(), tuples.iter().map(|of| id(of.2)).collect());
            let mut rows = Rows::new(3);
            tuples.iter().for_each(|of| rows.push(&[of.0, of.1, of.2].map(id)));
            let distinct: std::collections::BTreeSet<_> = tuples.iter().collect();
            prop_assert_eq!(function.n_distinct(), distinct.len());
            prop_assert!(function == rows && function.as_function().is_some());
            prop_assert_eq!(function.n_distinct(), rows.n_distinct());
            let asked = function.clone();
            prop_assert_eq!(asked.iter().collect::<Vec<_>>(), rows.iter().collect::<Vec<_>>());
            prop_assert_eq!(function.map_constants(|known| id(known.raw() + 1)), rows.map_constants(|known| id(known.raw() + 1)));
            function.append(&rows);
            function.push(&[id(1), id(2), id(1)]);
            let copy = rows.clone();
            rows.append(&copy);
            rows.push(&[id(1), id(2), id(1)]);
            prop_assert_eq!(function, rows);
        }
    }
}
