use proptest::prelude::{Strategy, prop};
use proptest::{option, prop_assert, prop_assert_eq, proptest};

use super::{Paired, compare_pairs};

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
    assert_eq!((same.mean_difference, same.interval, same.effect_size), (Some(0.0), Some([0.0, 0.0]), None));
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
