//! Tables in memory, a column at a time: what a database holds before it is known what its columns mean.
//!
//! Tables in memory, as programs hand them over, and the other parts of data that stand in no file.
//!
//! Columns of typed values in memory.

use std::sync::Arc;

use crate::cells::atom_name;
use crate::faults;
use crate::provisional::{Provisional, number_text};
use crate::texts::Notation;
use crate::texts::moment::{InstantNotation, NANOSECONDS_OF_DAY, date_text, instant_text};
use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Place, TableInMemory};

/// A cell without a value.
pub(crate) const MISSING: u32 = u32::MAX;

/// A cell with a text that is too long to be a name.
pub(crate) const LONG: u32 = u32::MAX - 1;

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

    /// Adds the cells of further rows; `first` is the number of their first row.
    pub(crate) fn extend(&mut self, more: Self, first: u32) {
        self.cells.extend(more.cells);
        self.zeros.extend(more.zeros.into_iter().map(|(row, n)| (first.saturating_add(row), n)));
        self.has_texts |= more.has_texts;
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

impl Database {
    /// The place of each table by its name.
    pub(crate) fn places(&self) -> FixedMap<&str, usize> {
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
    pub(crate) fn add(&mut self, part: StoredTable) -> Result<(), gleaner_lang::syntax::Diagnostic> {
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
        let first = u32::try_from(n_before).unwrap_or(MISSING);
        for (column, more) in known.columns.iter_mut().zip(part.columns) {
            column.extend(more, first);
        }
        known.n_rows += part.n_rows;
        known.parts.extend(part.parts.into_iter().map(|(end, fold)| (n_before + end, fold)));
        Ok(())
    }
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

/// The text of a cell that holds a label or a fold.
pub(crate) fn label_text(cell: u32, symbols: &Provisional) -> String {
    let text = symbols.constants().text(cell);
    atom_name(text).unwrap_or_else(|| text.to_owned())
}

/// A table in memory: columns under their names, and what they mean.
///
/// **Shape**: a value for each row in every column. Names of columns, and of tables that are read together, differ. What a call
/// says is checked when the table is read.
///
/// A call says what a line of `schema.toml` says, and counts as such. Nothing need be said: the values show most keys and times.
///
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<(String, Values)>,
    pub(crate) meanings: Vec<Meaning>,
}

/// What columns of a table mean, in the words of `schema.toml`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meaning {
    pub(crate) columns: Vec<String>,
    pub(crate) words: String,
}

impl Table {
    /// A table of this name, without columns.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), columns: Vec::new(), meanings: Vec::new() }
    }

    /// The table with one more column, to the right.
    pub fn column(mut self, name: impl Into<String>, values: impl Into<Values>) -> Self {
        self.columns.push((name.into(), values.into()));
        self
    }

    /// The table with a key: the values of these columns together name a row, and no other row has them. No column denies that there is a
    /// key of several.
    pub fn key(self, columns: &[&str]) -> Self {
        self.meaning(columns, "key".to_owned())
    }

    /// The table with a foreign key: these columns hold the key of a row of the table `to`, in the order of the key's columns there.
    pub fn foreign_key(self, columns: &[&str], to: &str) -> Self {
        self.meaning(columns, format!("-> {to}"))
    }

    /// The table with a column that says since when each row exists. Where the labels stand in a table of their own, its row
    /// time is the cut-off of each example, which sees only rows from before it. A table with labels that others point to gives
    /// no cut-off, and G116 says so: `DatasetReader::cut_off` sets one.
    pub fn row_time(self, column: &str) -> Self {
        self.meaning(&[column], "row time".to_owned())
    }

    /// The table with a column of this kind, in the words of `schema.toml`: `category`, `number`, `code`, `duration`, `time`, `label`,
    /// `class`, `fold` or `left out`, perhaps with the notation of its texts, as in `time, as 31/12/2018`.
    pub fn kind(self, column: &str, words: &str) -> Self {
        self.meaning(&[column], words.to_owned())
    }

    fn meaning(mut self, columns: &[&str], words: String) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        self.meanings.push(Meaning { columns, words });
        self
    }

    /// How many rows its first column has.
    pub(crate) fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| values.len())
    }
}

impl TableInMemory for Table {
    /// What is said of columns, their names and types, and a line of CSV for each row.
    fn content(&self) -> Vec<u8> {
        let mut text = String::new();
        for Meaning { columns, words } in &self.meanings {
            push_line(columns.iter().chain([words]).map(|cell| Some(&**cell)), &mut text);
        }
        push_line(self.columns.iter().map(|(name, _)| Some(&**name)), &mut text);
        push_line(self.columns.iter().map(|(_, values)| Some(values.word())), &mut text);
        for row in 0..self.n_rows() {
            // Columns of other lengths are a fault that was told.
            let cells: Vec<Option<String>> = self
                .columns
                .iter()
                .map(|(_, values)| (row < values.len()).then(|| values.text(row))?)
                .collect();
            push_line(cells.iter().map(Option::as_deref), &mut text);
        }
        text.into_bytes()
    }
}

/// Adds a line of cells; each stands in quotes, but for one without a value.
fn push_line<'c>(cells: impl Iterator<Item = Option<&'c str>>, text: &mut String) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            text.push(',');
        }
        if let Some(cell) = cell {
            text.extend(["\"", &cell.replace('"', "\"\""), "\""]);
        }
    }
    text.push('\n');
}

/// What stands in no file and is read as if it did.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Table(Arc<Table>),
    /// The text of a `schema.toml`.
    Schema(Arc<str>),
}

/// The values of a column of a table, one for each row; `None` where a value is missing or not known.
///
/// Vectors of values, and of optional ones, are columns: `vec![1, 2]`, `vec![Some(0.5), None]`, `vec!["ann", "bob"]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    /// Numbers; of data one that is not finite is missing.
    Number(Vec<Option<f64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Days since 1970-01-01.
    Date(Vec<Option<i32>>),
    /// Microseconds since 1970-01-01 00:00. A column of nothing but midnights holds dates.
    Time(Vec<Option<i64>>),
}

impl Values {
    /// Texts that are all known.
    pub fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        Self::Text(texts.into_iter().map(Some).collect())
    }

    /// Numbers that are all known.
    pub fn numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::Number(numbers.into_iter().map(Some).collect())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Integer(values) | Self::Time(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Flag(values) => values.len(),
            Self::Date(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a value; numbers in full, 1 for yes, dates as `2010-01-31`. None where it is missing.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Text(values) => values[row].clone(),
            Self::Integer(values) => values[row].map(|value| value.to_string()),
            Self::Number(values) => values[row].map(|value| value.to_string()),
            Self::Flag(values) => values[row].map(|value| u8::from(value).to_string()),
            Self::Date(values) => values[row].and_then(|days| date_text(days.into())),
            Self::Time(values) => values[row].and_then(|at| time_text(at, self.notation())),
        }
    }

    /// How times are written: as dates where all of them are midnights.
    pub(crate) fn notation(&self) -> InstantNotation {
        let is_midnight = |at: &i64| i128::from(*at) * NANOSECONDS % NANOSECONDS_OF_DAY == 0;
        match self {
            Self::Time(values) if values.iter().flatten().all(is_midnight) => InstantNotation::Days,
            _ => InstantNotation::Local,
        }
    }

    /// The word for what the values are.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Integer(_) => "integer",
            Self::Number(_) => "number",
            Self::Flag(_) => "flag",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
        }
    }
}

/// The nanoseconds of a microsecond.
const NANOSECONDS: i128 = 1000;

/// The text of microseconds since 1970.
pub(crate) fn time_text(microseconds: i64, notation: InstantNotation) -> Option<String> {
    instant_text(i128::from(microseconds) * NANOSECONDS, notation)
}

/// Makes columns of vectors.
macro_rules! columns {
    ($($of:ty => $kind:ident),*) => {$(
        impl From<Vec<$of>> for Values {
            fn from(values: Vec<$of>) -> Self {
                Self::$kind(values.into_iter().map(|value| Some(value.into())).collect())
            }
        }

        impl From<Vec<Option<$of>>> for Values {
            fn from(values: Vec<Option<$of>>) -> Self {
                Self::$kind(values.into_iter().map(|value| value.map(Into::into)).collect())
            }
        }
    )*};
}

columns!(
    String => Text, &str => Text, bool => Flag, f64 => Number,
    i64 => Integer, i32 => Integer, i16 => Integer, i8 => Integer, u32 => Integer, u16 => Integer, u8 => Integer
);

#[cfg(test)]
mod tests {
    use super::Values;

    #[test]
    fn values_are_texts_in_full() {
        let day = 86_400_000_000;
        for (values, expected) in [
            (Values::from(vec![Some("a"), None]), [Some("a"), None]),
            (vec![Some(-3_i8), None].into(), [Some("-3"), None]),
            (vec![0.1 + 0.2, 2.0].into(), [Some("0.30000000000000004"), Some("2")]),
            (vec![true, false].into(), [Some("1"), Some("0")]),
            (Values::Date(vec![Some(18_263), Some(-1)]), [Some("2020-01-02"), Some("1969-12-31")]),
            (Values::Time(vec![Some(day), None]), [Some("1970-01-02"), None]),
            (
                Values::Time(vec![Some(day), Some(1_500_000)]),
                [Some("1970-01-02 00:00:00"), Some("1970-01-01 00:00:01.5")],
            ),
            (Values::Date(vec![Some(i32::MAX), None]), [None, None]),
        ] {
            let texts = [values.text(0), values.text(1)];
            assert_eq!(texts.each_ref().map(Option::as_deref), expected, "{values:?}");
        }
    }
}
