//! Means and spreads over folds, with sums whose error does not depend on the order and number of values, and
//! Student's t-test of a mean. [`paired`] compares two learners on the same folds.
//!
//! The tail of the t distribution is the regularised incomplete beta function of `statrs`, always called on the side
//! where its argument is small. Near 1 the argument itself is rounded, and a t of 1e-8 would lose half of the digits.
//!
//! Mutual information of two Boolean variables, from their margins.

pub mod paired;

use serde::{Serialize, Serializer};
use statrs::function::beta::checked_beta_reg;

pub use paired::{Paired, SignedRank, compare_pairs};

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
pub fn half_width(values: &[Option<f64>]) -> Option<f64> {
    let Summary { sd, n_defined, .. } = summarise(values);
    half_interval(sd?, n_defined)
}

/// The arithmetic mean; `None` without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let n = values.len() as f64;
    (!values.is_empty()).then(|| compensated_sum(values.iter().copied()) / n)
}

/// Neumaier's compensated sum: the error does not grow with the number of terms.
pub fn compensated_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = CompensatedSum::default();
    values.into_iter().for_each(|value| sum.add(value));
    sum.total()
}

/// A sum as [`compensated_sum`] takes it, term by term.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompensatedSum {
    sum: f64,
    compensation: f64,
}

impl CompensatedSum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let next = self.sum + value;
        self.compensation +=
            if self.sum.abs() >= value.abs() { (self.sum - next) + value } else { (value - next) + self.sum };
        self.sum = next;
    }

    /// The sum of all terms so far.
    pub const fn total(self) -> f64 {
        self.sum + self.compensation
    }
}

/// A two-sided test that the mean of differences is 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct TTest {
    /// Mean over its standard error; any finite number.
    pub t: f64,
    /// One below the number of differences, at least 1.
    pub degrees_of_freedom: usize,
    /// Probability of a |t| at least as large where the mean is 0, in 0 to 1; right to 1e-9.
    pub p: f64,
}

impl TTest {
    /// The test of `n` differences with this mean and sample standard deviation; `None` below two differences
    /// and where the deviation is 0.
    ///
    /// t = mean · sqrt(n) / sd, with n - 1 degrees of freedom.
    ///
    /// **Source**: Student, *The probable error of a mean*, Biometrika 6, 1908.
    pub fn of(mean: f64, sd: f64, n: usize) -> Option<Self> {
        let degrees_of_freedom = n.checked_sub(1).filter(|&below| below > 0)?;
        let t = Some(mean * count(n).sqrt() / sd).filter(|t| t.is_finite())?;
        let p = two_sided_tail(t, degrees_of_freedom)?;
        Some(Self { t, degrees_of_freedom, p })
    }
}

/// Half the width of the 95 % confidence interval of a mean, in the units of `sd`: the t whose two-sided tail is
/// 0.05, times sd / sqrt(n). `None` below two values.
fn half_interval(sd: f64, n: usize) -> Option<f64> {
    let degrees_of_freedom = n.checked_sub(1).filter(|&below| below > 0)?;
    Some(critical_value(degrees_of_freedom)? * sd / count(n).sqrt()).filter(|half| half.is_finite())
}

/// 1 minus the confidence of the interval.
const OUTSIDE: f64 = 0.05;

/// Above the critical value of one degree of freedom, which is 12.71 and the largest.
const LARGEST_CRITICAL_VALUE: f64 = 13.0;

/// After as many halvings the bounds are neighbours.
const N_HALVINGS: usize = 64;

/// The t that a share [`OUTSIDE`] of the distribution lies beyond. Found by halving on the tail itself, so that
/// the interval leaves 0 out exactly where the test rejects it.
fn critical_value(degrees_of_freedom: usize) -> Option<f64> {
    let (mut below, mut above) = (0.0, LARGEST_CRITICAL_VALUE);
    for _ in 0..N_HALVINGS {
        let middle = f64::midpoint(below, above);
        if two_sided_tail(middle, degrees_of_freedom)? > OUTSIDE {
            below = middle;
        } else {
            above = middle;
        }
    }
    Some(f64::midpoint(below, above))
}

/// P(|T| >= |t|): I(df / (df + t²); df/2, 1/2), and its complement in the middle of the distribution.
fn two_sided_tail(t: f64, degrees_of_freedom: usize) -> Option<f64> {
    let freedom = count(degrees_of_freedom);
    let ratio = t * t / freedom;
    let tail = if ratio < 1.0 {
        1.0 - checked_beta_reg(0.5, freedom / 2.0, ratio / (1.0 + ratio)).ok()?
    } else {
        checked_beta_reg(freedom / 2.0, 0.5, 1.0 / (1.0 + ratio)).ok()?
    };
    Some(tail.clamp(0.0, 1.0)).filter(|tail| tail.is_finite())
}

fn count(n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of folds are far below 2^53")]
    let count = n as f64;
    count
}

/// `I = sum_ij p_ij ln(p_ij / (p_i p_j))` in nats, of two Boolean variables. Of `n` examples, the first variable holds
/// for `n_first` and the second for `n_second`. `departure` is `n_11 n_00 - n_10 n_01`, which equals
/// `n_11 n - n_first n_second`. `0 ln 0 = 0`. Counts may be weighted. Range: 0 to `ln 2`; 0 exactly at departure 0. An
/// exchange of both variables gives the same bits.
///
/// Let `D` be the departure. Each cell departs from its value at independence by the share `x_ij = +-D / (n_i n_j)`. As
/// these departures cancel, `I = sum_ij p_i p_j f(x_ij)` with `f(x) = (1 + x) ln(1 + x) - x >= 0`. The textbook's sum
/// has terms of both signs, which near independence leave few digits or a negative number. This sum has no terms that
/// cancel.
pub fn mutual_information(n_first: f64, n_second: f64, n: f64, departure: f64) -> f64 {
    let square = n * n;
    let term = |margin: f64, other: f64, departure: f64| {
        let expected = margin * other;
        if expected > 0.0 { expected / square * excess(departure / expected) } else { 0.0 }
    };
    let (rest_first, rest_second) = (n - n_first, n - n_second);
    let agree = term(n_first, n_second, departure) + term(rest_first, rest_second, departure);
    let differ = term(n_first, rest_second, -departure) + term(rest_first, n_second, -departure);
    agree + differ
}

/// As [`mutual_information`], of a Boolean variable and a class among any number. `held` has the weight of each class
/// for which the variable holds; `all` has the whole weight of each class. Range: 0 to `ln 2`. For two classes it
/// equals [`mutual_information`].
///
/// # Panics
///
/// When the lists differ in length.
pub fn information_on_classes(held: &[f64], all: &[f64]) -> f64 {
    assert_eq!(held.len(), all.len(), "a value for each class");
    let n: f64 = all.iter().sum();
    let n_held: f64 = held.iter().sum();
    let square = n * n;
    let term = |margin: f64, of_class: f64, departure: f64| {
        let expected = margin * of_class;
        if expected > 0.0 { expected / square * excess(departure / expected) } else { 0.0 }
    };
    let cells = held.iter().zip(all).map(|(&held, &of_class)| {
        let departure = held * n - n_held * of_class;
        term(n_held, of_class, departure) + term(n - n_held, of_class, -departure)
    });
    cells.sum()
}

/// `f(x) = (1 + x) ln(1 + x) - x` for `x >= -1`, with `f(-1) = 1`.
fn excess(x: f64) -> f64 {
    if x <= -1.0 {
        return 1.0;
    }
    if x.abs() > 0.05 {
        return (1.0 + x) * x.ln_1p() - x;
    }
    // The series `sum_(k >= 2) (-x)^k / (k (k - 1))`: the two parts above would cancel. At 0.05 the terms
    // after k = 12 are below 1e-16 of the sum.
    let mut sum = 0.0;
    for k in (2..=12).rev() {
        let k = f64::from(k);
        sum = 1.0 / (k * (k - 1.0)) - x * sum;
    }
    x * x * sum
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{
        TTest, compensated_sum, critical_value, excess, half_interval, half_width, information_on_classes,
        mean, mutual_information, summarise, two_sided_tail,
    };

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

    /// scipy 1.17.1: `2 * scipy.stats.t.sf(t, df)`.
    const TAILS: [(f64, usize, f64); 14] = [
        (0.0, 3, 1.0),
        (1e-8, 4, 0.999_999_992_5),
        (1e-3, 1, 0.999_363_380_439_815_9),
        (0.5, 1, 0.704_832_764_699_133_5),
        (1.0, 2, 0.422_649_730_810_374_2),
        (2.0, 4, 0.116_116_523_516_815_56),
        (2.776_445_105, 4, 0.050_000_000_010_119_46),
        (3.3, 9, 0.009_229_908_318_547_019),
        (12.0, 4, 0.000_276_428_548_502_973),
        (45.0, 9, 6.608_139_385_517_147e-12),
        (1.96, 999, 0.050_273_462_733_810_045),
        (4.5, 99, 1.854_905_610_545_671_8e-5),
        (1.5, 10_000, 0.133_645_971_823_619_65),
        (200.0, 4, 3.749_375_082_021_407e-9),
    ];

    /// scipy 1.17.1: `scipy.stats.t.ppf(0.975, df)`.
    const CRITICAL_VALUES: [(usize, f64); 7] = [
        (1, 12.706_204_736_174_694),
        (2, 4.302_652_729_749_462),
        (4, 2.776_445_105_197_793_4),
        (9, 2.262_157_162_798_205),
        (29, 2.045_229_642_132_703),
        (99, 1.984_216_951_586_417_4),
        (9_999, 1.960_201_263_621_357),
    ];

    #[test]
    fn tails_are_those_of_scipy() {
        for (t, degrees_of_freedom, expected) in TAILS {
            let found = two_sided_tail(t, degrees_of_freedom).expect("defined");
            assert!((found - expected).abs() < 1e-11, "t {t}, df {degrees_of_freedom}: {found}");
            assert!((found / expected - 1.0).abs() < 1e-8, "t {t}, df {degrees_of_freedom}: {found}");
            assert_eq!(two_sided_tail(-t, degrees_of_freedom), Some(found));
        }
    }

    #[test]
    fn critical_values_are_those_of_scipy() {
        for (degrees_of_freedom, expected) in CRITICAL_VALUES {
            let found = critical_value(degrees_of_freedom).expect("defined");
            assert!((found - expected).abs() < 1e-10, "df {degrees_of_freedom}: {found}");
        }
    }

    #[test]
    fn what_has_no_spread_or_no_second_value_has_no_test() {
        assert_eq!(TTest::of(0.0, 0.0, 5), None);
        assert_eq!(TTest::of(1.0, 0.0, 5), None);
        assert_eq!(TTest::of(1.0, 1.0, 1), None);
        assert_eq!(TTest::of(1.0, 1.0, 0), None);
        assert_eq!(half_interval(1.0, 1), None);
        let t = TTest::of(1e200, 1e-100, 3).expect("a large t is a t");
        assert!(t.p < 1e-300);
    }

    /// Of 8 examples of three classes, 4, 3 and 1, a variable holds 3, 0 and 1. By the textbook: `3/8 ln(3/8 / (4/8 4/8))
    /// + 1/8 ln(1/8 / (4/8 1/8)) + 1/8 ln(1/8 / (4/8 4/8)) + 3/8 ln(3/8 / (4/8 3/8))`, which is
    /// `3/8 ln 3/2 + 1/8 ln 2 + 1/8 ln 1/2 + 3/8 ln 2 = 3/8 ln 3`.
    #[test]
    fn information_on_three_classes_by_hand() {
        let found = information_on_classes(&[3.0, 0.0, 1.0], &[4.0, 3.0, 1.0]);
        assert!((found - 0.375 * 3.0_f64.ln()).abs() < 1e-15, "{found}");
    }

    #[test]
    fn on_two_classes_it_is_that_of_two_variables() {
        for (held, all) in [([3.0, 5.0], [7.0, 90.0]), ([0.0, 4.0], [2.0, 8.0]), ([1.0, 1.0], [3.0, 3.0])] {
            let n = all[0] + all[1];
            let departure = held[0] * n - (held[0] + held[1]) * all[0];
            let of_two = mutual_information(held[0] + held[1], all[0], n, departure);
            assert!((information_on_classes(&held, &all) - of_two).abs() < 1e-15);
        }
    }

    #[test]
    fn the_series_meets_the_formula() {
        for x in [0.05_f64, -0.05] {
            let formula = (1.0 + x) * x.ln_1p() - x;
            assert!((excess(x) - formula).abs() < 1e-14 * formula / x.abs(), "{x}");
        }
        assert!((excess(-1.0) - 1.0).abs() < f64::EPSILON);
    }

    proptest! {
        /// `I(X; Y, C) = I(X; C) + I(X; Y | C)` for Boolean X and Y and three classes, on any table of counts. No
        /// information is below 0, or above that of X with itself.
        #[test]
        fn the_chain_rule(cells in vec(0_u32..40, 12)) {
            // By class, Y and X.
            let count = |class: usize, y: usize, x: usize| f64::from(cells[class * 4 + y * 2 + x]);
            let n: f64 = cells.iter().map(|&cell| f64::from(cell)).sum();
            prop_assume!(n > 0.0);
            let of_pair = |class: usize, y: usize| count(class, y, 0) + count(class, y, 1);
            let pairs: Vec<(usize, usize)> = (0..3).flat_map(|class| [(class, 0), (class, 1)]).collect();
            let held: Vec<f64> = pairs.iter().map(|&(class, y)| count(class, y, 1)).collect();
            let all: Vec<f64> = pairs.iter().map(|&(class, y)| of_pair(class, y)).collect();
            let together = information_on_classes(&held, &all);

            let held: Vec<f64> = (0..3).map(|class| count(class, 0, 1) + count(class, 1, 1)).collect();
            let all: Vec<f64> = (0..3).map(|class| of_pair(class, 0) + of_pair(class, 1)).collect();
            let of_class = information_on_classes(&held, &all);
            let given_class: f64 = (0..3)
                .map(|class| {
                    let (n_x, n_y, n_both) = (held[class], of_pair(class, 1), count(class, 1, 1));
                    let all = all[class];
                    if all == 0.0 { 0.0 } else { all / n * mutual_information(n_x, n_y, all, n_both * all - n_x * n_y) }
                })
                .sum();
            prop_assert!((together - of_class - given_class).abs() < 1e-12, "{together} {of_class} {given_class}");
            let n_x: f64 = held.iter().sum();
            let entropy = mutual_information(n_x, n_x, n, n_x * n - n_x * n_x);
            prop_assert!(of_class >= 0.0 && given_class >= 0.0 && together <= entropy + 1e-12);
        }

        /// Exchanged, two variables have the same information to the bit; and so have a variable and its complement.
        #[test]
        fn symmetry(cells in vec(0_u32..1_000, 4)) {
            let [neither, first, second, both] = [0, 1, 2, 3].map(|cell| f64::from(cells[cell]));
            let n = neither + first + second + both;
            prop_assume!(n > 0.0);
            let (n_first, n_second) = (first + both, second + both);
            let departure = both * n - n_first * n_second;
            let found = mutual_information(n_first, n_second, n, departure);
            prop_assert_eq!(found.to_bits(), mutual_information(n_second, n_first, n, departure).to_bits());
            let complement = mutual_information(n - n_first, n_second, n, -departure);
            prop_assert!((found - complement).abs() < 1e-15);
        }
    }
}
