//! Kernels over rows of features: the similarity of two examples, from the clauses that cover both, one or none.
//!
//! A [`Kernel`] is the name of a kernel. A [`KernelFunction`] is a kernel with the [`FeatureStatistics`] by which it
//! weighs features. A [`KernelMatrix`] keeps the columns of a kernel function that a learner needed.

mod function;

use std::fmt;

pub use function::{FeatureStatistics, KernelFunction, KernelMatrix, SparseRow};

/// The similarity of two rows, as a sum over features or a function of such a sum. `[GLEANERSRL, Table 1]`
///
/// The products take a Boolean value as 0 or 1 and a real one as it is; `Info` and `Hamming` ask only whether a value is 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// The product of the values: how many features hold in both.
    Dot,
    /// The product of the values times the feature's precision.
    Precision,
    /// The product of the values times `1 - recall`: a feature of few positives says more.
    Recall,
    /// The product of the values times the squared precision: the probability that both rows are positive, given that the
    /// feature holds in both.
    BothPos,
    /// The information, in bits, of the rows' agreement or difference in each feature. It is `-2 log2 q` where the
    /// feature holds in both rows, `-log2(2q(1-q))` in one, and `-2 log2(1-q)` in none. `q` is the share of training
    /// examples that have the feature.
    ///
    /// DIVERGENCE: a feature of no training example (`q = 0`) or of all (`q = 1`) adds 0, as it does on training rows.
    /// By the formula, a new row with another value would be infinitely similar to some rows.
    Info,
    /// The number of features on which the rows agree.
    Hamming,
    /// `exp(-width * |x - z|^2)`; for Boolean rows, the squared distance is the number of features on which they
    /// differ.
    Gaussian {
        /// Above 0; [`Kernel::default_width`] if nothing is known.
        width: f64,
    },
}

impl Kernel {
    /// The width of a Gaussian over `n_features` features: 1 divided by their number, so that the exponent is the share of
    /// features that differ.
    #[expect(clippy::cast_precision_loss, reason = "features are fewer than 2^53")]
    pub fn default_width(n_features: usize) -> f64 {
        1.0 / n_features.max(1) as f64
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Dot => "dot",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::BothPos => "both-pos",
            Self::Info => "info",
            Self::Hamming => "hamming",
            Self::Gaussian { .. } => "gaussian",
        })
    }
}

/// Why a kernel, or a classifier with it, cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KernelError {
    /// A kernel weighs features by a statistic that is not given for all of them.
    #[error("{n_given} values of {statistic} for {n_features} features; the kernel needs one for each")]
    Missing {
        /// The statistic.
        statistic: &'static str,
        /// How many values there are.
        n_given: usize,
        /// How many features there are.
        n_features: usize,
    },
    /// A statistic is not between 0 and 1.
    #[error("the {statistic} of feature {feature} (from 0) is {value}; it must be from 0 to 1")]
    NotAShare {
        /// The statistic.
        statistic: &'static str,
        /// The feature.
        feature: usize,
        /// Its value.
        value: f64,
    },
    /// The Gaussian kernel has no such width.
    #[error("the width of the Gaussian kernel is {width}; it must be above 0")]
    Width {
        /// The width.
        width: f64,
    },
}

#[cfg(test)]
mod tests {
    use crate::ml::linear::{Design, DesignRow};

    use super::{FeatureStatistics, Kernel, KernelError, KernelFunction, KernelMatrix, SparseRow};

    /// Rows of class 1 and weight 1.
    fn design(n_columns: usize, rows: &[SparseRow]) -> Design {
        let row = |values: &SparseRow| DesignRow { weight: 1.0, is_positive: true, values: values.clone() };
        Design::new(n_columns, rows.iter().map(row))
    }

    fn statistics() -> FeatureStatistics {
        FeatureStatistics {
            precisions: vec![0.5, 0.25, 1.0],
            recalls: vec![0.25, 0.5, 0.0],
            coverages: vec![0.25, 0.5, 0.125],
        }
    }

    /// `x = (1, 1, 0)` and `z = (1, 0, 0)`.
    fn two_rows() -> Vec<SparseRow> {
        vec![vec![(0, 1.0), (1, 1.0)], vec![(0, 1.0)]]
    }

    /// `K(x, x)`, `K(x, z)`, `K(z, z)`.
    fn kernels(kernel: Kernel, rows: &[SparseRow]) -> [f64; 3] {
        let function = KernelFunction::new(kernel, 3, &statistics()).unwrap();
        let columns = function.columns(&design(3, rows), rows);
        assert_near(&columns[0][1..], &columns[1][..1]);
        [columns[0][0], columns[0][1], columns[1][1]]
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} where {expected} is right");
        }
    }

    /// By hand: the first feature holds in both rows, the second in `x` alone, the third in none.
    #[test]
    fn products_of_two_rows_are_those_worked_by_hand() {
        assert_near(&kernels(Kernel::Dot, &two_rows()), &[2.0, 1.0, 1.0]);
        assert_near(&kernels(Kernel::Precision, &two_rows()), &[0.75, 0.5, 0.5]);
        assert_near(&kernels(Kernel::Recall, &two_rows()), &[1.25, 0.75, 0.75]);
        assert_near(&kernels(Kernel::BothPos, &two_rows()), &[0.3125, 0.25, 0.25]);
    }

    #[test]
    fn hamming_and_gaussian_are_those_worked_by_hand() {
        assert_near(&kernels(Kernel::Hamming, &two_rows()), &[3.0, 2.0, 3.0]);
        let e = std::f64::consts::E;
        assert_near(&kernels(Kernel::Gaussian { width: 0.5 }, &two_rows()), &[1.0, 1.0 / e.sqrt(), 1.0]);
        assert_near(&[Kernel::default_width(3)], &[1.0 / 3.0]);
    }

    /// One feature of `q = 1/4`: `-2 log2(1/4) = 4`; `-log2(3/8) = 3 - log2 3`; `-2 log2(3/4) = 4 - 2 log2 3`.
    #[test]
    fn info_has_the_three_cases_of_one_feature() {
        let statistics = FeatureStatistics { coverages: vec![0.25], ..FeatureStatistics::default() };
        let function = KernelFunction::new(Kernel::Info, 1, &statistics).unwrap();
        let rows = vec![vec![(0, 1.0)], vec![]];
        let columns = function.columns(&design(1, &rows), &rows);
        let log3 = 3.0_f64.log2();
        assert_near(&columns[0], &[4.0, 3.0 - log3]);
        assert_near(&columns[1], &[3.0 - log3, 4.0 - 2.0 * log3]);
    }

    /// By hand, of `q = 1/4, 1/2, 1/8`: in both 4; in one 1, in both 2, in none 2; in none `-2 log2(7/8) = 6 - 2 log2 7`.
    #[test]
    fn info_of_two_rows_is_that_worked_by_hand() {
        let third = 6.0 - 2.0 * 7.0_f64.log2();
        assert_near(
            &kernels(Kernel::Info, &two_rows()),
            &[4.0 + 2.0 + third, 4.0 + 1.0 + third, 4.0 + 2.0 + third],
        );
    }

    /// A feature of all training examples, or of none, adds nothing for any two rows.
    #[test]
    fn info_leaves_out_features_that_are_the_same_everywhere() {
        let statistics = FeatureStatistics { coverages: vec![0.0, 1.0, 0.5], ..FeatureStatistics::default() };
        let function = KernelFunction::new(Kernel::Info, 3, &statistics).unwrap();
        let rows = vec![vec![(0, 1.0), (1, 1.0), (2, 1.0)], vec![(2, 1.0)]];
        let columns = function.columns(&design(3, &rows), &rows);
        assert_eq!(columns, [[2.0, 2.0], [2.0, 2.0]]);
    }

    /// By hand: `x = (1/2, 2, 0)`, `z = (3, 0, 0)`. Info and Hamming see the rows (1, 1, 0) and (1, 0, 0).
    #[test]
    fn real_values_are_multiplied() {
        let rows = vec![vec![(0, 0.5), (1, 2.0)], vec![(0, 3.0)]];
        assert_near(&kernels(Kernel::Dot, &rows), &[4.25, 1.5, 9.0]);
        assert_near(&kernels(Kernel::Precision, &rows), &[1.125, 0.75, 4.5]);
        assert_near(&kernels(Kernel::Hamming, &rows), &[3.0, 2.0, 3.0]);
        assert_near(&kernels(Kernel::Info, &rows), &kernels(Kernel::Info, &two_rows()));
        assert_near(&kernels(Kernel::Gaussian { width: 0.1 }, &rows), &[1.0, (-1.025_f64).exp(), 1.0]);
    }

    /// 40 rows of 70 features, by formula: the kernel as Table 1 writes it, feature by feature.
    #[test]
    fn columns_are_the_sums_over_all_features() {
        let holds =
            |row: usize, feature: usize| (row * row * 5 + feature * 7 + row * feature) % 11 < 1 + feature % 5;
        let rows: Vec<SparseRow> = (0..40)
            .map(|row| {
                (0..70)
                    .filter(|&feature| holds(row, feature))
                    .map(|feature| (feature.try_into().unwrap(), 1.0))
                    .collect()
            })
            .collect();
        let statistics = FeatureStatistics::of(&design(70, &rows));
        let coverages = &statistics.coverages;
        let table = |kernel: Kernel, left: usize, right: usize| -> f64 {
            let term = |feature: usize| {
                let (q, both) = (coverages[feature], (holds(left, feature), holds(right, feature)));
                match (kernel, both) {
                    (Kernel::Info, _) if q <= 0.0 || q >= 1.0 => 0.0,
                    (Kernel::Info, (true, true)) => -(q * q).log2(),
                    (Kernel::Info, (false, false)) => -((1.0 - q) * (1.0 - q)).log2(),
                    (Kernel::Info, _) => -(2.0 * q * (1.0 - q)).log2(),
                    (Kernel::Hamming, (left, right)) => f64::from(left == right),
                    (_, both) => f64::from(both == (true, true)),
                }
            };
            (0..70).map(term).sum()
        };
        for kernel in [Kernel::Info, Kernel::Hamming, Kernel::Dot] {
            let function = KernelFunction::new(kernel, 70, &statistics).unwrap();
            let columns = function.columns(&design(70, &rows), &rows);
            for (right, column) in columns.iter().enumerate() {
                let expected: Vec<f64> = (0..40).map(|left| table(kernel, left, right)).collect();
                for (found, expected) in column.iter().zip(&expected) {
                    assert!(
                        (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
                        "{kernel}: {found}, {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_matrix_computes_what_it_is_asked_for() {
        let rows = two_rows();
        let (function, design) =
            (KernelFunction::new(Kernel::Dot, 3, &FeatureStatistics::default()).unwrap(), design(3, &rows));
        let mut matrix = KernelMatrix::new(&function, &design);
        matrix.require(&[1, 1]);
        assert_eq!(matrix.column(1), [1.0, 1.0]);
        assert!(std::panic::catch_unwind(|| matrix.column(0).len()).is_err());
    }

    /// Of two positives and two negatives; the row of weight 2 counts twice.
    #[test]
    fn statistics_count_weighted_rows() {
        let row = |weight, is_positive, values: &[u32]| DesignRow {
            weight,
            is_positive,
            values: values.iter().map(|&column| (column, 1.0)).collect::<Vec<_>>(),
        };
        let rows = Design::new(3, [row(1.0, true, &[0, 1]), row(1.0, true, &[0]), row(2.0, false, &[1])]);
        let statistics = FeatureStatistics::of(&rows);
        assert_eq!(statistics.precisions, [1.0, 1.0 / 3.0, 0.0]);
        assert_eq!(statistics.recalls, [1.0, 0.5, 0.0]);
        assert_eq!(statistics.coverages, [0.5, 0.75, 0.0]);
    }

    /// The linear classifier gives every row the same score as the kernel.
    #[test]
    fn all_but_the_gaussian_fold_into_a_weight_for_each_feature() {
        let (support, coefficients) = (two_rows(), [0.5, -2.0]);
        let rows = design(3, &[vec![], vec![(1, 1.0), (2, 1.0)], vec![(0, 1.0), (1, 1.0), (2, 1.0)]]);
        for kernel in
            [Kernel::Dot, Kernel::Precision, Kernel::Recall, Kernel::BothPos, Kernel::Info, Kernel::Hamming]
        {
            let function = KernelFunction::new(kernel, 3, &statistics()).unwrap();
            let columns = function.columns(&rows, &support);
            let score =
                |row: usize| 0.25 + coefficients[0] * columns[0][row] + coefficients[1] * columns[1][row];
            let model = function.folded(&support, &coefficients, 0.25).unwrap();
            assert_near(&model.scores(&rows), &[score(0), score(1), score(2)]);
        }
        let gaussian = KernelFunction::new(Kernel::Gaussian { width: 1.0 }, 3, &statistics()).unwrap();
        assert_eq!(gaussian.folded(&support, &coefficients, 0.25), None);
    }

    #[test]
    fn what_is_missing_or_no_share_is_refused() {
        let short = FeatureStatistics { precisions: vec![0.5], ..FeatureStatistics::default() };
        let refused = KernelFunction::new(Kernel::BothPos, 2, &short).unwrap_err();
        assert_eq!(refused, KernelError::Missing { statistic: "precision", n_given: 1, n_features: 2 });
        let above = FeatureStatistics { coverages: vec![0.5, 1.5], ..FeatureStatistics::default() };
        let refused = KernelFunction::new(Kernel::Info, 2, &above).unwrap_err();
        assert_eq!(refused, KernelError::NotAShare { statistic: "coverage", feature: 1, value: 1.5 });
        let no_number = FeatureStatistics { recalls: vec![f64::NAN], ..FeatureStatistics::default() };
        assert!(KernelFunction::new(Kernel::Recall, 1, &no_number).is_err());
        for width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(KernelFunction::new(Kernel::Gaussian { width }, 1, &short).is_err());
        }
    }
}
