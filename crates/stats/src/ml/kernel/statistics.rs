//! Statistics of each feature that kernels read.

use super::error::KernelError;
use crate::ml::linear::Design;

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
    #[must_use]
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
