//! The rows of a table in comma-separated values.

use crate::faults;
use crate::formats::tables::table_of;
use crate::gather::{FileReader, FileReading, whole};
use crate::rows::{CellValue, Column, Rows, read_table};
use crate::texts::number_texts::are_digits;
use gleaner_lang::syntax::{Diagnostic, FileId, MAX_STATEMENT_BYTES, Place, Span};

use super::{Cell, RecordFault, next_record, separator};

/// The most broken records to read: for each, the rest of the text may be searched.
const MOST_BROKEN: usize = 10_000;

/// The rows with more or fewer cells than the header that are shown: they mostly have one cause.
const RAGGED_SHOWN: usize = 3;

/// A table's text while it is read. Its first record is the header.
struct CsvRows<'t> {
    text: &'t str,
    file: FileId,
    separator: u8,
    columns: Vec<Column>,
    /// The cells of the current record.
    cells: Vec<Cell<'t>>,
    /// The offset of the next record.
    at: usize,
    n_broken: usize,
    /// The rows so far with more or fewer cells than the header, and the last of those that are not shown.
    n_ragged: usize,
    last_ragged: Span,
}

/// The reader of a table.
pub(in crate::formats) fn reader() -> Box<dyn FileReader> {
    whole(read)
}

fn read(text: &str, reading: &mut FileReading<'_>) {
    if let Some(at) = text.find('\0') {
        let n = text[at..].bytes().filter(|&byte| byte == 0).count();
        reading.tell(faults::zero_bytes(Place::new(reading.id, Span::new(at, at + 1)), n));
    }
    match CsvRows::of(text, reading) {
        // An empty frame of pandas is a table of a database, too; as facts it would be of an unknown predicate.
        Ok(mut rows) if reading.notes.database.is_some() && rows.is_without_columns() => {
            rows.columns.clear();
            rows.at = text.len();
            read_table(&table_of(reading), rows, reading);
        }
        Ok(rows) => read_table(&table_of(reading), rows, reading),
        Err(fault) => reading.tell(fault),
    }
}

impl<'t> CsvRows<'t> {
    /// Reads the header. Messages tell of overlong records before it.
    fn of(text: &'t str, reading: &mut FileReading<'_>) -> Result<Self, Diagnostic> {
        let start = text.strip_prefix('\u{feff}').map_or(0, |rest| text.len() - rest.len());
        let separator = separator(&text[start..]);
        let (file, cells) = (reading.id, Vec::new());
        let mut rows = Self {
            text,
            file,
            separator,
            columns: Vec::new(),
            cells,
            at: start,
            n_broken: 0,
            n_ragged: 0,
            last_ragged: Span::new(start, start),
        };
        loop {
            match rows.record() {
                Ok(true) => break,
                Ok(false) if reading.notes.database.is_some() => return Ok(rows),
                Ok(false) => {
                    let what = "this table has no header";
                    let accepted = "the first line names the type of each column";
                    return Err(rows.fault(Span::new(start, text.len().min(start + 1)), what, accepted));
                }
                Err(fault) if rows.n_broken > 0 => return Err(fault),
                Err(fault) => reading.tell(fault),
            }
        }
        if let [only] = &*rows.cells
            && only.text.contains('|')
            && reading.notes.database.is_some()
        {
            let what = "the cells of this table are separated by `|`";
            let accepted = "write the table with commas, semicolons or tabs between its cells (pandas: sep=\"|\" reads it)";
            return Err(rows.fault(only.span, what, accepted));
        }
        let index = index_column(&rows.cells, || numbers_rows(&text[rows.at..], separator));
        let column = |(column, cell): (usize, &Cell<'_>)| Column {
            name: cell.text.to_string(),
            is_row_number: Some(column) == index,
        };
        rows.columns = rows.cells.iter().enumerate().map(column).collect();
        Ok(rows)
    }

    /// Whether the file has no header, or its only column is one of row numbers without a name.
    fn is_without_columns(&self) -> bool {
        match &*self.columns {
            [] => true,
            [only] => only.name.trim().is_empty() && numbers_rows(&self.text[self.at..], self.separator),
            _ => false,
        }
    }

    /// Goes to the next record that holds a cell.
    fn record(&mut self) -> Result<bool, Diagnostic> {
        while self.at < self.text.len() {
            let line = self.at;
            match next_record(self.text, line, self.separator, &mut self.cells) {
                Ok(end) => self.at = end,
                Err((fault, end)) => {
                    self.n_broken += 1;
                    // Nobody reads more messages.
                    self.at = if self.n_broken > MOST_BROKEN { self.text.len() } else { end };
                    return Err(self.record_fault(fault));
                }
            }
            if self.at - line > MAX_STATEMENT_BYTES {
                let what = format!("this record has more than {} MiB", MAX_STATEMENT_BYTES >> 20);
                let accepted = "close each quote, and put each record on a line of its own";
                return Err(self.fault(Span::new(line, line + 1), &what, accepted));
            }
            // A line without a comma or quotes holds no cell.
            if self.cells.len() > 1 || !self.text[line..self.at].trim().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fault(&self, span: Span, what: &str, accepted: &str) -> Diagnostic {
        faults::malformed_table(Place::new(self.file, span), what, accepted)
    }

    fn record_fault(&self, fault: RecordFault) -> Diagnostic {
        match fault {
            RecordFault::Unclosed(span) => {
                self.fault(span, "this quote is not closed", "a quote within quotes is written twice")
            }
            RecordFault::AfterQuote(span) => {
                let accepted = "a cell is quoted as a whole, and a quote within it is written twice";
                self.fault(span, "this follows a closing quote", accepted)
            }
        }
    }

    /// The message about a record with more or fewer cells than the header; the help follows from the cells.
    fn ragged(&self) -> Diagnostic {
        let (n_cells, n_columns) = (self.cells.len(), self.columns.len());
        let cell = if n_cells == 1 { "cell" } else { "cells" };
        let what = format!("this row has {n_cells} {cell}, the header {n_columns}");
        let comma = match self.separator {
            b';' => "semicolon",
            b'\t' => "tab",
            _ => "comma",
        };
        let more = self.cells.get(n_columns..).unwrap_or_default();
        let accepted = if n_columns == 1 {
            "the first line names each column: is a title above the names?".to_owned()
        } else if n_cells == 1 {
            "each line is a row: is this a comment, a title or a part of a cell without quotes?".to_owned()
        } else if n_cells < n_columns {
            format!("each row has a cell for each column, which may be empty: is a {comma} missing?")
        } else if more.iter().all(|cell| cell.text.trim().is_empty()) {
            format!("a {comma} at the end of a line begins one more cell: leave it out, or name the column")
        } else {
            format!("a {comma} within a cell is put into quotes: \"a{} b\"", char::from(self.separator))
        };
        self.fault(self.span(), &what, &accepted)
    }

    /// The bytes of the record.
    fn span(&self) -> Span {
        let start = self.cells.first().map_or(self.at, |cell| cell.span.start);
        Span::new(start, self.cells.last().map_or(start, |cell| cell.span.end))
    }
}

impl Rows for CsvRows<'_> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn next(&mut self) -> Result<bool, Diagnostic> {
        while self.record()? {
            if self.cells.len() == self.columns.len() {
                return Ok(true);
            }
            self.n_ragged += 1;
            if self.n_ragged <= RAGGED_SHOWN {
                return Err(self.ragged());
            }
            self.last_ragged = self.span();
        }
        match std::mem::take(&mut self.n_ragged) {
            n if n <= RAGGED_SHOWN => Ok(false),
            n => {
                let n_more = n - RAGGED_SHOWN;
                let what = match n_more {
                    1 => "1 more row has not as many cells as the header".to_owned(),
                    _ => format!("{n_more} more rows have not as many cells as the header"),
                };
                let place = Place::new(self.file, self.last_ragged);
                Err(faults::more_malformed_rows(place, &what))
            }
        }
    }

    fn cell(&self, column: usize) -> CellValue<'_> {
        CellValue::Written(&self.cells[column].text)
    }

    fn place(&self, column: Option<usize>) -> Place {
        Place::new(self.file, column.map_or_else(|| self.span(), |column| self.cells[column].span))
    }
}

/// The column of row numbers, if the first one is: its header is `Unnamed: 0`. It may also be the only empty header, if
/// its cells number the rows.
fn index_column(header: &[Cell<'_>], numbers_rows: impl FnOnce() -> bool) -> Option<usize> {
    let (first, others) = header.split_first()?;
    let is_unnamed = |cell: &Cell<'_>| cell.text.trim().strip_prefix("Unnamed: ").is_some_and(are_digits);
    let is_only_empty =
        first.text.trim().is_empty() && others.iter().all(|cell| !cell.text.trim().is_empty());
    let is_index = !others.is_empty() && (is_unnamed(first) || is_only_empty && numbers_rows());
    is_index.then_some(0)
}

/// Whether the first cells of the records are whole numbers, each another one: 0, 1, 2, or what a filter or a sort of them
/// leaves. True without records.
///
/// Cost: one pass; eight bytes a record until it ends.
fn numbers_rows(text: &str, separator: u8) -> bool {
    let mut at = 0;
    let mut cells = Vec::new();
    let mut numbers: Vec<i64> = Vec::new();
    while at < text.len() {
        let Ok(end) = next_record(text, at, separator, &mut cells) else { return false };
        let is_blank = cells.len() == 1 && text[at..end].trim().is_empty();
        at = end;
        if !is_blank {
            let Some(number) = written_whole(cells[0].text.trim()) else { return false };
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    numbers.windows(2).all(|pair| pair[0] != pair[1])
}

/// A whole number as programs write it: with a sign `+` or a zero before it, it is a code.
fn written_whole(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number: &i64| number.to_string() == text)
}
