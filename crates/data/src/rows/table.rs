//! A table: the role of each column, and the meaning of its rows. A row is a fact, or with a label an example.

use super::stored::read_stored;
use crate::cells::{cell_constant, cell_text};
use crate::faults;
use crate::gather::{Class, FileReading};
use crate::provisional::Provisional;
use gleaner_base::budget::Poll;
use gleaner_lang::program::{NumberSource, PredicateName};
use gleaner_lang::syntax::Place;

use super::cell::{CellValue, Rows};
use super::take::{RowParts, take_row};

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
                reading.tell(faults::numbers::not_a_number(*place, text, n - 1));
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
