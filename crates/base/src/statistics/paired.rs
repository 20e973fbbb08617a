//! Two learners on the same folds: the difference between them, and the probability that it is chance, by the t-test
//! and by Wilcoxon's signed-rank test.
//!
//! Both tests take pairs as independent. Folds of one cross-validation share training examples, so that the p of a
//! small difference tends to be too small (Y. Bengio, Y. Grandvalet, *No unbiased estimator of the variance of k-fold
//! cross-validation*, JMLR 5, 2004); the report says so beside it.

use statrs::function::erf::erfc;

use super::{TTest, half_interval, mean, summarise};

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

/// Up to this many differences the distribution is computed exactly; beyond, the normal one is near enough.
const MOST_EXACT: usize = 50;

/// A two-sided test that differences lie symmetrically around 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct SignedRank {
    /// Sum of the ranks of positive differences; ties share the mean of their ranks.
    pub positive_ranks: f64,
    /// Sum of the ranks of negative differences.
    pub negative_ranks: f64,
    /// Differences that are not 0.
    pub n_ranked: usize,
    /// Probability of sums at least as far apart, if both signs are equally likely; 0 to 1.
    pub p: f64,
    /// Whether `p` comes from all assignments of signs, or from the normal distribution.
    pub is_exact: bool,
}

impl SignedRank {
    /// The test of finite differences; `None` where all are 0.
    ///
    /// Differences of 0 are dropped, as Wilcoxon did. Sizes that differ by no more than `rounding` are tied, or 0:
    /// 0.3 - 0.2 and 0.2 - 0.1 are one size, though not one float. Up to 50 differences `p` is exact, over the ranks
    /// at hand, ties included: the sums of all 2^n assignments of signs are counted. Beyond, it is that of the
    /// normal distribution with the variance of the ranks at hand (which is the correction for ties) and half a rank
    /// of continuity.
    ///
    /// **Cost**: O(n³), n <= 50, else O(n log n).
    ///
    /// **Source**: F. Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1, 1945.
    pub fn of(differences: &[f64], rounding: f64) -> Option<Self> {
        let mut ranked: Vec<f64> =
            differences.iter().copied().filter(|difference| difference.abs() > rounding).collect();
        if ranked.is_empty() {
            return None;
        }
        ranked.sort_by(|left, right| left.abs().total_cmp(&right.abs()));
        let doubled = doubled_ranks(&ranked, rounding);
        let sum_where = |is_wanted: fn(&f64) -> bool| -> usize {
            ranked.iter().zip(&doubled).filter(|(value, _)| is_wanted(value)).map(|(_, rank)| rank).sum()
        };
        let positive = sum_where(|value| *value > 0.0);
        let negative = sum_where(|value| *value < 0.0);
        let is_exact = ranked.len() <= MOST_EXACT;
        let smaller = positive.min(negative);
        let p = if is_exact { exact_p(&doubled, smaller) } else { normal_p(&doubled, smaller) };
        let halved = |doubled: usize| number(doubled) / 2.0;
        Some(Self {
            positive_ranks: halved(positive),
            negative_ranks: halved(negative),
            n_ranked: ranked.len(),
            p,
            is_exact,
        })
    }
}

/// The doubled ranks of values that ascend by size. Ties share their mean rank, and twice the mean is a whole number.
fn doubled_ranks(ascending: &[f64], rounding: f64) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(ascending.len());
    while ranks.len() < ascending.len() {
        let start = ranks.len();
        let is_tied = |pair: &[f64]| pair[1].abs() - pair[0].abs() <= rounding;
        let end = start + 1 + ascending[start..].windows(2).take_while(|pair| is_tied(pair)).count();
        // Ranks start + 1 to end: their mean is half the sum of the first and the last.
        ranks.resize(end, start + 1 + end);
    }
    ranks
}

/// Twice the share of assignments of signs whose sum is at most `smaller`, at most 1.
fn exact_p(doubled: &[usize], smaller: usize) -> f64 {
    // The share needs no sums above the smaller one.
    let mut n_ways = vec![0_u64; smaller + 1];
    n_ways[0] = 1;
    for &rank in doubled {
        for sum in (rank..=smaller).rev() {
            n_ways[sum] += n_ways[sum - rank];
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50 assignments, which a float holds exactly")]
    let at_most = n_ways.iter().sum::<u64>() as f64;
    let all: f64 = doubled.iter().map(|_| 2.0).product();
    (2.0 * at_most / all).min(1.0)
}

/// The same share by the normal distribution. A sum that takes each r_i with probability 1/2 has mean Σ r / 2 and
/// variance Σ r² / 4.
fn normal_p(doubled: &[usize], smaller: usize) -> f64 {
    let ranks = || doubled.iter().map(|&rank| number(rank) / 2.0);
    let mean = ranks().sum::<f64>() / 2.0;
    let sd = (ranks().map(|rank| rank * rank).sum::<f64>() / 4.0).sqrt();
    let z = (mean - number(smaller) / 2.0 - 0.5).max(0.0) / sd;
    erfc(z / std::f64::consts::SQRT_2).clamp(0.0, 1.0)
}

fn number(whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "sums of ranks of folds are far below 2^53")]
    let number = whole as f64;
    number
}

#[cfg(test)]
mod tests;
