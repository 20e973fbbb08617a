//! The area under the curve of a single classifier, fast for callers with many classifiers.

use super::{operating_points::OperatingPoint, pr_segment};

/// The area under the precision-recall curve of a classifier with these counts, in `[0, 1]`. The curve keeps the
/// classifier's precision down to recall 0, and goes on to `(P, N)`, as in [`PrCurve`](super::PrCurve).
///
/// A classifier without true positives is not left out, but counts as a ranking's first step, so its curve starts from
/// precision 0. `None` where a class is missing, or the classifier calls nothing positive.
///
/// Cost: `O(1)`; nothing is allocated. Source: `[GLEANER §2.2.3]`.
#[must_use]
pub fn auc_pr_of_point(
    true_positives: f64,
    false_positives: f64,
    n_positives: f64,
    n_negatives: f64,
) -> Option<f64> {
    if n_positives <= 0.0 || n_negatives <= 0.0 || true_positives + false_positives <= 0.0 {
        return None;
    }
    let point = OperatingPoint { true_positives, false_positives, origin: None };
    let end = OperatingPoint { true_positives: n_positives, false_positives: n_negatives, origin: None };
    let area = pr_segment::area(OperatingPoint::NOTHING, point) + pr_segment::area(point, end);
    Some((area / n_positives).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::auc_pr_of_point;
    use crate::eval::{OperatingPoints, PrCurve, Ranking};
    use proptest::prelude::{prop_assert, proptest};

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
}
