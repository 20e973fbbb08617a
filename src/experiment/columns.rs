//! Answers as tables: typed columns under their names.

/// The values of a column, one for each row; none where a value is not known.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
}

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
            Self::Number(values) => values.len(),
            Self::Flag(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a value; numbers in full, 1 for yes.
    pub(super) fn cell(&self, row: usize) -> Option<String> {
        match self {
            Self::Text(values) => values[row].clone(),
            Self::Number(values) => values[row].map(|value| value.to_string()),
            Self::Flag(values) => values[row].map(|value| u8::from(value).to_string()),
        }
    }
}

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
            let cell = |column: &Column| column.values.cell(row).unwrap_or_else(|| column.missing.to_owned());
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
