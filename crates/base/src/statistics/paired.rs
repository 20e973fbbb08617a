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
    positive_ranks: f64,
    /// Sum of the ranks of negative differences.
    negative_ranks: f64,
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
mod tests {

    mod paired {
        use proptest::prelude::{Strategy, prop};
        use proptest::{option, prop_assert, prop_assert_eq, proptest};

        use super::super::{Paired, compare_pairs};

        fn of(left: &[f64], right: &[f64]) -> Paired {
            let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
            compare_pairs(&some(left), &some(right))
        }

        fn close(found: f64, expected: f64) {
            assert!((found - expected).abs() < 1e-11, "{found} is not {expected}");
        }

        /// scipy 1.17.1: `r = scipy.stats.ttest_rel(a, b)`, `r.confidence_interval(0.95)`; the effect is
        /// `d.mean() / d.std(ddof=1)` of `d = a - b` (numpy); `scipy.stats.wilcoxon(d.round(6), method='exact')`.
        #[test]
        fn five_and_ten_folds_are_those_of_scipy() {
            let a = [0.412, 0.518, 0.377, 0.466, 0.602];
            let b = [0.391, 0.472, 0.389, 0.415, 0.551];
            let five = of(&a, &b);
            let test = five.t_test.expect("defined");
            close(test.t, 2.575_328_202_475_199);
            close(test.p, 0.061_630_747_342_838_38);
            assert_eq!((test.degrees_of_freedom, five.n_pairs, five.n_left_out), (4, 5, 0));
            let [low, high] = five.interval.expect("defined");
            close(low, -0.002_452_142_115_098_150_7);
            close(high, 0.065_252_142_115_098_14);
            close(five.effect_size.expect("defined"), 1.151_721_785_021_377_5);
            close(five.signed_rank.expect("defined").p, 0.125);

            let a = [0.71, 0.64, 0.58, 0.69, 0.73, 0.66, 0.62, 0.59, 0.75, 0.68];
            let b = [0.69, 0.655, 0.53, 0.61, 0.72, 0.69, 0.55, 0.465, 0.745, 0.58];
            let ten = of(&a, &b);
            let test = ten.t_test.expect("defined");
            close(test.t, 2.549_191_132_956_613_3);
            close(test.p, 0.031_236_171_127_693_35);
            let [low, high] = ten.interval.expect("defined");
            close(low, 0.004_672_819_392_619_737);
            close(high, 0.078_327_180_607_380_25);
            close(ten.effect_size.expect("defined"), 0.806_125_017_124_801_8);
            close(ten.signed_rank.expect("defined").p, 0.048_828_125);
        }

        /// Differences 1, 2, 3: mean 2, sd 1, t = 2 √3 with two degrees of freedom. The tail is 1 - t / √(t² + 2), the critical
        /// value 4.30265. Two of the eight assignments of signs are as far apart.
        #[test]
        fn three_folds_by_hand() {
            let paired = of(&[5.0, 6.0, 7.0], &[4.0, 4.0, 4.0]);
            close(paired.mean_difference.expect("defined"), 2.0);
            close(paired.effect_size.expect("defined"), 2.0);
            let test = paired.t_test.expect("defined");
            close(test.t, 12_f64.sqrt());
            close(test.p, 1.0 - (12.0_f64 / 14.0).sqrt());
            let [low, high] = paired.interval.expect("defined");
            close(low, 2.0 - 4.302_652_729_749_462 / 3.0_f64.sqrt());
            close(high, 2.0 + 4.302_652_729_749_462 / 3.0_f64.sqrt());
            close(paired.signed_rank.expect("defined").p, 0.25);
        }

        #[test]
        fn what_is_undefined_is_none() {
            let empty = of(&[], &[]);
            assert_eq!(
                (empty.n_pairs, empty.mean_difference, empty.interval, empty.effect_size),
                (0, None, None, None)
            );
            assert!(empty.t_test.is_none() && empty.signed_rank.is_none());
            let one = of(&[0.5], &[0.25]);
            assert_eq!((one.mean_difference, one.interval, one.effect_size), (Some(0.25), None, None));
            assert!(one.t_test.is_none() && one.signed_rank.is_none());
            let same = of(&[0.5, 0.7, 0.9], &[0.5, 0.7, 0.9]);
            assert_eq!(
                (same.mean_difference, same.interval, same.effect_size),
                (Some(0.0), Some([0.0, 0.0]), None)
            );
            assert!(same.t_test.is_none() && same.signed_rank.is_none());
        }

        /// 0.3 - 0.2, 0.2 - 0.1 and 0.9 - 0.8 are three different floats, but count as one difference.
        #[test]
        fn a_spread_of_rounding_is_none() {
            let paired = of(&[0.3, 0.2, 0.9], &[0.2, 0.1, 0.8]);
            assert_eq!((paired.effect_size, paired.t_test), (None, None));
            close(paired.mean_difference.expect("defined"), 0.1);
            let ranked = paired.signed_rank.expect("signs are told");
            assert_eq!((ranked.positive_ranks, ranked.p), (6.0, 0.25));
        }

        #[test]
        fn undefined_and_missing_values_are_left_out_and_counted() {
            let left = [Some(1.0), None, Some(4.0), Some(2.0), Some(f64::NAN), Some(9.0)];
            let right = [Some(0.5), Some(1.0), Some(2.0), None, Some(1.0)];
            let paired = compare_pairs(&left, &right);
            assert_eq!((paired.n_pairs, paired.n_left_out), (2, 4));
            let whole = of(&[1.0, 4.0], &[0.5, 2.0]);
            assert_eq!(Paired { n_left_out: 0, ..paired }, whole);
        }

        #[test]
        fn huge_values_are_no_nan() {
            let paired = of(&[1e308, 1e308, 1.0], &[-1e308, -7e307, 0.0]);
            assert_eq!((paired.n_pairs, paired.n_left_out), (2, 1));
            let paired = of(&[1.7e308, 1.6e308], &[0.0, 1.0]);
            assert!(paired.mean_difference.is_none_or(f64::is_finite));
            assert!(paired.t_test.is_none_or(|test| test.t.is_finite()));
        }

        /// Multiples of 1/64, which add without rounding.
        fn values() -> impl Strategy<Value = Vec<(Option<f64>, Option<f64>)>> {
            let value = || option::weighted(0.9, (0_i32..=64).prop_map(|value| f64::from(value) / 64.0));
            prop::collection::vec((value(), value()), 0..60)
        }

        proptest! {
            #[test]
            fn swapped_learners_negate_the_difference_and_keep_p(values in values()) {
                let (left, right): (Vec<_>, Vec<_>) = values.into_iter().unzip();
                let (found, swapped) = (compare_pairs(&left, &right), compare_pairs(&right, &left));
                prop_assert_eq!(found.mean_difference, swapped.mean_difference.map(|value| -value));
                prop_assert_eq!(found.effect_size, swapped.effect_size.map(|value| -value));
                prop_assert_eq!(found.interval, swapped.interval.map(|[low, high]| [-high, -low]));
                prop_assert_eq!(found.t_test.map(|test| (test.t, test.p)), swapped.t_test.map(|test| (-test.t, test.p)));
                prop_assert_eq!(found.signed_rank.map(|test| test.p), swapped.signed_rank.map(|test| test.p));
            }

            #[test]
            fn a_constant_added_to_both_changes_nothing(values in values(), constant in -64_i32..=64) {
                let (left, right): (Vec<_>, Vec<_>) = values.into_iter().unzip();
                let constant = f64::from(constant) / 64.0;
                let moved = |values: &[Option<f64>]| -> Vec<Option<f64>> {
                    values.iter().map(|value| value.map(|value| value + constant)).collect()
                };
                prop_assert_eq!(compare_pairs(&left, &right), compare_pairs(&moved(&left), &moved(&right)));
            }

            /// The interval leaves 0 out exactly where the test rejects at 5 %.
            #[test]
            fn numbers_are_within_their_ranges_and_agree(values in values()) {
                let (left, right): (Vec<_>, Vec<_>) = values.into_iter().unzip();
                let found = compare_pairs(&left, &right);
                prop_assert_eq!(found.n_pairs + found.n_left_out, left.len());
                if let Some(test) = found.t_test {
                    prop_assert!((0.0..=1.0).contains(&test.p) && test.t.is_finite());
                    let [low, high] = found.interval.expect("where there is a test");
                    let leaves_zero_out = low > 0.0 || high < 0.0;
                    prop_assert!(leaves_zero_out == (test.p < 0.05) || (test.p - 0.05).abs() < 1e-9);
                }
                if let Some(test) = found.signed_rank {
                    prop_assert!((0.0..=1.0).contains(&test.p));
                }
            }
        }
    }

    mod signed_rank {
        use proptest::prelude::prop;
        use proptest::{prop_assert, prop_assert_eq, proptest};

        use super::super::{SignedRank, exact_p, normal_p};

        fn of(differences: &[f64]) -> SignedRank {
            SignedRank::of(differences, 0.0).expect("not all are 0")
        }

        /// 1 to n, with the sign that `is_negative` says.
        fn up_to(n: u32, is_negative: fn(u32) -> bool) -> Vec<f64> {
            (1..=n).map(|size| if is_negative(size) { -f64::from(size) } else { f64::from(size) }).collect()
        }

        /// scipy 1.17.1: `scipy.stats.wilcoxon(d, method='exact')`, statistic and p.
        #[test]
        fn exact_values_are_those_of_scipy() {
            let cases = [
                (up_to(5, |_| false), 0.0, 0.0625),
                (up_to(8, |size| size == 3 || size == 5), 8.0, 0.195_312_5),
                (up_to(20, |size| size % 3 == 2 && size < 20), 57.0, 0.075_851_440_429_687_5),
                (up_to(50, |size| size % 3 == 1), 425.0, 0.039_968_346_528_423_74),
                (up_to(50, |_| false), 0.0, 1.776_356_839_400_250_5e-15),
            ];
            for (differences, statistic, p) in cases {
                let found = of(&differences);
                assert!((found.p - p).abs() <= 1e-14 * p, "{differences:?}: {}", found.p);
                assert!(found.is_exact);
                assert_eq!(found.positive_ranks.min(found.negative_ranks).to_bits(), f64::to_bits(statistic));
            }
        }

        /// scipy 1.17.1: `scipy.stats.wilcoxon(d, method=scipy.stats.PermutationMethod(n_resamples=numpy.inf))`.
        #[test]
        fn exact_values_with_ties_are_those_of_all_permutations() {
            let found = of(&[1.0, 1.0, 2.0, -2.0, 3.0, -1.0, 4.0, 4.0, 5.0, -3.0, 6.0]);
            assert_eq!(
                (found.negative_ranks.to_bits(), found.p.to_bits()),
                (13_f64.to_bits(), 0.087_890_625_f64.to_bits())
            );
        }

        /// scipy 1.17.1: `scipy.stats.wilcoxon(d, method='approx', correction=True)`.
        #[test]
        fn beyond_fifty_it_is_the_normal_distribution_of_scipy() {
            let plain = of(&up_to(60, |size| size % 3 == 1));
            assert!((plain.p - 0.016_901_653_275_967_533).abs() < 1e-11 && !plain.is_exact, "{plain:?}");
            let tied: Vec<f64> = (0..60_u32)
                .map(|position| f64::from(1 + position / 4) * if position % 3 == 1 { -1.0 } else { 1.0 })
                .collect();
            let tied = of(&tied);
            assert!((tied.p - 0.024_913_078_664_090_378).abs() < 1e-11, "{tied:?}");
            assert_eq!((tied.positive_ranks + tied.negative_ranks).to_bits(), 1830_f64.to_bits());
        }

        #[test]
        fn the_exact_distribution_meets_the_normal_one() {
            let doubled: Vec<usize> = (1..=50).map(|rank| 2 * rank).collect();
            for smaller in [300, 425, 600, 637] {
                let (exact, normal) = (exact_p(&doubled, 2 * smaller), normal_p(&doubled, 2 * smaller));
                assert!((exact - normal).abs() < 0.003, "{smaller}: {exact} and {normal}");
            }
        }

        #[test]
        fn zeros_are_dropped_and_none_is_left() {
            assert_eq!(of(&[0.0, 1.0, 0.0, 2.0]), of(&[1.0, 2.0]));
            assert_eq!(of(&[0.0, 1.0]).n_ranked, 1);
            assert_eq!(SignedRank::of(&[0.0, 0.0], 0.0), None);
            assert_eq!(SignedRank::of(&[], 0.0), None);
        }

        #[test]
        fn what_differs_by_rounding_is_tied() {
            let differences: [f64; 3] = [0.3 - 0.2, -(0.2 - 0.1), 0.1 + 0.2 - 0.3];
            assert!(
                differences[0].abs() > 0.0 && (differences[0] + differences[1]).abs() > 0.0,
                "floats differ"
            );
            let found = SignedRank::of(&differences, 1e-15).expect("two are not 0");
            assert_eq!((found.positive_ranks, found.negative_ranks, found.n_ranked), (1.5, 1.5, 2));
        }

        /// The share of all 2^n assignments of signs to the ranks whose smaller sum is at most the observed one.
        fn enumerated(differences: &[f64]) -> f64 {
            let mut sizes: Vec<f64> =
                differences.iter().map(|value| value.abs()).filter(|&size| size > 0.0).collect();
            sizes.sort_by(f64::total_cmp);
            let rank = |size: f64| {
                let below = sizes.iter().filter(|&&other| other < size).count();
                let same = sizes.iter().filter(|&&other| other.to_bits() == size.to_bits()).count();
                f64::from(u32::try_from(2 * below + same + 1).unwrap()) / 2.0
            };
            let ranks: Vec<f64> = sizes.iter().map(|&size| rank(size)).collect();
            let smaller = |positive: f64| positive.min(ranks.iter().sum::<f64>() - positive);
            let observed: f64 =
                differences.iter().filter(|&&value| value > 0.0).map(|value| rank(*value)).sum();
            let n_assignments = 1_u32 << ranks.len();
            let n_as_far = (0..n_assignments)
                .filter(|signs| {
                    let positive: f64 = ranks
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| signs >> at & 1 == 1)
                        .map(|(_, rank)| rank)
                        .sum();
                    smaller(positive) <= smaller(observed)
                })
                .count();
            f64::from(u32::try_from(n_as_far).unwrap()) / f64::from(n_assignments)
        }

        proptest! {
            /// Few sizes, so that there are ties and zeros.
            #[test]
            fn exact_equals_enumeration(sizes in prop::collection::vec(-4_i32..=4, 1..12)) {
                let differences: Vec<f64> = sizes.iter().map(|&size| f64::from(size)).collect();
                match SignedRank::of(&differences, 0.0) {
                    None => prop_assert!(sizes.iter().all(|&size| size == 0)),
                    Some(found) => prop_assert_eq!(found.p.to_bits(), enumerated(&differences).to_bits()),
                }
            }

            #[test]
            fn negated_differences_have_the_same_p(sizes in prop::collection::vec(-20_i32..=20, 1..80)) {
                let of = |sign: f64| {
                    let differences: Vec<f64> = sizes.iter().map(|&size| sign * f64::from(size)).collect();
                    SignedRank::of(&differences, 0.0)
                };
                if let (Some(found), Some(negated)) = (of(1.0), of(-1.0)) {
                    prop_assert_eq!(found.p.to_bits(), negated.p.to_bits());
                    prop_assert_eq!(found.positive_ranks.to_bits(), negated.negative_ranks.to_bits());
                    prop_assert!((0.0..=1.0).contains(&found.p));
                } else {
                    prop_assert!(of(1.0).is_none() && of(-1.0).is_none());
                }
            }
        }
    }
}
