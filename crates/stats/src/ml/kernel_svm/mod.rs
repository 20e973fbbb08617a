//! Support vector machines with kernels.
//!
//! A [`LinearProgram`] over rows and a kernel gives a [`KernelModel`] for each cost: the 1-norm machine, which takes
//! any kernel, indefinite ones included. Ask for costs in ascending order, since each starts from the rows and
//! columns of the one before. Inside, steps of Newton's method solve a `master` program over the rows and columns at
//! work. The `system` of a step is over the whole matrix, or over features where the kernel is a sum over them
//! (`sparse`). `similarities` chooses the one with less work.
//!
//! [`fit_squared_norm`] fits the usual machine, which minimises squared weights and takes positive semi-definite
//! kernels alone.

mod dense;
mod linear_program;
mod master;
mod similarities;
mod sparse;
mod system;

use rand_pcg::Pcg64;
use rayon::prelude::*;

use gleaner_base::Budget;

use super::kernel::{Kernel, KernelError, KernelFunction, KernelMatrix, SparseRow};
use super::linear::{Design, LinearModel, fit_hinge};
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

/// The cost of a missed row, and the conditions under which the classifier counts as optimal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredNorm {
    /// `C`; above 0.
    pub cost: f64,
    /// The largest slope of the dual objective that its bounds allow.
    pub tolerance: f64,
    /// The most passes over the rows. With a kernel matrix, the limit is the number of steps in that many passes.
    pub most_passes: usize,
}

/// A classifier that has weights for features, or for the similarity with rows.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SupportVectorModel {
    /// The classifier of a kernel that is a product.
    Linear(LinearModel),
    /// The classifier of another kernel.
    Kernel(KernelModel),
}

impl SupportVectorModel {
    /// The scores of rows, in order.
    pub fn scores(&self, rows: &Design) -> Vec<f64> {
        match self {
            Self::Linear(model) => model.scores(rows),
            Self::Kernel(model) => model.scores(rows),
        }
    }
}

/// Minimises `(|w|^2 + b^2) / 2 + C * sum_i weight_i * max(0, 1 - y_i (w·phi(x_i) + b))`, where the kernel of `x` and
/// `z` is `phi(x)·phi(z)`.
///
/// The penalty includes the intercept; see [`fit_hinge`]. Products are fitted in the space of features. Hamming and
/// Gaussian are fitted by coordinate descent over rows. Each step is at the row of the largest gain, so only support
/// rows need columns of the matrix.
///
/// **Cost** of the latter: the rows for each step, and a column of the kernel for each row that was ever in the support.
///
/// # Errors
///
/// When the kernel is not positive semi-definite: such a problem has no optimum.
pub fn fit_squared_norm(
    function: &KernelFunction,
    rows: &Design,
    settings: &SquaredNorm,
    rng: &mut Pcg64,
) -> Result<SupportVectorModel, KernelError> {
    let kernel = function.kernel();
    if !kernel.is_positive_semi_definite() {
        return Err(KernelError::Indefinite { kernel });
    }
    Ok(match kernel {
        Kernel::Dot | Kernel::Precision | Kernel::Recall | Kernel::BothPos => {
            SupportVectorModel::Linear(fit_product(function, rows, settings, rng))
        }
        Kernel::Hamming | Kernel::Gaussian { .. } | Kernel::Info => {
            SupportVectorModel::Kernel(fit_matrix(function, rows, settings))
        }
    })
}

/// Fits rows whose features are multiplied by the roots of their weights, so that the product of two rows is their
/// kernel.
fn fit_product(
    function: &KernelFunction,
    rows: &Design,
    settings: &SquaredNorm,
    rng: &mut Pcg64,
) -> LinearModel {
    let roots: Vec<f64> = function.pair_weights().iter().map(|weight| weight.sqrt()).collect();
    let scales = rows.scales().iter().zip(&roots).map(|(scale, root)| scale * root).collect();
    let scaled = rows.scaled(scales);
    let mut model = fit_hinge(
        &scaled,
        settings.cost,
        settings.tolerance,
        settings.most_passes,
        rng,
        &Budget::unlimited(),
    )
    .expect("an unlimited budget never stops");
    model.weights.iter_mut().zip(&roots).for_each(|(weight, root)| *weight *= root);
    model
}

fn fit_matrix(function: &KernelFunction, rows: &Design, settings: &SquaredNorm) -> KernelModel {
    let n_rows = rows.n_rows();
    let classes = rows.classes();
    let mut matrix = KernelMatrix::new(function, rows);
    // One for the intercept.
    let squares: Vec<f64> = (0..n_rows).map(|row| 1.0 + function.with_itself(rows.row(row))).collect();
    let mut multipliers = vec![0.0; n_rows];
    let mut scores = vec![0.0; n_rows];
    for _ in 0..settings.most_passes.saturating_mul(n_rows) {
        let mut steepest = (0.0, 0, 0.0);
        for row in 0..n_rows {
            let slope = classes[row] * scores[row] - 1.0;
            let bound = settings.cost * rows.weights()[row];
            let after = f64::clamp(multipliers[row] - slope / squares[row], 0.0, bound);
            // `gain` is the decrease of the objective by the step.
            let step = after - multipliers[row];
            let gain = -step * (slope + 0.5 * step * squares[row]);
            let projected = if step == 0.0 { 0.0 } else { slope.abs() };
            if projected > settings.tolerance && gain > steepest.0 {
                steepest = (gain, row, after);
            }
        }
        let (gain, row, after) = steepest;
        if gain <= 0.0 {
            break;
        }
        let change = (after - multipliers[row]) * classes[row];
        multipliers[row] = after;
        matrix.require(&[row]);
        for (score, value) in scores.iter_mut().zip(matrix.column(row)) {
            *score += change * (value + 1.0);
        }
    }
    let support: Vec<usize> = (0..n_rows).filter(|&row| multipliers[row] > 0.0).collect();
    let coefficients: Vec<f64> = support.iter().map(|&row| classes[row] * multipliers[row]).collect();
    KernelModel {
        function: function.clone(),
        support: support.into_iter().map(|row| matrix.sparse_row(row)).collect(),
        intercept: coefficients.iter().sum(),
        coefficients,
    }
}

#[cfg(test)]
mod tests;
