//! The achievable curve: it passes only the thresholds on the ROC convex hull of a ranking. `[GLEANER §9.3]`
//!
//! A choice of thresholds by their points on test would fit the test set. So [`hull_thresholds`] chooses them on tune,
//! and the test curve passes only these ([`Ranking::at_thresholds`]).

use super::operating_points::{OperatingPoint, OperatingPoints};
use super::pr_curve::PrCurve;
use super::ranking::Ranking;

/// The scores whose thresholds are corners of a ranking's ROC convex hull, in descending order. The last is the lowest
/// score. Points within a side of the hull are no corners. Empty when a class is missing.
///
/// Cost: `O(n_groups)`.
#[must_use]
pub fn hull_thresholds(ranking: &Ranking) -> Vec<f64> {
    let mut hull = vec![OperatingPoint::NOTHING];
    for &point in OperatingPoints::from_ranking(ranking).points() {
        while let [.., before, last] = hull[..]
            && !is_above(last, before, point)
        {
            hull.pop();
        }
        hull.push(point);
    }
    hull.iter().filter_map(|corner| Some(ranking.groups()[corner.origin?].score)).collect()
}

/// Whether a point lies above the straight line, in ROC space, from one before it to one after it.
fn is_above(point: OperatingPoint, start: OperatingPoint, end: OperatingPoint) -> bool {
    let rise = |to: OperatingPoint| to.true_positives - start.true_positives;
    let run = |to: OperatingPoint| to.false_positives - start.false_positives;
    rise(point) * run(end) > rise(end) * run(point)
}

/// The area under the precision-recall curve of a ranking at these thresholds alone; `None` without thresholds, or
/// when a class is missing.
///
/// Cost: `O(n_groups)`.
#[must_use]
pub fn achievable_auc_pr(ranking: &Ranking, thresholds: &[f64]) -> Option<f64> {
    if thresholds.is_empty() {
        return None;
    }
    PrCurve::from_ranking(&ranking.at_thresholds(thresholds)).auc_pr()
}

#[cfg(test)]
mod tests;
