//! Tables in memory, a column at a time: what a database holds before it is known what its columns mean.

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::Place;

use crate::cells::atom_name;
use crate::faults;
use crate::provisional::{Provisional, number_text};
use crate::texts::Notation;

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
