//! Means and spreads over folds, summed so that order and size do not drift; two
//! learners on the same folds are in [`paired`].

pub mod paired;
pub mod signed_rank;
pub mod t_test;

pub use paired::{Paired, compare_pairs};
pub use signed_rank::SignedRank;
pub use t_test::TTest;

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

/// Summarises values of which some may be undefined; undefined ones are left out and counted so.
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

/// The arithmetic mean, `None` of nothing.
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
    use super::{compensated_sum, summarise};

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
}
