//! Tuples of fixed width, which datafrog sorts and joins, and batches of them.

use datafrog::Relation;

use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::Term;

/// Up to `N` constants, padded. The relation of a tuple determines the columns in use.
pub(super) type Tuple<const N: usize> = [ConstantId; N];

/// A tuple split into the key, which a join compares, and the rest.
pub(super) type Keyed<const N: usize> = (Tuple<N>, Tuple<N>);

/// Any constant would do: two tuples of one relation are padded in the same columns.
const PADDING: ConstantId = ConstantId::from_raw(0);

/// The values as a tuple.
///
/// # Panics
///
/// When there are more than `N` values; the plans of a stratum determine `N`.
pub(super) fn tuple<const N: usize>(values: impl IntoIterator<Item = ConstantId>) -> Tuple<N> {
    let mut tuple = [PADDING; N];
    for (column, value) in values.into_iter().enumerate() {
        tuple[column] = value;
    }
    tuple
}

/// The constant that a term stands for under the bindings, by variable.
pub(super) fn value_of(term: Term, bindings: &[ConstantId]) -> ConstantId {
    match term {
        Term::Variable(variable) => bindings[variable.index()],
        Term::Constant(constant) => constant,
        Term::Any => unreachable!("only negated atoms have `_`, and patterns leave it out"),
    }
}

/// The values of variables as a tuple.
pub(super) fn gather<const N: usize>(variables: &[VariableId], bindings: &[ConstantId]) -> Tuple<N> {
    tuple(variables.iter().map(|variable| bindings[variable.index()]))
}

/// Bytes a batch gathers before it first looks for repeats. Not measured: small against the memory of
/// a machine, large against the cost of a sort.
const FIRST_COMPACTION: usize = 1 << 22;

/// Tuples on their way into a variable.
///
/// **Memory**: at most twice the distinct tuples, or [`FIRST_COMPACTION`] bytes of them; a little more than the
/// limit.
#[derive(Debug)]
pub(super) struct Batch<T: Ord> {
    tuples: Vec<T>,
    compact_at: usize,
    limit: usize,
    is_over: bool,
}

impl<T: Ord> Batch<T> {
    const FIRST: usize = FIRST_COMPACTION / if size_of::<T>() == 0 { 1 } else { size_of::<T>() };

    /// An empty batch. It gives up once it notices that it has more than `limit` distinct tuples.
    pub(super) const fn new(limit: usize) -> Self {
        Self { tuples: Vec::new(), compact_at: Self::FIRST, limit, is_over: false }
    }

    /// Whether the batch has given up.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn push(&mut self, tuple: T) {
        if self.is_over {
            return;
        }
        if self.tuples.len() == self.compact_at {
            // A stable sort finds the part already in order.
            self.tuples.sort();
            self.tuples.dedup();
            self.is_over = self.tuples.len() > self.limit;
            // Beyond the limit there is room enough for sorts to stay rare.
            let room = self.limit.saturating_add(self.limit / 4);
            self.compact_at = Self::FIRST.max((2 * self.tuples.len()).min(room));
            self.tuples.reserve_exact(self.compact_at - self.tuples.len());
        }
        self.tuples.push(tuple);
    }

    /// The distinct tuples, or `None` where there are more than the limit.
    pub(super) fn into_relation(self) -> Option<Relation<T>> {
        if self.is_over {
            return None;
        }
        let relation = Relation::from_vec(self.tuples);
        (relation.len() <= self.limit).then_some(relation)
    }
}

#[cfg(test)]
mod tests;
