//! Foreign keys by the columns that they lead from and to.

use gleaner_base::{FixedMap, FixedSet};

use super::{ColumnAt, Link};

/// Foreign keys by the columns that they lead from and to. At most one leads from each column.
pub(crate) struct LinksByColumn<'l> {
    from: FixedMap<ColumnAt, &'l Link>,
    n_to: FixedMap<ColumnAt, usize>,
    tables: FixedSet<usize>,
}

impl<'l> LinksByColumn<'l> {
    pub(crate) fn new(links: &'l [Link]) -> Self {
        let mut n_to: FixedMap<ColumnAt, usize> = FixedMap::default();
        links.iter().for_each(|link| *n_to.entry(link.to).or_default() += 1);
        Self {
            from: links.iter().map(|link| (link.from, link)).collect(),
            n_to,
            tables: links.iter().map(|link| link.to.0).collect(),
        }
    }

    /// The foreign key that a column is.
    pub(crate) fn of(&self, from: ColumnAt) -> Option<&'l Link> {
        self.from.get(&from).copied()
    }

    /// How many columns point to a column.
    pub(crate) fn n_to(&self, to: ColumnAt) -> usize {
        self.n_to.get(&to).copied().unwrap_or_default()
    }

    /// Whether columns point to a table.
    pub(crate) fn is_pointed_to(&self, table: usize) -> bool {
        self.tables.contains(&table)
    }
}
