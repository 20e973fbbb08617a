//! Tables of features for other learners: CSV, libsvm, and NumPy's archives.

mod npy;

use std::fmt::Write;

use crate::experiment::features::{FeatureMatrix, FeatureRow};

use super::csv_tables::{records, table};

pub use npy::npz;

/// Rows between two writes.
const ROWS_AT_ONCE: usize = 1_024;

/// CSV: `example`, `label`, with samples `weight`, then a column for each clause.
#[derive(Debug)]
pub struct CsvRows<'m> {
    matrix: &'m FeatureMatrix,
    rows: Vec<Vec<u32>>,
    /// The next row; none before the header.
    next: Option<usize>,
}

impl<'m> CsvRows<'m> {
    /// The text of a table, some rows at a time.
    #[must_use]
    pub fn of(matrix: &'m FeatureMatrix) -> Self {
        Self { matrix, rows: matrix.rows(), next: None }
    }

    fn row(&self, row: usize) -> Vec<String> {
        let FeatureRow { example, label, weight } = &self.matrix.examples[row];
        let mut cells =
            vec![example.clone(), label.map_or_else(String::new, |label| u8::from(label).to_string())];
        cells.extend(self.matrix.is_weighted.then(|| weight.to_string()));
        let first = cells.len();
        cells.resize(first + self.matrix.clauses.len(), "0".to_owned());
        for &column in &self.rows[row] {
            "1".clone_into(&mut cells[first + column as usize]);
        }
        cells
    }
}

impl Iterator for CsvRows<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let Some(first) = self.next else {
            self.next = Some(0);
            let mut header = vec!["example", "label"];
            header.extend(self.matrix.is_weighted.then_some("weight"));
            header.extend(self.matrix.clauses.iter().map(String::as_str));
            return Some(table(&header, std::iter::empty()));
        };
        let last = self.matrix.examples.len().min(first + ROWS_AT_ONCE);
        self.next = Some(last);
        (first < last).then(|| records((first..last).map(|row| self.row(row))))
    }
}

/// libsvm: the label (1, -1, or 0 where there is none), then the numbers of the covering clauses, from 1, each with
/// `:1`. The clauses and each example stand in comments.
#[derive(Debug)]
pub struct LibsvmRows<'m> {
    matrix: &'m FeatureMatrix,
    rows: Vec<Vec<u32>>,
    next: Option<usize>,
}

impl<'m> LibsvmRows<'m> {
    /// The text of a table, some rows at a time.
    #[must_use]
    pub fn of(matrix: &'m FeatureMatrix) -> Self {
        Self { matrix, rows: matrix.rows(), next: None }
    }

    fn row(&self, row: usize, text: &mut String) {
        let FeatureRow { example, label, .. } = &self.matrix.examples[row];
        text.push_str(match label {
            Some(true) => "1",
            Some(false) => "-1",
            None => "0",
        });
        for column in &self.rows[row] {
            let _ = write!(text, " {}:1", column + 1);
        }
        let _ = writeln!(text, " # {example}");
    }
}

impl Iterator for LibsvmRows<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut text = String::new();
        let Some(first) = self.next else {
            self.next = Some(0);
            for (number, clause) in (1..).zip(&self.matrix.clauses) {
                let _ = writeln!(text, "# {number} {clause}");
            }
            return Some(text);
        };
        let last = self.matrix.examples.len().min(first + ROWS_AT_ONCE);
        self.next = Some(last);
        (first..last).for_each(|row| self.row(row, &mut text));
        (first < last).then_some(text)
    }
}
