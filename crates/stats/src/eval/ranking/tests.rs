use super::{RankedGroup, Ranking};
use crate::eval::PrCurve;

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
