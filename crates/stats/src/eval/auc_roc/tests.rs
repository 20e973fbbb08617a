use proptest::prelude::*;

use super::auc_roc;
use crate::eval::{OperatingPoints, Ranking};

#[test]
fn figure_9_5() {
    // P = 20, N = 2000: 10 positives first, the others by 1500 negatives, 0.8125, printed 0.813;
    // all positives by 500 negatives, 1 - 0.25/2, printed 0.875.
    for (point, expected) in [((20.0, 500.0), 0.875), ((10.0, 0.0), 0.75)] {
        let points = OperatingPoints::from_classifiers(&[point], 20.0, 2000.0).unwrap();
        assert!((auc_roc(&points).unwrap() - expected).abs() < 1e-15);
    }
    let both = OperatingPoints::from_classifiers(&[(10.0, 0.0), (20.0, 1500.0)], 20.0, 2000.0).unwrap();
    assert!((auc_roc(&both).unwrap() - 0.8125).abs() < 1e-15);
}

#[test]
fn a_dominated_classifier_costs_area() {
    // TP 0 2 4 10 of 10, FP 0 9 1 50 of 50: 1 - (2·4.5 + 2·5 + 6·25.5)/500.
    let points = OperatingPoints::from_classifiers(&[(4.0, 1.0), (2.0, 9.0)], 10.0, 50.0).unwrap();
    assert!((auc_roc(&points).unwrap() - 0.656).abs() < 1e-15);
}

#[test]
fn both_classes_are_needed() {
    let one = OperatingPoints::from_ranking(&Ranking::new([(2.0, true)]).unwrap());
    assert_eq!(auc_roc(&one), None);
}

proptest! {
    #[test]
    fn area_is_mann_whitney(examples in prop::collection::vec((0..15_i32, any::<bool>(), 0..5_i32), 2..60)) {
        let weighted = examples.iter().map(|&(score, label, weight)| (f64::from(score), label, f64::from(weight)));
        let (mut wins, mut pairs) = (0, 0);
        for &(high, _, weight) in examples.iter().filter(|example| example.1) {
            for &(low, _, other) in examples.iter().filter(|example| !example.1) {
                pairs += 2 * weight * other;
                wins += weight * other * (1 + (high - low).signum());
            }
        }
        let area = auc_roc(&OperatingPoints::from_ranking(&Ranking::weighted(weighted).unwrap()));
        match area {
            Some(area) => prop_assert!((area - f64::from(wins) / f64::from(pairs)).abs() < 1e-12),
            None => prop_assert_eq!(pairs, 0),
        }
    }
}
