//! Tuples of fixed width, which datafrog sorts and joins, batches of them, and what a run of the rules may spend on
//! them: facts, work and memory.

use std::cmp::Ordering;

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

/// Combinations tried for each fact allowed. A join that tries more derives little or repeats itself.
const WORK_PER_FACT: u64 = 80;

/// Combinations that every run may try: about half a second.
const LEAST_WORK: u64 = 20_000_000;

/// Bytes of tuples held for each fact allowed: the fact and the tuples that lead to it, in several orders.
const BYTES_PER_FACT: usize = 64;

/// Bytes that every run may hold; sorting and merging take as much again.
const LEAST_BYTES: usize = 16 << 20;

/// The bytes in the tables of constants of a number that a rule makes: its text, twice, and its place.
const NUMBER_BYTES: usize = 128;

/// The facts, work and memory that a run has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spending {
    facts_left: usize,
    most_bytes: usize,
    work_left: u64,
    bytes_left: usize,
    number_bytes: usize,
    /// New constants get ascending ids.
    highest: Option<ConstantId>,
}

impl Spending {
    /// The limits of a run that may derive `max_derived_facts` facts.
    pub(super) fn new(max_derived_facts: usize) -> Self {
        let most_bytes = max_derived_facts.saturating_mul(BYTES_PER_FACT).max(LEAST_BYTES);
        let work = u64::try_from(max_derived_facts).unwrap_or(u64::MAX);
        Self {
            facts_left: max_derived_facts,
            most_bytes,
            work_left: work.saturating_mul(WORK_PER_FACT).max(LEAST_WORK),
            bytes_left: most_bytes,
            number_bytes: 0,
            highest: None,
        }
    }

    /// How many facts may still be derived.
    pub(super) const fn facts_left(&self) -> usize {
        self.facts_left
    }

    /// Notes facts that a stratum derived.
    pub(super) const fn derive(&mut self, n_facts: usize) {
        self.facts_left = self.facts_left.saturating_sub(n_facts);
    }

    /// Notes a combination that is tried.
    pub(super) const fn work(&mut self) {
        self.work_left = self.work_left.saturating_sub(1);
    }

    /// Whether no work or no memory is left.
    pub(super) const fn is_over(&self) -> bool {
        self.work_left == 0 || self.bytes_left == 0
    }

    /// Notes that tuples of `n_bytes` bytes are held.
    pub(super) const fn hold(&mut self, n_bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(n_bytes);
    }

    /// Replaces the bytes noted for tuples by `n_bytes`, the bytes of all tuples held now.
    pub(super) const fn hold_only(&mut self, n_bytes: usize) {
        self.bytes_left = self.most_bytes.saturating_sub(n_bytes.saturating_add(self.number_bytes));
    }

    /// Notes the constant of a number that a rule made; a new constant takes memory.
    pub(super) fn number(&mut self, constant: ConstantId) {
        let is_new = self.highest.is_none_or(|highest| highest.cmp(&constant) == Ordering::Less);
        if is_new {
            self.highest = Some(constant);
            self.number_bytes += NUMBER_BYTES;
            self.hold(NUMBER_BYTES);
        }
    }

    /// How many tuples of `n_bytes` bytes each there is room for.
    pub(super) const fn room(&self, n_bytes: usize) -> usize {
        self.bytes_left / if n_bytes == 0 { 1 } else { n_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, FIRST_COMPACTION};

    #[test]
    fn a_batch_gives_up_on_distinct_tuples_only() {
        let run = |n_distinct: usize| {
            let mut batch = Batch::new(10);
            (0..=FIRST_COMPACTION / size_of::<usize>())
                .for_each(|position| batch.push(position % n_distinct));
            batch.into_relation().map(|relation| relation.len())
        };
        assert_eq!(run(10), Some(10));
        assert_eq!(run(11), None);
    }
}
