//! Inductive Venn-Abers predictors: two probabilities, one for each class; that of the true class is calibrated.
//! [Vovk, Petej 2014]

use super::cumulated::{Cumulated, Example};
use crate::eval::Ranking;

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
    #[must_use]
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
    #[must_use]
    pub fn interval(&self, score: f64) -> Option<Interval> {
        let above = self.steps.partition_point(|step| step.least <= score);
        self.steps.get(above.saturating_sub(1)).map(|step| step.interval)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, proptest};

    use super::VennAbers;
    use crate::eval::Ranking;
    use crate::eval::calibration::Isotonic;

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
