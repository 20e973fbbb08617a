use proptest::prelude::*;

use super::PrCurve;
use crate::eval::{OperatingPoints, Ranking, minimum_pr_area};

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
    prop::collection::vec((0..12_i32, any::<bool>()), 0..40).prop_map(|drawn| {
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
    fn integer_weights_are_repetitions(examples in examples(), weights in prop::collection::vec(0..4_u8, 42)) {
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
    fn classifiers_agree_with_their_line(drawn in prop::collection::vec((0..=20_u8, 0..=50_u8), 0..8), cut in 0.0..1.0_f64) {
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
