//! The seam for what gives rows: tables in text, in binary files, in memory.
//!
//! A source says what its columns are called and what its cells hold ([`Rows`]). What a label, a fold and a class is, which
//! column is which, and what is told of them is decided here, once: [`read_table`] for tables, [`take_row`] where each
//! row says itself what it is of. A source that is no text gives places by row and column.

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
    /// What it is called, as it is written.
    pub(super) name: String,
    /// Whether it holds row numbers that another program wrote, which say nothing.
    pub(super) is_row_number: bool,
}

/// The rows of a table, one after another.
///
/// **Invariant**: the cells and places are those of the row that [`Rows::next`] went to; before its first call the places
/// are those of the columns' names. A row has a cell for each column.
pub(super) trait Rows {
    /// The columns, from left to right.
    fn columns(&self) -> &[Column];

    /// Goes to the next row; false at the end.
    ///
    /// # Errors
    ///
    /// A row that is no row of this table. Those after it can be read, if `next` gives any.
    fn next(&mut self) -> Result<bool, Diagnostic>;

    /// What the row holds in this column.
    fn cell(&self, column: usize) -> CellValue<'_>;

    /// Where the row stands, or its cell in a column.
    fn place(&self, column: Option<usize>) -> Place;
}
