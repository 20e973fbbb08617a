//! Two learners on the same folds: the difference between them, and the probability that it is chance.
//!
//! Both tests take pairs as independent. Folds of one cross-validation share training examples, so that the p of a
//! small difference tends to be too small (Y. Bengio, Y. Grandvalet, *No unbiased estimator of the variance of k-fold
//! cross-validation*, JMLR 5, 2004); the report says so beside it.

use super::signed_rank::SignedRank;
use super::t_test::{TTest, half_interval};
use super::{mean, summarise};

/// The differences between the values of two learners on the same folds, first minus second.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Paired {
    /// Pairs whose values are both defined.
    #[serde(rename = "pairs")]
    pub n_pairs: usize,
    /// Pairs with an undefined value; all results leave them out.
    #[serde(rename = "left_out")]
    pub n_left_out: usize,
    /// Mean of the differences, in the values' unit; `None` without pairs.
    #[serde(rename = "difference")]
    pub mean_difference: Option<f64>,
    /// Lower and upper end of the mean difference's 95 % confidence interval, by Student's t; `None` below two pairs.
    pub interval: Option<[f64; 2]>,
    /// Cohen's d of paired samples: mean over sample standard deviation of the differences. `None` below two pairs
    /// and where all differences are equal.
    ///
    /// **Source**: J. Cohen, *Statistical power analysis for the behavioral sciences*, 1988 (d_z there).
    pub effect_size: Option<f64>,
    /// The paired t-test; `None` below two pairs and where all differences are equal.
    pub t_test: Option<TTest>,
    /// Wilcoxon's signed-rank test; `None` below two pairs and where all differences are 0.
    pub signed_rank: Option<SignedRank>,
}

/// Compares two learners' values on the same folds, position by position. Values that are not finite, and values that
/// the shorter list lacks, are undefined.
///
/// Differences count as equal where only rounding parts them (4 ulp of the largest value): their spread of 1e-17 would
/// give a t of 1e16.
///
/// **Cost**: `O(n³)` for up to 50 pairs, else `O(n log n)`.
///
/// # Example
///
/// ```
/// use gleaner_base::statistics::compare_pairs;
/// let better = [Some(0.9), Some(0.8), None, Some(0.7)];
/// let worse = [Some(0.5), Some(0.6), Some(0.4), Some(0.4)];
/// let paired = compare_pairs(&better, &worse);
/// assert_eq!((paired.n_pairs, paired.n_left_out), (3, 1));
/// assert!((paired.mean_difference.expect("three pairs") - 0.3).abs() < 1e-12);
/// ```
#[must_use]
pub fn compare_pairs(left: &[Option<f64>], right: &[Option<f64>]) -> Paired {
    let n_positions = left.len().max(right.len());
    let value = |values: &[Option<f64>], position: usize| values.get(position).copied().flatten();
    let pairs: Vec<(f64, f64)> = (0..n_positions)
        .filter_map(|position| Some((value(left, position)?, value(right, position)?)))
        .filter(|(left, right)| (left - right).is_finite())
        .collect();
    let differences: Vec<f64> = pairs.iter().map(|(left, right)| left - right).collect();
    let largest = pairs.iter().fold(0.0_f64, |most, (left, right)| most.max(left.abs()).max(right.abs()));
    let n_left_out = n_positions - pairs.len();
    describe(&differences, N_ROUNDED * f64::EPSILON * largest, n_left_out)
}

/// Rounding changes a difference of two rounded values by less than this many epsilons of the largest value.
const N_ROUNDED: f64 = 4.0;

fn describe(differences: &[f64], rounding: f64, n_left_out: usize) -> Paired {
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    let n_pairs = differences.len();
    let mean_difference = mean(differences).and_then(finite);
    let defined: Vec<Option<f64>> = differences.iter().copied().map(Some).collect();
    let sd = summarise(&defined).sd.and_then(finite);
    let both = mean_difference.zip(sd);
    let interval = both.and_then(|(mean, sd)| {
        let half = half_interval(sd, n_pairs)?;
        Some([finite(mean - half)?, finite(mean + half)?])
    });
    let spread = both.filter(|(_, sd)| *sd > rounding);
    Paired {
        n_pairs,
        n_left_out,
        mean_difference,
        interval,
        effect_size: spread.and_then(|(mean, sd)| finite(mean / sd)),
        t_test: spread.and_then(|(mean, sd)| TTest::of(mean, sd, n_pairs)),
        signed_rank: (n_pairs > 1).then(|| SignedRank::of(differences, rounding)).flatten(),
    }
}

#[cfg(test)]
mod tests;
