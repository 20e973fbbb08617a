//! Probabilities from scores, fitted to examples whose classes are known. Examples from which the model has not
//! learnt are best.
//!
//! All of them count weights: a sampled negative counts for all the negatives that it stands for. A bound keeps them
//! away from 0 and 1 [GLEANERSRL §3].
//!
//! Calibrators: they turn scores into probabilities by one of several methods.

pub mod blend;
mod cumulated;
pub mod sigmoids;
pub mod steps;

use serde::{Deserialize, Serialize};

use super::Ranking;
use cumulated::{Cumulated, Example};

pub use blend::Blend;
pub use cumulated::{Interval, VennAbers};
pub use sigmoids::{Beta, EDGE, Platt};
pub use steps::{Binning, Isotonic, Step};

/// The bounds to try: probabilities stay between the bound and 1 minus the bound.
const CLAMPS: [f64; 8] = [0.25, 0.1, 0.05, 0.01, 0.005, 0.001, 0.000_5, 0.000_1];

/// Examples of one class, with the probability that other examples give to this class.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Judged {
    /// Their weight together.
    weight: f64,
    /// The probability of their class.
    of_class: f64,
}

/// The bound of least cross entropy over examples of this total weight; the greatest of equal bounds.
///
/// DIVERGENCE from the paper: no bound is below `1 / (n + 2)` for `n` examples, by the rule of succession. Where ten
/// examples are all right, the least bound of the paper would claim .9999. The higher bound costs less than 1 in cross
/// entropy over all `n`.
fn best_clamp(judged: impl IntoIterator<Item = Judged>, weight: f64) -> f64 {
    let floor = 1.0 / (weight + 2.0);
    let clamps = CLAMPS.map(|clamp| clamp.max(floor).min(CLAMPS[0]));
    let mut losses = [0.0; CLAMPS.len()];
    for Judged { weight, of_class } in judged {
        for (loss, &clamp) in losses.iter_mut().zip(&clamps) {
            *loss -= weight * of_class.clamp(clamp, 1.0 - clamp).ln();
        }
    }
    let least = (0..CLAMPS.len()).min_by(|&left, &right| losses[left].total_cmp(&losses[right]));
    clamps[least.unwrap_or(0)]
}

/// The examples of a ranking, each judged by the isotonic regression of the others. So no example shapes the step that
/// judges it; otherwise smaller bounds would always look better.
///
/// **Cost**: about linear in the ranking's groups.
fn judged_by_others(ranking: &Ranking) -> impl Iterator<Item = Judged> {
    let cumulated = Cumulated::of(ranking);
    let [positive, negative] = ranking.example_weights();
    let groups = ranking.groups().iter().rev().enumerate();
    groups.flat_map(move |(group, examples)| {
        let of_class = |is_positive: bool, weight: f64, all: f64| {
            let probability = cumulated.without(group, Example { weight, is_positive });
            let of_class = |probability: f64| if is_positive { probability } else { 1.0 - probability };
            probability
                .filter(|_| all > 0.0)
                .map(|probability| Judged { weight: all, of_class: of_class(probability) })
        };
        let both =
            [of_class(true, positive, examples.positives), of_class(false, negative, examples.negatives)];
        both.into_iter().flatten()
    })
}

/// A method to turn scores into probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Isotonic regression and a sigmoid together.
    Blend,
    /// The rising step function that fits best.
    Isotonic {
        /// Whether scores between two steps lie on a line between them.
        is_interpolated: bool,
    },
    /// A sigmoid of the score.
    Platt,
    /// A curve of the beta family.
    Beta,
    /// Frequencies in bins of equal weight.
    Binning {
        /// The number of bins.
        n_bins: usize,
    },
}

/// A function from scores to probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Curve {
    /// Isotonic regression and a sigmoid together.
    Blend(Blend),
    /// The rising step function that fits best.
    Isotonic {
        /// The steps.
        #[serde(flatten)]
        steps: Isotonic,
        /// Whether scores between two steps lie on a line between them.
        #[serde(rename = "interpolated", default, skip_serializing_if = "std::ops::Not::not")]
        is_interpolated: bool,
    },
    /// A sigmoid of the score.
    Platt(Platt),
    /// A curve of the beta family.
    Beta(Beta),
    /// Frequencies in bins of equal weight.
    Binning(Binning),
}

/// A function from scores to probabilities with its clamp, fitted to scores of examples whose classes are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibrator {
    /// The function before the clamp.
    #[serde(flatten)]
    pub curve: Curve,
    /// Probabilities stay between this bound and 1 minus the bound.
    pub clamp: f64,
    /// The interval of each score.
    pub intervals: VennAbers,
}

impl Calibrator {
    /// The calibrator of some calibration examples; `None` where they lack a class.
    ///
    /// The clamp is the bound in `CLAMPS` with the least cross entropy, but at least `1 / (n + 2)` for `n`
    /// examples. To judge an example, a step function is fitted without it. One example hardly changes a curve of two
    /// or three parameters, so such a curve judges all examples unchanged. The blend of both has the least bound in the
    /// list.
    ///
    /// **Cost**: about linear in the ranking's groups.
    pub fn fit(ranking: &Ranking, method: Method) -> Option<Self> {
        let (positives, negatives) = ranking.class_weights();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let (curve, clamp) = match method {
            Method::Blend => {
                let blend = Blend::fit(ranking)?;
                let bound = blend.bound;
                (Curve::Blend(blend), bound)
            }
            Method::Isotonic { is_interpolated } => {
                let curve = Curve::Isotonic { steps: Isotonic::fit(ranking), is_interpolated };
                (curve, best_clamp(judged_by_others(ranking), positives + negatives))
            }
            Method::Binning { n_bins } => {
                let curve = Curve::Binning(Binning::fit(ranking, n_bins));
                (curve, best_clamp(steps::judged_by_others(ranking, n_bins), positives + negatives))
            }
            Method::Platt => judged_by_itself(Curve::Platt(Platt::fit(ranking)?), ranking),
            Method::Beta => judged_by_itself(Curve::Beta(Beta::fit(ranking)?), ranking),
        };
        Some(Self { curve, clamp, intervals: VennAbers::fit(ranking) })
    }

    /// The same calibrator; a blend gets less trust where further examples do not confirm it, see
    /// [`Blend::confirmed_by`].
    pub fn confirmed_by(self, further: &Ranking) -> Self {
        match self.curve {
            Curve::Blend(blend) => Self { curve: Curve::Blend(blend.confirmed_by(further)), ..self },
            Curve::Isotonic { .. } | Curve::Platt(_) | Curve::Beta(_) | Curve::Binning(_) => self,
        }
    }

    /// The probability of a positive at a score. **Range**: from the clamp to 1 minus the clamp.
    pub fn probability(&self, score: f64) -> f64 {
        self.curve.probability(score).clamp(self.clamp, 1.0 - self.clamp)
    }

    /// The probabilities at this score if one more example there is a negative, and if it is a positive. One of the two
    /// is well calibrated for any scores. No clamp is applied.
    pub fn interval(&self, score: f64) -> Interval {
        self.intervals.interval(score).unwrap_or(Interval { low: 0.0, high: 1.0 })
    }

    /// Whether its parts fit together; a user may have changed the file by hand.
    pub fn is_sound(&self) -> bool {
        let intervals = &self.intervals.steps;
        let are_intervals = intervals.is_sorted_by(|lower, higher| lower.least < higher.least)
            && intervals.iter().all(|step| is_share(step.interval.low) && is_share(step.interval.high));
        (0.0..=0.5).contains(&self.clamp) && are_intervals && self.curve.is_sound()
    }
}

fn is_share(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

fn are_sound(steps: &[Step]) -> bool {
    !steps.is_empty()
        && steps.is_sorted_by(|lower, higher| lower.greatest < higher.least)
        && steps.iter().all(|step| step.least <= step.greatest && is_share(step.probability))
}

/// A curve with its clamp, judged on the examples to which it was fitted.
fn judged_by_itself(curve: Curve, ranking: &Ranking) -> (Curve, f64) {
    let judged = ranking.groups().iter().flat_map(|group| {
        let probability = curve.probability(group.score);
        [
            Judged { weight: group.positives, of_class: probability },
            Judged { weight: group.negatives, of_class: 1.0 - probability },
        ]
    });
    let (positives, negatives) = ranking.class_weights();
    let clamp = best_clamp(judged.filter(|judged| judged.weight > 0.0), positives + negatives);
    (curve, clamp)
}

impl Curve {
    /// The probability at a score; 1/2 where there are no steps or bins.
    fn probability(&self, score: f64) -> f64 {
        let found = match self {
            Self::Blend(blend) => Some(blend.probability(score)),
            Self::Isotonic { steps, is_interpolated: true } => steps.interpolated(score),
            Self::Isotonic { steps, is_interpolated: false } => steps.probability(score),
            Self::Binning(binning) => binning.probability(score),
            Self::Platt(platt) => Some(platt.probability(score)),
            Self::Beta(beta) => Some(beta.probability(score)),
        };
        found.unwrap_or(0.5)
    }

    fn is_sound(&self) -> bool {
        match self {
            Self::Blend(blend) => blend.is_sound() && are_sound(&blend.steps.steps),
            Self::Isotonic { steps: Isotonic { steps }, .. } | Self::Binning(Binning { bins: steps }) => {
                are_sound(steps)
            }
            Self::Platt(Platt { slope, offset }) => slope.is_finite() && offset.is_finite(),
            Self::Beta(Beta { a, b, c, .. }) => *a >= 0.0 && *b >= 0.0 && c.is_finite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Ranking;

    use super::{CLAMPS, Calibrator, Judged, Method, best_clamp, judged_by_others};

    fn of_examples(examples: impl IntoIterator<Item = (f64, bool)>) -> f64 {
        let ranking = Ranking::new(examples).expect("numbers");
        let (positives, negatives) = ranking.class_weights();
        best_clamp(judged_by_others(&ranking), positives + negatives)
    }

    fn assert_is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    /// By hand. Scores 1 to 4, classes - - + +. Left out, both negatives have probability 0; the upper positive has one
    /// of 1. The lower positive lies between a negative and the other positive, and takes the negative's 0. So one
    /// example of four is quite wrong: the loss is `-ln c - 3 ln(1 - c)`, least where `c = 1/4`.
    #[test]
    fn one_in_four_is_wrong() {
        assert_is(of_examples([(1.0, false), (2.0, false), (3.0, true), (4.0, true)]), 0.25);
    }

    /// The fit to 200 examples that differ only in class is never 0 or 1. No bound changes the loss, so the greatest
    /// bound stays.
    #[test]
    fn of_equal_bounds_the_greatest() {
        assert_is(of_examples((0..200).map(|at| (0.0, at % 2 == 0))), CLAMPS[0]);
    }

    /// By hand: one of 100 is quite wrong. The loss `-ln c - 99 ln(1 - c)` is least at 1/100; if the 99 weigh three times as much, at
    /// 1/298. The bound nearest to it is the least that there is then, 1/300: 5.704 + 0.992 against 5.298 + 1.489 of 0.005.
    #[test]
    fn weights_count() {
        let wrong = Judged { weight: 1.0, of_class: 0.0 };
        let right = |weight| Judged { weight, of_class: 1.0 };
        assert_is(best_clamp([wrong, right(99.0)], 100.0), 0.01);
        assert_is(best_clamp([wrong, right(297.0)], 298.0), 1.0 / 300.0);
    }

    /// None of eight is wrong: a ninth may be, with 1/10.
    #[test]
    fn few_examples_prove_no_certainty() {
        let right = |weight| [Judged { weight, of_class: 1.0 }];
        assert_is(best_clamp(right(8.0), 8.0), 0.1);
        assert_is(best_clamp(right(98.0), 98.0), 0.01);
        assert_is(best_clamp(right(1.0), 1.0), 0.25);
        assert_is(best_clamp(right(1e6), 1e6), 0.000_1);
    }

    const METHODS: [Method; 6] = [
        Method::Blend,
        Method::Isotonic { is_interpolated: false },
        Method::Isotonic { is_interpolated: true },
        Method::Platt,
        Method::Beta,
        Method::Binning { n_bins: 3 },
    ];

    fn ranking(negative_weight: f64) -> Ranking {
        let examples = (0..60).map(|at| {
            let is_positive = at % 7 == 0 || at > 50;
            (f64::from(at % 20) / 20.0, is_positive, if is_positive { 1.0 } else { negative_weight })
        });
        Ranking::weighted(examples).expect("numbers")
    }

    #[test]
    fn a_file_gives_the_same_calibrator() {
        for method in METHODS {
            let fitted = Calibrator::fit(&ranking(1.0), method).expect("there are both classes");
            assert!(fitted.is_sound(), "{fitted:?}");
            let text = serde_json::to_string(&fitted).expect("plain data");
            let read: Calibrator = serde_json::from_str(&text).expect("what was written");
            assert_eq!(read, fitted, "{text}");
            assert_eq!(text.contains("interpolated"), method == Method::Isotonic { is_interpolated: true });
        }
    }

    /// Nothing says how often positives are where a class is missing.
    #[test]
    fn both_classes_are_needed() {
        for class in [false, true] {
            let one = Ranking::new((0..9).map(|at| (f64::from(at), class))).expect("numbers");
            assert!(METHODS.iter().all(|&method| Calibrator::fit(&one, method).is_none()));
        }
    }

    /// Each negative weighs nine: the probabilities of the examples sum up to the positives, but for the clamp, and Platt's
    /// targets.
    #[test]
    fn expected_positives_are_the_observed_ones() {
        let ranking = ranking(9.0);
        let (positives, _) = ranking.class_weights();
        for method in METHODS {
            let fitted = Calibrator::fit(&ranking, method).expect("there are both classes");
            let groups = ranking.groups().iter();
            let expected: f64 = groups
                .map(|group| (group.positives + group.negatives) * fitted.curve.probability(group.score))
                .sum();
            assert!((expected / positives - 1.0).abs() < 0.05, "{method:?}: {expected} of {positives}");
        }
    }

    #[test]
    fn files_changed_by_hand_are_found() {
        let fitted = Calibrator::fit(&ranking(1.0), METHODS[0]).expect("there are both classes");
        let text = serde_json::to_string(&fitted).expect("plain data");
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            serde_json::from_str::<Calibrator>(&text.replacen(from, to, 1)).expect("a calibrator").is_sound()
        };
        let clamp = format!("\"clamp\":{}", fitted.clamp);
        assert!(!changed(&clamp, "\"clamp\":0.6"));
        assert!(!changed("\"probability\":", "\"probability\":2"));
        assert!(!changed("\"low\":", "\"low\":2"));
        assert!(changed(&clamp, "\"clamp\":0"));
    }
}
