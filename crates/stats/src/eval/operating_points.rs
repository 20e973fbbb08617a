//! The counts through which a curve passes, from a ranking or from separate classifiers.

use gleaner_base::{ClassWeights, Counts, Totals};

use super::{
    error::{EvalError, Kind},
    ranking::Ranking,
};

/// The excess over a total that rounding may cause: sums of weights are seldom exact.
const ROUNDING: f64 = 1e-9;

/// The examples that one threshold or classifier calls positive, as numbers or weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatingPoint {
    /// `TP`, from 0 to the positives there are.
    pub true_positives: f64,
    /// `FP`, from 0 to the negatives there are.
    pub false_positives: f64,
    /// The position of the group, classifier or threshold of the point, in the given order. `None` for the added end,
    /// which calls every example positive.
    pub origin: Option<usize>,
}

impl OperatingPoint {
    /// The classifier that calls nothing positive: every curve starts here.
    pub(super) const NOTHING: Self = Self { true_positives: 0.0, false_positives: 0.0, origin: None };

    /// `TP + FP`, the examples called positive.
    pub(super) fn n_covered(self) -> f64 {
        self.true_positives + self.false_positives
    }
}

/// Operating points of one test set, in the order in which a curve visits them.
///
/// **Shape**: empty when a class is missing (`P = 0` or `N = 0`: no curve is defined), else at least one point.
/// **Invariant**, held by every constructor: points are sorted by TP, then by FP. Each point calls some example
/// positive; the last is `(P, N)`, which calls all positive.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoints {
    points: Vec<OperatingPoint>,
    n_positives: f64,
    n_negatives: f64,
}

impl OperatingPoints {
    /// One point for each distinct score: the examples of that score or a higher one.
    ///
    /// All points stay, also those before the first positive and those of equal TP. As a threshold passes through them,
    /// the curve falls there vertically. `origin` is the group's position.
    ///
    /// Cost: `O(n_groups)`. Source: `[GLEANER §2.2.2]`.
    #[must_use]
    pub fn from_ranking(ranking: &Ranking) -> Self {
        let mut reached = OperatingPoint::NOTHING;
        let mut points = Vec::with_capacity(ranking.groups().len());
        for (group_idx, group) in ranking.groups().iter().enumerate() {
            reached.true_positives += group.positives;
            reached.false_positives += group.negatives;
            points.push(OperatingPoint { origin: Some(group_idx), ..reached });
        }
        // The totals are the last sums themselves, so that the last point is exactly (P, N).
        Self::ending_at(points, reached.true_positives, reached.false_positives)
    }

    /// The points of separate classifiers, each given as `(TP, FP)`, among `n_positives` and
    /// `n_negatives` (numbers of examples, or sums of weights).
    ///
    /// Of points with equal TP only the one with the smallest FP stays. By the same rule, points with TP = 0 are left
    /// out: the classifier that calls nothing positive has the same recall with FP = 0. Such a point would not affect
    /// later ones, since these classifiers are not steps of one threshold. Dominated points stay, because a choice of
    /// points by their test result would fit the test set. `origin` is the position in `points`, the first one of equal
    /// points.
    ///
    /// Cost: `O(n log n)` for `n` points. Source: `[GLEANER §2.2.3, §9.3]`, `[PRCURVE §4]`.
    ///
    /// # Errors
    ///
    /// When a number is not finite or negative, or when a point exceeds the totals by more than the rounding of sums of
    /// weights, one part in 10^9.
    pub fn from_classifiers(
        points: &[(f64, f64)],
        n_positives: f64,
        n_negatives: f64,
    ) -> Result<Self, EvalError> {
        let all = ClassWeights { positives: n_positives, negatives: n_negatives };
        let points = points.iter().map(|&(positives, negatives)| ClassWeights { positives, negatives });
        Self::from_weights(points, all)
    }

    /// As [`from_classifiers`](Self::from_classifiers), for classifiers over counted examples.
    ///
    /// # Errors
    ///
    /// When a point exceeds the totals.
    pub fn from_counts(points: impl Iterator<Item = Counts>, totals: Totals) -> Result<Self, EvalError> {
        let weighted = points.map(|counts| counts.weighted(totals.negative_weight));
        Self::from_weights(weighted, totals.weighted())
    }

    fn from_weights(
        points: impl Iterator<Item = ClassWeights>,
        all: ClassWeights,
    ) -> Result<Self, EvalError> {
        let ClassWeights { positives: n_positives, negatives: n_negatives } = all;
        let is_total = |total: f64| total.is_finite() && total >= 0.0;
        if !is_total(n_positives) || !is_total(n_negatives) {
            return Err(Kind::Totals { n_positives, n_negatives }.into());
        }
        let mut kept = Vec::with_capacity(points.size_hint().0 + 1);
        for (position, point) in points.enumerate() {
            let ClassWeights { positives: true_positives, negatives: false_positives } = point;
            let fits = |count: f64, total: f64| (0.0..=total * (1.0 + ROUNDING)).contains(&count);
            if !(fits(true_positives, n_positives) && fits(false_positives, n_negatives)) {
                let totals = (n_positives, n_negatives);
                return Err(Kind::Point { position, true_positives, false_positives, totals }.into());
            }
            if true_positives > 0.0 {
                kept.push(OperatingPoint {
                    true_positives: true_positives.min(n_positives),
                    // Adding zero makes a negative zero positive, so that equal points are equal.
                    false_positives: false_positives.min(n_negatives) + 0.0,
                    origin: Some(position),
                });
            }
        }
        kept.sort_by(|a, b| {
            (a.true_positives.total_cmp(&b.true_positives))
                .then(a.false_positives.total_cmp(&b.false_positives))
        });
        kept.dedup_by(|later, first| later.true_positives.total_cmp(&first.true_positives).is_eq());
        Ok(Self::ending_at(kept, n_positives, n_negatives))
    }

    /// Points that are in order; the end `(P, N)` is added unless it is present.
    pub(super) fn ending_at(mut points: Vec<OperatingPoint>, n_positives: f64, n_negatives: f64) -> Self {
        if n_positives <= 0.0 || n_negatives <= 0.0 {
            points.clear();
        } else if points
            .last()
            .is_none_or(|last| last.true_positives < n_positives || last.false_positives < n_negatives)
        {
            points.push(OperatingPoint {
                true_positives: n_positives,
                false_positives: n_negatives,
                origin: None,
            });
        }
        Self { points, n_positives, n_negatives }
    }

    /// The points, lowest recall first.
    #[must_use]
    pub fn points(&self) -> &[OperatingPoint] {
        &self.points
    }

    /// Whether no curve is defined, because a class is missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// `P`: positives there are, or the sum of their weights.
    #[must_use]
    pub const fn n_positives(&self) -> f64 {
        self.n_positives
    }

    /// `N`: negatives there are, or the sum of their weights.
    #[must_use]
    pub const fn n_negatives(&self) -> f64 {
        self.n_negatives
    }

    /// The segments of a curve, from the point that calls nothing positive to the one that calls all positive.
    pub(super) fn segments(&self) -> impl Iterator<Item = (OperatingPoint, OperatingPoint)> {
        let starts = std::iter::once(OperatingPoint::NOTHING).chain(self.points.iter().copied());
        starts.zip(self.points.iter().copied())
    }
}

#[cfg(test)]
mod tests;
