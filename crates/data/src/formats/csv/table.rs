//! A table as comma-separated values: a row is a fact, or with a label an example.

use crate::cells::{cell_constant, cell_text};
use crate::faults;
use crate::gather::{Class, FileReader, FileReading, whole};
use crate::provisional::Provisional;
use gleaner_base::ConstantId;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{MAX_STATEMENT_BYTES, Span};

use super::file_name::named_predicate;
use super::records::{Cell, RecordFault, next_record, separator};

/// The columns that are no arguments.
pub(super) const LABEL: &str = "label";
pub(super) const FOLD: &str = "fold";

/// The most columns of a table: each has a type and an index of its own.
const MOST_COLUMNS: usize = 100_000;

/// The class that a label names.
fn class(label: &str) -> Option<bool> {
    match &*label.to_ascii_lowercase() {
        "1" | "1.0" | "true" | "t" | "yes" | "y" | "pos" | "positive" | "+" => Some(true),
        "0" | "0.0" | "false" | "f" | "no" | "n" | "neg" | "negative" | "-" => Some(false),
        _ => None,
    }
}

/// Which column is what.
struct Columns {
    n_cells: usize,
    label: Option<usize>,
    fold: Option<usize>,
    /// Row numbers that other programs write before the columns.
    index: Option<usize>,
    /// The column that says which of many classes a row is of; an empty cell says none.
    class: Option<usize>,
    /// By column: the cells that hold no value, and the first of them.
    missing: Vec<(usize, Span)>,
    /// The cells of the label column that are no labels: those without a word, and the others.
    odd_labels: [OddLabels; 2],
}

/// Cells that are no labels: the first with its text, and how many there are.
#[derive(Default)]
struct OddLabels {
    first: Option<(Span, String)>,
    n: usize,
}

/// Whether a cell says that its value is not known, as other programs write it.
fn is_missing(cell: &str) -> bool {
    matches!(cell.trim(), "" | "NaN" | "nan" | "NaT" | "<NA>" | "null" | "NULL" | "\\N")
}

/// What reads a table.
pub(in crate::formats) fn reader() -> Box<dyn FileReader> {
    whole(read)
}

/// Reads a table. Its first record names the type of each column; the one called `label` holds the class of
/// an example (then no row is a fact), the one called `fold` the name of the row's fold, or nothing.
///
/// Cost: one pass, and a look-up for each cell. Faults are gathered with their places.
fn read(text: &str, reading: &mut FileReading<'_>) {
    let (name, arity) = named_predicate(reading.path());
    let start = text.strip_prefix('\u{feff}').map_or(0, |rest| text.len() - rest.len());
    let separator = separator(&text[start..]);
    let (mut columns, mut at): (Option<Columns>, usize) = (None, start);
    let mut cells: Vec<Cell<'_>> = Vec::new();
    while at < text.len() {
        let line = at;
        match next_record(text, at, separator, &mut cells) {
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
        match &mut columns {
            Some(columns) => take_row(&name, columns, &cells, reading),
            None => {
                let index = index_column(&cells, || counts_rows(&text[at..], separator));
                match header(Named { name: &name, arity }, index, &cells, reading) {
                    Some(found) => columns = Some(found),
                    None => return,
                }
            }
        }
    }
    if let Some(columns) = &columns {
        columns.tell_missing(reading);
        columns.tell_odd_labels(&name, reading);
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

/// The column of row numbers: its header is `Unnamed: 0`, or alone is empty and its cells count the rows.
fn index_column(header: &[Cell<'_>], counts_rows: impl FnOnce() -> bool) -> Option<usize> {
    let (first, others) = header.split_first()?;
    let is_unnamed = |cell: &Cell<'_>| cell.text.trim().strip_prefix("Unnamed: ").is_some_and(is_number);
    let is_only_empty =
        first.text.trim().is_empty() && others.iter().all(|cell| !cell.text.trim().is_empty());
    let is_index = !others.is_empty() && (is_unnamed(first) || is_only_empty && counts_rows());
    is_index.then_some(0)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the first cells of the records are 0, 1, 2 and so on.
fn counts_rows(text: &str, separator: u8) -> bool {
    let (mut at, mut row) = (0, 0_usize);
    let mut cells = Vec::new();
    while at < text.len() {
        let Ok(end) = next_record(text, at, separator, &mut cells) else { return false };
        at = end;
        if cells.len() > 1 {
            if cells[0].text != row.to_string() {
                return false;
            }
            row += 1;
        }
    }
    row > 0
}

/// What the name of a table's file says.
#[derive(Clone, Copy)]
struct Named<'n> {
    name: &'n str,
    arity: Option<usize>,
}

fn header(
    Named { name, arity }: Named<'_>,
    index: Option<usize>,
    cells: &[Cell<'_>],
    reading: &mut FileReading<'_>,
) -> Option<Columns> {
    if let (true, Some(cell)) = (cells.len() > MOST_COLUMNS, cells.get(MOST_COLUMNS)) {
        let what = format!("this table has {} columns", cells.len());
        tell(reading, cell.span, &what, &format!("a table has at most {MOST_COLUMNS} columns"));
        return None;
    }
    // As it is written, else in whatever case.
    let column = |wanted: &str| {
        let is = |same: fn(&str, &str) -> bool| cells.iter().position(|cell| same(cell.text.trim(), wanted));
        is(|cell, wanted| cell == wanted).or_else(|| is(str::eq_ignore_ascii_case))
    };
    let missing = vec![(0, Span::default()); cells.len()];
    let (label, fold) = (column(LABEL), column(FOLD));
    let mut columns = Columns {
        n_cells: cells.len(),
        label,
        fold,
        index,
        class: None,
        missing,
        odd_labels: Default::default(),
    };
    if let Some(index) = index {
        let place = reading.place_in_file(cells[index].span);
        reading.tell(faults::index_column(place, cells[index].text.trim()));
    }
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
    let mut arguments = (0..cells.len()).filter(|column| !columns.others().contains(&Some(*column)));
    columns.class = reading.class_argument(&predicate).and_then(|argument| arguments.nth(argument));
    let names = columns.arguments(cells).map(|cell| cell.text.trim().to_owned()).collect();
    reading.name_arguments(predicate.clone(), names);
    reading.declare_types(predicate, types, reading.place_in_file(span));
    Some(columns)
}

impl Columns {
    /// The columns that are no arguments.
    const fn others(&self) -> [Option<usize>; 3] {
        [self.label, self.fold, self.index]
    }

    /// The cells that are arguments.
    fn arguments<'c, 't>(&self, cells: &'c [Cell<'t>]) -> impl Iterator<Item = &'c Cell<'t>> + use<'c, 't> {
        let others = self.others();
        cells
            .iter()
            .enumerate()
            .filter(move |(column, _)| !others.contains(&Some(*column)))
            .map(|(_, cell)| cell)
    }

    /// Counts the arguments of a row that hold no value.
    fn count_missing(&mut self, cells: &[Cell<'_>]) {
        let others = self.others();
        for (column, cell) in cells.iter().enumerate() {
            let says_no_class = self.class == Some(column) && cell.text.trim().is_empty();
            if is_missing(&cell.text) && !says_no_class && !others.contains(&Some(column)) {
                let (n_missing, first) = &mut self.missing[column];
                if *n_missing == 0 {
                    *first = cell.span;
                }
                *n_missing += 1;
            }
        }
    }

    /// Warns of each column with empty cells.
    fn tell_missing(&self, reading: &mut FileReading<'_>) {
        for &(n_missing, first) in self.missing.iter().filter(|(n_missing, _)| *n_missing > 0) {
            let place = reading.place_in_file(first);
            reading.tell(faults::missing_cells(place, n_missing));
        }
    }
}

impl Columns {
    /// Says once that the label column holds what is no label, and once that it holds nothing.
    fn tell_odd_labels(&self, table: &str, reading: &mut FileReading<'_>) {
        let Some(label) = self.label else { return };
        // As an argument it stands behind those before it.
        let others = [self.fold, self.index];
        let argument = (0..=label).filter(|column| !others.contains(&Some(*column))).count();
        for OddLabels { first, n } in &self.odd_labels {
            let Some((span, text)) = first else { continue };
            let more = match n - 1 {
                0 => String::new(),
                1 => ", nor is one more cell of the column".to_owned(),
                n_more => format!(", nor are {n_more} more cells of the column"),
            };
            let what = match text.as_str() {
                "" if *n == 1 => "this example has no label".to_owned(),
                "" => format!("this example has no label, and {} more have none", n - 1),
                text => format!("`{text}` is no label{more}"),
            };
            let accepted = "labels are 1 and 0, true and false, yes and no, pos and neg, + and -; facts stand in a \
                            table without labels";
            let fault = faults::malformed_table(reading.place_in_file(*span), &what, accepted);
            reading.tell(if text.is_empty() {
                fault
            } else {
                fault.with_help(format!(
                    "where the words are classes, call the column class, say, and give --target {table} --class-argument \
                     {argument}"
                ))
            });
        }
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

fn take_row(name: &str, columns: &mut Columns, cells: &[Cell<'_>], reading: &mut FileReading<'_>) {
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
                let text = label.text.trim();
                let odd = &mut columns.odd_labels[usize::from(!text.is_empty())];
                odd.first.get_or_insert_with(|| (label.span, text.to_owned()));
                odd.n += 1;
                return;
            }
        }
    }
    columns.count_missing(cells);
    let fold = columns.fold.map(|column| cells[column].text.trim()).filter(|name| !name.is_empty());
    let fold = fold.map(|name| reading.fold_named(name));
    let symbols = reading.symbols();
    let row: Vec<ConstantId> =
        columns.arguments(cells).map(|cell| cell_constant(&cell.text, symbols)).collect();
    let place = reading.place_in_file(span);
    reading.table_row(name, &row, class_of_row, fold, place);
}
