//! Groups constants of one kind, from the facts alone.
//!
//! Two columns that share a constant belong to one domain, and so on from column to column. Constants of a domain get
//! neighbouring ids, so that tables by id are short and dense.

use gleaner_base::PredicateId;
use gleaner_lang::program::symbols::NO_DOMAIN;
use gleaner_lang::program::{FactTable, Rows};

/// Columns joined by the constants they share: a forest with the smallest column of a domain as root.
#[derive(Debug)]
pub(super) struct Domains {
    /// The first column of each predicate.
    first_columns: Vec<usize>,
    /// The parent of each column, itself for a root.
    parents: Vec<u32>,
    /// A column that holds each constant.
    columns: Vec<u32>,
}

impl Domains {
    /// Empty columns of predicates with these arities.
    pub(super) fn new(arities: &[usize], n_constants: usize) -> Self {
        let mut first_columns = Vec::with_capacity(arities.len());
        let mut n_columns = 0;
        for arity in arities {
            first_columns.push(n_columns);
            n_columns += arity;
        }
        let n_columns = u32::try_from(n_columns).expect("fewer than 2^32 columns");
        Self { first_columns, parents: (0..n_columns).collect(), columns: vec![NO_DOMAIN; n_constants] }
    }

    /// Adds all rows of a table. Cost: near linear in its values.
    pub(super) fn add_table(&mut self, table: &FactTable) {
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            self.add_rows(predicate, table.rows(predicate));
        }
    }

    /// Adds rows of a predicate.
    pub(super) fn add_rows(&mut self, predicate: PredicateId, rows: &Rows) {
        for column in 0..rows.arity() {
            let number = self.first_columns[predicate.index()] + column;
            let number = u32::try_from(number).expect("fewer than 2^32 columns");
            for constant in rows.column(column) {
                match self.columns[constant.index()] {
                    NO_DOMAIN => self.columns[constant.index()] = number,
                    known if known == number => {}
                    known => self.join(known, number),
                }
            }
        }
    }

    fn root(&mut self, mut column: u32) -> u32 {
        while self.parents[column as usize] != column {
            // Each search halves the path for the next one.
            let grandparent = self.parents[self.parents[column as usize] as usize];
            self.parents[column as usize] = grandparent;
            column = grandparent;
        }
        column
    }

    fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left.max(right) as usize] = left.min(right);
    }

    /// The domain of a predicate's column, as [`Self::by_constant`] numbers them.
    pub(super) fn of_column(&mut self, predicate: PredicateId, column: usize) -> u32 {
        let number = u32::try_from(self.first_columns[predicate.index()] + column);
        self.root(number.expect("fewer than 2^32 columns"))
    }

    /// The domain of each constant, as the number of one of its columns; [`NO_DOMAIN`] where no column
    /// holds it.
    pub(super) fn by_constant(mut self) -> Vec<u32> {
        let mut columns = std::mem::take(&mut self.columns);
        for column in columns.iter_mut().filter(|column| **column != NO_DOMAIN) {
            *column = self.root(*column);
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::{Domains, NO_DOMAIN};
    use gleaner_base::{ConstantId, PredicateId};
    use gleaner_lang::program::FactTable;

    #[test]
    fn columns_that_share_a_constant_are_one_domain() {
        let mut table = FactTable::new([2, 1, 2]);
        let id = |raw: &u32| ConstantId::from_raw(*raw);
        for (predicate, row) in
            [(0, vec![0, 1]), (0, vec![2, 3]), (1, vec![1]), (2, vec![4, 2]), (2, vec![4, 5])]
        {
            table.rows_mut(PredicateId::new(predicate)).push(&row.iter().map(id).collect::<Vec<_>>());
        }
        let mut domains = Domains::new(&[2, 1, 2], 7);
        domains.add_table(&table);
        let found = domains.by_constant();
        assert_eq!(found[6], NO_DOMAIN, "no column holds it");
        for (left, right) in [(0, 2), (0, 5), (1, 3)] {
            assert_eq!(found[left], found[right], "{left} and {right} are of one kind");
        }
        assert_ne!(found[0], found[1]);
        assert_ne!(found[0], found[4]);
        assert_ne!(found[1], found[4]);
    }
}
