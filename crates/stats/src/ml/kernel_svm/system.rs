//! The matrix of the dual's constraints, which multiplies `u`, and the factored system of a Newton step over it.
//!
//! The constraints have a row for each column of the program, and the classes. The system is `[A; y] D [A; y]' +
//! diag(weights, 0)`. `A` has a row for each column of the program, `y` has the classes, and the last unknown is the
//! intercept.
//!
//! Products of dense matrices and vectors, the factor of `A A' + diag(d)` for a wide matrix `A`, and solutions by it.
//!
//! Threads share parts of products and square tiles of the factor. These are products of fixed operands in a fixed
//! order, so the numbers are the same on any number of threads.

use std::ops::Range;

use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::sparse::OverFeatures;

/// The constraints' matrix: `a_j` for each column `j` of the program, and the class of each row.
pub(super) struct Constraints {
    /// `a_ji` or its factors.
    pub entries: Entries,
    /// 1 or -1 for each row.
    pub classes: Array1<f64>,
}

/// All `a_ji`, as one matrix or as a product of sparse matrices.
pub(super) enum Entries {
    /// A row for each column of the program.
    Whole(Array2<f64>),
    /// Sums over features, for kernels that are such sums.
    OverFeatures(Box<OverFeatures>),
}

impl Constraints {
    /// How many columns the program has.
    pub(super) fn n_columns(&self) -> usize {
        match &self.entries {
            Entries::Whole(all) => all.nrows(),
            Entries::OverFeatures(sums) => sums.columns().n_rows(),
        }
    }

    /// About the largest entry. For sums over features it looks at a part of the rows.
    pub(super) fn largest(&self) -> f64 {
        match &self.entries {
            Entries::Whole(all) => all.iter().fold(0.0_f64, |most, value| most.max(value.abs())),
            Entries::OverFeatures(sums) => sums.largest(),
        }
    }

    /// Divides all entries by a number.
    pub(super) fn divide(&mut self, by: f64) {
        match &mut self.entries {
            Entries::Whole(all) => all.mapv_inplace(|value| value / by),
            Entries::OverFeatures(sums) => sums.unit *= by,
        }
    }

    /// `a_j u` of each column.
    pub(super) fn of_columns(&self, values: &[f64]) -> Vec<f64> {
        match &self.entries {
            Entries::Whole(all) => times(&all.view(), values),
            Entries::OverFeatures(sums) => sums.of_columns(&self.signed(values)),
        }
    }

    /// `sum_j a_ji factor_j` of each row.
    pub(super) fn of_rows(&self, factors: &[f64]) -> Vec<f64> {
        match &self.entries {
            Entries::Whole(all) => times_transposed(&all.view(), factors),
            Entries::OverFeatures(sums) => self.signed(&sums.of_rows(factors)),
        }
    }

    /// `sum_i y_i u_i`.
    pub(super) fn balance(&self, values: &[f64]) -> f64 {
        self.classes.dot(&ArrayView1::from(values))
    }

    fn signed(&self, values: &[f64]) -> Vec<f64> {
        values.iter().zip(&self.classes).map(|(value, class)| value * class).collect()
    }
}

/// A factored system; rounding may make its solutions inexact.
pub(super) enum System<'point> {
    /// The factor of the whole matrix.
    Whole(Cholesky),
    /// The factors of sums over features.
    OverFeatures(Box<FeatureSystem<'point>>),
}

impl<'point> System<'point> {
    /// The system with `D = diag(give)`; the weights are of the columns, and above 0.
    pub(super) fn of(constraints: &'point Constraints, give: &[f64], weights: &[f64]) -> Self {
        match &constraints.entries {
            Entries::Whole(all) => {
                let roots: Vec<f64> = give.iter().map(|give| give.sqrt()).collect();
                let roots = ArrayView1::from(&roots);
                let mut scaled = all * &roots;
                scaled.push_row((&constraints.classes * &roots).view()).expect("a class for each row");
                Self::Whole(Cholesky::of(&scaled.view(), &[weights, &[0.0]].concat()))
            }
            Entries::OverFeatures(sums) => {
                Self::OverFeatures(Box::new(FeatureSystem::of(sums, give, weights)))
            }
        }
    }

    /// The solution for one right-hand side.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        match self {
            Self::Whole(factor) => factor.solve(right),
            Self::OverFeatures(system) => system.solve(right),
        }
    }
}

/// Columns whose weight is less than this part of their diagonal without it are solved for separately: a difference
/// would lose as many digits.
const TIGHT: f64 = 1e-3;

/// The system where `A = L R`, with features between. Without the intercept it is `L M L' + diag(weights)`, where `M = R P R'` and `P`
/// is `D` without what it has along `y`; `M = G G'`. Of columns with large weights it is inverted by a system of as many unknowns as
/// there are features, `H H' = I + G' L' diag(1 / weights) L G` `[Woodbury 1950]`. The others, the tight ones, are at most about as many
/// as features at an optimum; with `V = L_tight G H'^-1` their own system is `V V' + diag(weights)`.
pub(super) struct FeatureSystem<'point> {
    sums: &'point OverFeatures,
    /// The tight columns, ascending.
    tight: Vec<usize>,
    /// `1 / weights`; 0 of tight columns.
    inverse: Vec<f64>,
    /// `G`.
    root: Array2<f64>,
    /// `H`.
    factor: Cholesky,
    /// `V`.
    between: Array2<f64>,
    /// The factor of the tight columns' system.
    of_tight: Cholesky,
    /// `A D y`.
    with_intercept: Vec<f64>,
    /// `y' D y`.
    of_intercept: f64,
}

impl<'point> FeatureSystem<'point> {
    fn of(sums: &'point OverFeatures, give: &[f64], weights: &[f64]) -> Self {
        let of_intercept: f64 = give.iter().sum();
        let (squares, shifts) = sums.rows_squared(give);
        let own = sums.columns().rows_around(&squares);
        let tight: Vec<usize> =
            (0..weights.len()).filter(|&column| weights[column] < TIGHT * own[column]).collect();
        let mut inverse: Vec<f64> = weights.iter().map(|weight| 1.0 / weight).collect();
        tight.iter().for_each(|&column| inverse[column] = 0.0);
        let root = Cholesky::of_symmetric(&squares).lower();
        let columns = sums.columns().squared(&inverse);
        let mut inner = product(&root.t(), &product(&columns.view(), &root.view()).view());
        inner.diag_mut().iter_mut().for_each(|value| *value += 1.0);
        let factor = Cholesky::of_symmetric(&inner);
        let between = factor.rows_solved_forwards(sums.columns().chosen_times(&tight, &root));
        let weights: Vec<f64> = tight.iter().map(|&column| weights[column]).collect();
        let of_tight = Cholesky::of(&between.view(), &weights);
        let along = sums.columns().times(&shifts);
        let with_intercept = along.into_iter().map(|along| along * of_intercept).collect();
        Self { sums, tight, inverse, root, factor, between, of_tight, with_intercept, of_intercept }
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (of_columns, of_intercept) = right.split_at(self.inverse.len());
        let share = of_intercept[0] / self.of_intercept;
        let rest: Vec<f64> =
            of_columns.iter().zip(&self.with_intercept).map(|(value, along)| value - share * along).collect();
        let weighed: Vec<f64> =
            rest.iter().zip(&self.inverse).map(|(value, inverse)| value * inverse).collect();
        let of_features =
            times_transposed(&self.root.view(), &self.sums.columns().transposed_times(&weighed));
        let mut inner = self.factor.solved_forwards(of_features);
        let taken = times(&self.between.view(), &inner);
        let of_tight: Vec<f64> =
            self.tight.iter().zip(taken).map(|(&column, taken)| rest[column] - taken).collect();
        let of_tight = self.of_tight.solve(&of_tight);
        let added = times_transposed(&self.between.view(), &of_tight);
        inner.iter_mut().zip(added).for_each(|(value, added)| *value += added);
        let inner = times(&self.root.view(), &self.factor.solved_backwards(inner));
        let taken = self.sums.columns().times(&inner);
        let mut solution: Vec<f64> = rest
            .iter()
            .zip(taken)
            .zip(&self.inverse)
            .map(|((value, taken), inverse)| (value - taken) * inverse)
            .collect();
        self.tight.iter().zip(of_tight).for_each(|(&column, value)| solution[column] = value);
        let along: f64 = solution.iter().zip(&self.with_intercept).map(|(value, along)| value * along).sum();
        solution.push((of_intercept[0] - along) / self.of_intercept);
        solution
    }
}

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
fn times_transposed(matrix: &ArrayView2<'_, f64>, vector: &[f64]) -> Vec<f64> {
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
    fn of_symmetric(matrix: &Array2<f64>) -> Self {
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
    fn solved_forwards(&self, mut right: Vec<f64>) -> Vec<f64> {
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
    fn solved_backwards(&self, mut right: Vec<f64>) -> Vec<f64> {
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
    fn rows_solved_forwards(&self, mut right: Array2<f64>) -> Array2<f64> {
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
