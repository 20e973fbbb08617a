//! Examples ordered by a score, equal scores as one group, and the counts through which a curve passes, from a
//! ranking or from separate classifiers.
//!
//! Errors of scores and weights.

use gleaner_base::{ClassWeights, Counts, Totals};

/// The examples that share one score; they enter a curve together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedGroup {
    /// The score, finite; never a negative zero.
    pub score: f64,
    /// Sum of the weights of its positives, at least 0.
    pub positives: f64,
    /// Sum of the weights of its negatives, at least 0.
    pub negatives: f64,
}

/// Labelled examples grouped by score, highest first.
///
/// Weights are 1 for each example unless given, so that `positives` and `negatives` are counts.
///
/// **Shape**: at most one group for each example; empty without examples of positive weight.
/// **Invariant**: scores fall strictly and each group has positive weight; the constructors sort
/// and check. The order of the input has no effect, not even on rounding.
/// **Cost** of construction: `O(n log n)` time and 16 bytes for each of the `n` examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    groups: Vec<RankedGroup>,
    n_positives: u64,
    n_negatives: u64,
}

impl Ranking {
    /// Ranks `(score, is_positive)` pairs, each of weight 1.
    ///
    /// # Errors
    ///
    /// When a score is NaN or infinite.
    pub fn new(examples: impl IntoIterator<Item = (f64, bool)>) -> Result<Self, EvalError> {
        Self::weighted(examples.into_iter().map(|(score, is_positive)| (score, is_positive, 1.0)))
    }

    /// Ranks `(score, is_positive, weight)` triples; the ranking leaves out examples of weight 0.
    ///
    /// # Errors
    ///
    /// When a score is NaN or infinite, or a weight is either or negative.
    pub fn weighted(examples: impl IntoIterator<Item = (f64, bool, f64)>) -> Result<Self, EvalError> {
        // The sign of the weight is the label. A pair takes half the memory of a padded triple, which matters at ten
        // million examples.
        let mut entries: Vec<(f64, f64)> = Vec::new();
        let (mut n_positives, mut n_negatives) = (0, 0);
        for (position, (score, is_positive, weight)) in examples.into_iter().enumerate() {
            if !score.is_finite() {
                return Err(Kind::Score { position, score }.into());
            }
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(Kind::Weight { position, weight }.into());
            }
            if weight > 0.0 {
                *(if is_positive { &mut n_positives } else { &mut n_negatives }) += 1;
                // Adding zero makes a negative zero positive, so that the two tie.
                entries.push((score + 0.0, if is_positive { weight } else { -weight }));
            }
        }
        // Weights are part of the order, so that sums do not depend on the order of the input.
        entries.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
        let groups = entries
            .chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq())
            .map(|ties| {
                let mut group = RankedGroup { score: ties[0].0, positives: 0.0, negatives: 0.0 };
                for &(_, signed_weight) in ties {
                    if signed_weight > 0.0 {
                        group.positives += signed_weight;
                    } else {
                        group.negatives -= signed_weight;
                    }
                }
                group
            })
            .collect();
        Ok(Self { groups, n_positives, n_negatives })
    }

    /// The ranking with only these thresholds, which descend. Groups between two thresholds become one, and so do the
    /// groups below the last. Cost: `O(n_groups)`.
    pub fn at_thresholds(&self, thresholds: &[f64]) -> Self {
        let mut groups: Vec<RankedGroup> = Vec::new();
        let mut is_open = false;
        let mut left = thresholds;
        for &group in &self.groups {
            while let [threshold, lower @ ..] = left
                && group.score < *threshold
            {
                (left, is_open) = (lower, false);
            }
            match groups.last_mut().filter(|_| is_open) {
                Some(last) => {
                    last.score = group.score;
                    last.positives += group.positives;
                    last.negatives += group.negatives;
                }
                None => groups.push(group),
            }
            is_open = true;
        }
        Self { groups, ..*self }
    }

    /// The ranking with `n_positives` more positives of weight 1, which tie with the examples of the lowest score. A
    /// filter left them out, so only the threshold that calls all examples positive finds them.
    pub fn with_last_positives(mut self, n_positives: usize) -> Self {
        if let Some(last) = self.groups.last_mut() {
            #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
            let weight = n_positives as f64;
            last.positives += weight;
            self.n_positives += n_positives as u64;
        }
        self
    }

    /// The groups, highest score first.
    pub fn groups(&self) -> &[RankedGroup] {
        &self.groups
    }

    /// How many positives of positive weight were ranked.
    pub const fn n_positives(&self) -> u64 {
        self.n_positives
    }

    /// How many negatives of positive weight were ranked.
    pub const fn n_negatives(&self) -> u64 {
        self.n_negatives
    }

    /// The sums of the weights of positives and of negatives. Cost: `O(n_groups)`.
    pub fn class_weights(&self) -> (f64, f64) {
        let add =
            |sums: (f64, f64), group: &RankedGroup| (sums.0 + group.positives, sums.1 + group.negatives);
        self.groups.iter().fold((0.0, 0.0), add)
    }

    /// The mean weights of a positive and of a negative; 1 for a class without examples.
    pub fn example_weights(&self) -> [f64; 2] {
        let (positives, negatives) = self.class_weights();
        #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
        let mean = |weight: f64, n: u64| if n == 0 { 1.0 } else { weight / n as f64 };
        [mean(positives, self.n_positives), mean(negatives, self.n_negatives)]
    }

    /// `π = P / (P + N)` by weight, in `[0, 1]`: the expected precision, and PR area, of a random
    /// ranking; `None` without examples. Source: `[GLEANER §2.2.4]`. Cost: `O(n_groups)`.
    pub fn prevalence(&self) -> Option<f64> {
        let (positives, negatives) = self.class_weights();
        (!self.groups.is_empty()).then(|| positives / (positives + negatives))
    }
}

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
    pub fn points(&self) -> &[OperatingPoint] {
        &self.points
    }

    /// Whether no curve is defined, because a class is missing.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// `P`: positives there are, or the sum of their weights.
    pub const fn n_positives(&self) -> f64 {
        self.n_positives
    }

    /// `N`: negatives there are, or the sum of their weights.
    pub const fn n_negatives(&self) -> f64 {
        self.n_negatives
    }

    /// The segments of a curve, from the point that calls nothing positive to the one that calls all positive.
    pub(super) fn segments(&self) -> impl Iterator<Item = (OperatingPoint, OperatingPoint)> {
        let starts = std::iter::once(OperatingPoint::NOTHING).chain(self.points.iter().copied());
        starts.zip(self.points.iter().copied())
    }
}

/// A score, weight, point or fraction that cannot be evaluated; the message holds its value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct EvalError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Kind {
    #[error("score {score} of example {position} (from 0) is not a finite number")]
    Score { position: usize, score: f64 },
    #[error("weight {weight} of example {position} (from 0) is not a finite number of at least 0")]
    Weight { position: usize, weight: f64 },
    #[error(
        "point {position} (from 0) has {true_positives} true and {false_positives} false positives; \
         accepted are 0 to {} and 0 to {}", .totals.0, .totals.1
    )]
    Point { position: usize, true_positives: f64, false_positives: f64, totals: (f64, f64) },
    #[error("{n_positives} positives and {n_negatives} negatives are not finite numbers of at least 0")]
    Totals { n_positives: f64, n_negatives: f64 },
    #[error("{n_labels} labels but {n_groups} groups; each example needs one group")]
    Lengths { n_labels: usize, n_groups: usize },
    #[error("fraction {fraction} is not between 0 and 1")]
    Fraction { fraction: f64 },
}

impl From<Kind> for EvalError {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PrCurve;
    use super::{OperatingPoints, RankedGroup, Ranking};

    #[test]
    fn ties_enter_together_and_zeros_tie() {
        let ranking = Ranking::new([(0.0, true), (2.0, false), (-0.0, false), (2.0, false)]).unwrap();
        assert_eq!(
            ranking.groups(),
            [
                RankedGroup { score: 2.0, positives: 0.0, negatives: 2.0 },
                RankedGroup { score: 0.0, positives: 1.0, negatives: 1.0 },
            ]
        );
        assert_eq!((ranking.n_positives(), ranking.n_negatives(), ranking.prevalence()), (1, 3, Some(0.25)));
    }

    #[test]
    fn order_of_the_input_leaves_no_trace() {
        // (0.1 + 0.2) + 0.3 and (0.3 + 0.2) + 0.1 differ in the last digit.
        let examples =
            [(1.0, true, 0.1), (1.0, false, 0.3), (1.0, true, 0.2), (1.0, true, 0.3), (2.0, true, 0.0)];
        let mut reversed = examples;
        reversed.reverse();
        assert_eq!(Ranking::weighted(examples), Ranking::weighted(reversed));
        assert_eq!(Ranking::weighted(examples).unwrap().groups().len(), 1);
    }

    #[test]
    fn numbers_without_an_order_are_refused() {
        for score in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = Ranking::new([(0.5, true), (score, false)]).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("score {score} of example 1 (from 0) is not a finite number")
            );
        }
        for weight in [f64::NAN, f64::INFINITY, -1.0] {
            let error = Ranking::weighted([(0.5, true, weight)]).unwrap_err();
            assert!(error.to_string().starts_with("weight "));
        }
    }

    #[test]
    fn nothing_is_an_empty_ranking() {
        let ranking = Ranking::new([]).unwrap();
        assert_eq!((ranking.groups(), ranking.prevalence()), (&[][..], None));
    }

    /// The test has two positives and two negatives: + at .9, - at .8, + and - at .1. A filter left out a third and a
    /// fourth positive, so P is 4 instead of 2, and the last point is (4, 2). The area, with t = TP:
    ///
    /// - from 0 to 1 at precision 1: 1;
    /// - from (1, 1) to (4, 2), where FP = 1 + (t - 1)/3, so that t/(t + FP) = 3t/(4t + 2): the integral from 1 to 4 is
    ///   (3/4)·3 - (3/8)·ln(18/6).
    ///
    /// All by 4 of recall. Before, by 2: 1, and from (1, 1) to (2, 2), where t/(2t) = 1/2.
    #[test]
    fn positives_that_a_filter_left_out_add_to_p_and_to_the_last_point() {
        let tested = Ranking::new([(0.9, true), (0.8, false), (0.1, true), (0.1, false)]).unwrap();
        let area = |ranking: &Ranking| PrCurve::from_ranking(ranking).auc_pr().unwrap();
        assert!((area(&tested) - 0.75).abs() < 1e-12);
        let all = tested.clone().with_last_positives(2);
        assert_eq!((all.n_positives(), all.n_negatives(), all.prevalence()), (4, 2, Some(4.0 / 6.0)));
        assert_eq!(all.groups()[..2], tested.groups()[..2]);
        let expected = (1.0 + 2.25 - 0.375 * 3.0_f64.ln()) / 4.0;
        assert!((area(&all) - expected).abs() < 1e-12, "{} is not {expected}", area(&all));
        let last = PrCurve::from_ranking(&all).points().pop().unwrap();
        assert_eq!((last.recall, last.precision), (1.0, 4.0 / 6.0));
        assert_eq!(tested.clone().with_last_positives(0), tested);
    }

    fn counts(points: &OperatingPoints) -> Vec<(f64, f64, Option<usize>)> {
        points
            .points()
            .iter()
            .map(|point| (point.true_positives, point.false_positives, point.origin))
            .collect()
    }

    #[test]
    fn of_equal_recall_the_fewest_false_positives_count() {
        let given = [(4.0, 3.0), (0.0, 2.0), (2.0, 9.0), (4.0, 1.0), (0.0, 0.0), (3.0, 9.5), (4.0, 1.0)];
        let points = OperatingPoints::from_classifiers(&given, 5.0, 10.0).unwrap();
        // (2, 9) and (3, 9.5) are dominated by (4, 1) and stay.
        assert_eq!(
            counts(&points),
            [(2.0, 9.0, Some(2)), (3.0, 9.5, Some(5)), (4.0, 1.0, Some(3)), (5.0, 10.0, None)]
        );
    }

    #[test]
    fn every_threshold_of_a_ranking_is_a_point() {
        let ranking = Ranking::new([(3.0, false), (2.0, true), (1.0, false), (0.0, true)]).unwrap();
        let points = OperatingPoints::from_ranking(&ranking);
        let every = [(0.0, 1.0, Some(0)), (1.0, 1.0, Some(1)), (1.0, 2.0, Some(2)), (2.0, 2.0, Some(3))];
        assert_eq!(counts(&points), every);
    }

    #[test]
    fn a_missing_class_leaves_no_points() {
        assert!(OperatingPoints::from_classifiers(&[(1.0, 0.0)], 1.0, 0.0).unwrap().is_empty());
        assert!(OperatingPoints::from_classifiers(&[(0.0, 1.0)], 0.0, 1.0).unwrap().is_empty());
        let negatives = Ranking::new([(1.0, false), (2.0, false)]).unwrap();
        assert!(OperatingPoints::from_ranking(&negatives).is_empty());
        let nothing = OperatingPoints::from_classifiers(&[], 2.0, 3.0).unwrap();
        assert_eq!(counts(&nothing), [(2.0, 3.0, None)]);
    }

    #[test]
    fn points_outside_the_totals_are_refused() {
        for point in [(2.1, 0.0), (1.0, 3.1), (-1.0, 0.0), (f64::NAN, 0.0), (1.0, f64::INFINITY)] {
            let error = OperatingPoints::from_classifiers(&[(1.0, 1.0), point], 2.0, 3.0).unwrap_err();
            assert!(error.to_string().starts_with("point 1 (from 0) has "), "{error}");
        }
        assert!(OperatingPoints::from_classifiers(&[], f64::NAN, 3.0).is_err());
        // A sum of weights that passes its total by rounding is that total.
        let rounded = OperatingPoints::from_classifiers(&[(1.0 + 1e-15, 0.5)], 1.0, 3.0).unwrap();
        assert_eq!(counts(&rounded), [(1.0, 0.5, Some(0)), (1.0, 3.0, None)]);
    }
}
