//! Isotonic regression and a sigmoid together: the fewer examples there are, the larger the sigmoid's share.

use super::cumulated::{Cumulated, Example};
use super::sigmoids::sigmoid;
use super::{Isotonic, Platt};
use crate::eval::Ranking;

/// The number of examples of the rarer class at which both parts have the same share.
///
/// By experiment, on held-out scores of `rdn-boost` and of `auto` on 19 sets: see `docs/probabilities.md`.
const EQUAL_FROM: f64 = 20.0;

/// The greatest shift up or down, and the number of halvings of its range, which find it to 1e-9.
const MOST_SHIFT: f64 = 4.0;
const SHIFT_STEPS: u32 = 33;

/// Probabilities whose log-odds are a weighted mean of those of isotonic regression and of Platt's sigmoid.
///
/// Steps follow any shape, but each of the highest steps is fitted to a few examples, and says 0 or 1 too soon. A
/// sigmoid has only two parameters, which a few examples determine, but it may miss the shape.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Blend {
    /// The rising step function that fits best; a line between two steps.
    #[serde(flatten)]
    pub steps: Isotonic,
    /// The sigmoid; its slope is at most 0.
    pub sigmoid: Platt,
    /// The share of the sigmoid in the log-odds. **Range**: 0 to 1.
    pub share: f64,
    /// The term added to the log-odds, so that the expected number of positives is the true one on the calibration
    /// examples.
    pub shift: f64,
    /// Steps stay between this bound and 1 minus the bound. It is `1 / (n + 2)` for `n` examples, by the rule of
    /// succession.
    pub bound: f64,
    /// The log-odds of the share of positives.
    #[serde(default)]
    pub base: f64,
    /// The factor of the scores' log-odds beyond those of the share of positives. **Range**: from 0 (scores are
    /// ignored) to 1 (scores are fully trusted).
    #[serde(default = "whole")]
    pub trust: f64,
}

/// The trust in files of older releases, which lack the field.
fn whole() -> f64 {
    1.0
}

impl Blend {
    /// Fits both parts. If the blend predicts left-out examples no better than the share of positives does, the blend
    /// says that share for all scores.
    ///
    /// **Cost**: about linear in the ranking's groups; `None` where a class is missing.
    pub fn fit(ranking: &Ranking) -> Option<Self> {
        let (positives, negatives) = ranking.class_weights();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let constant = Platt { slope: 0.0, offset: (negatives / positives).ln() };
        let mut blend = Self {
            steps: Isotonic::fit(ranking),
            sigmoid: Platt::fit(ranking).filter(|fitted| fitted.slope < 0.0).unwrap_or(constant),
            share: EQUAL_FROM / (EQUAL_FROM + positives.min(negatives)),
            shift: 0.0,
            bound: 1.0 / (positives + negatives + 2.0),
            base: (positives / negatives).ln(),
            trust: 1.0,
        };
        blend.shift = blend.balancing_shift(ranking, positives);
        let knows_something = blend.gain_of_left_out(ranking) > 0.0;
        Some(Self { trust: if knows_something { 1.0 } else { 0.0 }, ..blend })
    }

    /// The same blend with less trust, where further examples do not confirm it: the trust under which they are
    /// likeliest. Scores must not be learnt from these examples.
    ///
    /// **Cost**: some passes over the ranking's groups.
    pub fn confirmed_by(self, further: &Ranking) -> Self {
        let likeliest = self.likeliest_trust(further);
        Self { trust: self.trust * likeliest, ..self }
    }

    /// The probability at a score. **Range**: 0 to 1.
    pub fn probability(&self, score: f64) -> f64 {
        let step = self.steps.interpolated(score);
        step.map_or(0.5, |step| self.blended(step, score))
    }

    fn blended(&self, step: f64, score: f64) -> f64 {
        sigmoid(self.log_odds(step, score))
    }

    fn log_odds(&self, step: f64, score: f64) -> f64 {
        self.base + self.trust * (self.fitted_log_odds(step, score) - self.base)
    }

    /// The log-odds of both parts together, before `trust` scales them.
    fn fitted_log_odds(&self, step: f64, score: f64) -> f64 {
        let step = step.clamp(self.bound, 1.0 - self.bound);
        let of_steps = (step / (1.0 - step)).ln();
        (1.0 - self.share) * of_steps + self.share * self.sigmoid.log_odds(score) + self.shift
    }

    /// The trust of greatest likelihood, from 0 to 1. The log-likelihood is concave in the trust, so its derivative
    /// changes sign only once.
    fn likeliest_trust(&self, further: &Ranking) -> f64 {
        let groups: Vec<(f64, f64, f64)> = further
            .groups()
            .iter()
            .map(|group| {
                let step = self.steps.interpolated(group.score).unwrap_or(0.5);
                let beyond = self.log_odds(step, group.score) - self.base;
                (beyond, group.positives, group.positives + group.negatives)
            })
            .collect();
        let derivative = |trust: f64| -> f64 {
            let of_group = |&(beyond, positives, all): &(f64, f64, f64)| {
                beyond * (positives - all * sigmoid(self.base + trust * beyond))
            };
            groups.iter().map(of_group).sum()
        };
        if derivative(1.0) >= 0.0 {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..SHIFT_STEPS {
            let middle = f64::midpoint(low, high);
            *(if derivative(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        low
    }

    /// The shift at which the expected number of positives is `positives`; that number rises with the shift.
    fn balancing_shift(&self, ranking: &Ranking, positives: f64) -> f64 {
        let groups = ranking.groups().iter();
        let unshifted: Vec<(f64, f64)> = groups
            .map(|group| {
                let step = self.steps.interpolated(group.score).unwrap_or(0.5);
                (group.positives + group.negatives, self.log_odds(step, group.score) - self.shift)
            })
            .collect();
        let expected = |shift: f64| -> f64 {
            unshifted.iter().map(|(weight, log_odds)| weight * sigmoid(log_odds + shift)).sum()
        };
        let (mut low, mut high) = (-MOST_SHIFT, MOST_SHIFT);
        for _ in 0..SHIFT_STEPS {
            let middle = f64::midpoint(low, high);
            *(if expected(middle) < positives { &mut low } else { &mut high }) = middle;
        }
        f64::midpoint(low, high)
    }

    /// The summed cross entropy of the base rate minus that of the blend, where the steps of the other examples judge
    /// each example. The sigmoid stays the same, as one example hardly changes it.
    fn gain_of_left_out(&self, ranking: &Ranking) -> f64 {
        let cumulated = Cumulated::of(ranking);
        let weights = ranking.example_weights();
        let mut gain = 0.0;
        for (group, examples) in ranking.groups().iter().rev().enumerate() {
            for (is_positive, weight, all) in
                [(true, weights[0], examples.positives), (false, weights[1], examples.negatives)]
            {
                let Some(step) = cumulated.without(group, Example { weight, is_positive }) else { continue };
                if all > 0.0 {
                    let sign = if is_positive { 1.0 } else { -1.0 };
                    let said = sigmoid(sign * self.fitted_log_odds(step, examples.score));
                    gain += all * (said / sigmoid(sign * self.base)).ln();
                }
            }
        }
        gain
    }

    /// Whether its parts fit together; a user may have changed the file by hand.
    pub(super) fn is_sound(&self) -> bool {
        let Platt { slope, offset } = self.sigmoid;
        (-1e300..=0.0).contains(&slope)
            && offset.is_finite()
            && (0.0..=1.0).contains(&self.share)
            && self.shift.abs() <= MOST_SHIFT
            && self.bound > 0.0
            && self.bound <= 0.5
            && self.base.is_finite()
            && (0.0..=1.0).contains(&self.trust)
    }
}

#[cfg(test)]
mod tests {
    use super::Blend;
    use crate::eval::Ranking;

    fn fitted(examples: impl IntoIterator<Item = (f64, bool)>) -> Blend {
        Blend::fit(&Ranking::new(examples).expect("numbers")).expect("both classes")
    }

    /// Twenty of each class: both count the same, so that the log-odds are their mean. Scores tell the classes apart: the steps are 0
    /// and 1, bounded by 1/42, and their log-odds at 25 are those of 41/42, ln 41 = 3.7136.
    #[test]
    fn twenty_of_each_class_by_hand() {
        let blend = fitted((0..40).map(|at| (f64::from(at), at >= 20)));
        assert!((blend.share - 0.5).abs() < 1e-12 && (blend.bound - 1.0 / 42.0).abs() < 1e-12);
        let expected = f64::midpoint(41.0_f64.ln(), blend.sigmoid.log_odds(25.0));
        let found = blend.probability(25.0);
        assert!(((found / (1.0 - found)).ln() - expected).abs() < 1e-6, "{found}");
    }

    /// Every other example is a positive: scores say nothing, or the contrary, and one that is left out has the other's class beside it.
    #[test]
    fn who_knows_nothing_says_the_base_rate() {
        for flip in [false, true] {
            let blend = fitted((0..60).map(|at| (f64::from(at), (at % 3 == 0) != flip)));
            let base_rate = if flip { 2.0 / 3.0 } else { 1.0 / 3.0 };
            for score in [-5.0, 0.0, 30.5, 99.0] {
                assert!((blend.probability(score) - base_rate).abs() < 1e-12, "{}", blend.probability(score));
            }
        }
        let wrong = fitted((0..60).map(|at| (f64::from(at), at < 20)));
        assert!((wrong.probability(0.0) - 1.0 / 3.0).abs() < 1e-12);
    }

    /// Further examples decide the trust in the fit: 0 where scores do not tell them apart, and half where their
    /// log-odds are half as far from the base rate.
    #[test]
    fn further_examples_confirm() {
        let learnt =
            fitted((0..200).map(|at| (f64::from(at / 100), at % 100 < if at < 100 { 20 } else { 80 })));
        let confirmed = |of_low: u32, of_high: u32| {
            let of = |score: f64, positives: u32| (0..1000).map(move |at| (score, at < positives));
            let further = of(0.0, of_low).chain(of(1.0, of_high));
            let confirmed = learnt.clone().confirmed_by(&Ranking::new(further).expect("numbers"));
            [0.0, 1.0].map(|score| confirmed.probability(score))
        };
        let log_odds = |probability: f64| (probability / (1.0 - probability)).ln();
        assert!(confirmed(500, 500).iter().all(|probability| (probability - 0.5).abs() < 1e-9));
        let beyond = log_odds(learnt.probability(1.0));
        for (of_low, of_high, share) in [(332, 668, None), (50, 950, Some(1.0))] {
            let found = log_odds(confirmed(of_low, of_high)[1]);
            let expected = share.map_or_else(|| log_odds(0.668), |share| share * beyond);
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn probabilities_rise_strictly_where_scores_tell() {
        let blend = fitted((0..100).map(|at| (f64::from(at), at % 7 == 0 || at > 60)));
        let found: Vec<f64> = (0..100).map(|at| blend.probability(f64::from(at))).collect();
        assert!(found.is_sorted_by(|lower, higher| lower < higher), "{found:?}");
        assert_eq!(Blend::fit(&Ranking::new([(1.0, true)]).expect("numbers")), None);
    }
}
