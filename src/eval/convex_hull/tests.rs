use proptest::prelude::*;

use super::{achievable_pr_curve, convex_hull};
use crate::eval::{OperatingPoints, PrCurve, Ranking, RocCurve};

fn kept(points: &[(f64, f64)], n_positives: f64, n_negatives: f64) -> Vec<(f64, f64)> {
    let hull = convex_hull(&OperatingPoints::from_classifiers(points, n_positives, n_negatives).unwrap());
    hull.points().iter().map(|point| (point.true_positives, point.false_positives)).collect()
}

#[test]
fn worked_by_hand() {
    // From (0,0): (4,1) rises by 4 per negative, then (8,6) by 4/5, (9,10) by 1/4 and (10,20) by
    // 1/10; (2,0.5) lies on the first edge, (5,5) and (3,8) below.
    let points = [(8.0, 6.0), (2.0, 0.5), (4.0, 1.0), (5.0, 5.0), (3.0, 8.0), (9.0, 10.0)];
    assert_eq!(kept(&points, 10.0, 20.0), [(4.0, 1.0), (8.0, 6.0), (9.0, 10.0), (10.0, 20.0)]);
    // All below the diagonal: nothing beats calling everything positive.
    assert_eq!(kept(&[(1.0, 10.0), (5.0, 15.0)], 10.0, 20.0), [(10.0, 20.0)]);
    // Perfect, and the end that all curves share.
    assert_eq!(kept(&[(10.0, 0.0), (9.0, 0.0)], 10.0, 20.0), [(10.0, 0.0), (10.0, 20.0)]);
    assert!(kept(&[(1.0, 0.0)], 10.0, 0.0).is_empty());
}

#[test]
fn tells_the_thresholds_to_use_on_test() {
    let tune =
        Ranking::new([(0.9, true), (0.8, false), (0.7, false), (0.6, true), (0.5, true), (0.1, false)]);
    let tune = tune.unwrap();
    let hull = convex_hull(&OperatingPoints::from_ranking(&tune));
    let thresholds: Vec<f64> =
        hull.points().iter().filter_map(|point| Some(tune.groups()[point.origin?].score)).collect();
    assert_eq!(thresholds, [0.9, 0.5, 0.1]);
    let test = Ranking::new([(0.95, true), (0.9, false), (0.55, true), (0.2, false)]).unwrap();
    let cut = OperatingPoints::at_thresholds(&test, &thresholds).unwrap();
    let counts: Vec<(f64, f64)> =
        cut.points().iter().map(|point| (point.true_positives, point.false_positives)).collect();
    assert_eq!(counts, [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)]);
}

proptest! {
    #[test]
    fn hull_dominates_and_stays(drawn in prop::collection::vec((0..=30_u8, 0..=90_u8), 0..12)) {
        let given: Vec<(f64, f64)> = drawn.into_iter().map(|(tp, fp)| (f64::from(tp), f64::from(fp))).collect();
        let points = OperatingPoints::from_classifiers(&given, 30.0, 90.0).unwrap();
        let hull = convex_hull(&points);
        prop_assert_eq!(&convex_hull(&hull), &hull);
        let (raw, best) = (PrCurve::new(points.clone()), achievable_pr_curve(&points));
        prop_assert!(best.auc_pr().unwrap() >= raw.auc_pr().unwrap() - 1e-12);
        for step in 0..=200 {
            let recall = f64::from(step) / 200.0;
            prop_assert!(best.precision_at(recall).unwrap() >= raw.precision_at(recall).unwrap() - 1e-12);
        }
        prop_assert!(RocCurve::new(hull.clone()).auc_roc().unwrap() >= RocCurve::new(points).auc_roc().unwrap() - 1e-12);
        // No point given lies above an edge, and no kept point below another edge's line.
        let mut corners = vec![(0.0, 0.0)];
        corners.extend(hull.points().iter().map(|point| (point.true_positives, point.false_positives)));
        for edge in corners.windows(2) {
            for &(tp, fp) in given.iter().chain(&corners) {
                let above = (tp - edge[0].0) * (edge[1].1 - edge[0].1) - (edge[1].0 - edge[0].0) * (fp - edge[0].1);
                prop_assert!(above <= 0.0);
            }
        }
    }
}
