//! Tuples of one predicate while the reader gathers them, before they become a relation.

use gleaner_base::{ConstantId, PredicateId};

/// Tuples of equal arity, one after the other.
///
/// **Shape**: `values` holds `n_rows * arity` constants; a predicate of arity 0 has rows but no values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    arity: usize,
    n_rows: usize,
    values: Vec<ConstantId>,
}

impl Rows {
    /// No rows of this arity.
    #[must_use]
    pub const fn new(arity: usize) -> Self {
        Self { arity, n_rows: 0, values: Vec::new() }
    }

    /// Appends a row.
    ///
    /// # Panics
    ///
    /// When the row's length is not the arity.
    pub fn push(&mut self, row: &[ConstantId]) {
        assert_eq!(row.len(), self.arity, "a row has one value for each argument");
        self.values.extend_from_slice(row);
        self.n_rows += 1;
    }

    /// Values in each row.
    #[must_use]
    pub const fn arity(&self) -> usize {
        self.arity
    }

    /// How many rows, repeats included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether there is no row.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The row at a position.
    #[must_use]
    pub fn row(&self, position: usize) -> &[ConstantId] {
        &self.values[position * self.arity..(position + 1) * self.arity]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[ConstantId]> + '_ {
        (0..self.n_rows).map(|position| self.row(position))
    }

    /// Appends the rows of `other`, which has the same arity.
    ///
    /// # Panics
    ///
    /// When the arities differ.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.arity, other.arity, "rows of one predicate");
        self.values.extend_from_slice(&other.values);
        self.n_rows += other.n_rows;
    }

    /// The values of one column, in the order of the rows.
    pub fn column(&self, column: usize) -> impl Iterator<Item = ConstantId> + '_ {
        self.values.get(column..).unwrap_or_default().iter().step_by(self.arity.max(1)).copied()
    }

    /// The same rows over other constants.
    #[must_use]
    pub fn map_constants(&self, map: impl Fn(ConstantId) -> ConstantId) -> Self {
        let values = self.values.iter().map(|&value| map(value)).collect();
        Self { arity: self.arity, n_rows: self.n_rows, values }
    }

    /// The positions of the rows, in ascending order of the rows; equal rows keep their order. Cost: `O(arity * n)`
    /// where the ids of each column are dense, else `O(arity * n log n)`.
    ///
    /// # Panics
    ///
    /// With 2^32 rows or more.
    #[must_use]
    pub fn order(&self) -> Vec<u32> {
        let n_rows = u32::try_from(self.n_rows).expect("fewer than 2^32 rows");
        let mut order: Vec<u32> = (0..n_rows).collect();
        let mut scratch = Vec::new();
        // From the last column to the first; each pass keeps the order of equal keys.
        for column in (0..self.arity).rev() {
            let key = |position: u32| self.values[position as usize * self.arity + column].raw();
            sort_by_key(&mut order, &mut scratch, key);
        }
        order
    }

    /// How many distinct rows there are. Cost: as of `order`.
    #[must_use]
    pub fn n_distinct(&self) -> usize {
        if self.arity == 0 {
            return self.n_rows.min(1);
        }
        let order = self.order();
        let n_repeats =
            order.windows(2).filter(|pair| self.row(pair[0] as usize) == self.row(pair[1] as usize)).count();
        self.n_rows - n_repeats
    }
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
    #[must_use]
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
    #[must_use]
    pub const fn n_predicates(&self) -> usize {
        self.rows.len()
    }

    /// The rows of all predicates together.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.rows.iter().map(Rows::len).sum()
    }

    /// The rows of a predicate.
    #[must_use]
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
    use proptest::prelude::{prop, prop_assert_eq, proptest};

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
    }
}
