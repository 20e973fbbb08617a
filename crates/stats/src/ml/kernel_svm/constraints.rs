//! The matrix of the dual's constraints, which multiplies `u`: a row for each column of the program, and the classes.

use ndarray::{Array1, Array2, ArrayView1};

use super::dense::{times, times_transposed};
use super::over_features::OverFeatures;

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
