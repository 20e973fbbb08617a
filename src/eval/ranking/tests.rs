use super::{RankedGroup, Ranking};

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
