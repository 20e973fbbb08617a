//! Products of dense matrices and vectors, in parts that threads share; the same numbers on any number of threads.

use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1, Axis};
use rayon::prelude::*;

/// Rows of a matrix that one product takes.
const ROWS_AT_ONCE: usize = 64;
/// Values of a sum that stay in the first cache.
const COLUMNS_AT_ONCE: usize = 2048;

/// A matrix times a vector.
pub(super) fn times(matrix: &ArrayView2<'_, f64>, vector: &[f64]) -> Vec<f64> {
    let vector = ArrayView1::from(vector);
    let mut result = vec![0.0; matrix.nrows()];
    let parts: Vec<_> = matrix.axis_chunks_iter(Axis(0), ROWS_AT_ONCE).collect();
    parts.par_iter().zip(result.par_chunks_mut(ROWS_AT_ONCE)).for_each(|(rows, target)| {
        general_mat_vec_mul(1.0, rows, &vector, 0.0, &mut ArrayViewMut1::from(target));
    });
    result
}

/// The transpose of a matrix times a vector: row after row is added, as the values of a row lie together.
pub(super) fn times_transposed(matrix: &ArrayView2<'_, f64>, vector: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; matrix.ncols()];
    let parts: Vec<_> = matrix.axis_chunks_iter(Axis(1), COLUMNS_AT_ONCE).collect();
    parts.par_iter().zip(result.par_chunks_mut(COLUMNS_AT_ONCE)).for_each(|(columns, target)| {
        let mut target = ArrayViewMut1::from(target);
        columns.outer_iter().zip(vector).for_each(|(row, &factor)| target.scaled_add(factor, &row));
    });
    result
}

/// The product of two matrices.
pub(super) fn product(left: &ArrayView2<'_, f64>, right: &ArrayView2<'_, f64>) -> Array2<f64> {
    let mut result = Array2::zeros((left.nrows(), right.ncols()));
    let parts = left.axis_chunks_iter(Axis(0), ROWS_AT_ONCE);
    let targets = result.axis_chunks_iter_mut(Axis(0), ROWS_AT_ONCE);
    let pairs: Vec<_> = parts.zip(targets).collect();
    pairs.into_par_iter().for_each(|(rows, mut target)| general_mat_mul(1.0, &rows, right, 0.0, &mut target));
    result
}
