//! Means and spreads over folds, with sums whose error does not depend on the order and number of values. [`paired`]
//! compares two learners on the same folds.

pub mod paired;
pub mod signed_rank;
pub mod t_test;

pub use paired::{Paired, compare_pairs};
pub use signed_rank::SignedRank;
pub use t_test::TTest;

use serde::{Serialize, Serializer};

use t_test::half_interval;

/// Mean and sample standard deviation of the values that are defined.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// Arithmetic mean; `None` when no value is defined.
    pub mean: Option<f64>,
    /// Sample standard deviation (divisor n - 1); `None` below two values.
    pub sd: Option<f64>,
    /// How many values were defined.
    pub n_defined: usize,
}

/// Writes the mean and the deviation alone, for fields that are flattened: `#[serde(flatten, serialize_with = ...)]`.
///
/// # Errors
///
/// The errors of the serializer.
pub fn mean_and_sd<S: Serializer>(summary: &Summary, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("mean", summary.mean), ("sd", summary.sd)])
}

/// Writes the mean alone.
///
/// # Errors
///
/// The errors of the serializer.
pub fn mean_alone<S: Serializer>(summary: &Summary, serializer: S) -> Result<S::Ok, S::Error> {
    summary.mean.serialize(serializer)
}

/// Summarises values. It leaves undefined ones out, and counts them.
#[must_use]
pub fn summarise(values: &[Option<f64>]) -> Summary {
    let defined: Vec<f64> = values.iter().copied().flatten().collect();
    let mean = mean(&defined);
    let sd = mean.filter(|_| defined.len() > 1).map(|mean| {
        let squares = compensated_sum(defined.iter().map(|value| (value - mean).powi(2)));
        #[expect(clippy::cast_precision_loss, reason = "counts of folds are far below 2^53")]
        let divisor = (defined.len() - 1) as f64;
        (squares / divisor).sqrt()
    });
    Summary { mean, sd, n_defined: defined.len() }
}

/// Half the width of the 95 % confidence interval of the mean, by Student's t, in the values' unit; undefined
/// values are left out. `None` below two values; 0 where all are equal.
///
/// It assumes independent values; values of folds that share training examples are not quite independent.
#[must_use]
pub fn half_width(values: &[Option<f64>]) -> Option<f64> {
    let Summary { sd, n_defined, .. } = summarise(values);
    half_interval(sd?, n_defined)
}

/// The arithmetic mean; `None` without values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let n = values.len() as f64;
    (!values.is_empty()).then(|| compensated_sum(values.iter().copied()) / n)
}

/// Neumaier's compensated sum: the error does not grow with the number of terms.
#[must_use]
pub fn compensated_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut compensation) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = sum + value;
        compensation += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    sum + compensation
}

#[cfg(test)]
mod tests {
    use super::{compensated_sum, half_width, mean, summarise};

    #[test]
    fn small_terms_survive_between_large_ones() {
        assert_eq!(compensated_sum([1.0, 1e100, 1.0, -1e100]).to_bits(), 2.0_f64.to_bits());
    }

    #[test]
    fn undefined_values_are_left_out() {
        let summary = summarise(&[Some(1.0), None, Some(3.0)]);
        assert_eq!((summary.mean, summary.n_defined), (Some(2.0), 2));
        assert!((summary.sd.expect("two values") - 2.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!(summarise(&[None]).mean, None);
        assert_eq!(summarise(&[Some(1.0)]).sd, None);
    }

    #[test]
    fn intervals_are_those_of_scipy() {
        // scipy 1.17.1: `scipy.stats.t.interval(0.95, n - 1, loc=mean, scale=scipy.stats.sem(values))`.
        let intervals: [(&[f64], f64, f64); 4] = [
            (&[0.5, 0.75], -0.963_275_592_021_836_8, 2.213_275_592_021_836_8),
            (&[0.25, 0.5, 0.75], -0.121_034_427_937_582_57, 1.121_034_427_937_582_6),
            (&[0.61, 0.72, 0.55, 0.8], 0.492_333_207_056_739_55, 0.847_666_792_943_260_5),
            (&[0.1, 0.2, 0.4, 0.4, 0.9], 0.017_293_453_124_513_525, 0.782_706_546_875_486_6),
        ];
        for (values, low, high) in intervals {
            let defined: Vec<Option<f64>> = values.iter().copied().map(Some).chain([None]).collect();
            let half = half_width(&defined).expect("two values or more");
            let middle = mean(values).expect("there are values");
            assert!((middle - half - low).abs() < 1e-9 && (middle + half - high).abs() < 1e-9, "{values:?}");
        }
        assert_eq!(half_width(&[Some(0.5), None]), None);
        assert_eq!(half_width(&[]), None);
        assert!(half_width(&[Some(0.5); 4]).is_some_and(|half| half.abs() < f64::EPSILON));
    }
}
