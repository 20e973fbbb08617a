//! What a source of rows gives.

use gleaner_lang::syntax::{Diagnostic, Place};

use super::cell::CellValue;

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// The name of the column, as written.
    pub(crate) name: String,
    /// Whether the column holds row numbers that another program wrote, which mean nothing.
    pub(crate) is_row_number: bool,
}

/// The rows of a table, one after another.
///
/// **Invariant**: the cells and places belong to the row of the last call of [`Rows::next`]. Before its first call, the
/// places are those of the columns' names. A row has a cell for each column.
pub(crate) trait Rows {
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
