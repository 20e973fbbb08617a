//! Isotonic regression: the rising step function of the score that fits the classes best. [GLEANERSRL §2.4]

use super::step::{Step, at_score};
use crate::eval::Ranking;

/// Frequencies of positives that never fall as the score rises, found by pooling adjacent violators.
///
/// **Shape**: one step for each pool of scores, ascending; none without examples. **Invariant**: probabilities rise strictly.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Isotonic {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Isotonic {
    /// Least squares over all examples of a ranking; equal scores are pooled first.
    ///
    /// **Cost**: linear in the ranking's groups. The result depends on weights, not on how many examples have them.
    #[must_use]
    pub fn fit(ranking: &Ranking) -> Self {
        let mut pools: Vec<Pool> = Vec::new();
        for group in ranking.groups().iter().rev() {
            let mut pool = Pool {
                least: group.score,
                greatest: group.score,
                positives: group.positives,
                weight: group.positives + group.negatives,
            };
            // Pools of equal frequency become one, so that no two steps have the same probability.
            while let Some(before) = pools.pop_if(|before| before.frequency() >= pool.frequency()) {
                pool = before.and(&pool);
            }
            pools.push(pool);
        }
        let step =
            |pool: &Pool| Step { least: pool.least, greatest: pool.greatest, probability: pool.frequency() };
        Self { steps: pools.iter().map(step).collect() }
    }

    /// The probability of the score's step. A score between two steps takes the lower step; a score below all steps
    /// takes the first.
    ///
    /// **Range**: 0 to 1; `None` without steps.
    #[must_use]
    pub fn probability(&self, score: f64) -> Option<f64> {
        at_score(&self.steps, score).map(|step| step.probability)
    }

    /// As [`Self::probability`], but scores between two steps lie on the line from the lower step's greatest score to
    /// the upper step's least.
    #[must_use]
    pub fn interpolated(&self, score: f64) -> Option<f64> {
        let above = self.steps.partition_point(|step| step.least <= score);
        let lower = at_score(&self.steps, score)?;
        let Some(upper) = self.steps.get(above).filter(|_| above > 0 && score > lower.greatest) else {
            return Some(lower.probability);
        };
        let share = (score - lower.greatest) / (upper.least - lower.greatest);
        Some(lower.probability + share * (upper.probability - lower.probability))
    }
}

/// Scores that share a frequency.
#[derive(Clone, Copy, Debug)]
struct Pool {
    least: f64,
    greatest: f64,
    positives: f64,
    weight: f64,
}

impl Pool {
    fn frequency(&self) -> f64 {
        self.positives / self.weight
    }

    fn and(self, higher: &Self) -> Self {
        Self {
            least: self.least,
            greatest: higher.greatest,
            positives: self.positives + higher.positives,
            weight: self.weight + higher.weight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Isotonic;
    use crate::eval::Ranking;

    /// Scores 1 to 10 with ties and weights.
    ///
    /// scikit-learn 1.9.1, `IsotonicRegression(out_of_bounds='clip')` fitted to scores `1 2 2 3 4 5 5 6 7 8`, classes
    /// `0 1 0 0 1 0 1 1 0 1` and weights `2 1 3 1 1 4 1 1 2 1`.
    #[test]
    fn pools_and_lines_are_those_of_scikit_learn() {
        let scores = [1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 7.0, 8.0];
        let classes = [false, true, false, false, true, false, true, true, false, true];
        let weights = [2.0, 1.0, 3.0, 1.0, 1.0, 4.0, 1.0, 1.0, 2.0, 1.0];
        let examples = (0..10).map(|at| (scores[at], classes[at], weights[at]));
        let fitted = Isotonic::fit(&Ranking::weighted(examples).expect("numbers"));
        let expected = [
            (0.0, 0.0),
            (1.0, 0.0),
            (1.5, 0.1),
            (2.0, 0.2),
            (2.5, 0.2),
            (3.0, 0.2),
            (3.5, 0.26666666666666666),
            (4.0, 0.3333333333333333),
            (7.0, 0.3333333333333333),
            (7.25, 0.5),
            (8.0, 1.0),
            (9.0, 1.0),
        ];
        for (score, expected) in expected {
            let found = fitted.interpolated(score).expect("there are steps");
            assert!((found - expected).abs() < 1e-12, "{score}: {found}, not {expected}");
        }
    }

    /// By hand: 0, then 1/2 of the scores 2 and 3, then 1.
    #[test]
    fn a_score_between_steps_takes_the_lower() {
        let examples = [(1.0, false), (2.0, true), (3.0, false), (5.0, true)];
        let fitted = Isotonic::fit(&Ranking::new(examples).expect("numbers"));
        let at = |score| fitted.probability(score).expect("there are steps");
        let expected = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0];
        for (score, expected) in [0.0, 1.0, 1.9, 2.0, 3.0, 4.9, 5.0, 9.0].into_iter().zip(expected) {
            assert!((at(score) - expected).abs() < 1e-15, "{score}: {}", at(score));
        }
        let between = fitted.interpolated(4.0).expect("there are steps");
        assert!((between - 0.75).abs() < 1e-15);
        assert_eq!(Isotonic::fit(&Ranking::new([]).expect("none")).probability(1.0), None);
    }
}
