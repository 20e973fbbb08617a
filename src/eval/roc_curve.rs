//! The receiver operating characteristic through the same operating points.

use serde::Serialize;

use super::{operating_points::OperatingPoints, ranking::Ranking};
use crate::base::statistics::compensated_sum;

/// A point in ROC space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RocPoint {
    /// `FP / N`, in `[0, 1]`.
    pub false_positive_rate: f64,
    /// `TP / P`, in `[0, 1]`.
    pub true_positive_rate: f64,
}

/// A ROC curve: straight lines from `(0, 0)` through the operating points to `(1, 1)`.
///
/// It visits them in the order of the PR curve, by TP, so that the two curves are one
/// `[GLEANER §9.2]`; of separate classifiers a dominated point makes it turn back in false
/// positives. Empty when a class is missing. Source: `[GLEANER §2.2.2]`.
#[derive(Clone, Debug, PartialEq)]
pub struct RocCurve {
    points: OperatingPoints,
}

impl RocCurve {
    /// The curve through `points`.
    #[must_use]
    pub const fn new(points: OperatingPoints) -> Self {
        Self { points }
    }

    /// The curve through every threshold of a ranking.
    #[must_use]
    pub fn from_ranking(ranking: &Ranking) -> Self {
        Self::new(OperatingPoints::from_ranking(ranking))
    }

    /// The points, from `(0, 0)` to `(1, 1)`; empty when a class is missing.
    #[must_use]
    pub fn points(&self) -> Vec<RocPoint> {
        let start = self.points.segments().take(1).map(|(start, _)| start);
        start
            .chain(self.points.points().iter().copied())
            .map(|point| RocPoint {
                false_positive_rate: point.false_positives / self.points.n_negatives(),
                true_positive_rate: point.true_positives / self.points.n_positives(),
            })
            .collect()
    }

    /// The area by trapezoids, in `[0, 1]`, `None` when a class is missing.
    ///
    /// Of a ranking it is the Mann-Whitney statistic: the chance that a random positive scores above
    /// a random negative, ties counting half. 1/2 is a random ranking. Cost: `O(n_points)`.
    /// Source: `[GLEANER §2.2.4]`.
    #[must_use]
    pub fn auc_roc(&self) -> Option<f64> {
        let n_negatives = self.points.n_negatives();
        // Summed along TP: each stretch adds the negatives it has not yet reached, never a
        // difference of areas, also where the curve turns back.
        let areas = self.points.segments().map(|(start, end)| {
            let not_reached = (n_negatives - start.false_positives) + (n_negatives - end.false_positives);
            (end.true_positives - start.true_positives) * not_reached / 2.0
        });
        let n_pairs = self.points.n_positives() * n_negatives;
        (!self.points.is_empty()).then(|| (compensated_sum(areas) / n_pairs).min(1.0))
    }
}

#[cfg(test)]
mod tests;
