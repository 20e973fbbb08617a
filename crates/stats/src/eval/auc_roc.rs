//! The area under the receiver operating characteristic through the same operating points.

use super::operating_points::OperatingPoints;
use gleaner_base::statistics::compensated_sum;

/// The area under the ROC curve by trapezoids, in `[0, 1]`; `None` when a class is missing.
///
/// The curve consists of straight lines from `(0, 0)` through the operating points to `(1, 1)`. It visits the points in
/// the order of the PR curve, by TP, so that both curves have the same points `[GLEANER §9.2]`. A dominated point of
/// separate classifiers makes the curve turn back in false positives.
///
/// For a ranking it is the Mann-Whitney statistic: the probability that a random positive scores above a random
/// negative, where ties count half. A random ranking has 1/2. Cost: `O(n_points)`.
/// Source: `[GLEANER §2.2.2, §2.2.4]`.
#[must_use]
pub fn auc_roc(points: &OperatingPoints) -> Option<f64> {
    let n_negatives = points.n_negatives();
    // Summed along TP: each stretch adds the negatives it has not yet reached, never a
    // difference of areas, also where the curve turns back.
    let areas = points.segments().map(|(start, end)| {
        let not_reached = (n_negatives - start.false_positives) + (n_negatives - end.false_positives);
        (end.true_positives - start.true_positives) * not_reached / 2.0
    });
    let n_pairs = points.n_positives() * n_negatives;
    (!points.is_empty()).then(|| (compensated_sum(areas) / n_pairs).min(1.0))
}

#[cfg(test)]
mod tests;
