//! Tables in memory, a column at a time: what a database holds before it is known what its columns mean.

use std::borrow::Cow;

use gleaner_base::{ConstantId, FixedMap, FixedSet};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Place, quote_atom};

use super::notations::Notation;
use super::plain_numbers::{PlainNumber, plain_number};
use crate::cells::cell_number;
use crate::faults;
use crate::gather::FileReading;
use crate::provisional::{Provisional, number_text};
use crate::rows::{CellValue, Refusal, Rows, TableName};

/// A cell without a value.
pub(crate) const MISSING: u32 = u32::MAX;

/// A cell with a text that is too long to be a name.
pub(crate) const LONG: u32 = u32::MAX - 1;

/// The most bytes of a name; longer texts are prose.
const LONGEST_NAME: usize = 200;

/// The most columns of a table.
const MOST_COLUMNS: usize = 100_000;

/// The words for a missing value, as other programs write it.
const MISSING_WORDS: [&str; 10] = ["", "NA", "N/A", "NaN", "nan", "NaT", "<NA>", "NULL", "null", "\\N"];

/// The most bytes of such a word.
const LONGEST_MISSING: usize = 4;

/// All tables of a database.
#[derive(Debug, Default)]
pub(crate) struct Database {
    /// In the order of reading.
    pub(crate) tables: Vec<StoredTable>,
}

/// A table: its columns, and the parts that it was read in.
#[derive(Debug)]
pub(crate) struct StoredTable {
    pub(crate) name: String,
    pub(crate) columns: Vec<StoredColumn>,
    pub(crate) n_rows: usize,
    /// The number of each row in the files of the table, from 0; empty while rows stand as they do there.
    pub(crate) numbers: Vec<u32>,
    /// The files of the table: where the rows of each end, and the fold that it is, if it is one.
    pub(crate) parts: Vec<(usize, Option<usize>)>,
    pub(crate) place: Place,
    /// Whether it stands in no file.
    pub(crate) is_made: bool,
}

/// A column: the constant of each row, [`MISSING`] or [`LONG`].
#[derive(Debug)]
pub(crate) struct StoredColumn {
    pub(crate) name: String,
    pub(crate) cells: Vec<u32>,
    pub(crate) place: Place,
    /// The notation that its cells were written in, if another one than they are in now.
    pub(crate) notation: Option<Notation>,
    /// The cells as they were written; empty if they are the same.
    pub(crate) written: Vec<u32>,
    /// The rows whose cell has a point and three digits that end with zeros, and how many zeros: `1.500` is 1500 where a comma
    /// stands before fractions, and the constant 1.5 no longer tells.
    pub(crate) zeros: Vec<(u32, u8)>,
    /// Whether a cell is a text: a source that holds numbers leaves no doubt what its points are.
    pub(crate) has_texts: bool,
}

impl StoredColumn {
    /// A column of these cells.
    pub(crate) const fn new(name: String, cells: Vec<u32>, place: Place) -> Self {
        Self { name, cells, place, notation: None, written: Vec::new(), zeros: Vec::new(), has_texts: false }
    }

    /// The constants of the cells that hold one.
    pub(crate) fn values(&self) -> impl Iterator<Item = u32> + '_ {
        self.cells.iter().copied().filter(|&cell| cell < LONG)
    }
}

impl StoredTable {
    /// A table of these columns, without rows.
    #[cfg(test)]
    pub(crate) fn of_columns(name: &str, columns: &[&str]) -> Self {
        let column = |name: &&str| StoredColumn::new((*name).to_owned(), Vec::new(), Place::default());
        let columns = columns.iter().map(column).collect();
        let (name, parts, place) = (name.to_owned(), Vec::new(), Place::default());
        Self { name, columns, n_rows: 0, numbers: Vec::new(), parts, place, is_made: false }
    }

    /// The number of a row in the files of the table, from 0.
    pub(crate) fn number(&self, row: usize) -> usize {
        self.numbers.get(row).map_or(row, |&number| number as usize)
    }

    /// The rows in the order of the files: their numbers there ascend.
    pub(crate) fn in_file_order(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.n_rows).collect();
        if !self.numbers.is_empty() {
            rows.sort_unstable_by_key(|&row| self.numbers[row]);
        }
        rows
    }

    /// Puts the rows into another order, given by their places now.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        for column in &mut self.columns {
            column.cells = order.iter().map(|&row| column.cells[row as usize]).collect();
            if !column.written.is_empty() {
                column.written = order.iter().map(|&row| column.written[row as usize]).collect();
            }
        }
        let number = |&row: &u32| u32::try_from(self.number(row as usize)).unwrap_or(MISSING);
        self.numbers = order.iter().map(number).collect();
    }

    /// The place of a column of this name, as it is written, else in any case.
    pub(crate) fn column_named(&self, name: &str) -> Option<usize> {
        let position = |is: &dyn Fn(&str) -> bool| self.columns.iter().position(|column| is(&column.name));
        position(&|known| known == name).or_else(|| position(&|known| known.eq_ignore_ascii_case(name)))
    }
}

/// Reads a table, or a further part of one.
///
/// Cost: one pass, and a look-up for each cell.
pub(crate) fn read_stored<R: Rows>(table: &TableName, mut rows: R, reading: &mut FileReading<'_>) {
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
    loop {
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
        } else if position >= MOST_COLUMNS {
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

impl Database {
    /// The place of each table by its name.
    pub(super) fn places(&self) -> FixedMap<&str, usize> {
        self.tables.iter().enumerate().map(|(at, table)| (&*table.name, at)).collect()
    }

    /// Adds a column without values, if the table is there and lacks it: rows to be scored need no label.
    pub(crate) fn add_missing(&mut self, table: &str, column: &str) {
        let Some(table) = self.tables.iter_mut().find(|known| known.name == table) else { return };
        if table.column_named(column).is_none() {
            let cells = vec![MISSING; table.n_rows];
            table.columns.push(StoredColumn::new(column.to_owned(), cells, table.place));
        }
    }

    /// Adds a table, or the rows of a further part.
    fn add(&mut self, part: StoredTable) -> Result<(), gleaner_lang::syntax::Diagnostic> {
        let Some(known) = self.tables.iter_mut().find(|known| known.name == part.name) else {
            self.tables.push(part);
            return Ok(());
        };
        let names =
            |table: &StoredTable| table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        if names(known) != names(&part) {
            let what = format!("this part of the table {} has other columns than the first", part.name);
            let accepted = format!("its columns are {}", names(known).join(", "));
            return Err(faults::malformed_table(part.place, &what, &accepted));
        }
        let n_before = known.n_rows;
        for (column, more) in known.columns.iter_mut().zip(part.columns) {
            column.cells.extend(more.cells);
            let first = u32::try_from(n_before).unwrap_or(MISSING);
            column.zeros.extend(more.zeros.into_iter().map(|(row, n)| (first.saturating_add(row), n)));
            column.has_texts |= more.has_texts;
        }
        known.n_rows += part.n_rows;
        known.parts.extend(part.parts.into_iter().map(|(end, fold)| (n_before + end, fold)));
        Ok(())
    }
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
        CellValue::Name(text) | CellValue::Text(text) => Cow::Borrowed(text.trim()),
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

/// The largest whole number that every float below it can be told from.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The constant of a number: programs write `12.0` for 12 where a column has missing cells.
pub(crate) fn number_cell(number: Number, symbols: &mut Provisional) -> u32 {
    let whole = match number {
        Number::Integer(value) => Some(value),
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and below 2^53")]
        Number::Float(value) if value.fract() == 0.0 && value.abs() < LARGEST_WHOLE => Some(value as i64),
        Number::Float(_) => None,
    };
    let id: ConstantId = match whole {
        Some(whole) => symbols.whole(whole),
        None => symbols.constant(&number_text(number), Some(number)),
    };
    id.raw()
}
