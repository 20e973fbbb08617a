//! The precision-recall curve through operating points, interpolated as counts interpolate.
//!
//! Between two points the counts are linear, but precision is not linear in recall. A straight line would promise a
//! precision that no mixture of the two classifiers reaches. On skewed data it would promise most of the area
//! `[GLEANER §2.2.3]`.
//!
//! The *achievable* curve passes only the thresholds on the ROC convex hull of a ranking `[GLEANER §9.3]`. A choice of
//! thresholds by their points on test would fit the test set. So [`hull_thresholds`] chooses them on tune, and the
//! test curve passes only these ([`Ranking::at_thresholds`]).
//!
//! # The stretch between two points, in closed form
//!
//! With `A`, `B` the ends, `s = (FP_B - FP_A) / (TP_B - TP_A)` the local skew and `x` the true
//! positives, precision is `x / (x + FP_A + s (x - TP_A))`. Its antiderivative is usually written
//! with `a = 1 + s` and `c = FP_A - s TP_A` as `x/a - c/a² ln(a x + c)`, which subtracts two near
//! numbers when `a` or `c` is small. Here the same integral runs over `u = (x - TP_A) / d` with
//! `d = TP_B - TP_A`, `q = TP + FP` and `z = (q_B - q_A) / q_A = a d / q_A`:
//!
//! ```text
//! d ∫ (TP_A + d u) / (q_A (1 + z u)) du  =  d/q_A (TP_A f(z) + d g(z))     u from 0 to 1
//! f(z) = ln(1+z)/z      g(z) = (1 - f(z))/z      (1 and 1/2 at z = 0)
//! ```
//!
//! Both terms are at least 0, so they do not cancel. A small `c` is no special case any more. `a` near 0 means `z`
//! near 0, where a series replaces the differences. A negative `s` only makes `z` negative. Where `z` overflows,
//! `q_A` is negligible and the area is `d/a`.
//!
//! The precision-recall curve through classifiers that each narrow the one before, as a clause does that grows by
//! literals.

use serde::{Deserialize, Serialize};

use gleaner_base::statistics::{compensated_sum, mean};

use super::ranking::{OperatingPoint, OperatingPoints, Ranking};

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
    pub const fn new(points: OperatingPoints) -> Self {
        Self { points }
    }

    /// The curve through every threshold of a ranking.
    pub fn from_ranking(ranking: &Ranking) -> Self {
        Self::new(OperatingPoints::from_ranking(ranking))
    }

    /// The curve of these points, which are in the order of a curve's [`points`](Self::points): the last is `(P, N)`.
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
    pub fn points(&self) -> Vec<PrPoint> {
        self.points.points().iter().map(|&point| self.place(point)).collect()
    }

    /// The points, and between them those at the recalls `1 / n_steps`, `2 / n_steps` and so on, each with whether it lies
    /// between points. Straight lines through all of them are nearly the curve; those through its points alone are too
    /// high. `origin` is `None` between points. Cost: `O(n + n_steps)`. Source: `[GLEANER §2.2.3, §2.4]`.
    pub fn points_with_between(&self, n_steps: u32) -> Vec<(PrPoint, bool)> {
        let n_positives = self.points.n_positives();
        let mut step = 1;
        let mut all = Vec::new();
        for (start, end) in self.points.segments() {
            while step <= n_steps {
                let recall = f64::from(step) / f64::from(n_steps);
                if recall >= self.recall(end) {
                    break;
                }
                if recall > self.recall(start) {
                    all.push((self.place(segment_at(start, end, recall * n_positives)), true));
                }
                step += 1;
            }
            all.push((self.place(end), false));
        }
        all
    }

    /// The area under the curve, exact (relative error below 1e-12), in `[0, 1]` and at least the
    /// [minimum](super::minimum_pr_area()) for the prevalence. Cost: `O(n)`.
    pub fn auc_pr(&self) -> Option<f64> {
        self.auc_pr_from(0.0)
    }

    /// The area over recall `recall` to 1, in `[0, 1 - recall]`; `None` outside `[0, 1]`.
    /// Cost: `O(n)`.
    fn auc_pr_from(&self, recall: f64) -> Option<f64> {
        if self.points.is_empty() || !(0.0..=1.0).contains(&recall) {
            return None;
        }
        let from = recall * self.points.n_positives();
        let areas =
            self.points.segments().filter(|(_, end)| end.true_positives > from).map(|(start, end)| {
                let start = if start.true_positives < from { segment_at(start, end, from) } else { start };
                segment_area(start, end)
            });
        Some((compensated_sum(areas) / self.points.n_positives()).min(1.0 - recall))
    }

    /// The precision at a recall, in `[0, 1]`; the highest one where the curve falls vertically.
    /// `None` outside `[0, 1]`. Cost: `O(log n)`.
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
        Some(precision(segment_at(points[end_idx - 1], end, true_positives)))
    }

    /// The highest F1 and its point; of several points, that of lowest recall.
    ///
    /// Within a segment, `F1 = 2x / (P + TP + FP)` has a denominator linear in `x`, hence no inner maximum. So the best
    /// is one of the points. Cost: `O(n)`. Source: `[GLEANER §9.5]`.
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

/// The area under the precision-recall curve of a classifier with these counts, in `[0, 1]`. The curve keeps the
/// classifier's precision down to recall 0, and goes on to `(P, N)`, as in [`PrCurve`].
///
/// A classifier without true positives is not left out, but counts as a ranking's first step, so its curve starts from
/// precision 0. `None` where a class is missing, or the classifier calls nothing positive.
///
/// Cost: `O(1)`; nothing is allocated. Source: `[GLEANER §2.2.3]`.
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
    let area = segment_area(OperatingPoint::NOTHING, point) + segment_area(point, end);
    Some((area / n_positives).min(1.0))
}

/// The scores whose thresholds are corners of a ranking's ROC convex hull, in descending order. The last is the lowest
/// score. Points within a side of the hull are no corners. Empty when a class is missing.
///
/// Cost: `O(n_groups)`.
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
pub fn achievable_auc_pr(ranking: &Ranking, thresholds: &[f64]) -> Option<f64> {
    if thresholds.is_empty() {
        return None;
    }
    PrCurve::from_ranking(&ranking.at_thresholds(thresholds)).auc_pr()
}

/// Below this `|z|` the series is used; above it `1 - f(z)` loses at most a factor of 20, as
/// `1 - ln(1.1)/0.1 = 0.047`.
const SERIES_BELOW: f64 = 0.1;

/// Terms of the series: the first one left out is below `0.1^16 / 16`.
const N_TERMS: i32 = 16;

/// `∫ precision dTP` from `start` to `end`: the area in units of positives, between 0 and
/// `TP_end - TP_start`, to a few units in the 15th digit. Cost: `O(1)`. Source: `[GLEANER §2.2.3]`.
fn segment_area(start: OperatingPoint, end: OperatingPoint) -> f64 {
    let width = end.true_positives - start.true_positives;
    if width <= 0.0 {
        return 0.0;
    }
    // This is c times the width; at exactly 0 the precision is constant, also from TP = FP = 0.
    let bend = start.false_positives * end.true_positives - end.false_positives * start.true_positives;
    if bend == 0.0 {
        return width * end.true_positives / end.n_covered();
    }
    let covered = start.n_covered();
    let growth = width + (end.false_positives - start.false_positives);
    let z = growth / covered;
    if z.is_infinite() {
        // The start covers weights near 0, which are negligible against those that the segment adds.
        return width * (width / growth);
    }
    let (f, g) = if z.abs() < SERIES_BELOW {
        let g = (0..N_TERMS).rev().fold(0.0, |sum, k| 1.0 / f64::from(k + 2) - z * sum);
        (1.0 - z * g, g)
    } else {
        let f = (end.n_covered() / covered).ln() / z;
        (f, (1.0 - f) / z)
    };
    width / covered * (start.true_positives * f + width * g)
}

/// The point of the segment at `true_positives`, a number between its ends, which differ in TP.
fn segment_at(start: OperatingPoint, end: OperatingPoint, true_positives: f64) -> OperatingPoint {
    let width = end.true_positives - start.true_positives;
    let share = (true_positives - start.true_positives) / width;
    let false_positives =
        start.false_positives + (end.false_positives - start.false_positives) * share.clamp(0.0, 1.0);
    OperatingPoint { true_positives, false_positives, origin: None }
}

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
mod tests;
