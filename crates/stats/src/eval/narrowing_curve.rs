//! The precision-recall curve through classifiers that each narrow the one before, as a clause does that grows by
//! literals.

use super::pr_curve::segment_area;
use super::ranking::OperatingPoint;

/// The precision-recall curve through a chain of classifiers, each of which covers a subset of the one before. The
/// curve starts at recall 0 with the last classifier's precision, passes all classifiers, and ends at `(P, N)`.
/// Examples may have weights.
///
/// **Shape**: one area for each classifier. **Range**: areas are shares of the whole, in `[0, 1]`.
/// **Cost**: `O(1)` for each classifier that is added or tried. Source: `[PRANKBOOST §3, §4]`.
///
/// # Example
///
/// ```
/// use gleaner_stats::eval::NarrowingCurve;
///
/// let mut curve = NarrowingCurve::new(20.0, 2000.0);
/// curve.push(10.0, 30.0);
/// assert!(curve.auc_pr_with(5.0, 5.0) > curve.auc_pr());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NarrowingCurve {
    n_positives: f64,
    last: OperatingPoint,
    /// The area from each classifier's recall to 1, in positives.
    areas: Vec<f64>,
}

impl NarrowingCurve {
    /// The curve without classifiers, where every example counts as positive. Both totals are above 0.
    pub const fn new(n_positives: f64, n_negatives: f64) -> Self {
        let everything =
            OperatingPoint { true_positives: n_positives, false_positives: n_negatives, origin: None };
        Self { n_positives, last: everything, areas: Vec::new() }
    }

    /// Adds a classifier that covers no more than the last.
    pub fn push(&mut self, true_positives: f64, false_positives: f64) {
        let point = OperatingPoint { true_positives, false_positives, origin: None };
        self.areas.push(self.area_to_the_right() + segment_area(point, self.last));
        self.last = point;
    }

    /// The area under the curve.
    pub fn auc_pr(&self) -> f64 {
        let left = segment_area(OperatingPoint::NOTHING, self.last);
        self.share(left + self.area_to_the_right())
    }

    /// The area with one more classifier, which covers no more than the last.
    pub fn auc_pr_with(&self, true_positives: f64, false_positives: f64) -> f64 {
        let point = OperatingPoint { true_positives, false_positives, origin: None };
        let left = segment_area(OperatingPoint::NOTHING, point) + segment_area(point, self.last);
        self.share(left + self.area_to_the_right())
    }

    /// For each classifier, the area from its recall to 1, ascending; 0 where the classifier covers everything.
    pub fn areas_to_the_right(&self) -> Vec<f64> {
        self.areas.iter().map(|&area| self.share(area)).collect()
    }

    fn area_to_the_right(&self) -> f64 {
        self.areas.last().copied().unwrap_or(0.0)
    }

    fn share(&self, area: f64) -> f64 {
        (area / self.n_positives).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{prop_assert, proptest};

    use super::NarrowingCurve;
    use crate::eval::{OperatingPoints, PrCurve, auc_pr_of_point};

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
}
