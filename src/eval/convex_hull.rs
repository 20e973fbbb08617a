//! The best of a set of operating points: the ROC convex hull, and the PR curve it achieves.

use super::{
    operating_points::{OperatingPoint, OperatingPoints},
    pr_curve::PrCurve,
};

/// The operating points on the upper convex hull in ROC space, points within an edge left out.
///
/// Of a *test* set it only shows what could be achieved: to report a result, choose the points on a
/// tune set and read the test set there ([`OperatingPoints::at_thresholds`], or the classifiers at
/// the kept `origin`s) `[GLEANER §9.3]`.
///
/// **Shape**: at most the points given, both counts rising, ending at `(P, N)`; empty when a class
/// is missing. The hull of a hull is itself. **Cost**: `O(n log n)`. Source: `[GLEANER §9.3]`,
/// `[PRCURVE §3]`.
#[must_use]
pub fn convex_hull(points: &OperatingPoints) -> OperatingPoints {
    let mut by_false_positives = points.points().to_vec();
    // The sort is stable: of equal FP, TP still rises.
    by_false_positives.sort_by(|a, b| a.false_positives.total_cmp(&b.false_positives));
    // Andrew's monotone chain over (FP, TP), from calling nothing positive.
    let mut chain = vec![OperatingPoint::NOTHING];
    for point in by_false_positives {
        while let [.., before, last] = chain[..]
            && !turns_down(before, last, point)
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain.remove(0);
    OperatingPoints::ending_at(chain, points.n_positives(), points.n_negatives())
}

/// The achievable PR curve: the hull's points with the usual interpolation.
///
/// It dominates every curve through some of the points, as dominance in ROC space is dominance in
/// PR space. Cost: `O(n log n)`. Source: `[GLEANER §9.3]`, `[PRCURVE §3]`.
#[must_use]
pub fn achievable_pr_curve(points: &OperatingPoints) -> PrCurve {
    PrCurve::new(convex_hull(points))
}

/// Whether the way `a`, `b`, `c` turns to the right at `b`, with FP to the right and TP upwards.
fn turns_down(a: OperatingPoint, b: OperatingPoint, c: OperatingPoint) -> bool {
    let rise_first = (b.true_positives - a.true_positives) * (c.false_positives - b.false_positives);
    let rise_second = (c.true_positives - b.true_positives) * (b.false_positives - a.false_positives);
    rise_first > rise_second
}

#[cfg(test)]
mod tests;
