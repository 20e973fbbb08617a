//! Tuples of one predicate while they are gathered, before they become a relation.

use crate::base::{ConstantId, PredicateId};

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

    /// Replaces every constant.
    pub fn map_constants(&mut self, map: impl Fn(ConstantId) -> ConstantId) {
        for value in &mut self.values {
            *value = map(*value);
        }
    }

    /// Sorts the rows and drops repeats; returns how many were dropped. Cost: `O(n log n)` row comparisons.
    pub fn sort_and_dedup(&mut self) -> usize {
        let before = self.n_rows;
        if self.arity == 0 {
            self.n_rows = before.min(1);
            return before - self.n_rows;
        }
        let mut order: Vec<usize> = (0..before).collect();
        order.sort_unstable_by(|&left, &right| self.row(left).cmp(self.row(right)));
        order.dedup_by(|later, earlier| self.row(*later) == self.row(*earlier));
        let mut sorted = Vec::with_capacity(order.len() * self.arity);
        for &position in &order {
            sorted.extend_from_slice(self.row(position));
        }
        self.values = sorted;
        self.n_rows = order.len();
        before - self.n_rows
    }
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

    /// How many predicates the table has room for.
    #[must_use]
    pub const fn n_predicates(&self) -> usize {
        self.rows.len()
    }

    /// The rows of a predicate.
    #[must_use]
    pub fn rows(&self, predicate: PredicateId) -> &Rows {
        &self.rows[predicate.index()]
    }

    /// The rows of a predicate, to add to.
    pub fn rows_mut(&mut self, predicate: PredicateId) -> &mut Rows {
        &mut self.rows[predicate.index()]
    }
}
