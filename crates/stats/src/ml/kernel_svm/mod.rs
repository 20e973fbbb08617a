//! Support vector machines with kernels.
//!
//! A [`LinearProgram`] over rows and a kernel gives a [`KernelModel`] for each cost: the 1-norm machine, which takes
//! any kernel, indefinite ones included. Ask for costs in ascending order, since each starts from the rows and
//! columns of the one before. Inside, steps of Newton's method solve a `master` program over the rows and columns at
//! work. The `system` of a step is over the whole matrix, or over features where the kernel is a sum over them
//! (`sparse`). `similarities` chooses the one with less work.

mod linear_program;
mod master;
mod similarities;
mod sparse;
mod system;

use rayon::prelude::*;

use super::kernel::{KernelFunction, SparseRow};
use super::linear::{Design, LinearModel};
pub use linear_program::{LinearProgram, LinearProgramFit, Precision};

/// A classifier by similarity: `sum_j coefficients_j K(x, support_j) + intercept`, above 0 for positives.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KernelModel {
    /// The kernel.
    pub function: KernelFunction,
    /// The rows whose coefficient is not 0.
    pub support: Vec<SparseRow>,
    /// A coefficient of either sign for each support row.
    pub coefficients: Vec<f64>,
    /// The constant added to every score; the `-b` of the sources.
    pub intercept: f64,
}

impl KernelModel {
    /// The scores of rows, in order. **Cost**: the values of the rows times the support; **memory**: 8 bytes for each pair.
    pub fn scores(&self, rows: &Design) -> Vec<f64> {
        let columns = self.function.columns(rows, &self.support);
        let score = |row: usize| {
            let terms = columns.iter().zip(&self.coefficients).map(|(column, weight)| weight * column[row]);
            self.intercept + terms.sum::<f64>()
        };
        (0..rows.n_rows()).into_par_iter().map(score).collect()
    }

    /// The linear classifier that gives the same scores, with a weight for each feature; `None` for a Gaussian. See
    /// [`KernelFunction::folded`].
    pub fn folded(&self) -> Option<LinearModel> {
        self.function.folded(&self.support, &self.coefficients, self.intercept)
    }
}

#[cfg(test)]
mod tests;
