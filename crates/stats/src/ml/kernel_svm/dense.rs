//! Products of dense matrices and vectors, the factor of `A A' + diag(d)` for a wide matrix `A`, and solutions by it.
//!
//! Threads share parts of products and square tiles of the factor. These are products of fixed operands in a fixed
//! order, so the numbers are the same on any number of threads.

use std::ops::Range;

use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis, s};
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

/// Rows of a tile: two of them and their product stay in the second cache.
const TILE: usize = 96;
/// The pivot in place of one that rounding made useless.
const HUGE: f64 = 1e64;

/// The lower triangle of `L`, `L L' = A A' + diag(d)`.
pub(super) struct Cholesky {
    n_rows: usize,
    /// Tile columns, each from its diagonal tile downwards.
    columns: Vec<Vec<Array2<f64>>>,
}

impl Cholesky {
    /// The factor for a matrix of `n_rows` rows and a term for the diagonal. Pivots that are smaller than their
    /// rounding error become huge, so that their unknowns stay 0.
    ///
    /// **Cost**: `n_rows^2 * n_columns + n_rows^3 / 3` operations; **memory**: `4 * n_rows^2` bytes.
    pub(super) fn of(matrix: &ArrayView2<'_, f64>, diagonal: &[f64]) -> Self {
        let n_rows = matrix.nrows();
        let range = |tile: usize| range(n_rows, tile);
        let tiles = places(n_rows)
            .into_par_iter()
            .map(|(left, right)| {
                let (rows, others) = (matrix.slice(s![range(left), ..]), matrix.slice(s![range(right), ..]));
                let mut tile = Array2::zeros((rows.nrows(), others.nrows()));
                general_mat_mul(1.0, &rows, &others.t(), 0.0, &mut tile);
                if left == right {
                    for (at, row) in range(left).enumerate() {
                        tile[[at, at]] += diagonal[row];
                    }
                }
                tile
            })
            .collect::<Vec<_>>()
            .into_iter();
        Self::of_tiles(n_rows, tiles)
    }

    /// The factor of a symmetric matrix; it reads only the lower triangle.
    pub(super) fn of_symmetric(matrix: &Array2<f64>) -> Self {
        let n_rows = matrix.nrows();
        let tiles = places(n_rows)
            .into_iter()
            .map(|(left, right)| matrix.slice(s![range(n_rows, left), range(n_rows, right)]).to_owned());
        Self::of_tiles(n_rows, tiles)
    }

    fn of_tiles(n_rows: usize, mut tiles: impl Iterator<Item = Array2<f64>>) -> Self {
        let n_tiles = n_rows.div_ceil(TILE);
        let columns = (0..n_tiles).map(|right| tiles.by_ref().take(n_tiles - right).collect()).collect();
        let mut factor = Self { n_rows, columns };
        for at in 0..n_tiles {
            factor.eliminate(at);
        }
        factor
    }

    /// `L`. A column is left out, as zeros, where rounding had taken its pivot.
    pub(super) fn lower(&self) -> Array2<f64> {
        let mut all = Array2::zeros((self.n_rows, self.n_rows));
        for (right, column) in self.columns.iter().enumerate() {
            for (left, tile) in column.iter().enumerate() {
                let (first, at) = ((right + left) * TILE, right * TILE);
                let mut target = all.slice_mut(s![first..first + tile.nrows(), at..at + tile.ncols()]);
                target.assign(tile);
                if left == 0 {
                    (0..tile.nrows()).for_each(|row| target.slice_mut(s![row, row + 1..]).fill(0.0));
                }
            }
        }
        for at in 0..self.n_rows {
            if all[[at, at]] >= HUGE {
                all.slice_mut(s![.., at]).fill(0.0);
            }
        }
        all
    }

    /// Finishes a tile column, and subtracts its part from the columns to its right.
    fn eliminate(&mut self, at: usize) {
        let (done, rest) = self.columns.split_at_mut(at + 1);
        let (diagonal, below) = done[at].split_first_mut().expect("a column has its diagonal tile");
        factor_tile(diagonal);
        let diagonal = &*diagonal;
        below.par_iter_mut().for_each(|tile| divide(diagonal, tile.view_mut()));
        let below = &*below;
        rest.par_iter_mut().enumerate().for_each(|(right, column)| {
            column.par_iter_mut().enumerate().for_each(|(left, tile)| {
                general_mat_mul(-1.0, &below[right + left], &below[right].t(), 1.0, tile);
            });
        });
    }

    /// Solves for one right-hand side.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.solved_backwards(self.solved_forwards(right.to_vec()))
    }

    /// `L^-1 right`.
    pub(super) fn solved_forwards(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (at, column) in self.columns.iter().enumerate() {
            let (before, after) = right.split_at_mut(self.n_rows.min((at + 1) * TILE));
            let part = &mut before[at * TILE..];
            let (diagonal, below) = column.split_first().expect("a column has its diagonal tile");
            for row in 0..part.len() {
                let known: f64 = (0..row).map(|other| diagonal[[row, other]] * part[other]).sum();
                part[row] = (part[row] - known) / diagonal[[row, row]];
            }
            for (tile, target) in below.iter().zip(after.chunks_mut(TILE)) {
                for (row, value) in tile.outer_iter().zip(target) {
                    *value -= row.iter().zip(&*part).map(|(left, right)| left * right).sum::<f64>();
                }
            }
        }
        right
    }

    /// `L'^-1 right`.
    pub(super) fn solved_backwards(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (at, column) in self.columns.iter().enumerate().rev() {
            let (before, after) = right.split_at_mut(self.n_rows.min((at + 1) * TILE));
            let part = &mut before[at * TILE..];
            let (diagonal, below) = column.split_first().expect("a column has its diagonal tile");
            for (tile, known) in below.iter().zip(after.chunks(TILE)) {
                for (row, value) in tile.outer_iter().zip(known) {
                    part.iter_mut().zip(row).for_each(|(target, weight)| *target -= weight * value);
                }
            }
            for row in (0..part.len()).rev() {
                let known: f64 =
                    (row + 1..part.len()).map(|other| diagonal[[other, row]] * part[other]).sum();
                part[row] = (part[row] - known) / diagonal[[row, row]];
            }
        }
        right
    }

    /// `L^-1 right` for many right-hand sides, a row of `right` each.
    pub(super) fn rows_solved_forwards(&self, mut right: Array2<f64>) -> Array2<f64> {
        let parts: Vec<_> = right.axis_chunks_iter_mut(Axis(0), TILE).collect();
        parts.into_par_iter().for_each(|mut rows| {
            for (at, column) in self.columns.iter().enumerate() {
                let (diagonal, below) = column.split_first().expect("a column has its diagonal tile");
                let (mut before, mut after) =
                    rows.view_mut().split_at(Axis(1), self.n_rows.min((at + 1) * TILE));
                let mut part = before.slice_mut(s![.., at * TILE..]);
                divide(diagonal, part.view_mut());
                for (tile, mut target) in below.iter().zip(after.axis_chunks_iter_mut(Axis(1), TILE)) {
                    general_mat_mul(-1.0, &part, &tile.t(), 1.0, &mut target);
                }
            }
        });
        right
    }
}

/// The rows of a tile.
fn range(n_rows: usize, tile: usize) -> Range<usize> {
    tile * TILE..n_rows.min((tile + 1) * TILE)
}

/// The tiles of the lower triangle, tile column by tile column: tile row and tile column of each.
fn places(n_rows: usize) -> Vec<(usize, usize)> {
    let n_tiles = n_rows.div_ceil(TILE);
    (0..n_tiles).flat_map(|right| (right..n_tiles).map(move |left| (left, right))).collect()
}

/// A diagonal tile becomes its factor.
fn factor_tile(tile: &mut Array2<f64>) {
    for row in 0..tile.nrows() {
        for column in 0..=row {
            let known: f64 = (0..column).map(|other| tile[[row, other]] * tile[[column, other]]).sum();
            let rest = tile[[row, column]] - known;
            tile[[row, column]] = if column < row {
                rest / tile[[column, column]]
            } else if rest > 1e-15 * tile[[row, row]] && rest > 0.0 {
                rest.sqrt()
            } else {
                HUGE
            };
        }
    }
}

/// Each row is divided by the factor of a diagonal tile.
fn divide(diagonal: &Array2<f64>, mut rows: ArrayViewMut2<'_, f64>) {
    for mut row in rows.outer_iter_mut() {
        for column in 0..row.len() {
            let known: f64 = (0..column).map(|other| row[other] * diagonal[[column, other]]).sum();
            row[column] = (row[column] - known) / diagonal[[column, column]];
        }
    }
}
