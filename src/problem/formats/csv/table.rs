//! A table as comma-separated values: a row is a fact, or with a label an example.

use crate::base::ConstantId;
use crate::problem::cells::{cell_constant, cell_text};
use crate::problem::faults;
use crate::problem::gather::{Class, FileReader, FileReading, whole};
use crate::problem::provisional::Provisional;
use crate::program::PredicateName;
use crate::syntax::{MAX_STATEMENT_BYTES, Span};

use super::file_name::named_predicate;
use super::records::{Cell, RecordFault, next_record};

/// The columns that are no arguments.
pub(super) const LABEL: &str = "label";
pub(super) const FOLD: &str = "fold";

/// The most columns of a table: each has a type and an index of its own.
const MOST_COLUMNS: usize = 100_000;

/// The class that a label names.
fn class(label: &str) -> Option<bool> {
    match label {
        "1" | "true" | "pos" | "+" => Some(true),
        "0" | "false" | "neg" | "-" => Some(false),
        _ => None,
    }
}

/// Which column is what.
struct Columns {
    n_cells: usize,
    label: Option<usize>,
    fold: Option<usize>,
}

/// What reads a table.
pub(in crate::problem::formats) fn reader() -> Box<dyn FileReader> {
    whole(read)
}

/// Reads a table. Its first record names the type of each column; the one called `label` holds the class of
/// an example (then no row is a fact), the one called `fold` the name of the row's fold, or nothing.
///
/// Cost: one pass, and a look-up for each cell. Faults are gathered with their places.
fn read(text: &str, reading: &mut FileReading<'_>) {
    let (name, arity) = named_predicate(reading.path());
    let start = text.strip_prefix('\u{feff}').map_or(0, |rest| text.len() - rest.len());
    let (mut columns, mut at) = (None, start);
    let mut cells: Vec<Cell<'_>> = Vec::new();
    while at < text.len() {
        let line = at;
        match next_record(text, at, &mut cells) {
            Ok(end) => at = end,
            Err((fault, end)) => {
                record_fault(fault, reading);
                at = end;
                if columns.is_none() || reading.is_told_enough() {
                    return;
                }
                continue;
            }
        }
        if at - line > MAX_STATEMENT_BYTES {
            let what = format!("this record has more than {} MiB", MAX_STATEMENT_BYTES >> 20);
            tell(
                reading,
                Span::new(line, line + 1),
                &what,
                "each quote is closed, and each record has its line",
            );
            continue;
        }
        // A line without a comma or quotes holds no cell.
        if cells.len() == 1 && text[line..at].trim().is_empty() {
            continue;
        }
        match &columns {
            Some(columns) => take_row(&name, columns, &cells, reading),
            None => match header(&name, arity, &cells, reading) {
                Some(found) => columns = Some(found),
                None => return,
            },
        }
    }
    if columns.is_none() {
        let span = Span::new(start, text.len().min(start + 1));
        tell(reading, span, "this table has no header", "the first line names the type of each column");
    }
}

fn tell(reading: &mut FileReading<'_>, span: Span, what: &str, accepted: &str) {
    let fault = faults::malformed_table(reading.place_in_file(span), what, accepted);
    reading.tell(fault);
}

fn record_fault(fault: RecordFault, reading: &mut FileReading<'_>) {
    match fault {
        RecordFault::Unclosed(span) => {
            tell(reading, span, "this quote is not closed", "a quote within quotes is written twice");
        }
        RecordFault::AfterQuote(span) => {
            let accepted = "a cell is quoted as a whole, and a quote within it is written twice";
            tell(reading, span, "this follows a closing quote", accepted);
        }
    }
}

fn header(
    name: &str,
    arity: Option<usize>,
    cells: &[Cell<'_>],
    reading: &mut FileReading<'_>,
) -> Option<Columns> {
    if let (true, Some(cell)) = (cells.len() > MOST_COLUMNS, cells.get(MOST_COLUMNS)) {
        let what = format!("this table has {} columns", cells.len());
        tell(reading, cell.span, &what, &format!("a table has at most {MOST_COLUMNS} columns"));
        return None;
    }
    let column = |wanted: &str| cells.iter().position(|cell| cell.text.trim() == wanted);
    let columns = Columns { n_cells: cells.len(), label: column(LABEL), fold: column(FOLD) };
    for special in [LABEL, FOLD] {
        let mut of_name = cells.iter().filter(|cell| cell.text.trim() == special).skip(1);
        if let Some(second) = of_name.next() {
            let what = format!("a second column is called {special}");
            let accepted = format!("a type of that name is written '{special}', with the quotes");
            tell(reading, second.span, &what, &accepted);
            return None;
        }
    }
    let types: Vec<String> = columns.arguments(cells).map(|cell| declared_type(cell.text.trim())).collect();
    let span = Span::new(cells.first()?.span.start, cells.last()?.span.end);
    if let Some(arity) = arity.filter(|&arity| arity != types.len()) {
        let what = format!("{} columns are arguments, but the file's name says {arity}", types.len());
        tell(
            reading,
            span,
            &what,
            "a table is `NAME.csv` or `NAME.ARITY.csv`; label and fold are no arguments",
        );
        return None;
    }
    let predicate = PredicateName::new(name, types.len());
    let names = columns.arguments(cells).map(|cell| cell.text.trim().to_owned()).collect();
    reading.name_arguments(predicate.clone(), names);
    reading.declare_types(predicate, types, reading.place_in_file(span));
    Some(columns)
}

impl Columns {
    /// The cells that are arguments.
    fn arguments<'c, 't>(&self, cells: &'c [Cell<'t>]) -> impl Iterator<Item = &'c Cell<'t>> + use<'c, 't> {
        let (label, fold) = (self.label, self.fold);
        cells
            .iter()
            .enumerate()
            .filter(move |(column, _)| Some(*column) != label && Some(*column) != fold)
            .map(|(_, cell)| cell)
    }
}

/// A type as modes write it; empty where the header says nothing.
fn declared_type(cell: &str) -> String {
    let bare = cell.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match bare {
        Some(name @ (LABEL | FOLD)) => name.to_owned(),
        _ if cell.is_empty() => String::new(),
        _ => {
            let mut symbols = Provisional::default();
            let id = cell_constant(cell, &mut symbols);
            symbols.constant_text(id).to_owned()
        }
    }
}

/// The header of a column of this type.
pub(super) fn type_header(type_name: &str) -> String {
    match type_name {
        LABEL | FOLD => format!("'{type_name}'"),
        _ => cell_text(type_name).unwrap_or_else(|| type_name.to_owned()),
    }
}

fn take_row(name: &str, columns: &Columns, cells: &[Cell<'_>], reading: &mut FileReading<'_>) {
    let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return };
    let span = Span::new(first.span.start, last.span.end);
    if cells.len() != columns.n_cells {
        let cell = if cells.len() == 1 { "cell" } else { "cells" };
        let what = format!("this row has {} {cell}, the header {}", cells.len(), columns.n_cells);
        tell(reading, span, &what, "a comma within a cell is put into quotes: \"a, b\"");
        return;
    }
    let mut class_of_row = Class::NotSaid;
    if let Some(label) = columns.label.map(|column| &cells[column]) {
        match class(label.text.trim()) {
            Some(class) => class_of_row = Class::Known(class),
            None if label.text.trim().is_empty() && reading.is_scored() => class_of_row = Class::Unknown,
            None => {
                let what = match label.text.trim() {
                    "" => "this example has no label".to_owned(),
                    text => format!("`{text}` is no label"),
                };
                let accepted = "labels are 1 and 0, true and false, pos and neg, + and -; facts stand in a \
                                table without labels";
                tell(reading, label.span, &what, accepted);
                return;
            }
        }
    }
    let fold = columns.fold.map(|column| cells[column].text.trim()).filter(|name| !name.is_empty());
    let fold = fold.map(|name| reading.fold_named(name));
    let symbols = reading.symbols();
    let row: Vec<ConstantId> =
        columns.arguments(cells).map(|cell| cell_constant(&cell.text, symbols)).collect();
    let place = reading.place_in_file(span);
    reading.table_row(name, &row, class_of_row, fold, place);
}
