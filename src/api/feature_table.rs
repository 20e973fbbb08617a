//! Clauses as Boolean features.

use crate::experiment::features::FeatureMatrix;

/// The examples that clauses cover, as a table.
///
/// **Shape**: a row for each labelled example of the data set, in its order; a column for each clause, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureTable {
    /// The examples as atoms.
    pub examples: Vec<String>,
    /// Whether each example is positive.
    pub labels: Vec<bool>,
    /// How many examples of the population each stands for; more than 1 for negatives that are a sample.
    pub weights: Vec<f64>,
    /// The clauses as texts.
    pub clauses: Vec<String>,
    columns: Vec<Vec<u32>>,
}

impl FeatureTable {
    pub(super) fn of(matrix: &FeatureMatrix) -> Self {
        Self {
            examples: matrix.examples.iter().map(|row| row.example.clone()).collect(),
            labels: matrix.examples.iter().map(|row| row.label == Some(true)).collect(),
            weights: matrix.examples.iter().map(|row| row.weight).collect(),
            clauses: matrix.clauses.clone(),
            columns: matrix.columns.iter().map(|rows| rows.iter().collect()).collect(),
        }
    }

    /// The rows that a clause covers, ascending.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    #[must_use]
    pub fn covered(&self, column: usize) -> &[u32] {
        &self.columns[column]
    }

    /// The table row by row: 1 where the clause covers the example, else 0. There are `examples.len() * clauses.len()`
    /// values.
    #[must_use]
    pub fn dense(&self) -> Vec<u8> {
        let n_columns = self.clauses.len();
        let mut values = vec![0; self.examples.len() * n_columns];
        for (column, rows) in self.columns.iter().enumerate() {
            for &row in rows {
                values[row as usize * n_columns + column] = 1;
            }
        }
        values
    }
}
