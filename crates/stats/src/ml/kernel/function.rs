//! Kernels as one weighted product, the statistics of features by which they weigh, and the kernel of all rows with
//! each other.
//!
//! On rows `x` and `z` every kernel is `base + own(x) + own(z) + sum_f pairs_f x_f z_f`, or a Gaussian of that sum.
//! `base` has the terms of features that both rows lack; `own` has the changes that a row alone makes to them. So the
//! sum visits only features that hold in both rows.

use rayon::prelude::*;

use crate::ml::linear::{Design, LinearModel};

use super::{Kernel, KernelError};

/// Statistics of the features on training examples, by which some kernels weigh them.
///
/// **Shape**: a value for each feature in each list that the kernel reads; the others may be empty. **Range**: from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureStatistics {
    /// The share of positives among the examples that have the feature.
    pub precisions: Vec<f64>,
    /// The share of the positives that have the feature.
    pub recalls: Vec<f64>,
    /// The share of all examples that have the feature.
    pub coverages: Vec<f64>,
}

impl FeatureStatistics {
    /// The statistics of the columns of weighted rows: an example has a feature where its value is not 0. The precision of a
    /// feature without examples is 0, and so is a share of no examples.
    ///
    /// **Cost**: linear in the values.
    pub fn of(rows: &Design) -> Self {
        let mut n_positives = 0.0;
        let mut n_all = 0.0;
        for (&weight, &class) in rows.weights().iter().zip(rows.classes()) {
            n_all += weight;
            n_positives += if class > 0.0 { weight } else { 0.0 };
        }
        let share = |part: f64, whole: f64| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
        let mut statistics = Self::default();
        for column in 0..rows.n_columns() {
            let (mut true_positives, mut covered) = (0.0, 0.0);
            for (row, _) in rows.column(column) {
                covered += rows.weights()[row];
                true_positives += if rows.classes()[row] > 0.0 { rows.weights()[row] } else { 0.0 };
            }
            statistics.precisions.push(share(true_positives, covered));
            statistics.recalls.push(share(true_positives, n_positives));
            statistics.coverages.push(share(covered, n_all));
        }
        statistics
    }

    /// A list, if it has a share for each of `n_features`.
    pub(super) fn checked<'list>(
        list: &'list [f64],
        statistic: &'static str,
        n_features: usize,
    ) -> Result<&'list [f64], KernelError> {
        if list.len() != n_features {
            return Err(KernelError::Missing { statistic, n_given: list.len(), n_features });
        }
        match list.iter().position(|value| !(0.0..=1.0).contains(value)) {
            None => Ok(list),
            Some(feature) => Err(KernelError::NotAShare { statistic, feature, value: list[feature] }),
        }
    }
}

/// A row's features, ascending, with values other than 0.
pub type SparseRow = Vec<(u32, f64)>;

/// Rows of the right side that one pass over the left side takes. Their values stand side by side for wide
/// instructions.
const LANES: usize = 8;

/// A kernel with the statistics of the features that it weighs.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KernelFunction {
    kernel: Kernel,
    /// The kernel of two rows without any feature.
    base: f64,
    /// For each feature, the coefficient of a row's squared value, whatever the other row is.
    singles: Vec<f64>,
    /// For each feature, the coefficient of the product of both rows' values.
    pairs: Vec<f64>,
}

impl KernelFunction {
    /// A kernel over `n_features` features.
    ///
    /// # Errors
    ///
    /// When a statistic that the kernel reads is missing or is no share, or the width of a Gaussian is not above 0.
    pub fn new(
        kernel: Kernel,
        n_features: usize,
        statistics: &FeatureStatistics,
    ) -> Result<Self, KernelError> {
        let precisions = || FeatureStatistics::checked(&statistics.precisions, "precision", n_features);
        let product = |pairs: Vec<f64>| Self { kernel, base: 0.0, singles: vec![0.0; n_features], pairs };
        Ok(match kernel {
            Kernel::Dot => product(vec![1.0; n_features]),
            Kernel::Precision => product(precisions()?.to_vec()),
            Kernel::BothPos => product(precisions()?.iter().map(|precision| precision * precision).collect()),
            Kernel::Recall => {
                let recalls = FeatureStatistics::checked(&statistics.recalls, "recall", n_features)?;
                product(recalls.iter().map(|recall| 1.0 - recall).collect())
            }
            Kernel::Info => {
                Self::info(FeatureStatistics::checked(&statistics.coverages, "coverage", n_features)?)
            }
            Kernel::Hamming => Self {
                kernel,
                #[expect(clippy::cast_precision_loss, reason = "features are fewer than 2^53")]
                base: n_features as f64,
                singles: vec![-1.0; n_features],
                pairs: vec![2.0; n_features],
            },
            Kernel::Gaussian { width } if width > 0.0 && width.is_finite() => {
                Self { kernel, base: 0.0, singles: vec![1.0; n_features], pairs: vec![-2.0; n_features] }
            }
            Kernel::Gaussian { width } => return Err(KernelError::Width { width }),
        })
    }

    fn info(coverages: &[f64]) -> Self {
        let mut function = Self { kernel: Kernel::Info, base: 0.0, singles: Vec::new(), pairs: Vec::new() };
        for &coverage in coverages {
            let is_constant = coverage <= 0.0 || coverage >= 1.0;
            let information = |probability: f64| if is_constant { 0.0 } else { -probability.log2() };
            let both = 2.0 * information(coverage);
            let one = information(2.0 * coverage * (1.0 - coverage));
            let none = 2.0 * information(1.0 - coverage);
            function.base += none;
            function.singles.push(one - none);
            function.pairs.push(both - 2.0 * one + none);
        }
        function
    }

    /// Which kernel it is.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// How many features it knows.
    pub const fn n_features(&self) -> usize {
        self.pairs.len()
    }

    /// For each feature, the coefficient of the product of both rows' values: the features' weights in kernels that are
    /// products.
    pub fn pair_weights(&self) -> &[f64] {
        &self.pairs
    }

    /// Whether its parts fit together and are finite; the parts of a kernel from a file may not be.
    pub fn is_sound(&self) -> bool {
        let has_width = match self.kernel {
            Kernel::Gaussian { width } => width > 0.0 && width.is_finite(),
            Kernel::Dot
            | Kernel::Precision
            | Kernel::Recall
            | Kernel::BothPos
            | Kernel::Info
            | Kernel::Hamming => true,
        };
        has_width
            && self.singles.len() == self.pairs.len()
            && self.singles.iter().chain(&self.pairs).chain([&self.base]).all(|value| value.is_finite())
    }

    /// Whether the kernel is a sum over the features of these rows, so that sums over rows are linear in the features.
    pub fn is_sum_over(&self, rows: &Design) -> bool {
        match self.kernel {
            Kernel::Gaussian { .. } => false,
            Kernel::Info | Kernel::Hamming => rows.is_boolean(),
            Kernel::Dot | Kernel::Precision | Kernel::Recall | Kernel::BothPos => true,
        }
    }

    /// The number that the kernel reads for a value: `Info` and `Hamming` read 0 or 1.
    pub fn read(&self, value: f64) -> f64 {
        match self.kernel {
            Kernel::Info | Kernel::Hamming => f64::from(value != 0.0),
            Kernel::Dot | Kernel::Precision | Kernel::Recall | Kernel::BothPos | Kernel::Gaussian { .. } => {
                value
            }
        }
    }

    /// The kernel of a row and a row of zeros, before the shape of a Gaussian is applied.
    ///
    /// # Panics
    ///
    /// When it has a feature that the kernel does not know.
    pub fn with_empty(&self, row: impl Iterator<Item = (usize, f64)>) -> f64 {
        self.base + self.own(row)
    }

    /// The kernel of a row and a row of zeros, minus that of two rows of zeros.
    ///
    /// # Panics
    ///
    /// When it has a feature that the kernel does not know.
    pub fn own(&self, row: impl Iterator<Item = (usize, f64)>) -> f64 {
        let own = |(feature, value): (usize, f64)| self.singles[feature] * self.read(value).powi(2);
        row.map(own).sum()
    }

    /// The kernel of a row with itself.
    ///
    /// # Panics
    ///
    /// When it has a feature that the kernel does not know.
    pub fn with_itself(&self, row: impl Iterator<Item = (usize, f64)>) -> f64 {
        let both = |(feature, value): (usize, f64)| {
            (2.0 * self.singles[feature] + self.pairs[feature]) * self.read(value).powi(2)
        };
        self.shape(self.base + row.map(both).sum::<f64>())
    }

    fn shape(&self, sum: f64) -> f64 {
        match self.kernel {
            // Rounding may take a distance below 0.
            Kernel::Gaussian { width } => (-width * sum.max(0.0)).exp(),
            Kernel::Dot
            | Kernel::Precision
            | Kernel::Recall
            | Kernel::BothPos
            | Kernel::Info
            | Kernel::Hamming => sum,
        }
    }

    /// The kernel of every row of `left` with each of `right`: a column for each of `right`.
    ///
    /// **Cost**: the values of `left` times the rows of `right`, in parallel over them; the same numbers on any number of threads.
    /// **Memory**: 8 bytes for each pair.
    ///
    /// # Panics
    ///
    /// When a row has a feature that the kernel does not know.
    pub fn columns(&self, left: &Design, right: &[SparseRow]) -> Vec<Vec<f64>> {
        let own: Vec<f64> = (0..left.n_rows()).map(|row| self.own(left.row(row))).collect();
        right.par_chunks(LANES).flat_map(|lanes| self.lanes(left, &own, lanes)).collect()
    }

    fn lanes(&self, left: &Design, own: &[f64], right: &[SparseRow]) -> Vec<Vec<f64>> {
        let mut spread = vec![[0.0; LANES]; self.n_features()];
        let mut own_right = [self.base; LANES];
        for (lane, row) in right.iter().enumerate() {
            own_right[lane] += self.own(row.iter().map(|&(feature, value)| (feature as usize, value)));
            for &(feature, value) in row {
                spread[feature as usize][lane] = self.pairs[feature as usize] * self.read(value);
            }
        }
        let mut columns = vec![Vec::with_capacity(left.n_rows()); right.len()];
        for (row, own_left) in own.iter().enumerate() {
            let mut sums = [0.0; LANES];
            for (feature, value) in left.row(row) {
                let value = self.read(value);
                for (sum, weight) in sums.iter_mut().zip(&spread[feature]) {
                    *sum += weight * value;
                }
            }
            for (lane, column) in columns.iter_mut().enumerate() {
                column.push(self.shape(own_right[lane] + own_left + sums[lane]));
            }
        }
        columns
    }

    /// The linear classifier that gives Boolean rows the score `sum_j coefficients_j K(x, rows_j) + intercept`; `None` for a Gaussian, of
    /// which there is none. Of real values this holds for the products alone.
    pub fn folded(&self, rows: &[SparseRow], coefficients: &[f64], intercept: f64) -> Option<LinearModel> {
        if matches!(self.kernel, Kernel::Gaussian { .. }) {
            return None;
        }
        let total: f64 = coefficients.iter().sum();
        let mut model = LinearModel {
            weights: self.singles.iter().map(|single| total * single).collect(),
            intercept: intercept + total * self.base,
        };
        for (row, coefficient) in rows.iter().zip(coefficients) {
            for &(feature, value) in row {
                let value = self.read(value);
                let feature = feature as usize;
                model.weights[feature] += coefficient * self.pairs[feature] * value;
                model.intercept += coefficient * self.singles[feature] * value * value;
            }
        }
        Some(model)
    }
}

/// A kernel matrix with the columns that were needed so far.
///
/// **Shape**: `n_rows` square. **Memory**: 8 bytes for each row of each needed column: 160 KB for a column of 20,000
/// rows.
#[derive(Clone, Debug)]
pub struct KernelMatrix<'rows> {
    function: &'rows KernelFunction,
    rows: &'rows Design,
    columns: Vec<Option<Vec<f64>>>,
}

impl<'rows> KernelMatrix<'rows> {
    /// The matrix of these rows, without any column yet.
    pub fn new(function: &'rows KernelFunction, rows: &'rows Design) -> Self {
        Self { function, rows, columns: vec![None; rows.n_rows()] }
    }

    /// The kernel.
    pub const fn function(&self) -> &'rows KernelFunction {
        self.function
    }

    /// The rows.
    pub const fn rows(&self) -> &'rows Design {
        self.rows
    }

    /// The values of a row.
    ///
    /// # Panics
    ///
    /// When there are `2^32` features or more.
    pub fn sparse_row(&self, row: usize) -> SparseRow {
        let value = |(feature, value)| (u32::try_from(feature).expect("fewer than 2^32 features"), value);
        self.rows.row(row).map(value).collect()
    }

    /// Computes the columns of these rows that are not there yet, in parallel.
    pub fn require(&mut self, chosen: &[usize]) {
        let mut missing: Vec<usize> =
            chosen.iter().copied().filter(|&row| self.columns[row].is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        let right: Vec<SparseRow> = missing.iter().map(|&row| self.sparse_row(row)).collect();
        for (row, column) in missing.into_iter().zip(self.function.columns(self.rows, &right)) {
            self.columns[row] = Some(column);
        }
    }

    /// The kernel of every row with this one.
    ///
    /// # Panics
    ///
    /// When [`KernelMatrix::require`] was not called with it.
    pub fn column(&self, row: usize) -> &[f64] {
        self.columns[row].as_deref().expect("the column is required before it is read")
    }
}
