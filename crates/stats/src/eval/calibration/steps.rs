//! Calibrators that are step functions of the score.
//!
//! [`Isotonic`] is the rising one that fits the classes best [GLEANERSRL §2.4]. [`Binning`] has the frequencies of
//! positives in bins of about equal weight [Zadrozny, Elkan 2001].

use crate::eval::Ranking;

use super::Judged;

/// Scores that share a probability.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// The least score of an example on it.
    pub least: f64,
    /// The greatest score of an example on it.
    pub greatest: f64,
    /// The probability of these scores.
    pub probability: f64,
}

/// The step of a score: the lower one between two steps, and the first below all steps.
fn at_score(steps: &[Step], score: f64) -> Option<&Step> {
    let above = steps.partition_point(|step| step.least <= score);
    steps.get(above.saturating_sub(1))
}

/// Frequencies of positives that never fall as the score rises, found by pooling adjacent violators.
///
/// **Shape**: one step for each pool of scores, ascending; none without examples. **Invariant**: probabilities rise strictly.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Isotonic {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Isotonic {
    /// Least squares over all examples of a ranking; equal scores are pooled first.
    ///
    /// **Cost**: linear in the ranking's groups. The result depends on weights, not on how many examples have them.
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
    pub fn probability(&self, score: f64) -> Option<f64> {
        at_score(&self.steps, score).map(|step| step.probability)
    }

    /// As [`Self::probability`], but scores between two steps lie on the line from the lower step's greatest score to
    /// the upper step's least.
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

/// Bins of scores with the frequency of positives in each.
///
/// **Shape**: at most the requested number of bins, ascending; none without examples. Frequencies may fall.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Binning {
    /// The bins.
    pub bins: Vec<Step>,
}

/// A bin with its weights.
#[derive(Clone, Copy, Debug)]
struct Filled {
    step: Step,
    positives: f64,
    negatives: f64,
}

impl Binning {
    /// Bins of about equal weight. Weights are summed from the lowest score; a group of equal scores belongs to the bin
    /// into which the middle of its weight falls.
    ///
    /// **Cost**: linear in the ranking's groups.
    pub fn fit(ranking: &Ranking, n_bins: usize) -> Self {
        Self { bins: filled(ranking, n_bins).into_iter().map(|bin| bin.step).collect() }
    }

    /// The frequency of the score's bin. A score between two bins takes the lower bin; a score below all bins takes the
    /// first.
    ///
    /// **Range**: 0 to 1; `None` without bins.
    pub fn probability(&self, score: f64) -> Option<f64> {
        at_score(&self.bins, score).map(|bin| bin.probability)
    }
}

/// For each class of each bin, the probability that the bin's other examples give to one example of the class.
pub(super) fn judged_by_others(ranking: &Ranking, n_bins: usize) -> impl Iterator<Item = Judged> {
    let [positive, negative] = ranking.example_weights();
    filled(ranking, n_bins).into_iter().flat_map(move |Filled { positives, negatives, .. }| {
        let others = positives + negatives;
        let of_class = |all: f64, own: f64| {
            let left = others - own;
            // No other example judges an example that is alone in its bin.
            (all > 0.0 && left > own * 1e-9)
                .then(|| Judged { weight: all, of_class: ((all - own) / left).clamp(0.0, 1.0) })
        };
        [of_class(positives, positive), of_class(negatives, negative)].into_iter().flatten()
    })
}

fn filled(ranking: &Ranking, n_bins: usize) -> Vec<Filled> {
    let (positives, negatives) = ranking.class_weights();
    #[expect(clippy::cast_precision_loss, reason = "numbers of bins are far below 2^53")]
    let width = (positives + negatives) / n_bins.max(1) as f64;
    let mut bins: Vec<Filled> = Vec::new();
    let (mut below, mut last_number) = (0.0, None);
    for group in ranking.groups().iter().rev() {
        let weight = group.positives + group.negatives;
        let number = ((below + weight / 2.0) / width).floor();
        below += weight;
        let (mut positives, mut negatives) = (group.positives, group.negatives);
        let mut least = group.score;
        if last_number == Some(number)
            && let Some(bin) = bins.pop()
        {
            (positives, negatives) = (positives + bin.positives, negatives + bin.negatives);
            least = bin.step.least;
        }
        last_number = Some(number);
        let probability = positives / (positives + negatives);
        bins.push(Filled { step: Step { least, greatest: group.score, probability }, positives, negatives });
    }
    bins
}

#[cfg(test)]
mod tests {
    use crate::eval::Ranking;

    use super::{Binning, Isotonic, judged_by_others};

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

    /// By hand. Scores 1 2 2 3 4, classes - + - - +, a negative stands for two: weights of the groups 2, 3, 2, 1, all 8; two bins
    /// of 4 each. The middles of the groups are 1, 3.5, 6, 7.5: two groups each, with 1 of 5 and 1 of 3 positive.
    #[test]
    fn equal_scores_stay_in_one_bin() {
        let weight = |is_positive| if is_positive { 1.0 } else { 2.0 };
        let examples = [(1.0, false), (2.0, true), (2.0, false), (3.0, false), (4.0, true)];
        let ranking =
            Ranking::weighted(examples.map(|(score, class)| (score, class, weight(class)))).expect("numbers");
        let fitted = Binning::fit(&ranking, 2);
        assert_eq!(fitted.bins.len(), 2);
        for (score, expected) in [(0.0, 0.2), (1.0, 0.2), (2.9, 0.2), (3.0, 1.0 / 3.0), (9.0, 1.0 / 3.0)] {
            let found = fitted.probability(score).expect("there are bins");
            assert!((found - expected).abs() < 1e-15, "{score}: {found}");
        }
        // Without itself: the positive of the first bin 0 of 4; a negative of it 2 of 3 are negative; then 0 of 2, 0 of 1.
        let judged: Vec<(f64, f64)> =
            judged_by_others(&ranking, 2).map(|judged| (judged.weight, judged.of_class)).collect();
        assert_eq!(judged, [(1.0, 0.0), (4.0, 2.0 / 3.0), (1.0, 0.0), (2.0, 0.0)]);
        assert_eq!(Binning::fit(&Ranking::new([]).expect("none"), 3).probability(1.0), None);
    }

    /// Ten examples of ten scores in five bins, of two each.
    #[test]
    fn bins_are_of_equal_weight() {
        let examples = (0..10).map(|at| (f64::from(at), at % 4 == 3));
        let bins = Binning::fit(&Ranking::new(examples).expect("numbers"), 5).bins;
        let found: Vec<f64> = bins.iter().map(|bin| bin.probability).collect();
        assert_eq!(found, [0.0, 0.5, 0.0, 0.5, 0.0]);
    }
}
