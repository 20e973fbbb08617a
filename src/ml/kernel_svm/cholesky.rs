//! `A A' + diag(d)` of a wide matrix, factored and solved, in square tiles that are worked on in parallel.
//!
//! Tiles are products of fixed operands in a fixed order, so the factor is the same on any number of threads.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, s};
use rayon::prelude::*;

/// Rows of a tile: two of them and their product stay in the second cache.
const TILE: usize = 96;

/// The lower triangle of `L`, `L L' = A A' + diag(d)`.
pub(super) struct Cholesky {
    n_rows: usize,
    /// Tile columns, each from its diagonal tile downwards.
    columns: Vec<Vec<Array2<f64>>>,
}

impl Cholesky {
    /// The factor for a matrix of `n_rows` rows and what is added to the diagonal. Pivots that rounding has taken below
    /// their own last digits are made huge, so that what they solve for stays 0.
    ///
    /// **Cost**: `n_rows^2 * n_columns + n_rows^3 / 3` operations; **memory**: `4 * n_rows^2` bytes.
    pub(super) fn of(matrix: &ArrayView2<'_, f64>, diagonal: &[f64]) -> Self {
        let n_rows = matrix.nrows();
        let n_tiles = n_rows.div_ceil(TILE);
        let range = |tile: usize| tile * TILE..n_rows.min((tile + 1) * TILE);
        let places: Vec<(usize, usize)> =
            (0..n_tiles).flat_map(|right| (right..n_tiles).map(move |left| (left, right))).collect();
        let mut tiles = places
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
        let columns = (0..n_tiles).map(|right| tiles.by_ref().take(n_tiles - right).collect()).collect();
        let mut factor = Self { n_rows, columns };
        for at in 0..n_tiles {
            factor.eliminate(at);
        }
        factor
    }

    /// Finishes a tile column, and takes its part off the columns to its right.
    fn eliminate(&mut self, at: usize) {
        let (done, rest) = self.columns.split_at_mut(at + 1);
        let (diagonal, below) = done[at].split_first_mut().expect("a column has its diagonal tile");
        factor_tile(diagonal);
        let diagonal = &*diagonal;
        below.par_iter_mut().for_each(|tile| solve_tile(diagonal, tile));
        let below = &*below;
        rest.par_iter_mut().enumerate().for_each(|(right, column)| {
            column.par_iter_mut().enumerate().for_each(|(left, tile)| {
                general_mat_mul(-1.0, &below[right + left], &below[right].t(), 1.0, tile);
            });
        });
    }

    /// Solves for one right-hand side.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        for (at, column) in self.columns.iter().enumerate() {
            let (before, after) = solution.split_at_mut(self.n_rows.min((at + 1) * TILE));
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
        for (at, column) in self.columns.iter().enumerate().rev() {
            let (before, after) = solution.split_at_mut(self.n_rows.min((at + 1) * TILE));
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
        solution
    }
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
                1e64
            };
        }
    }
}

/// A tile below a diagonal one is divided by its factor.
fn solve_tile(diagonal: &Array2<f64>, tile: &mut Array2<f64>) {
    for mut row in tile.outer_iter_mut() {
        for column in 0..row.len() {
            let known: f64 = (0..column).map(|other| row[other] * diagonal[[column, other]]).sum();
            row[column] = (row[column] - known) / diagonal[[column, column]];
        }
    }
}
