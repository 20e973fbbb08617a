//! The learned model of a kernel classifier.

use rayon::prelude::*;

use crate::ml::kernel::{KernelFunction, SparseRow};
use crate::ml::linear::{Design, LinearModel};

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
    #[must_use]
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
    #[must_use]
    pub fn folded(&self) -> Option<LinearModel> {
        self.function.folded(&self.support, &self.coefficients, self.intercept)
    }
}
