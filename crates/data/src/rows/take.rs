//! One row as a fact or an example.
//!
//! Tables in memory.

use gleaner_base::ConstantId;
use gleaner_lang::syntax::{Diagnostic, FileId, Place};

use crate::faults;
use crate::gather::{Class, FileReading};
use crate::rows::cell::{CellValue, Column, Refusal, Rows};

/// A row without its arguments.
#[derive(Debug)]
pub(crate) struct RowParts<'r> {
    /// The predicate's name; its arity is the number of arguments.
    pub(crate) predicate: &'r str,
    pub(crate) class: Class,
    /// The cell that names the row's fold; if it is empty, the file decides.
    pub(crate) fold: CellValue<'r>,
    pub(crate) place: Place,
}

/// Takes a row as a fact or example, by its class: without one it is a fact. Cost: a look-up for each argument.
///
/// # Errors
///
/// The position of the first argument that is no constant, or none if the fold is at fault, and the reason. The row is
/// then not taken.
pub(crate) fn take_row<'v>(
    row: &RowParts<'_>,
    arguments: impl Iterator<Item = CellValue<'v>>,
    reading: &mut FileReading<'_>,
) -> Result<(), (Option<usize>, Refusal)> {
    let symbols = &mut reading.statements.symbols;
    let constant = |(position, argument): (usize, CellValue<'_>)| {
        argument.constant(symbols).map_err(|refusal| (Some(position), refusal))
    };
    let mut constants: Vec<ConstantId> = Vec::with_capacity(arguments.size_hint().0);
    for argument in arguments.enumerate().map(constant) {
        constants.push(argument?);
    }
    let fold = row.fold.fold().map_err(|refusal| (None, refusal))?;
    let fold = match fold {
        Some(name) => Some(reading.fold_named(&name)),
        None => reading.fold,
    };
    reading.table_row(row.predicate, &constants, row.class, fold, row.place);
    Ok(())
}

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
