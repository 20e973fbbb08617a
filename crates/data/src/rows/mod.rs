//! The interface of sources of rows: tables in text, in binary files, in memory.
//!
//! A source gives the names of its columns and the values of its cells ([`Rows`]). This module alone decides on the
//! meaning of labels, folds and classes, on the role of each column, and on the messages about them. [`read_table`]
//! reads tables; [`take_row`] takes rows that name their own predicate. A source that is no text gives places by row
//! and column.

mod cell;
mod memory;
mod table;
mod take;

use gleaner_lang::syntax::{Diagnostic, Place};

pub(super) use cell::{CellValue, Refusal};
pub(super) use memory::MemoryTable;
pub(super) use table::{FOLD, LABEL, TableName, read_table, type_header};
pub(super) use take::{RowParts, take_row};

/// A column of a table.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// The name of the column, as written.
    pub(super) name: String,
    /// Whether the column holds row numbers that another program wrote, which mean nothing.
    pub(super) is_row_number: bool,
}

/// The rows of a table, one after another.
///
/// **Invariant**: the cells and places belong to the row of the last call of [`Rows::next`]. Before its first call, the
/// places are those of the columns' names. A row has a cell for each column.
pub(super) trait Rows {
    /// The columns, from left to right.
    fn columns(&self) -> &[Column];

    /// Goes to the next row; false at the end.
    ///
    /// # Errors
    ///
    /// A row that does not fit this table. Later rows can be read, if `next` gives any.
    fn next(&mut self) -> Result<bool, Diagnostic>;

    /// The value of the row in this column.
    fn cell(&self, column: usize) -> CellValue<'_>;

    /// The place of the row, or of its cell in a column.
    fn place(&self, column: Option<usize>) -> Place;
}
