use super::OperatingPoints;
use crate::eval::Ranking;

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
