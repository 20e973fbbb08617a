//! A sparse matrix, by rows and by columns, as flat lists. A step of the method consists of its products.
//!
//! [`OverFeatures`] has with it the constraints of a kernel that is a sum over features: `a_ji = y_i sum_f column_jf
//! (row_if - mean_f) / unit`.

use ndarray::Array2;
use rayon::prelude::*;

/// A sparse matrix. **Memory**: 24 bytes for each value that is not 0.
pub(super) struct Sparse {
    by_row: Lists,
    by_column: Lists,
}

/// Lists of places, ascending, with values.
struct Lists {
    /// List `at` is `starts[at]..starts[at + 1]`.
    starts: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
}

impl Lists {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn list(&self, at: usize) -> (&[u32], &[f64]) {
        let range = self.starts[at]..self.starts[at + 1];
        (&self.places[range.clone()], &self.values[range])
    }

    /// Each list times a vector.
    fn times(&self, vector: &[f64], min_len: usize) -> Vec<f64> {
        let dot = |at: usize| {
            let (places, values) = self.list(at);
            places.iter().zip(values).map(|(&place, value)| value * vector[place as usize]).sum()
        };
        (0..self.len()).into_par_iter().with_min_len(min_len).map(dot).collect()
    }

    fn transposed(&self, n_lists: usize) -> Self {
        let mut starts = vec![0; n_lists + 1];
        self.places.iter().for_each(|&place| starts[place as usize + 1] += 1);
        (0..n_lists).for_each(|at| starts[at + 1] += starts[at]);
        let mut next = starts.clone();
        let (mut places, mut values) = (vec![0; self.places.len()], vec![0.0; self.values.len()]);
        for (list, name) in (0..self.len()).zip(0_u32..) {
            let (own_places, own_values) = self.list(list);
            for (&place, &value) in own_places.iter().zip(own_values) {
                let at = &mut next[place as usize];
                (places[*at], values[*at]) = (name, value);
                *at += 1;
            }
        }
        Self { starts, places, values }
    }
}

impl Sparse {
    /// The matrix of these rows; each row has ascending columns with values.
    pub(super) fn new<R: IntoIterator<Item = (u32, f64)>>(
        n_columns: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let mut by_row = Lists { starts: vec![0], places: Vec::new(), values: Vec::new() };
        for row in rows {
            for (place, value) in row {
                by_row.places.push(place);
                by_row.values.push(value);
            }
            by_row.starts.push(by_row.places.len());
        }
        Self { by_column: by_row.transposed(n_columns), by_row }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.by_row.len()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.by_column.len()
    }

    /// The columns of a row, and its values there.
    pub(super) fn row(&self, row: usize) -> (&[u32], &[f64]) {
        self.by_row.list(row)
    }

    /// The sum of each column.
    fn column_sums(&self) -> Vec<f64> {
        (0..self.n_columns()).map(|column| self.by_column.list(column).1.iter().sum()).collect()
    }

    /// The matrix times a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.by_row.times(vector, 256)
    }

    /// Its transpose times a vector.
    pub(super) fn transposed_times(&self, vector: &[f64]) -> Vec<f64> {
        self.by_column.times(vector, 16)
    }

    /// `X' diag(weights) X`. **Cost**: half the squared values of each row.
    pub(super) fn squared(&self, weights: &[f64]) -> Array2<f64> {
        let n = self.n_columns();
        let lower = |column: usize| {
            let mut sums = vec![0.0; column + 1];
            let (rows, values) = self.by_column.list(column);
            for (&row, value) in rows.iter().zip(values) {
                let factor = value * weights[row as usize];
                let (others, values) = self.row(row as usize);
                let end = others.partition_point(|&other| other as usize <= column);
                for (&other, value) in others[..end].iter().zip(values) {
                    sums[other as usize] += factor * value;
                }
            }
            sums
        };
        let lower: Vec<Vec<f64>> = (0..n).into_par_iter().map(lower).collect();
        Array2::from_shape_fn((n, n), |(row, column)| lower[row.max(column)][row.min(column)])
    }

    /// The product of the chosen rows with another matrix.
    pub(super) fn chosen_times(&self, chosen: &[usize], matrix: &Array2<f64>) -> Array2<f64> {
        let mut result = Array2::zeros((chosen.len(), matrix.ncols()));
        let targets: Vec<_> = result.outer_iter_mut().collect();
        targets.into_par_iter().zip(chosen).for_each(|(mut target, &row)| {
            let (places, values) = self.row(row);
            for (&place, &value) in places.iter().zip(values) {
                target.scaled_add(value, &matrix.row(place as usize));
            }
        });
        result
    }

    /// `x matrix x'` of each row `x`.
    pub(super) fn rows_around(&self, matrix: &Array2<f64>) -> Vec<f64> {
        let around = |row: usize| {
            let (places, values) = self.row(row);
            let of = |(&place, value): (&u32, &f64)| {
                let inner = matrix.row(place as usize);
                let terms = places.iter().zip(values).map(|(&other, value)| inner[other as usize] * value);
                value * terms.sum::<f64>()
            };
            places.iter().zip(values).map(of).sum()
        };
        (0..self.n_rows()).into_par_iter().with_min_len(16).map(around).collect()
    }
}

/// The number of rows in which `OverFeatures::largest` looks for the largest entry.
const N_LOOKED_AT: usize = 64;

/// Sparse factors of the constraints, without the classes.
pub(super) struct OverFeatures {
    /// The rows of the program over the features.
    rows: Sparse,
    /// Its columns over them.
    columns: Sparse,
    /// The mean of each feature over the rows.
    means: Vec<f64>,
    /// The divisor of all entries.
    pub unit: f64,
}

impl OverFeatures {
    /// The sums of these rows and columns, which have the same features.
    #[expect(clippy::cast_precision_loss, reason = "rows are fewer than 2^53")]
    pub(super) fn new(rows: Sparse, columns: Sparse) -> Self {
        let n_rows = rows.n_rows() as f64;
        let means = rows.column_sums().into_iter().map(|sum| sum / n_rows).collect();
        Self { rows, columns, means, unit: 1.0 }
    }

    /// Its columns over the features.
    pub(super) const fn columns(&self) -> &Sparse {
        &self.columns
    }

    /// The mean of each feature over the rows.
    pub(super) fn means(&self) -> &[f64] {
        &self.means
    }

    /// The largest entry among some rows.
    pub(super) fn largest(&self) -> f64 {
        let step = self.rows.n_rows().div_ceil(N_LOOKED_AT).max(1);
        let of_row = |row: usize| {
            let mut features: Vec<f64> = self.means.iter().map(|mean| -mean).collect();
            let (places, values) = self.rows.row(row);
            places.iter().zip(values).for_each(|(&feature, value)| features[feature as usize] += value);
            self.columns.times(&features).into_iter().fold(0.0_f64, |most, value| most.max(value.abs()))
        };
        (0..self.rows.n_rows()).step_by(step).map(of_row).fold(0.0, f64::max) / self.unit
    }

    /// `sum_i signed_i a_ji y_i` of each column.
    pub(super) fn of_columns(&self, signed: &[f64]) -> Vec<f64> {
        let total: f64 = signed.iter().sum();
        let mut features = self.rows.transposed_times(signed);
        features.iter_mut().zip(&self.means).for_each(|(sum, mean)| *sum = (*sum - mean * total) / self.unit);
        self.columns.times(&features)
    }

    /// `sum_j factors_j a_ji y_i` of each row.
    pub(super) fn of_rows(&self, factors: &[f64]) -> Vec<f64> {
        let mut features = self.columns.transposed_times(factors);
        features.iter_mut().for_each(|sum| *sum /= self.unit);
        let of_means: f64 = features.iter().zip(&self.means).map(|(value, mean)| value * mean).sum();
        let mut sums = self.rows.times(&features);
        sums.iter_mut().for_each(|sum| *sum -= of_means);
        sums
    }

    /// `sum_i weights_i (row_if - centre_f) (row_ig - centre_g) / unit^2` of each pair of features, where the centre is
    /// the weighted mean. With it, the differences `(centre_f - mean_f) / unit`.
    pub(super) fn rows_squared(&self, weights: &[f64]) -> (Array2<f64>, Vec<f64>) {
        let total: f64 = weights.iter().sum();
        let centres: Vec<f64> =
            self.rows.transposed_times(weights).into_iter().map(|sum| sum / total).collect();
        let mut squares = self.rows.squared(weights);
        for (mut row, centre) in squares.outer_iter_mut().zip(&centres) {
            for (value, other) in row.iter_mut().zip(&centres) {
                *value = (*value - total * centre * other) / (self.unit * self.unit);
            }
        }
        let shifts =
            centres.iter().zip(&self.means).map(|(centre, mean)| (centre - mean) / self.unit).collect();
        (squares, shifts)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, arr2};

    use super::Sparse;

    /// Rows (1 0 2), (0 3 0) and (0 0 0), by hand.
    #[test]
    fn products_are_those_worked_by_hand() {
        let rows = [vec![(0, 1.0), (2, 2.0)], vec![(1, 3.0)], vec![]];
        let sparse = Sparse::new(3, rows);
        assert_eq!((sparse.n_rows(), sparse.n_columns()), (3, 3));
        assert_eq!(sparse.column_sums(), [1.0, 3.0, 2.0]);
        assert_eq!(sparse.times(&[1.0, 10.0, 100.0]), [201.0, 30.0, 0.0]);
        assert_eq!(sparse.transposed_times(&[1.0, 10.0, 100.0]), [1.0, 30.0, 2.0]);
        let squared = sparse.squared(&[2.0, 5.0, 7.0]);
        assert_eq!(squared, arr2(&[[2.0, 0.0, 4.0], [0.0, 45.0, 0.0], [4.0, 0.0, 8.0]]));
        let matrix = Array2::from_shape_fn((3, 3), |(row, column)| if row <= column { 1.0 } else { 0.0 });
        assert_eq!(sparse.chosen_times(&[1, 0], &matrix), arr2(&[[0.0, 3.0, 3.0], [1.0, 1.0, 3.0]]));
        assert_eq!(sparse.rows_around(&matrix), [1.0 + 2.0 + 4.0, 9.0, 0.0]);
    }
}
