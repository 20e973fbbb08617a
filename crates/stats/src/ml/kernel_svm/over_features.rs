//! Constraints of a kernel that is a sum over features: `a_ji = y_i sum_f column_jf (row_if - mean_f) / unit`.

use ndarray::Array2;

use super::sparse::Sparse;

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
