//! Reads tables of a database as they are, a column at a time.

use std::borrow::Cow;

use gleaner_base::FixedSet;
use gleaner_base::budget::Poll;
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Place, quote_atom};

use super::cell::{CellValue, Refusal, Rows};
use super::table::{ROWS_BETWEEN_LOOKS, TableName};
use crate::faults;
use crate::gather::FileReading;
use crate::provisional::Provisional;
use crate::tables::store::{LONG, MISSING, StoredColumn, StoredTable, number_cell};
use crate::texts::number_texts::cell_number;
use crate::texts::number_texts::{PlainNumber, plain_number};

/// The most bytes of a name; longer texts are prose.
const LONGEST_NAME: usize = 200;

/// The most columns of a table.
const MOST_COLUMNS: usize = 100_000;

/// The words for a missing value, as other programs write it.
const MISSING_WORDS: [&str; 10] = ["", "NA", "N/A", "NaN", "nan", "NaT", "<NA>", "NULL", "null", "\\N"];

/// The most bytes of such a word.
const LONGEST_MISSING: usize = 4;

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
