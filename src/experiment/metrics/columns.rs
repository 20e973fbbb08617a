//! Answers as tables: typed columns under their names.

pub use gleaner_data::Values;

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Values,
    /// The text of a value that is not known.
    missing: &'static str,
}

/// An answer that has a table.
pub trait Tabled {
    /// Its table.
    fn columns(&self) -> Columns;
}

/// A table: columns of one length, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns(pub Vec<Column>);

impl Column {
    /// A column; cells of values that are not known are empty.
    pub fn new(name: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), values, missing: "" }
    }

    /// The same with this text for values that are not known.
    pub fn or(self, missing: &'static str) -> Self {
        Self { missing, ..self }
    }
}

impl Columns {
    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.0.first().map_or(0, |column| column.values.len())
    }

    /// The names, and then the cells of each row.
    pub fn records(&self) -> impl Iterator<Item = Vec<String>> {
        let names = self.0.iter().map(|column| column.name.clone()).collect();
        let row = |row: usize| {
            let cell = |column: &Column| column.values.text(row).unwrap_or_else(|| column.missing.to_owned());
            self.0.iter().map(cell).collect()
        };
        std::iter::once(names).chain((0..self.n_rows()).map(row))
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Columns, Values};

    #[test]
    fn cells_are_texts_in_full() {
        let columns = Columns(vec![
            Column::new("name", Values::texts(["b".to_owned(), "a,c".to_owned()])),
            Column::new("score", Values::Number(vec![Some(0.1 + 0.2), None])).or("n/a"),
            Column::new("said", Values::Flag(vec![None, Some(true)])),
        ]);
        let records: Vec<Vec<String>> = columns.records().collect();
        assert_eq!(records[0], ["name", "score", "said"]);
        assert_eq!(records[1], ["b", "0.30000000000000004", ""]);
        assert_eq!(records[2], ["a,c", "n/a", "1"]);
        assert_eq!((columns.n_rows(), Columns::default().n_rows()), (2, 0));
    }
}
