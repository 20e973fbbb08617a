//! The kernel of all rows with each other, in the forms that the linear program needs.

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::sparse::{OverFeatures, Sparse};
use super::system::{Constraints, Entries};
use crate::ml::kernel::{KernelFunction, KernelMatrix, SparseRow};
use crate::ml::linear::Design;

/// Rows that one sum takes at a time, so that threads share the work.
const ROWS_AT_ONCE: usize = 2048;

/// How much longer a product of sparse rows takes than one of dense ones.
const SPARSE_COST: usize = 8;

/// The kernel of rows with each other.
///
/// Where the kernel is a sum over features, sums over its columns are linear in the features, and need no column.
#[derive(Clone, Debug)]
pub(super) struct Similarities<'rows> {
    matrix: KernelMatrix<'rows>,
    is_sum: bool,
}

/// The constraints of some rows and columns.
pub(super) struct Chosen {
    /// `y_i (K_ij - mean_j)`: the intercept takes up any constant, and the sums stay exact without it.
    pub constraints: Constraints,
    /// `mean_j`: the mean of each column over the rows.
    pub means: Vec<f64>,
}

impl<'rows> Similarities<'rows> {
    pub(super) fn new(function: &'rows KernelFunction, rows: &'rows Design) -> Self {
        Self { matrix: KernelMatrix::new(function, rows), is_sum: function.is_sum_over(rows) }
    }

    pub(super) const fn function(&self) -> &'rows KernelFunction {
        self.matrix.function()
    }

    pub(super) const fn rows(&self) -> &'rows Design {
        self.matrix.rows()
    }

    pub(super) fn sparse_row(&self, row: usize) -> SparseRow {
        self.matrix.sparse_row(row)
    }

    /// How many columns may join `n_columns` columns. Over features a column takes little work, and more columns end
    /// the program sooner.
    pub(super) const fn most_added(&self, n_columns: usize) -> usize {
        if self.is_sum { n_columns } else { n_columns / 2 }
    }

    /// `sum_j factor_j K_ij` of each row `i`.
    pub(super) fn sums(&mut self, factors: &[(usize, f64)]) -> Vec<f64> {
        if self.is_sum {
            let rows: Vec<SparseRow> = factors.iter().map(|&(row, _)| self.sparse_row(row)).collect();
            let factors: Vec<f64> = factors.iter().map(|&(_, factor)| factor).collect();
            let folded = self.function().folded(&rows, &factors, 0.0);
            return folded.expect("it is no Gaussian").scores(self.rows());
        }
        self.matrix.require(&factors.iter().map(|&(row, _)| row).collect::<Vec<_>>());
        let mut sums = vec![0.0; self.rows().n_rows()];
        sums.par_chunks_mut(ROWS_AT_ONCE).enumerate().for_each(|(part, sums)| {
            let first = part * ROWS_AT_ONCE;
            for &(row, factor) in factors {
                let column = &self.matrix.column(row)[first..];
                sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += factor * value);
            }
        });
        sums
    }

    /// The constraints of these rows and columns. They are whole, as whole systems lose fewest digits, or sums over
    /// features where that is allowed and takes less work.
    pub(super) fn constraints(&mut self, rows: &[usize], columns: &[usize], are_whole: bool) -> Chosen {
        if self.is_sum && !are_whole {
            let features = self.features(columns);
            if self.work_over_features(rows, columns, features.len()) < work_of_whole(rows, columns) {
                return self.over_features(rows, columns, &features);
            }
        }
        self.whole(rows, columns)
    }

    /// About how many products a step takes over features: squared rows and columns, and four of square matrices.
    fn work_over_features(&self, rows: &[usize], columns: &[usize], n_features: usize) -> usize {
        let squared = |row: &usize| self.rows().row(*row).count().pow(2);
        SPARSE_COST * rows.iter().chain(columns).map(squared).sum::<usize>() + 4 * n_features.pow(3)
    }

    fn classes(&self, rows: &[usize]) -> Array1<f64> {
        rows.iter().map(|&row| self.rows().classes()[row]).collect()
    }

    fn whole(&mut self, rows: &[usize], columns: &[usize]) -> Chosen {
        self.matrix.require(columns);
        let classes = self.classes(rows);
        let mut all = Array2::zeros((columns.len(), rows.len()));
        let mut means = Vec::with_capacity(columns.len());
        for (&column, mut target) in columns.iter().zip(all.outer_iter_mut()) {
            let values = self.matrix.column(column);
            let mean = mean(rows.iter().map(|&row| values[row]), rows.len());
            for ((target, &row), class) in target.iter_mut().zip(rows).zip(&classes) {
                *target = class * (values[row] - mean);
            }
            means.push(mean);
        }
        Chosen { constraints: Constraints { entries: Entries::Whole(all), classes }, means }
    }

    /// The features of columns by which rows differ from each other.
    fn features(&self, columns: &[usize]) -> Vec<usize> {
        let pairs = self.function().pair_weights();
        let mut is_there = vec![false; pairs.len()];
        for &column in columns {
            self.rows().row(column).for_each(|(feature, _)| is_there[feature] = true);
        }
        (0..pairs.len()).filter(|&feature| is_there[feature] && pairs[feature] != 0.0).collect()
    }

    /// `K_ij - mean_j` is the sum of row `i`'s own term minus the mean own term, and of `pairs_f x_jf (x_if - mean_f)`
    /// for each feature. A row's own term counts as one more feature, which all columns have.
    fn over_features(&self, rows: &[usize], columns: &[usize], features: &[usize]) -> Chosen {
        let function = self.function();
        let mut place = vec![None; function.n_features()];
        (1..).zip(features).for_each(|(at, &feature)| place[feature] = Some(at));
        let values_of = |row: usize| {
            let values = self.rows().row(row);
            values.filter_map(|(feature, value)| Some((place[feature]?, feature, function.read(value))))
        };
        let by_itself = rows.iter().map(|&row| {
            let own = (0, function.own(self.rows().row(row)));
            std::iter::once(own).chain(values_of(row).map(|(at, _, value)| (at, value)))
        });
        let pairs = function.pair_weights();
        let weighed = columns.iter().map(|&column| {
            std::iter::once((0, 1.0))
                .chain(values_of(column).map(|(at, feature, value)| (at, pairs[feature] * value)))
        });
        let n_features = features.len() + 1;
        let sums = OverFeatures::new(Sparse::new(n_features, by_itself), Sparse::new(n_features, weighed));
        let mut means = sums.columns().times(sums.means());
        for (mean, &column) in means.iter_mut().zip(columns) {
            *mean += function.with_empty(self.rows().row(column));
        }
        let constraints =
            Constraints { entries: Entries::OverFeatures(Box::new(sums)), classes: self.classes(rows) };
        Chosen { constraints, means }
    }
}

/// About how many products a step over the whole matrix takes.
const fn work_of_whole(rows: &[usize], columns: &[usize]) -> usize {
    columns.len().pow(2) * rows.len()
}

#[expect(clippy::cast_precision_loss, reason = "rows are fewer than 2^53")]
fn mean(values: impl Iterator<Item = f64>, n_values: usize) -> f64 {
    values.sum::<f64>() / n_values as f64
}

#[cfg(test)]
mod tests {
    use super::super::system::{Constraints, System};
    use super::{Chosen, Similarities};
    use crate::ml::kernel::{FeatureStatistics, Kernel, KernelFunction};
    use crate::ml::linear::{Design, DesignRow};

    const N_ROWS: usize = 60;
    const N_FEATURES: usize = 7;

    fn rows() -> Design {
        let holds = |row: usize, feature: usize| (row * row * 7 + feature * 31 + row * feature * 13) % 11 < 4;
        let row = |row: usize| {
            let features = (0..N_FEATURES).filter(|&feature| holds(row, feature));
            let values: Vec<_> =
                features.map(|feature| (u32::try_from(feature).expect("few"), 1.0)).collect();
            DesignRow { weight: 1.0, is_positive: row.is_multiple_of(3), values }
        };
        Design::new(N_FEATURES, (0..N_ROWS).map(row))
    }

    fn close(left: &[f64], right: &[f64], what: &str) {
        let size = left.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
        assert_eq!(left.len(), right.len());
        for (left, right) in left.iter().zip(right) {
            assert!((left - right).abs() < 1e-7 * size, "{what}: {left} and {right}");
        }
    }

    /// Numbers without a pattern, from 0 to 1.
    fn noise(n: usize, seed: u64) -> Vec<f64> {
        let number = |at: u64| ((at * 2_654_435_761 + seed * 40_503) % 10_007) as f64 / 10_007.0;
        (0..n as u64).map(number).collect()
    }

    /// Whole and over features the constraints multiply alike, and a step's system has one solution, whether columns are tight
    /// or not.
    #[test]
    fn both_forms_say_the_same() {
        let design = rows();
        for kernel in [Kernel::Info, Kernel::Hamming, Kernel::Dot] {
            let function = KernelFunction::new(kernel, N_FEATURES, &FeatureStatistics::of(&design));
            let function = function.expect("the statistics are of these columns");
            let mut similarities = Similarities::new(&function, &design);
            let chosen: Vec<usize> = (0..N_ROWS).filter(|row| row % 5 > 0).collect();
            let columns: Vec<usize> = (0..N_ROWS).step_by(4).collect();
            let features = similarities.features(&columns);
            let sums = similarities.over_features(&chosen, &columns, &features);
            let whole = similarities.whole(&chosen, &columns);
            close(&whole.means, &sums.means, "means");
            let of = |Chosen { constraints, .. }: Chosen| constraints;
            let (whole, sums): (Constraints, Constraints) = (of(whole), of(sums));
            let values = noise(chosen.len(), 1);
            close(&whole.of_columns(&values), &sums.of_columns(&values), "of columns");
            let factors = noise(columns.len(), 2);
            close(&whole.of_rows(&factors), &sums.of_rows(&factors), "of rows");

            let give = noise(chosen.len(), 3).into_iter().map(|value| value + 0.01).collect::<Vec<_>>();
            let right = noise(columns.len() + 1, 4);
            for least in [1.0, 1e-2, 1e-6] {
                let weights = noise(columns.len(), 5).into_iter().enumerate();
                let weights: Vec<f64> =
                    weights.map(|(at, value)| if at < 5 { least } else { 1.0 } * (value + 0.1)).collect();
                let of_whole = System::of(&whole, &give, &weights).solve(&right);
                let of_sums = System::of(&sums, &give, &weights).solve(&right);
                close(&of_whole, &of_sums, "solutions");
            }
        }
    }
}
