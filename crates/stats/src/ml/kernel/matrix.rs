//! The kernel of all rows with each other; it computes columns on demand.

use super::function::{KernelFunction, SparseRow};
use crate::ml::linear::Design;

/// A kernel matrix with the columns that were needed so far.
///
/// **Shape**: `n_rows` square. **Memory**: 8 bytes for each row of each needed column: 160 KB for a column of 20,000
/// rows.
#[derive(Clone, Debug)]
pub struct KernelMatrix<'rows> {
    function: &'rows KernelFunction,
    rows: &'rows Design,
    columns: Vec<Option<Vec<f64>>>,
}

impl<'rows> KernelMatrix<'rows> {
    /// The matrix of these rows, without any column yet.
    #[must_use]
    pub fn new(function: &'rows KernelFunction, rows: &'rows Design) -> Self {
        Self { function, rows, columns: vec![None; rows.n_rows()] }
    }

    /// The kernel.
    #[must_use]
    pub const fn function(&self) -> &'rows KernelFunction {
        self.function
    }

    /// The rows.
    #[must_use]
    pub const fn rows(&self) -> &'rows Design {
        self.rows
    }

    /// The values of a row.
    ///
    /// # Panics
    ///
    /// When there are `2^32` features or more.
    #[must_use]
    pub fn sparse_row(&self, row: usize) -> SparseRow {
        let value = |(feature, value)| (u32::try_from(feature).expect("fewer than 2^32 features"), value);
        self.rows.row(row).map(value).collect()
    }

    /// Computes the columns of these rows that are not there yet, in parallel.
    pub fn require(&mut self, chosen: &[usize]) {
        let mut missing: Vec<usize> =
            chosen.iter().copied().filter(|&row| self.columns[row].is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        let right: Vec<SparseRow> = missing.iter().map(|&row| self.sparse_row(row)).collect();
        for (row, column) in missing.into_iter().zip(self.function.columns(self.rows, &right)) {
            self.columns[row] = Some(column);
        }
    }

    /// The kernel of every row with this one.
    ///
    /// # Panics
    ///
    /// When [`KernelMatrix::require`] was not called with it.
    #[must_use]
    pub fn column(&self, row: usize) -> &[f64] {
        self.columns[row].as_deref().expect("the column is required before it is read")
    }
}
