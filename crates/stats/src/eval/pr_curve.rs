//! The precision-recall curve through operating points, interpolated as counts interpolate.
//!
//! Between two points the counts are linear, but precision is not linear in recall. A straight line would promise a
//! precision that no mixture of the two classifiers reaches. On skewed data it would promise most of the area
//! `[GLEANER §2.2.3]`.

use serde::{Deserialize, Serialize};

use super::{
    operating_points::{OperatingPoint, OperatingPoints},
    pr_segment,
    ranking::Ranking,
};
use gleaner_base::statistics::{compensated_sum, mean};

/// An operating point in precision-recall space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrPoint {
    /// `TP / P`, in `[0, 1]`.
    pub recall: f64,
    /// `TP / (TP + FP)`, in `[0, 1]`.
    pub precision: f64,
    /// `TP`, in examples or their weights.
    pub true_positives: f64,
    /// `FP`, in examples or their weights.
    pub false_positives: f64,
    /// The classifier, group or threshold of the point: see [`OperatingPoint::origin`].
    pub origin: Option<usize>,
}

impl PrPoint {
    /// `2 p r / (p + r)`, which equals `2 TP / (TP + FP + P)`; `None` at `TP = 0`, where the first form is 0/0.
    #[must_use]
    pub fn f1(&self) -> Option<f64> {
        let sum = self.precision + self.recall;
        (sum > 0.0).then(|| 2.0 * self.precision * self.recall / sum)
    }
}

/// A precision-recall curve over recall 0 to 1.
///
/// Between points `A`, `B` with `TP_A < TP_B`, precision at `x` true positives is
/// `x / (x + FP_A + s (x - TP_A))` with `s = (FP_B - FP_A) / (TP_B - TP_A)`; at equal TP it falls
/// vertically. To the left of the first point, the curve keeps this point's precision, as the same formula gives it
/// from `TP = FP = 0`. To the right it ends at `(P, N)`. So a ranking that starts with negatives alone starts from
/// precision 0. Without these points, the curve would start at the precision of the first positives, and the order of
/// ties among these positives would change the area.
///
/// Every number is `None`, and every list empty, when a class is missing. Costs are in the number
/// of points. Source: `[GLEANER §2.2.3, §2.2.4]`, `[PRCURVE §4]`.
///
/// # Example
///
/// ```
/// use gleaner_stats::eval::{OperatingPoints, PrCurve};
///
/// // Figure 2.3 of the thesis: (5, 5) and (10, 30) of 20 positives and 2000 negatives.
/// let points = OperatingPoints::from_classifiers(&[(5.0, 5.0), (10.0, 30.0)], 20.0, 2000.0)?;
/// let curve = PrCurve::new(points);
/// assert_eq!(curve.precision_at(0.3), Some(0.375));
/// # Ok::<(), gleaner_stats::eval::EvalError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PrCurve {
    points: OperatingPoints,
}

impl PrCurve {
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

    /// The curve of these points, which are in the order of a curve's [`points`](Self::points): the last is `(P, N)`.
    #[must_use]
    pub fn of_points(points: &[PrPoint]) -> Self {
        let of_point = |point: &PrPoint| OperatingPoint {
            true_positives: point.true_positives,
            false_positives: point.false_positives,
            origin: point.origin,
        };
        let (n_positives, n_negatives) =
            points.last().map_or((0.0, 0.0), |last| (last.true_positives, last.false_positives));
        Self::new(OperatingPoints::ending_at(points.iter().map(of_point).collect(), n_positives, n_negatives))
    }

    /// The operating points, lowest recall first, with the end `(P, N)`.
    #[must_use]
    pub fn points(&self) -> Vec<PrPoint> {
        self.points.points().iter().map(|&point| self.place(point)).collect()
    }

    /// The area under the curve, exact (relative error below 1e-12), in `[0, 1]` and at least the
    /// [minimum](super::minimum_pr_area()) for the prevalence. Cost: `O(n)`.
    #[must_use]
    pub fn auc_pr(&self) -> Option<f64> {
        self.auc_pr_from(0.0)
    }

    /// The area over recall `recall` to 1, in `[0, 1 - recall]`; `None` outside `[0, 1]`.
    /// Cost: `O(n)`.
    #[must_use]
    pub fn auc_pr_from(&self, recall: f64) -> Option<f64> {
        if self.points.is_empty() || !(0.0..=1.0).contains(&recall) {
            return None;
        }
        let from = recall * self.points.n_positives();
        let areas =
            self.points.segments().filter(|(_, end)| end.true_positives > from).map(|(start, end)| {
                let start =
                    if start.true_positives < from { pr_segment::at(start, end, from) } else { start };
                pr_segment::area(start, end)
            });
        Some((compensated_sum(areas) / self.points.n_positives()).min(1.0 - recall))
    }

    /// The precision at a recall, in `[0, 1]`; the highest one where the curve falls vertically.
    /// `None` outside `[0, 1]`. Cost: `O(log n)`.
    #[must_use]
    pub fn precision_at(&self, recall: f64) -> Option<f64> {
        if self.points.is_empty() || !(0.0..=1.0).contains(&recall) {
            return None;
        }
        let points = self.points.points();
        // Recalls are compared, not counts: recall * P may miss the count by rounding and fall on
        // the wrong side of a vertical drop.
        let end_idx = points.partition_point(|point| self.recall(*point) < recall);
        let end = points[end_idx];
        if end_idx == 0 || self.recall(end) <= recall {
            return Some(precision(end));
        }
        let true_positives = recall * self.points.n_positives();
        Some(precision(pr_segment::at(points[end_idx - 1], end, true_positives)))
    }

    /// The highest F1 and its point; of several points, that of lowest recall.
    ///
    /// Within a segment, `F1 = 2x / (P + TP + FP)` has a denominator linear in `x`, hence no inner maximum. So the best
    /// is one of the points. Cost: `O(n)`. Source: `[GLEANER §9.5]`.
    #[must_use]
    pub fn best_f1(&self) -> Option<(f64, PrPoint)> {
        let candidates = self.points.points().iter().map(|&point| self.place(point));
        let rated = candidates.filter_map(|point| Some((point.f1()?, point)));
        rated.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// The break-even point: the value at which precision equals recall, in `[0, 1]`, the highest
    /// if separate classifiers make several.
    ///
    /// They are equal where `TP + FP = P`, and the counts are linear in each stretch. Cost: `O(n)`.
    /// Source: `[GLEANER §9.5]`.
    #[must_use]
    pub fn break_even(&self) -> Option<f64> {
        let target = self.points.n_positives();
        let crossings = self.points.segments().filter_map(|(start, end)| {
            let (low, high) = (start.n_covered() - target, end.n_covered() - target);
            if low * high > 0.0 {
                return None;
            }
            // A stretch along the target (slope -1) reaches its best value at its end.
            let share = if high == 0.0 { 1.0 } else { low / (low - high) };
            Some(start.true_positives + (end.true_positives - start.true_positives) * share)
        });
        crossings.reduce(f64::max).map(|true_positives| true_positives / target)
    }

    /// The 11-point average precision: the mean, over recall 0, 0.1, .. 1, of the highest precision
    /// of a point with at least that recall, in `[0, 1]`.
    ///
    /// It interpolates as information retrieval does, by a step from point to point, and not as this curve does. Cost:
    /// `O(n)`. Source: `[GLEANER §9.5]` after Manning and Schütze 1999, §15.1.2.
    #[must_use]
    pub fn eleven_point_average(&self) -> Option<f64> {
        let mut falling = self.points.points().iter().rev().peekable();
        falling.peek()?;
        let mut highest = 0.0_f64;
        let levels: Vec<f64> = (0..=10)
            .rev()
            .map(|tenths| {
                let level = f64::from(tenths) / 10.0;
                while let Some(&point) = falling.next_if(|point| self.recall(**point) >= level) {
                    highest = highest.max(precision(point));
                }
                highest
            })
            .collect();
        mean(&levels)
    }

    fn recall(&self, point: OperatingPoint) -> f64 {
        point.true_positives / self.points.n_positives()
    }

    fn place(&self, point: OperatingPoint) -> PrPoint {
        PrPoint {
            recall: self.recall(point),
            precision: precision(point),
            true_positives: point.true_positives,
            false_positives: point.false_positives,
            origin: point.origin,
        }
    }
}

/// The precision, which is always defined: each operating point, and each place between two, calls some example
/// positive.
fn precision(point: OperatingPoint) -> f64 {
    point.true_positives / point.n_covered()
}

#[cfg(test)]
mod tests;
