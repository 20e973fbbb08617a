//! Student's t-test of a mean, and the tails of the t distribution that it needs.
//!
//! The tail is the regularised incomplete beta function of `statrs`, always called on the side where its argument is
//! small. Near 1 the argument itself is rounded, and a t of 1e-8 would lose half of the digits.

use statrs::function::beta::checked_beta_reg;

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
    #[must_use]
    pub fn of(mean: f64, sd: f64, n: usize) -> Option<Self> {
        let degrees_of_freedom = n.checked_sub(1).filter(|&below| below > 0)?;
        let t = Some(mean * count(n).sqrt() / sd).filter(|t| t.is_finite())?;
        let p = two_sided_tail(t, degrees_of_freedom)?;
        Some(Self { t, degrees_of_freedom, p })
    }
}

/// Half the width of the 95 % confidence interval of a mean, in the units of `sd`: the t whose two-sided tail is
/// 0.05, times sd / sqrt(n). `None` below two values.
#[must_use]
pub fn half_interval(sd: f64, n: usize) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::{TTest, critical_value, half_interval, two_sided_tail};

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
}
