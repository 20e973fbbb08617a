//! Sorted columns with an index each: the base of a relation, without the tables that are made on demand.

use gleaner_base::ConstantId;
use gleaner_lang::program::Rows;

use super::columns::sorted_columns;
use super::index::ColumnIndex;
use super::rows_with::RowsWith;

/// The distinct rows of a relation, ascending, by column.
#[derive(Debug, Default)]
pub(super) struct Table {
    n_rows: u32,
    columns: Vec<Box<[ConstantId]>>,
    indices: Vec<ColumnIndex>,
}

impl Table {
    pub(super) fn renumbered(rows: &Rows, renumber: impl Fn(ConstantId) -> ConstantId) -> Self {
        let columns = sorted_columns(rows, renumber);
        let indices = columns.iter().map(|column| ColumnIndex::new(column)).collect();
        let n_rows = columns.first().map_or(rows.len().min(1), |column| column.len());
        let n_rows = u32::try_from(n_rows).expect("relations hold fewer than 2^32 rows");
        Self { n_rows, columns, indices }
    }

    pub(super) const fn n_rows(&self) -> u32 {
        self.n_rows
    }

    pub(super) const fn arity(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn column(&self, column: usize) -> &[ConstantId] {
        &self.columns[column]
    }

    pub(super) fn value(&self, row: usize, column: usize) -> ConstantId {
        self.columns[column][row]
    }

    pub(super) fn index(&self, column: usize) -> &ColumnIndex {
        &self.indices[column]
    }

    pub(super) fn rows_with(&self, column: usize, value: ConstantId) -> RowsWith<'_> {
        self.indices[column].rows_with(value)
    }

    /// The rows in the order of a column; rows of equal value ascend.
    pub(super) fn rows_by(&self, key: usize) -> impl Iterator<Item = usize> + '_ {
        let rows = self.indices[key].rows();
        (0..self.n_rows as usize).map(move |position| rows.map_or(position, |rows| rows[position] as usize))
    }
}
