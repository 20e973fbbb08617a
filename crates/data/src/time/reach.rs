//! The rows of a database that an example can come to: those that hang on what it points to.
//!
//! Cut-offs have worlds of their own, and most rows before a cut-off hang on nothing that its examples point to. Where
//! the modes lead no farther than one step down, worlds can do without them.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::FactTable;

use super::rows::TimedRows;
use crate::gather::time_terms::ReachedRows;

/// What examples point to.
#[derive(Debug, Default)]
pub(super) struct Pointed(FixedMap<PredicateId, FixedMap<ConstantId, ConstantId>>);

impl Pointed {
    /// By the foreign keys of examples, which have no time.
    pub(super) fn new(reached: &ReachedRows, facts: &FactTable) -> Self {
        let hanging = reached.hanging.iter().filter_map(|(up, _)| *up);
        let keys: FixedSet<PredicateId> = hanging.chain(reached.pointed.iter().map(|(up, _)| *up)).collect();
        let of = |key: PredicateId| {
            let pairs = facts.rows(key).iter().map(|row| (row[0], row[1]));
            (key, pairs.collect())
        };
        Self(keys.into_iter().map(of).collect())
    }
}

/// The rows that the examples of one world come to.
#[derive(Debug)]
pub(super) struct WorldRows<'r> {
    reached: &'r ReachedRows,
    /// By table, a bit for each constant that names a row.
    rows: FixedMap<usize, Bits>,
}

impl<'r> WorldRows<'r> {
    /// Cost: a pass over the existing facts of the foreign keys.
    pub(super) fn new<'t>(
        reached: &'r ReachedRows,
        pointed: &Pointed,
        examples: &[ConstantId],
        existing: impl Fn(PredicateId) -> Option<(&'t TimedRows, usize)>,
    ) -> Self {
        let mut rows: FixedMap<usize, Bits> = FixedMap::default();
        for (up, down) in &reached.hanging {
            let Some((timed, n_existing)) = existing(*down) else { continue };
            let mut parents = Bits::default();
            for example in examples {
                let parent = match up {
                    Some(up) => pointed.0.get(up).and_then(|of| of.get(example)),
                    None => Some(example),
                };
                parent.into_iter().for_each(|parent| parents.add(*parent));
            }
            let Some(table) = reached.tables.get(down) else { continue };
            let of_table = rows.entry(*table).or_default();
            for row in timed.rows.iter().take(n_existing) {
                if parents.has(row[1]) {
                    of_table.add(row[0]);
                }
            }
        }
        for (up, table) in &reached.pointed {
            let of_table = rows.entry(*table).or_default();
            let row = |example| pointed.0.get(up).and_then(|of| of.get(example));
            examples.iter().filter_map(row).for_each(|row| of_table.add(*row));
        }
        Self { reached, rows }
    }

    /// The rows that the examples come to, of those that facts of a predicate are of.
    pub(super) fn of(&self, predicate: PredicateId) -> MetRows<'_> {
        match self.reached.tables.get(&predicate) {
            None => MetRows::All,
            Some(table) => MetRows::Of(self.rows.get(table)),
        }
    }
}

/// The rows that the examples of a world come to, of one predicate.
pub(super) enum MetRows<'r> {
    All,
    /// These, by their names; none if there is no set.
    Of(Option<&'r Bits>),
}

impl MetRows<'_> {
    /// Whether the examples come to the row that a fact is of.
    #[inline]
    pub(super) fn admits(&self, row: &[ConstantId]) -> bool {
        match self {
            Self::All => true,
            Self::Of(rows) => rows.is_some_and(|rows| rows.has(row[0])),
        }
    }
}

/// A set of constants, a bit for each.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn add(&mut self, constant: ConstantId) {
        let (word, bit) = (constant.index() / 64, constant.index() % 64);
        if word >= self.0.len() {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        self.0[word] |= 1 << bit;
    }

    fn has(&self, constant: ConstantId) -> bool {
        self.0.get(constant.index() / 64).is_some_and(|word| word >> (constant.index() % 64) & 1 == 1)
    }
}
