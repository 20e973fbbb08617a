//! Tables in memory, as programs hand them over, and the other parts of data that stand in no file.

use std::sync::Arc;

use gleaner_lang::syntax::TableInMemory;

use super::values::Values;

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

    /// The table with a column that says since when each row exists. Of the table of labels it is the cut-off of each example,
    /// which sees only rows from before it.
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
