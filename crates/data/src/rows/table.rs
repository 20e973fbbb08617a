//! A table: the role of each column, and the meaning of its rows. A row is a fact, or with a label an example.
//!
//! Reads tables of a database as they are, a column at a time.

use std::borrow::Cow;

use crate::cells::{cell_constant, cell_text};
use crate::faults;
use crate::gather::{Class, FileReading};
use crate::provisional::Provisional;
use crate::tables::store::{LONG, MISSING, StoredColumn, StoredTable, number_cell};
use crate::texts::number_texts::{PlainNumber, cell_number, plain_number};
use gleaner_base::FixedSet;
use gleaner_base::budget::Poll;
use gleaner_lang::program::{Number, NumberSource, PredicateName};
use gleaner_lang::syntax::{Place, quote_atom};

use super::{CellValue, Refusal, RowParts, Rows, take_row};

/// The names of the columns that are no arguments.
pub(crate) const LABEL: &str = "label";

pub(crate) const FOLD: &str = "fold";

/// The most columns of a table: each has a type and an index of its own.
const MOST_COLUMNS: usize = 100_000;

/// The rows that are read between two looks at the budget.
pub(super) const ROWS_BETWEEN_LOOKS: u32 = 4096;

/// The roles of the columns.
struct Roles {
    label: Option<usize>,
    fold: Option<usize>,
    /// The column of row numbers that other programs write first.
    index: Option<usize>,
    /// The column that holds the class of a row among many classes; an empty cell gives none.
    class: Option<usize>,
    /// All other columns, ascending.
    arguments: Vec<usize>,
    /// For each argument, the number of cells without a value, and the place of the first.
    missing: Vec<(usize, Place)>,
    /// The cells of the label column that are no labels: the empty ones, and the others.
    odd_labels: [OddLabels; 2],
}

/// Cells that are no labels: the first with its text, and their number.
#[derive(Default)]
struct OddLabels {
    first: Option<(Place, String)>,
    n: usize,
}

/// The predicate of a table.
#[derive(Debug)]
pub(crate) struct TableName {
    pub(crate) predicate: String,
    /// The number of arguments, if the file name gives it.
    pub(crate) arity: Option<usize>,
    /// The ending of the file name, for messages.
    pub(crate) ending: String,
}

/// Reads a table. The names of its columns are their types. A column called `label` holds the class of an example; then
/// no row is a fact. A column called `fold` holds the name of the row's fold, or nothing.
///
/// Cost: one pass, and a look-up for each cell. Faults are collected with their places.
pub(crate) fn read_table<R: Rows>(table: &TableName, mut rows: R, reading: &mut FileReading<'_>) {
    if reading.notes.database.is_some() {
        return read_stored(table, rows, reading);
    }
    let name = &table.predicate;
    let Some(mut roles) = Roles::of(&rows, reading) else { return };
    if !declare(table, &mut roles, &rows, reading) {
        return;
    }
    let budget = reading.notes.budget.clone();
    let mut poll = Poll::new(&budget, ROWS_BETWEEN_LOOKS);
    while poll.step().is_ok() {
        match rows.next() {
            Ok(true) => roles.take(name, &rows, reading),
            Ok(false) => break,
            Err(fault) => reading.tell(fault),
        }
    }
    roles.tell_missing(reading);
    roles.tell_odd_labels(name, reading);
}

/// Adds the predicate of a table, with the types and names of its arguments. False, with a message, if the file name
/// gives another number of arguments.
fn declare<R: Rows>(
    TableName { predicate, arity, ending }: &TableName,
    roles: &mut Roles,
    rows: &R,
    reading: &mut FileReading<'_>,
) -> bool {
    let columns = rows.columns();
    let place = rows.place(None);
    let names: Vec<&str> = roles.arguments.iter().map(|&column| columns[column].name.trim()).collect();
    if let Some(arity) = arity.filter(|&arity| arity != names.len()) {
        let what = format!("{} columns are arguments, but the file's name says {arity}", names.len());
        let accepted =
            format!("a table is `NAME.{ending}` or `NAME.ARITY.{ending}`; label and fold are no arguments");
        reading.tell(faults::malformed_table(place, &what, &accepted));
        return false;
    }
    let predicate = PredicateName::new(predicate.as_str(), names.len());
    roles.class =
        reading.class_argument(&predicate).and_then(|argument| roles.arguments.get(argument)).copied();
    let types = names.iter().map(|name| declared_type(name)).collect();
    let declarations = &mut reading.statements.declarations;
    let names = names.into_iter().map(str::to_owned).collect();
    declarations.argument_names.push((predicate.clone(), names));
    declarations.declared_types.push((predicate, types, place));
    true
}

impl Roles {
    /// The roles of the columns, by their names; none, with a message, if the names do not show them.
    fn of<R: Rows>(rows: &R, reading: &mut FileReading<'_>) -> Option<Self> {
        let columns = rows.columns();
        let fault = |column, what: &str, accepted: &str| {
            faults::malformed_table(rows.place(Some(column)), what, accepted)
        };
        if columns.len() > MOST_COLUMNS {
            let what = format!("this table has {} columns", columns.len());
            let accepted = format!("a table has at most {MOST_COLUMNS} columns");
            reading.tell(fault(MOST_COLUMNS, &what, &accepted));
            return None;
        }
        // The name as it is written, else in any case.
        let column = |wanted: &str| {
            let is = |same: fn(&str, &str) -> bool| {
                columns.iter().position(|column| same(column.name.trim(), wanted))
            };
            is(|name, wanted| name == wanted).or_else(|| is(str::eq_ignore_ascii_case))
        };
        let (label, fold) = (column(LABEL), column(FOLD));
        let index = columns.iter().position(|column| column.is_row_number);
        if let Some(index) = index {
            let place = rows.place(Some(index));
            reading.tell(faults::index_column(place, columns[index].name.trim()));
        }
        for special in [LABEL, FOLD] {
            let of_name = |column: &usize| columns[*column].name.trim() == special;
            if let Some(second) = (0..columns.len()).filter(of_name).nth(1) {
                let what = format!("a second column is called {special}");
                let accepted = format!("a type of that name is written '{special}', with the quotes");
                reading.tell(fault(second, &what, &accepted));
                return None;
            }
        }
        let others = [label, fold, index];
        let arguments: Vec<usize> =
            (0..columns.len()).filter(|column| !others.contains(&Some(*column))).collect();
        let missing = vec![(0, Place::default()); arguments.len()];
        Some(Self { label, fold, index, class: None, arguments, missing, odd_labels: Default::default() })
    }

    /// Takes the current row, and counts its arguments without a value.
    fn take<R: Rows>(&mut self, name: &str, rows: &R, reading: &mut FileReading<'_>) {
        let class = match self.label {
            None => Class::NotSaid,
            Some(column) if reading.notes.number_asked == Some(NumberSource::Label) => {
                match number_label(&rows.cell(column), reading) {
                    Some(class) => class,
                    None => return self.add_odd_label(column, rows),
                }
            }
            Some(column) => match rows.cell(column).class(reading.notes.keeps_unlabelled) {
                Some(class) => class,
                None => return self.add_odd_label(column, rows),
            },
        };
        let class_column = self.class;
        let cells = self.arguments.iter().zip(&mut self.missing).map(|(&column, (n_missing, first))| {
            let cell = rows.cell(column);
            let says_no_class = class_column == Some(column) && cell.is_empty();
            if cell.is_missing() && !says_no_class {
                if *n_missing == 0 {
                    *first = rows.place(Some(column));
                }
                *n_missing += 1;
            }
            cell
        });
        let fold = self.fold.map_or(CellValue::Missing, |column| rows.cell(column));
        let row = RowParts { predicate: name, class, fold, place: rows.place(None) };
        if let Err((argument, refusal)) = take_row(&row, cells, reading) {
            let place = rows.place(argument.map_or(self.fold, |argument| Some(self.arguments[argument])));
            reading.tell(faults::malformed_table(place, &refusal.what, refusal.accepted));
        }
    }

    fn add_odd_label<R: Rows>(&mut self, column: usize, rows: &R) {
        let label = rows.cell(column);
        let text = label.words();
        let odd = &mut self.odd_labels[usize::from(!text.is_empty())];
        odd.first.get_or_insert_with(|| (rows.place(Some(column)), text.into_owned()));
        odd.n += 1;
    }

    /// Warns of each column with empty cells.
    fn tell_missing(&self, reading: &mut FileReading<'_>) {
        for &(n_missing, first) in self.missing.iter().filter(|(n_missing, _)| *n_missing > 0) {
            reading.tell(faults::missing_cells(first, n_missing));
        }
    }

    /// Tells once of cells of the label column that are no labels, and once of empty ones.
    fn tell_odd_labels(&self, table: &str, reading: &mut FileReading<'_>) {
        let Some(label) = self.label else { return };
        // The position that the label column would have as an argument.
        let others = [self.fold, self.index];
        let argument = (0..=label).filter(|column| !others.contains(&Some(*column))).count();
        for OddLabels { first, n } in &self.odd_labels {
            let Some((place, text)) = first else { continue };
            if reading.notes.number_asked == Some(NumberSource::Label) {
                reading.tell(faults::examples::not_a_number(*place, text, n - 1));
                continue;
            }
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
            let accepted = "labels are 1 and 0, true and false, yes and no, pos and neg, + and -; facts belong in a \
                 table without labels";
            let fault = faults::malformed_table(*place, &what, accepted);
            reading.tell(if text.is_empty() {
                fault
            } else if CellValue::Written(text).number().is_some() {
                fault.with_help("if the labels are numbers to predict, give ⁅number-argument=label⁆")
            } else {
                fault.with_help(format!(
                    "if the words are classes, rename the column, to class say, and give ⁅target={table}⁆ \
                     ⁅class-argument={argument}⁆"
                ))
            });
        }
    }
}

/// The class of a label that is a number; none if it is something else. An empty label leaves the number open.
fn number_label(label: &CellValue<'_>, reading: &mut FileReading<'_>) -> Option<Class> {
    match label.number() {
        Some(number) => Some(Class::Number(reading.statements.examples.number_label(number))),
        None => label.is_missing().then_some(Class::Unknown),
    }
}

/// A type as modes write it; empty if the column has no name.
fn declared_type(name: &str) -> String {
    let bare = name.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match bare {
        Some(name @ (LABEL | FOLD)) => name.to_owned(),
        _ if name.is_empty() => String::new(),
        _ => {
            let mut symbols = Provisional::default();
            let id = cell_constant(name, &mut symbols);
            symbols.constant_text(id).to_owned()
        }
    }
}

/// The name of a column of this type.
pub(crate) fn type_header(type_name: &str) -> String {
    match type_name {
        LABEL | FOLD => format!("'{type_name}'"),
        _ => cell_text(type_name).unwrap_or_else(|| type_name.to_owned()),
    }
}

/// The most bytes of a name; longer texts are prose.
const LONGEST_NAME: usize = 200;

/// The most columns of a table.
const MOST_STORED_COLUMNS: usize = 100_000;

/// The words for a missing value, as other programs write it.
const MISSING_WORDS: [&str; 10] = ["", "NA", "N/A", "NaN", "nan", "NaT", "<NA>", "NULL", "null", "\\N"];

/// The most bytes of such a word.
const LONGEST_MISSING: usize = 4;

/// Reads a table, or a further part of one.
///
/// Cost: one pass, and a look-up for each cell.
fn read_stored<R: Rows>(table: &TableName, mut rows: R, reading: &mut FileReading<'_>) {
    let Some(columns) = columns_of(&rows, reading) else { return };
    if rows.columns().is_empty() {
        reading.tell(faults::empty_table(rows.place(None), &table.predicate));
    }
    let mut stored = StoredTable {
        name: table.predicate.clone(),
        columns: columns
            .iter()
            .map(|&(ref name, _, place)| StoredColumn::new(name.clone(), Vec::new(), place))
            .collect(),
        n_rows: 0,
        numbers: Vec::new(),
        parts: Vec::new(),
        place: rows.place(None),
        is_made: false,
    };
    let budget = reading.notes.budget.clone();
    let mut poll = Poll::new(&budget, ROWS_BETWEEN_LOOKS);
    while poll.step().is_ok() {
        match rows.next() {
            Ok(true) => {}
            Ok(false) => break,
            Err(fault) => {
                reading.tell(fault);
                continue;
            }
        }
        for ((_, position, _), column) in columns.iter().zip(&mut stored.columns) {
            let symbols = &mut reading.statements.symbols;
            let cell = cell_of(&rows.cell(*position), symbols).unwrap_or_else(|refusal| {
                let place = rows.place(Some(*position));
                reading.tell(faults::malformed_table(place, &refusal.what, refusal.accepted));
                MISSING
            });
            let written = rows.cell(*position);
            if let Some(text) = written.as_text() {
                column.has_texts = true;
                let row = u32::try_from(column.cells.len()).ok();
                column.zeros.extend(row.zip(zeros_at_end(text)));
            }
            column.cells.push(cell);
        }
        stored.n_rows += 1;
    }
    stored.columns.iter_mut().for_each(|column| column.cells.shrink_to_fit());
    stored.parts.push((stored.n_rows, reading.fold));
    if let Some(database) = &mut reading.notes.database
        && let Err(fault) = database.add(stored)
    {
        reading.tell(fault);
    }
}

/// The columns that mean something: name, position and place of each. None, with a message, if a name is missing or
/// given twice.
fn columns_of<R: Rows>(rows: &R, reading: &mut FileReading<'_>) -> Option<Vec<(String, usize, Place)>> {
    let mut columns: Vec<(String, usize, Place)> = Vec::new();
    let mut names: FixedSet<String> = FixedSet::default();
    for (position, column) in rows.columns().iter().enumerate() {
        let (name, place) = (column.name.trim(), rows.place(Some(position)));
        let fault = if column.is_row_number {
            reading.tell(faults::index_column(place, name));
            continue;
        } else if position >= MOST_STORED_COLUMNS {
            let what = format!("this table has {} columns", rows.columns().len());
            Some((what, format!("a table has at most {MOST_COLUMNS} columns")))
        } else if name.is_empty() {
            Some((
                "this column has no name".to_owned(),
                "the first line names each column; pandas leaves its row numbers out with index=False"
                    .to_owned(),
            ))
        } else if !names.insert(name.to_owned()) {
            let what = format!("a second column is called {name}");
            Some((what, "give each column of a table a name of its own".to_owned()))
        } else {
            None
        };
        if let Some((what, accepted)) = fault {
            reading.tell(faults::malformed_table(place, &what, &accepted));
            return None;
        }
        columns.push((name.to_owned(), position, place));
    }
    Some(columns)
}

/// How many zeros end the three digits after the point of a text as `1.500`; none of other texts.
fn zeros_at_end(text: &str) -> Option<u8> {
    let text = text.trim().as_bytes();
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, fraction) = digits.split_at_checked(digits.len().checked_sub(4)?)?;
    let are_digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    let is_grouped = matches!(whole.len(), 1..=3) && fraction[0] == b'.' && fraction[3] == b'0';
    let n_zeros = if fraction[1..] == *b"000" { 3 } else { 1 + u8::from(fraction[2] == b'0') };
    (is_grouped && are_digits(whole) && are_digits(&fraction[1..])).then_some(n_zeros)
}

/// The constant of a cell. Numbers are numbers whatever the source calls them; one without a fraction is whole.
fn cell_of(cell: &CellValue<'_>, symbols: &mut Provisional) -> Result<u32, Refusal> {
    let text: Cow<'_, str> = match cell {
        CellValue::Written(text) => Cow::Borrowed(text.trim()),
        CellValue::String(text) => Cow::Borrowed(text.trim()),
        CellValue::Name(text) => Cow::Borrowed(text.trim()),
        CellValue::Integer(value) => return Ok(number_cell(Number::Integer(*value), symbols)),
        CellValue::Float(value) if value.is_finite() => {
            return Ok(number_cell(Number::Float(*value), symbols));
        }
        CellValue::Float(_) | CellValue::Missing => return Ok(MISSING),
        CellValue::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
        CellValue::Odd(refusal) => return Err(refusal.clone()),
    };
    match plain_number(&text) {
        Some(PlainNumber::Whole(value)) => return Ok(symbols.whole(value).raw()),
        Some(PlainNumber::Decimal(written)) => {
            let value = written.parse().ok().map(Number::Float);
            return Ok(symbols.constant(written, value).raw());
        }
        None => {}
    }
    if text.len() <= LONGEST_MISSING && MISSING_WORDS.contains(&&*text) {
        return Ok(MISSING);
    }
    if text.len() > LONGEST_NAME {
        return Ok(LONG);
    }
    if let Some(number) = cell_number(&text) {
        return Ok(number_cell(number, symbols));
    }
    Ok(symbols.constant(&quote_atom(&text), None).raw())
}
