use super::super::PrCurve;
use super::{OperatingPoints, RankedGroup, Ranking};

#[test]
fn ties_enter_together_and_zeros_tie() {
    let ranking = Ranking::new([(0.0, true), (2.0, false), (-0.0, false), (2.0, false)]).unwrap();
    assert_eq!(
        ranking.groups(),
        [
            RankedGroup { score: 2.0, positives: 0.0, negatives: 2.0 },
            RankedGroup { score: 0.0, positives: 1.0, negatives: 1.0 },
        ]
    );
    assert_eq!((ranking.n_positives(), ranking.n_negatives(), ranking.prevalence()), (1, 3, Some(0.25)));
}

#[test]
fn order_of_the_input_leaves_no_trace() {
    // (0.1 + 0.2) + 0.3 and (0.3 + 0.2) + 0.1 differ in the last digit.
    let examples =
        [(1.0, true, 0.1), (1.0, false, 0.3), (1.0, true, 0.2), (1.0, true, 0.3), (2.0, true, 0.0)];
    let mut reversed = examples;
    reversed.reverse();
    assert_eq!(Ranking::weighted(examples), Ranking::weighted(reversed));
    assert_eq!(Ranking::weighted(examples).unwrap().groups().len(), 1);
}

#[test]
fn numbers_without_an_order_are_refused() {
    for score in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = Ranking::new([(0.5, true), (score, false)]).unwrap_err();
        assert_eq!(error.to_string(), format!("score {score} of example 1 (from 0) is not a finite number"));
    }
    for weight in [f64::NAN, f64::INFINITY, -1.0] {
        let error = Ranking::weighted([(0.5, true, weight)]).unwrap_err();
        assert!(error.to_string().starts_with("weight "));
    }
}

#[test]
fn nothing_is_an_empty_ranking() {
    let ranking = Ranking::new([]).unwrap();
    assert_eq!((ranking.groups(), ranking.prevalence()), (&[][..], None));
}

/// The test has two positives and two negatives: + at .9, - at .8, + and - at .1. A filter left out a third and a
/// fourth positive, so P is 4 instead of 2, and the last point is (4, 2). The area, with t = TP:
///
/// - from 0 to 1 at precision 1: 1;
/// - from (1, 1) to (4, 2), where FP = 1 + (t - 1)/3, so that t/(t + FP) = 3t/(4t + 2): the integral from 1 to 4 is
///   (3/4)·3 - (3/8)·ln(18/6).
///
/// All by 4 of recall. Before, by 2: 1, and from (1, 1) to (2, 2), where t/(2t) = 1/2.
#[test]
fn positives_that_a_filter_left_out_add_to_p_and_to_the_last_point() {
    let tested = Ranking::new([(0.9, true), (0.8, false), (0.1, true), (0.1, false)]).unwrap();
    let area = |ranking: &Ranking| PrCurve::from_ranking(ranking).auc_pr().unwrap();
    assert!((area(&tested) - 0.75).abs() < 1e-12);
    let all = tested.clone().with_last_positives(2);
    assert_eq!((all.n_positives(), all.n_negatives(), all.prevalence()), (4, 2, Some(4.0 / 6.0)));
    assert_eq!(all.groups()[..2], tested.groups()[..2]);
    let expected = (1.0 + 2.25 - 0.375 * 3.0_f64.ln()) / 4.0;
    assert!((area(&all) - expected).abs() < 1e-12, "{} is not {expected}", area(&all));
    let last = PrCurve::from_ranking(&all).points().pop().unwrap();
    assert_eq!((last.recall, last.precision), (1.0, 4.0 / 6.0));
    assert_eq!(tested.clone().with_last_positives(0), tested);
}

fn counts(points: &OperatingPoints) -> Vec<(f64, f64, Option<usize>)> {
    points.points().iter().map(|point| (point.true_positives, point.false_positives, point.origin)).collect()
}

#[test]
fn of_equal_recall_the_fewest_false_positives_count() {
    let given = [(4.0, 3.0), (0.0, 2.0), (2.0, 9.0), (4.0, 1.0), (0.0, 0.0), (3.0, 9.5), (4.0, 1.0)];
    let points = OperatingPoints::from_classifiers(&given, 5.0, 10.0).unwrap();
    // (2, 9) and (3, 9.5) are dominated by (4, 1) and stay.
    assert_eq!(
        counts(&points),
        [(2.0, 9.0, Some(2)), (3.0, 9.5, Some(5)), (4.0, 1.0, Some(3)), (5.0, 10.0, None)]
    );
}

#[test]
fn every_threshold_of_a_ranking_is_a_point() {
    let ranking = Ranking::new([(3.0, false), (2.0, true), (1.0, false), (0.0, true)]).unwrap();
    let points = OperatingPoints::from_ranking(&ranking);
    let every = [(0.0, 1.0, Some(0)), (1.0, 1.0, Some(1)), (1.0, 2.0, Some(2)), (2.0, 2.0, Some(3))];
    assert_eq!(counts(&points), every);
}

#[test]
fn a_missing_class_leaves_no_points() {
    assert!(OperatingPoints::from_classifiers(&[(1.0, 0.0)], 1.0, 0.0).unwrap().is_empty());
    assert!(OperatingPoints::from_classifiers(&[(0.0, 1.0)], 0.0, 1.0).unwrap().is_empty());
    let negatives = Ranking::new([(1.0, false), (2.0, false)]).unwrap();
    assert!(OperatingPoints::from_ranking(&negatives).is_empty());
    let nothing = OperatingPoints::from_classifiers(&[], 2.0, 3.0).unwrap();
    assert_eq!(counts(&nothing), [(2.0, 3.0, None)]);
}

#[test]
fn points_outside_the_totals_are_refused() {
    for point in [(2.1, 0.0), (1.0, 3.1), (-1.0, 0.0), (f64::NAN, 0.0), (1.0, f64::INFINITY)] {
        let error = OperatingPoints::from_classifiers(&[(1.0, 1.0), point], 2.0, 3.0).unwrap_err();
        assert!(error.to_string().starts_with("point 1 (from 0) has "), "{error}");
    }
    assert!(OperatingPoints::from_classifiers(&[], f64::NAN, 3.0).is_err());
    // A sum of weights that passes its total by rounding is that total.
    let rounded = OperatingPoints::from_classifiers(&[(1.0 + 1e-15, 0.5)], 1.0, 3.0).unwrap();
    assert_eq!(counts(&rounded), [(1.0, 0.5, Some(0)), (1.0, 3.0, None)]);
}
