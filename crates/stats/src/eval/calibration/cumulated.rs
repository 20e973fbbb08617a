//! Isotonic regression with one example less or more, without a new fit, and the Venn-Abers predictor made of it.
//!
//! Plot, for each score, the positives up to this score against all examples up to it. The fit is the slope of the
//! greatest convex curve below these points. One example less or more moves all points to its right by the same step.
//! So the fit at its score is the slope of a line that touches two convex curves. One is that of the points to its
//! left, the other that of the moved points to its right.
//!
//! An inductive Venn-Abers predictor gives two probabilities, one for each class; that of the true class is
//! calibrated. [Vovk, Petej 2014]

use crate::eval::Ranking;

/// The sums over the examples up to a score.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    /// The weight of all these examples.
    weight: f64,
    /// The weight of the positives among them.
    positives: f64,
}

/// An example: its weight and its class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Example {
    /// Its weight, above 0.
    pub(super) weight: f64,
    /// Whether it is a positive.
    pub(super) is_positive: bool,
}

/// The points of a ranking. For each point, also the convex curve below the points to its left, and that below those to
/// its right.
#[derive(Clone, Debug)]
pub(super) struct Cumulated {
    /// Scores of the groups, ascending.
    scores: Vec<f64>,
    /// The points before the first group and after each group: one more than scores.
    points: Vec<Point>,
    /// The corner before each point on the curve below the points up to it.
    before: Vec<usize>,
    /// The corner after each point on the curve below the points from it.
    after: Vec<usize>,
}

impl Cumulated {
    /// **Cost**: linear in the ranking's groups.
    pub(super) fn of(ranking: &Ranking) -> Self {
        let groups = ranking.groups();
        let mut points = vec![Point { weight: 0.0, positives: 0.0 }];
        let mut last = points[0];
        for group in groups.iter().rev() {
            last.weight += group.positives + group.negatives;
            last.positives += group.positives;
            points.push(last);
        }
        let mut before = vec![0; points.len()];
        for at in 1..points.len() {
            let mut corner = at - 1;
            while corner > 0
                && slope(points[before[corner]], points[corner]) >= slope(points[corner], points[at])
            {
                corner = before[corner];
            }
            before[at] = corner;
        }
        let end = points.len() - 1;
        let mut after = vec![end; points.len()];
        for at in (0..end).rev() {
            let mut corner = at + 1;
            while corner < end
                && slope(points[at], points[corner]) >= slope(points[corner], points[after[corner]])
            {
                corner = after[corner];
            }
            after[at] = corner;
        }
        Self { scores: groups.iter().rev().map(|group| group.score).collect(), points, before, after }
    }

    /// The fit at the score of a group without one of its examples; `None` where no other example is left. Groups
    /// ascend from 0. If the group has no other example, its score lies between two steps and takes the lower one, or
    /// the first.
    pub(super) fn without(&self, group: usize, example: Example) -> Option<f64> {
        let removed = Point {
            weight: -example.weight,
            positives: if example.is_positive { -example.weight } else { 0.0 },
        };
        let others = self.points[group + 1].weight - self.points[group].weight - example.weight;
        // Sums of weights have rounding errors; no example is as light as this bound.
        let is_left = others > example.weight * 1e-9;
        match (is_left, group) {
            (true, _) => Some(self.slope_across(group, group + 1, removed)),
            (false, 0) if self.scores.len() == 1 => None,
            (false, 0) => Some(slope(self.points[1], self.points[self.after[1]])),
            (false, _) => Some(self.slope_across(group - 1, group + 1, removed)),
        }
    }

    /// The fit at a score with one example more there.
    pub(super) fn with(&self, score: f64, example: Example) -> f64 {
        let added = Point {
            weight: example.weight,
            positives: if example.is_positive { example.weight } else { 0.0 },
        };
        let below = self.scores.partition_point(|&known| known < score);
        let is_known = self.scores.get(below).is_some_and(|&known| known <= score);
        self.slope_across(below, below + usize::from(is_known), added)
    }

    /// The slope of the line that touches two curves: that of the points up to `left`, and that of the points from
    /// `right`, shifted by `moved`.
    fn slope_across(&self, left: usize, right: usize, moved: Point) -> f64 {
        let at = |point: usize| Point {
            weight: self.points[point].weight + moved.weight,
            positives: self.points[point].positives + moved.positives,
        };
        let (mut left, mut right) = (left, right);
        loop {
            let here = slope(self.points[left], at(right));
            let (lower, higher) = (self.before[left], self.after[right]);
            if lower != left && slope(self.points[lower], self.points[left]) >= here {
                left = lower;
            } else if higher != right && slope(at(right), at(higher)) <= here {
                right = higher;
            } else {
                return here.clamp(0.0, 1.0);
            }
        }
    }
}

fn slope(from: Point, to: Point) -> f64 {
    (to.positives - from.positives) / (to.weight - from.weight)
}

/// The two probabilities of a new example by isotonic regression: with the example added as a negative, and as a
/// positive.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Interval {
    /// The probability with the example as a negative; at most [`Self::high`].
    pub low: f64,
    /// The probability with the example as a positive.
    pub high: f64,
}

/// Scores from `least` on that share an interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct IntervalStep {
    /// The least of the scores; the first step also holds all lower scores.
    pub least: f64,
    /// Their interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// The interval of each score. An interval is narrow where calibration examples are many.
///
/// Steps whose bounds differ by less than a hundredth share the lowest low and the highest high. Otherwise nearly each
/// distinct score would have its own interval in a model's file.
///
/// **Invariant**: both bounds never fall as the score rises.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct VennAbers {
    /// Ascending.
    pub steps: Vec<IntervalStep>,
}

/// How far a bound may move outwards, as a share of the bound.
const TOLERANCE: f64 = 0.01;

impl VennAbers {
    /// The intervals of calibration examples; the example that is added weighs 1.
    ///
    /// **Cost**: about linear in the ranking's groups.
    pub fn fit(ranking: &Ranking) -> Self {
        let cumulated = Cumulated::of(ranking);
        let mut steps: Vec<IntervalStep> = Vec::new();
        let (mut lowest, mut highest) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let at = |score| {
            [false, true].map(|is_positive| cumulated.with(score, Example { weight: 1.0, is_positive }))
        };
        // An example between two groups shares its score with no other example.
        let scores = ranking.groups().iter().rev().map(|group| group.score);
        let first = ranking.groups().last().map(|group| group.score.next_down());
        for score in first.into_iter().chain(scores.flat_map(|score| [score, score.next_up()])) {
            let [low, high] = at(score);
            // Rounding must not let them cross.
            let interval = Interval { low: low.min(high), high };
            if interval.high > highest || interval.low > lowest {
                // The bounds of this step do not exceed these.
                (lowest, highest) = (interval.low * (1.0 + TOLERANCE), interval.high * (1.0 + TOLERANCE));
                steps.push(IntervalStep { least: score, interval });
            } else if let Some(step) = steps.last_mut() {
                step.interval.high = step.interval.high.max(interval.high);
            }
        }
        Self { steps }
    }

    /// The interval of a score; `None` without calibration examples.
    pub fn interval(&self, score: f64) -> Option<Interval> {
        let above = self.steps.partition_point(|step| step.least <= score);
        self.steps.get(above.saturating_sub(1)).map(|step| step.interval)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, proptest};

    use crate::eval::Ranking;

    use super::super::Isotonic;
    use super::{Cumulated, Example, VennAbers};

    fn weighted(examples: &[(u8, bool)], negative: f64) -> Vec<(f64, bool, f64)> {
        let weight = |is_positive| if is_positive { 1.0 } else { negative };
        examples
            .iter()
            .map(|&(score, is_positive)| (f64::from(score), is_positive, weight(is_positive)))
            .collect()
    }

    fn fitted(examples: Vec<(f64, bool, f64)>) -> Isotonic {
        Isotonic::fit(&Ranking::weighted(examples).expect("numbers"))
    }

    proptest! {
        /// Against the regression fitted again.
        #[test]
        fn one_example_less_or_more(
            examples in proptest::collection::vec((0..8_u8, any::<bool>()), 1..20),
            negative in 1..4_u8,
            score in 0..9_u8,
            is_positive in any::<bool>(),
        ) {
            let examples = weighted(&examples, f64::from(negative));
            let ranking = Ranking::weighted(examples.clone()).expect("numbers");
            let cumulated = Cumulated::of(&ranking);
            for (position, &(at, is_positive, weight)) in examples.iter().enumerate() {
                let group = cumulated.scores.iter().position(|known| known.total_cmp(&at).is_eq()).expect("a group");
                let found = cumulated.without(group, Example { weight, is_positive });
                let mut others = examples.clone();
                others.remove(position);
                let expected = fitted(others).probability(at);
                prop_assert!(
                    found.is_some() == expected.is_some()
                        && found.zip(expected).is_none_or(|(found, expected)| (found - expected).abs() < 1e-12),
                    "{at}: {found:?}, not {expected:?}"
                );
            }
            // Halves are between the groups.
            for score in [f64::from(score), f64::from(score) - 0.5] {
                let mut more = examples.clone();
                more.push((score, is_positive, 1.0));
                let found = cumulated.with(score, Example { weight: 1.0, is_positive });
                let expected = fitted(more).probability(score).expect("there are steps");
                prop_assert!((found - expected).abs() < 1e-12, "{score}: {found}, not {expected}");
            }
        }
    }

    /// By hand. Scores 1 2 3, classes - + +. An example at 2: as a negative the fit there is 1/2; as a positive 1. At 0: as a
    /// negative 0, as a positive it pools with the negative, 1/2. At 9: as a negative it pools with both positives, 2/3.
    #[test]
    fn three_examples() {
        let ranking = Ranking::new([(1.0, false), (2.0, true), (3.0, true)]).expect("numbers");
        let fitted = VennAbers::fit(&ranking);
        for (score, low, high) in [(2.0, 0.5, 1.0), (0.0, 0.0, 0.5), (9.0, 2.0 / 3.0, 1.0)] {
            let found = fitted.interval(score).expect("there are examples");
            assert!(
                (found.low - low).abs() < 1e-15 && (found.high - high).abs() < 1e-15,
                "{score}: {found:?}"
            );
        }
        assert_eq!(VennAbers::fit(&Ranking::new([]).expect("none")).interval(1.0), None);
    }

    proptest! {
        /// Against two regressions fitted to all examples and one more.
        #[test]
        fn both_bounds_are_regressions_fitted_again(
            examples in proptest::collection::vec((0..6_u8, any::<bool>()), 1..20),
            negative in 1..4_u8,
            halves in 0..14_u8,
        ) {
            let score = f64::from(halves) / 2.0;
            let weighted = examples.iter().map(|&(score, is_positive)| {
                (f64::from(score), is_positive, if is_positive { 1.0 } else { f64::from(negative) })
            });
            let fitted = VennAbers::fit(&Ranking::weighted(weighted.clone()).expect("numbers"));
            let found = fitted.interval(score).expect("there are examples");
            for (is_positive, found) in [(false, found.low), (true, found.high)] {
                let more = weighted.clone().chain([(score, is_positive, 1.0)]);
                let again = Isotonic::fit(&Ranking::weighted(more).expect("numbers"));
                let expected = again.probability(score).expect("there are steps");
                let outwards = if is_positive { found - expected } else { expected - found };
                prop_assert!(
                    outwards > -1e-12 && outwards <= 0.01 * expected + 1e-12,
                    "{score}: {found}, not {expected}"
                );
            }
        }
    }

    /// Each of 60,000 scores is another: the steps stay few.
    #[test]
    fn many_scores_have_few_steps() {
        let is_positive = |at: u32| at.wrapping_mul(2_654_435_761) >> 16 < at;
        let examples = (0..60_000_u32).map(|at| (f64::from(at), is_positive(at)));
        let fitted = VennAbers::fit(&Ranking::new(examples).expect("numbers"));
        assert!((100..1_500).contains(&fitted.steps.len()), "{}", fitted.steps.len());
        assert!(fitted.steps.is_sorted_by(|lower, higher| lower.interval.low <= higher.interval.low));
    }
}
