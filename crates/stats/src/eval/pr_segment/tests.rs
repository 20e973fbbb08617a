use proptest::prelude::*;

use super::{area, at};
use crate::eval::OperatingPoint;

fn point(true_positives: f64, false_positives: f64) -> OperatingPoint {
    OperatingPoint { true_positives, false_positives, origin: None }
}

/// Relative distance from values of 40-digit quadrature of the interpolated precision
/// (mpmath 1.3.0, `quad` over 32 pieces).
#[test]
fn closed_form_agrees_with_forty_digits() {
    let cases = [
        ((5.0, 5.0), (10.0, 30.0), 1.603_496_867_288_828_1),
        // s = -1, so a = 0: x²/(2c) = (64 - 9)/20 = 2.75 by hand, and a hair beside it.
        ((3.0, 7.0), (8.0, 2.0), 2.75),
        ((3.0, 7.0), (8.0, 2.000_000_001), 2.749_999_999_841_666_7),
        ((3.0, 7.0), (8.0, 1.0), 2.920_536_649_323_97),
        // c tiny: precision all but constant at 1/2.
        ((2.0, 2.000_000_000_1), (4.0, 4.0), 0.999_999_999_990_342_6),
        ((1.0, 3.0), (1000.0, 2999.0), 249.812_083_276_953_36),
        // s = -10^6 and 10^12: the steepest slopes.
        ((1.0, 1e6), (2.0, 0.0), 0.000_025_244_780_244_342_9),
        ((1e-12, 0.0), (1.0, 1.0), 0.500_000_000_006_331),
        // x/a - c/a² ln(a x + c) has nothing to subtract: 50 - 100 ln(1.5) by hand.
        ((0.0, 100.0), (50.0, 100.0), 9.453_489_189_183_562),
        ((1.0, 1e6), (2.0, 1e6), 1.499_997_666_670_416_7e-6),
        ((1e6, 3.0), (1_000_001.0, 3.0), 0.999_997_000_010_5),
        ((100.0, 10.0), (101.0, 9.000_001), 0.913_636_359_476_584_1),
        // Either side of the change from series to logarithm, z = 0.095 and 0.105.
        ((4.0, 6.0), (8.0, 2.95), 2.281_183_599_696_833_5),
        ((4.0, 6.0), (8.0, 3.05), 2.269_522_024_795_146),
    ];
    for ((tp_a, fp_a), (tp_b, fp_b), expected) in cases {
        let found = area(point(tp_a, fp_a), point(tp_b, fp_b));
        assert!(
            (found / expected - 1.0).abs() < 1e-12,
            "{tp_a} {fp_a} {tp_b} {fp_b}: {found}, not {expected}"
        );
    }
}

#[test]
fn constant_precision_is_a_rectangle() {
    assert_eq!(area(point(0.0, 0.0), point(3.0, 0.0)).to_bits(), 3.0_f64.to_bits());
    assert_eq!(area(point(3.0, 9.0), point(5.0, 15.0)).to_bits(), 0.5_f64.to_bits());
    assert_eq!(area(point(3.0, 1.0), point(3.0, 9.0)).to_bits(), 0.0_f64.to_bits());
}

/// By hand: a start that is negligible against the end leaves `∫ x/(a x) dx`, the width over `a`. The ratio of the two
/// covers overflows. The area once was `NaN`, which a curve's area took for 1.
#[test]
fn a_start_of_all_but_no_weight_is_no_start() {
    for start in [(1e-320, 0.0), (0.0, 1e-320), (1e-310, 1e-310), (5e-324, 5e-324), (0.0, 5e-324)] {
        let found = area(point(start.0, start.1), point(1.0, 149.0));
        assert!((found * 150.0 - 1.0).abs() < 1e-12, "{start:?}: {found}");
    }
}

/// Simpson's rule with an even number `n` of steps on the thesis's formula.
fn simpson(a: (f64, f64), b: (f64, f64), n: u32) -> f64 {
    let skew = (b.1 - a.1) / (b.0 - a.0);
    let height = |k: u32| {
        let x = a.0 + (b.0 - a.0) * f64::from(k) / f64::from(n);
        x / (x + a.1 + skew * (x - a.0))
    };
    let inner: f64 = (1..n).map(|k| if k % 2 == 1 { 4.0 * height(k) } else { 2.0 * height(k) }).sum();
    (height(0) + inner + height(n)) * (b.0 - a.0) / (3.0 * f64::from(n))
}

proptest! {
    /// Near a = 0, where `fp_b` = FP_A - width + epsilon, and everywhere else.
    #[test]
    fn closed_form_agrees_with_quadrature(
        tp_a in 1.0..50.0_f64, width in 0.1..50.0_f64, fp_a in 0.0..200.0_f64, fp_b in 0.0..200.0_f64,
        epsilon in -1e-3..1e-3_f64, flat in any::<bool>(),
    ) {
        let fp_b = if flat && fp_a > width + 1.0 { fp_a - width + epsilon } else { fp_b };
        let found = area(point(tp_a, fp_a), point(tp_a + width, fp_b));
        // Precision may fall 200-fold within a hundredth of the stretch: fewer steps are off by 1e-8.
        let expected = simpson((tp_a, fp_a), (tp_a + width, fp_b), 60_000);
        prop_assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
    }

    /// Cutting a stretch in two changes nothing: examples of one mixture need no order.
    #[test]
    fn parts_add_up(tp_a in 0.0..9.0_f64, width in 0.1..9.0_f64, fp_a in 0.0..99.0_f64, fp_b in 0.0..99.0_f64, share in 0.0..1.0_f64) {
        let (start, end) = (point(tp_a, fp_a), point(tp_a + width, fp_b));
        let middle = at(start, end, tp_a + width * share);
        let sum = area(start, middle) + area(middle, end);
        prop_assert!((sum - area(start, end)).abs() < 1e-12 * width);
    }
}
