//! Tables in memory.

use crate::faults;
use gleaner_lang::syntax::{Diagnostic, FileId, Place};

use super::cell::CellValue;
use super::source::{Column, Rows};

/// A table in memory; messages name it by its file among the sources.
#[derive(Debug)]
pub(crate) struct MemoryTable<'v, I> {
    file: FileId,
    columns: Vec<Column>,
    rows: I,
    /// The cells of the current row.
    cells: Vec<CellValue<'v>>,
    /// The number of the current row, from 1.
    row: u64,
}

impl<'v, I: Iterator<Item = Vec<CellValue<'v>>>> MemoryTable<'v, I> {
    pub(crate) fn new(file: FileId, columns: &[&str], rows: I) -> Self {
        let column = |name: &&str| Column { name: (*name).to_owned(), is_row_number: false };
        Self { file, columns: columns.iter().map(column).collect(), rows, cells: Vec::new(), row: 0 }
    }
}

impl<'v, I: Iterator<Item = Vec<CellValue<'v>>>> Rows for MemoryTable<'v, I> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn next(&mut self) -> Result<bool, Diagnostic> {
        let Some(cells) = self.rows.next() else { return Ok(false) };
        (self.cells, self.row) = (cells, self.row + 1);
        if self.cells.len() != self.columns.len() {
            let what = format!("this row has {} cells, the table {}", self.cells.len(), self.columns.len());
            let accepted = "give a cell for each column; a cell without a value is `Value::Missing`";
            return Err(faults::malformed_table(self.place(None), &what, accepted));
        }
        Ok(true)
    }

    fn cell(&self, column: usize) -> CellValue<'_> {
        self.cells[column].clone()
    }

    fn place(&self, column: Option<usize>) -> Place {
        Place::Row(self.file, self.row, column.and_then(|column| u32::try_from(column).ok()))
    }
}
