use proptest::collection::vec;
use proptest::prelude::{prop_assert, proptest, *};

use super::super::{OperatingPoint, OperatingPoints, Ranking, minimum_pr_area};
use super::{
    NarrowingCurve, PrCurve, achievable_auc_pr, auc_pr_of_point, hull_thresholds, segment_area, segment_at,
};

fn through(points: &[(f64, f64)], n_positives: f64, n_negatives: f64) -> PrCurve {
    PrCurve::new(OperatingPoints::from_classifiers(points, n_positives, n_negatives).unwrap())
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

/// `[GLEANER Figure 2.3]`: TP 5 to 10, FP 5 to 30; precision 6/16, 7/22, 8/28, 9/34 in between.
#[test]
fn interpolates_as_in_figure_2_3() {
    let curve = through(&[(10.0, 30.0), (5.0, 5.0)], 20.0, 2000.0);
    let table =
        [(0.25, 0.5), (0.3, 0.375), (0.35, 7.0 / 22.0), (0.4, 8.0 / 28.0), (0.45, 9.0 / 34.0), (0.5, 0.25)];
    for (recall, precision) in table {
        close(curve.precision_at(recall), precision);
    }
    // Printed with three digits in the thesis.
    let printed = table.map(|(recall, _)| format!("{:.3}", curve.precision_at(recall).unwrap()));
    assert_eq!(printed, ["0.500", "0.375", "0.318", "0.286", "0.265", "0.250"]);
    close(curve.precision_at(0.1), 0.5);
    close(curve.precision_at(1.0), 20.0 / 2020.0);
    // Quadrature with 40 digits (mpmath 1.3.0) over the three stretches.
    close(curve.auc_pr(), 0.217_403_988_697_042_36);
}

/// `[GLEANER Figure 2.4]`: one point at recall 0.02 and precision 1, P = 433, N = 56,164. The thesis
/// says 0.031, and 0.50 for a straight line, of a recall that it gives with two digits; quadrature
/// with 40 digits (mpmath 1.3.0) says 0.02866 at 0.02 itself, 0.02947 at 9 and 0.03188 at 10 of 433.
#[test]
fn does_not_promise_the_straight_line_of_figure_2_4() {
    let area = |true_positives| through(&[(true_positives, 0.0)], 433.0, 56_164.0).auc_pr();
    close(area(0.02 * 433.0), 0.028_656_388_054_134_656);
    close(area(9.0), 0.029_474_194_275_618_07);
    close(area(10.0), 0.031_877_898_896_811_61);
    // The straight line: 0.02 + 0.98 * (1 + 433/56597)/2 = 0.51.
    assert!((area(9.0).unwrap() - 0.031).abs() < 0.002 && 0.513 / area(9.0).unwrap() > 16.0);
}

/// `[GLEANER Figure 9.5]`, curve II: ROC area 0.875 and PR area 0.038 with P = 20, N = 2000. The
/// corner (0.25, 1) is 500 false positives at full recall: precision 20/520 all along.
#[test]
fn figure_9_5_curve_two() {
    close(through(&[(20.0, 500.0)], 20.0, 2000.0).auc_pr(), 20.0 / 520.0);
}

#[test]
fn dominated_classifiers_keep_their_place() {
    // Quadrature with 40 digits (mpmath 1.3.0) through (2,9) (4,1) (6,8) (10,50).
    let curve = through(&[(2.0, 9.0), (4.0, 1.0), (6.0, 8.0)], 10.0, 50.0);
    close(curve.auc_pr(), 0.324_476_224_262_248_15);
    // TP + FP = 10 between (2,9) and (4,1), covering 11 and 5, and again between (4,1) and
    // (6,8), covering 5 and 14: the latter at TP = 4 + 2·5/9.
    close(curve.break_even(), (4.0 + 10.0 / 9.0) / 10.0);
    // F1 2TP/(P+TP+FP): 4/21, 8/15, 12/24, 20/70.
    let (best_f1, point) = curve.best_f1().unwrap();
    close(Some(best_f1), 8.0 / 15.0);
    assert_eq!((point.origin, point.false_positives), (Some(1), 1.0));
    assert_eq!(curve.points().len(), 4);
}

#[test]
fn the_curve_falls_where_only_negatives_enter() {
    // (1,0) (1,1) (2,1): 1 from 0 to 1/2, then x/(x+1) over 1 to 2: 1 - ln(3/2), halved.
    let curve = PrCurve::from_ranking(&Ranking::new([(3.0, true), (2.0, false), (1.0, true)]).unwrap());
    close(curve.auc_pr(), 1.0 - 1.5_f64.ln() / 2.0);
    close(curve.precision_at(0.5), 1.0);
    close(curve.precision_at(0.75), 1.5 / 2.5);
    // Two called positive at (1, 1).
    close(curve.break_even(), 0.5);
    // A negative heads the list: nothing at recall 0, then x/(x+1) to 1, 1 - ln 2.
    let late = PrCurve::from_ranking(&Ranking::new([(3.0, false), (2.0, true)]).unwrap());
    close(late.precision_at(0.0), 0.0);
    close(late.auc_pr(), 1.0 - 2.0_f64.ln());
    close(late.break_even(), 0.0);
}

#[test]
fn undefined_without_a_class_and_outside_recall() {
    for curve in [through(&[], 0.0, 5.0), through(&[(2.0, 0.0)], 5.0, 0.0)] {
        assert_eq!((curve.auc_pr(), curve.precision_at(0.5), curve.best_f1()), (None, None, None));
        assert_eq!((curve.break_even(), curve.eleven_point_average()), (None, None));
        assert!(curve.points().is_empty());
    }
    let chance = through(&[], 1.0, 3.0);
    close(chance.auc_pr(), 0.25);
    assert_eq!(
        (chance.precision_at(1.5), chance.precision_at(f64::NAN), chance.auc_pr_from(-0.1)),
        (None, None, None)
    );
}

#[test]
fn a_perfect_ranking_has_area_one_exactly() {
    let ranking = Ranking::new((0..1000).map(|k| (f64::from(k), k >= 700))).unwrap();
    assert_eq!(PrCurve::from_ranking(&ranking).auc_pr().map(f64::to_bits), Some(1.0_f64.to_bits()));
}

/// Scores with many ties, and both classes present.
fn examples() -> impl Strategy<Value = Vec<(f64, bool)>> {
    vec((0..12_i32, any::<bool>()), 0..40).prop_map(|drawn| {
        let ends = [(5, true), (6, false)];
        drawn.into_iter().chain(ends).map(|(score, label)| (f64::from(score), label)).collect()
    })
}

/// The area from the definition: counts at each score by a scan, midpoint rule in between.
fn slow_area(examples: &[(f64, bool)]) -> f64 {
    let count = |threshold: f64, class: bool| {
        examples
            .iter()
            .filter(|&&(score, label)| score >= threshold && label == class)
            .map(|_| 1.0)
            .sum::<f64>()
    };
    let (mut area, mut before) = (0.0, (0.0, 0.0));
    for threshold in (0..12).rev().map(f64::from) {
        let reached = (count(threshold, true), count(threshold, false));
        let n_steps = 8000;
        let width = (reached.0 - before.0) / f64::from(n_steps);
        for step in (0..n_steps).filter(|_| width > 0.0) {
            let share = (f64::from(step) + 0.5) / f64::from(n_steps);
            let true_positives = before.0 + share * (reached.0 - before.0);
            let false_positives = before.1 + share * (reached.1 - before.1);
            area += width * true_positives / (true_positives + false_positives);
        }
        before = reached;
    }
    area / before.0
}

proptest! {
    #[test]
    fn area_agrees_with_quadrature_and_bounds(examples in examples()) {
        let ranking = Ranking::new(examples.iter().copied()).unwrap();
        let area = PrCurve::from_ranking(&ranking).auc_pr().unwrap();
        prop_assert!((area - slow_area(&examples)).abs() < 1e-6);
        let least = minimum_pr_area(ranking.prevalence().unwrap()).unwrap();
        prop_assert!(least - 1e-12 <= area && area <= 1.0, "{area} is not in {least} to 1");
    }

    #[test]
    fn strictly_increasing_maps_change_nothing(examples in examples()) {
        let metrics_of = |map: fn(f64) -> f64| {
            crate::eval::metrics(&Ranking::new(examples.iter().map(|&(score, label)| (map(score), label))).unwrap())
        };
        let plain = metrics_of(|score| score);
        prop_assert_eq!(&plain, &metrics_of(|score| 3.0 * score - 1e6));
        prop_assert_eq!(&plain, &metrics_of(f64::exp));
        prop_assert_eq!(&plain, &metrics_of(|score| -1.0 / (score + 1.0)));
    }

    /// Equal weights w and w repetitions give the same curve; a common factor of the weights does not matter.
    #[test]
    fn integer_weights_are_repetitions(examples in examples(), weights in vec(0..4_u8, 42)) {
        let weighted = examples.iter().zip(&weights).map(|(&(score, label), &weight)| (score, label, f64::from(weight)));
        let eighths = weighted.clone().map(|(score, label, weight)| (score, label, weight / 8.0));
        let repeated = examples.iter().zip(&weights).flat_map(|(&example, &weight)| vec![example; usize::from(weight)]);
        let repeated = OperatingPoints::from_ranking(&Ranking::new(repeated).unwrap());
        prop_assert_eq!(&OperatingPoints::from_ranking(&Ranking::weighted(weighted).unwrap()), &repeated);
        let scaled = PrCurve::from_ranking(&Ranking::weighted(eighths).unwrap()).auc_pr();
        match (PrCurve::new(repeated).auc_pr(), scaled) {
            (Some(one), Some(other)) => prop_assert!((one - other).abs() < 1e-14),
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    /// A threshold between adjacent examples of one class changes nothing.
    #[test]
    fn ties_within_a_class_are_no_matter(examples in examples()) {
        let (mut together, mut apart) = (Vec::new(), Vec::new());
        for (example_idx, &(score, label)) in examples.iter().enumerate() {
            // The positives of a score go below its negatives: once as ties, once one by one.
            let shifted = score + if label { -0.25 } else { 0.25 };
            together.push((shifted, label));
            apart.push((shifted + 1e-3 * example_idx as f64, label));
        }
        let area = |examples: Vec<(f64, bool)>| PrCurve::from_ranking(&Ranking::new(examples).unwrap()).auc_pr().unwrap();
        prop_assert!((area(together) - area(apart)).abs() < 1e-12);
    }

    #[test]
    fn classifiers_agree_with_their_line(drawn in vec((0..=20_u8, 0..=50_u8), 0..8), cut in 0.0..1.0_f64) {
        let points: Vec<(f64, f64)> = drawn.into_iter().map(|(tp, fp)| (f64::from(tp), f64::from(fp))).collect();
        let curve = through(&points, 20.0, 50.0);
        // All recalls of the points are among these.
        let steps = (0..=20_000).map(|step| f64::from(step) / 20_000.0);
        let line: Vec<(f64, f64)> = steps.map(|recall| (recall, curve.precision_at(recall).unwrap())).collect();
        let trapezoids: f64 = line.windows(2).map(|ends| (ends[1].0 - ends[0].0) * (ends[0].1 + ends[1].1) / 2.0).sum();
        let area = curve.auc_pr().unwrap();
        prop_assert!((area - trapezoids).abs() < 1e-6, "{area}, not {trapezoids}");
        prop_assert!(area >= minimum_pr_area(20.0 / 70.0).unwrap());
        // The two sides of a cut add up to the whole: the left one by the line.
        let left: f64 = line.windows(2).filter(|ends| ends[1].0 <= cut)
            .map(|ends| (ends[1].0 - ends[0].0) * (ends[0].1 + ends[1].1) / 2.0).sum();
        prop_assert!((left + curve.auc_pr_from(cut).unwrap() - area).abs() < 1e-4);
    }
}

proptest! {
    /// The same as the curve of the counts, and as that of a ranking of two groups.
    #[test]
    fn it_is_the_curve_of_one_point(
        (n_positives, n_negatives) in (1_u32..60, 1_u32..200),
        (tp, fp) in (0.0..1.0, 0.0..1.0),
    ) {
        let part = |share: f64, n: u32| (share * f64::from(n + 1)).floor();
        let (tp, fp) = (part(tp, n_positives), part(fp, n_negatives));
        let (p, n) = (f64::from(n_positives), f64::from(n_negatives));
        let area = auc_pr_of_point(tp, fp, p, n);
        prop_assert!(area.is_some() == (tp + fp > 0.0));
        let Some(area) = area else { return Ok(()) };
        let same = |other: Option<f64>| other.is_some_and(|other| (area - other).abs() < 1e-12);
        if tp > 0.0 {
            let points = OperatingPoints::from_classifiers(&[(tp, fp)], p, n).expect("within the totals");
            prop_assert!(same(PrCurve::new(points).auc_pr()));
        }
        let first = [(1.0, true, tp), (1.0, false, fp)];
        let rest = [(0.0, true, p - tp), (0.0, false, n - fp)];
        let ranking = Ranking::weighted(first.into_iter().chain(rest)).expect("finite");
        prop_assert!(same(PrCurve::from_ranking(&ranking).auc_pr()));
    }
}

#[test]
fn a_missing_class_has_no_curve() {
    assert_eq!(auc_pr_of_point(0.0, 3.0, 0.0, 5.0), None);
    assert_eq!(auc_pr_of_point(3.0, 0.0, 5.0, 0.0), None);
    assert_eq!(auc_pr_of_point(0.0, 0.0, 5.0, 5.0), None);
}

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
        let found = segment_area(point(tp_a, fp_a), point(tp_b, fp_b));
        assert!(
            (found / expected - 1.0).abs() < 1e-12,
            "{tp_a} {fp_a} {tp_b} {fp_b}: {found}, not {expected}"
        );
    }
}

#[test]
fn constant_precision_is_a_rectangle() {
    assert_eq!(segment_area(point(0.0, 0.0), point(3.0, 0.0)).to_bits(), 3.0_f64.to_bits());
    assert_eq!(segment_area(point(3.0, 9.0), point(5.0, 15.0)).to_bits(), 0.5_f64.to_bits());
    assert_eq!(segment_area(point(3.0, 1.0), point(3.0, 9.0)).to_bits(), 0.0_f64.to_bits());
}

/// By hand: a start that is negligible against the end leaves `∫ x/(a x) dx`, the width over `a`. The ratio of the two
/// covers overflows. The area once was `NaN`, which a curve's area took for 1.
#[test]
fn a_start_of_all_but_no_weight_is_no_start() {
    for start in [(1e-320, 0.0), (0.0, 1e-320), (1e-310, 1e-310), (5e-324, 5e-324), (0.0, 5e-324)] {
        let found = segment_area(point(start.0, start.1), point(1.0, 149.0));
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
        let found = segment_area(point(tp_a, fp_a), point(tp_a + width, fp_b));
        // Precision may fall 200-fold within a hundredth of the stretch: fewer steps are off by 1e-8.
        let expected = simpson((tp_a, fp_a), (tp_a + width, fp_b), 60_000);
        prop_assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
    }

    /// Cutting a stretch in two changes nothing: examples of one mixture need no order.
    #[test]
    fn parts_add_up(tp_a in 0.0..9.0_f64, width in 0.1..9.0_f64, fp_a in 0.0..99.0_f64, fp_b in 0.0..99.0_f64, share in 0.0..1.0_f64) {
        let (start, end) = (point(tp_a, fp_a), point(tp_a + width, fp_b));
        let middle = segment_at(start, end, tp_a + width * share);
        let sum = segment_area(start, middle) + segment_area(middle, end);
        prop_assert!((sum - segment_area(start, end)).abs() < 1e-12 * width);
    }
}

fn ranking(examples: &[(f64, bool)]) -> Ranking {
    Ranking::new(examples.iter().copied()).expect("scores are finite")
}

const TUNE: [(f64, bool); 6] =
    [(0.9, true), (0.8, false), (0.7, true), (0.6, true), (0.5, false), (0.4, false)];

/// On tune the points (FP, TP) are (0,1) (1,1) (1,2) (1,3) (2,3) (3,3); the corners are (0,1), (1,3) and (3,3). On test
/// these thresholds have (0,1), (1,2) and (1,2), then all. The area is 1 up to the first positive. From there it is the
/// integral of x / (2x - 1) from 1 to 2, which is 1/2 + ln(3)/4. For two positives, halve the sum.
#[test]
fn thresholds_of_tune_by_hand() {
    let thresholds = hull_thresholds(&ranking(&TUNE));
    assert_eq!(thresholds, [0.9, 0.6, 0.4]);
    let test = ranking(&[(0.95, true), (0.85, false), (0.65, true), (0.3, false)]);
    let area = achievable_auc_pr(&test, &thresholds).expect("both classes");
    assert!((area - (1.5 + 3.0_f64.ln() / 4.0) / 2.0).abs() < 1e-12, "{area}");
    // Through all thresholds it goes down at .85: 1, then the integral of x / (x + 1) from 1 to 2.
    let whole = PrCurve::from_ranking(&test).auc_pr().expect("both classes");
    assert!((whole - (2.0 - 1.5_f64.ln()) / 2.0).abs() < 1e-12, "{whole}");
}

#[test]
fn what_a_class_is_missing_of_has_no_hull() {
    let positives = ranking(&[(0.9, true), (0.8, true)]);
    assert_eq!(hull_thresholds(&positives), [] as [f64; 0]);
    assert_eq!(achievable_auc_pr(&ranking(&TUNE), &[]), None);
    assert_eq!(achievable_auc_pr(&positives, &[0.9, 0.8]), None);
    // A constant score is one threshold; its area is the prevalence.
    let constant = ranking(&[(0.5, true), (0.5, false)]);
    assert_eq!(hull_thresholds(&constant), [0.5]);
    assert_eq!(achievable_auc_pr(&constant, &[0.5]), Some(0.5));
}

/// The corners by definition: the points above every line from an earlier to a later point.
fn corners(ranking: &Ranking) -> Vec<f64> {
    let mut points = vec![(0.0, 0.0)];
    for group in ranking.groups() {
        let (fp, tp) = points[points.len() - 1];
        points.push((fp + group.negatives, tp + group.positives));
    }
    let is_corner = |&at: &usize| {
        let above = |before: &(f64, f64), after: &(f64, f64)| {
            let (fp, tp) = points[at];
            (tp - before.1) * (after.0 - before.0) > (after.1 - before.1) * (fp - before.0)
        };
        points[..at].iter().all(|before| points[at + 1..].iter().all(|after| above(before, after)))
    };
    (1..points.len()).filter(is_corner).map(|at| ranking.groups()[at - 1].score).collect()
}

proptest! {
    #[test]
    fn hulls_are_those_of_the_definition(examples in vec((0_u8..8, any::<bool>()), 0..30)) {
        let ranking = ranking(&examples.iter().map(|&(score, label)| (f64::from(score), label)).collect::<Vec<_>>());
        let thresholds = hull_thresholds(&ranking);
        let has_both = ranking.n_positives() > 0 && ranking.n_negatives() > 0;
        prop_assert_eq!(&thresholds, &if has_both { corners(&ranking) } else { Vec::new() });
        // No threshold left out would raise the curve that is chosen on the same examples.
        if let Some(achievable) = achievable_auc_pr(&ranking, &thresholds) {
            prop_assert!(achievable >= PrCurve::from_ranking(&ranking).auc_pr().unwrap() - 1e-12);
        }
    }

    #[test]
    fn all_thresholds_change_nothing(examples in vec((0_u8..8, any::<bool>()), 0..30)) {
        let ranking = ranking(&examples.iter().map(|&(score, label)| (f64::from(score), label)).collect::<Vec<_>>());
        let all: Vec<f64> = ranking.groups().iter().map(|group| group.score).collect();
        prop_assert_eq!(ranking.at_thresholds(&all), ranking.clone());
    }
}

/// `[GLEANER Figure 2.3]`, as before: from A with 5 TP and 5 FP to B with 10 TP and 30 FP, of 20
/// positives and 2,000 negatives.
#[test]
fn points_between_are_those_of_the_worked_example() {
    let curve = PrCurve::new(
        OperatingPoints::from_classifiers(&[(5.0, 5.0), (10.0, 30.0)], 20.0, 2000.0).expect("points"),
    );
    let all = curve.points_with_between(20);
    let of = |recall: f64| {
        let found = all.iter().find(|(point, _)| (point.recall - recall).abs() < 1e-12).expect("a point");
        (found.0.false_positives, format!("{:.3}", found.0.precision), found.1)
    };
    assert_eq!(of(0.25), (5.0, "0.500".to_owned(), false));
    assert_eq!(of(0.3), (10.0, "0.375".to_owned(), true));
    assert_eq!(of(0.35), (15.0, "0.318".to_owned(), true));
    assert_eq!(of(0.4), (20.0, "0.286".to_owned(), true));
    assert_eq!(of(0.45), (25.0, "0.265".to_owned(), true));
    assert_eq!(of(0.5), (30.0, "0.250".to_owned(), false));
    // Each step has one point, and the last is that of all examples.
    assert_eq!(all.len(), 20);
    assert_eq!(all.iter().filter(|(_, is_between)| !is_between).count(), 3);
    assert!(all.windows(2).all(|pair| pair[0].0.recall < pair[1].0.recall));
}

proptest! {
    /// The same as the general curve through the same points.
    #[test]
    fn it_is_the_curve_of_its_points(
        steps in vec((0.05..1.0, 0.0..1.0), 1..6),
        (n_positives, n_negatives) in (1.0..100.0, 1.0..1_000.0),
    ) {
        let mut curve = NarrowingCurve::new(n_positives, n_negatives);
        let (mut tp, mut fp) = (n_positives, n_negatives);
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (of_positives, of_negatives) in steps {
            (tp, fp) = (tp * of_positives, fp * of_negatives);
            let with = curve.auc_pr_with(tp, fp);
            curve.push(tp, fp);
            prop_assert!((curve.auc_pr() - with).abs() < 1e-12);
            points.push((tp, fp));
            let all = OperatingPoints::from_classifiers(&points, n_positives, n_negatives);
            let all = PrCurve::new(all.expect("within the totals"));
            prop_assert!(all.auc_pr().is_some_and(|area| (area - with).abs() < 1e-12));
            let right = all.auc_pr_from((tp / n_positives).min(1.0));
            let areas = curve.areas_to_the_right();
            let last = areas.last().copied();
            prop_assert!(right.zip(last).is_some_and(|(right, last)| (right - last).abs() < 1e-9));
        }
        let alone = auc_pr_of_point(points[0].0, points[0].1, n_positives, n_negatives);
        let mut first = NarrowingCurve::new(n_positives, n_negatives);
        first.push(points[0].0, points[0].1);
        prop_assert!(alone.is_some_and(|area| (area - first.auc_pr()).abs() < 1e-12));
    }
}

/// A classifier that covers no weight changes nothing; one that covers the same as the last changes no bit.
#[test]
fn nothing_and_the_same_again_do_not_improve() {
    let mut curve = NarrowingCurve::new(1.0, 146.9);
    curve.push(0.7, 12.3);
    let before = curve.auc_pr();
    assert_eq!(curve.auc_pr_with(0.0, 0.0).to_bits(), before.to_bits());
    assert_eq!(curve.auc_pr_with(0.7, 12.3).to_bits(), before.to_bits());
    curve.push(0.0, 0.0);
    assert_eq!(curve.auc_pr().to_bits(), before.to_bits());
}

#[test]
fn everything_has_no_area_to_its_right() {
    let mut curve = NarrowingCurve::new(1.0, 99.0);
    curve.push(1.0, 99.0);
    assert_eq!(curve.areas_to_the_right(), [0.0]);
    assert!((curve.auc_pr() - 0.01).abs() < 1e-15);
    curve.push(1.0, 0.0);
    assert!((curve.auc_pr() - 1.0).abs() < 1e-15);
}
