//! The threshold that decides. It is chosen by the probabilities of scores, which come from models that did not learn
//! from the scored examples.

use serde::{Deserialize, Serialize};

use gleaner_base::{ClassWeights, Counts, NegativeWeight, Pooling, Totals};

use super::covers::one;
use super::deciding::OperatingPoint;
use super::saved::{Contradiction, check_weight};
use super::shown::metric;

/// The score of an example by a model that did not learn from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutScore {
    /// Whether it is of tune.
    pub is_tune: bool,
    /// Its position in train or in tune.
    pub position: usize,
    /// Its score.
    pub score: f64,
    /// Its class.
    pub is_positive: bool,
    /// How many examples of the population it stands for: 1, or of a negative the weight of its universe's negatives.
    pub weight: f64,
}

/// A threshold of a model's scores, and the examples that chose it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "ThresholdFields", into = "ThresholdFields")]
pub struct ChosenThreshold {
    /// The least score that is called positive, with the counts of the examples that are called so. `None` where
    /// nothing decides: to call everything positive is no decision.
    pub threshold: Option<(f64, Counts)>,
    /// The number of examples that chose the threshold.
    pub chosen_on: Totals,
}

/// A [`ChosenThreshold`] as the fields of a model file.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct ThresholdFields {
    /// Positives and negatives.
    #[serde(alias = "n_tune")]
    n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    negative_weight: NegativeWeight,
    threshold: Option<(f64, Counts)>,
}

impl From<ThresholdFields> for ChosenThreshold {
    fn from(ThresholdFields { n_chosen_on, negative_weight, threshold }: ThresholdFields) -> Self {
        let [n_positives, n_negatives] = n_chosen_on;
        Self { threshold, chosen_on: Totals { n_positives, n_negatives, negative_weight } }
    }
}

impl From<ChosenThreshold> for ThresholdFields {
    fn from(ChosenThreshold { threshold, chosen_on }: ChosenThreshold) -> Self {
        let negative_weight = chosen_on.negative_weight;
        Self { n_chosen_on: chosen_on.numbers(), negative_weight, threshold }
    }
}

impl ChosenThreshold {
    /// Nothing decides yet.
    pub const fn none(chosen_on: Totals) -> Self {
        Self { threshold: None, chosen_on }
    }

    /// The least score that is called positive.
    pub fn least(&self) -> Option<f64> {
        self.threshold.map(|(least, _)| least)
    }

    /// The threshold with its figures on the examples that chose it, in whole lines.
    pub fn line(&self) -> String {
        let Some((least, counts)) = self.threshold else {
            return "no threshold: the best decision calls every example positive\n".to_owned();
        };
        format!(
            "a score of {least:.4} or more is called positive; on the examples that chose it:\n\
             precision {}, recall {}\n",
            metric(counts.precision(self.chosen_on.negative_weight)),
            metric(counts.recall(self.chosen_on))
        )
    }

    /// Checks one of a file, where `not_finite` says what a threshold that is no number contradicts.
    ///
    /// # Errors
    ///
    /// If the threshold is no number, or negatives stand for nothing.
    pub fn check(&self, not_finite: &'static str) -> Result<(), Contradiction> {
        if self.least().is_some_and(|least| !least.is_finite()) {
            return Err(Contradiction(not_finite));
        }
        check_weight(self.chosen_on.negative_weight)
    }
}

/// The thresholds of some scores that could decide. A model file has them, so that `predict` can decide at another operating point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// The thresholds from the highest to the lowest; none calls everything positive.
    candidates: Vec<Candidate>,
    /// The expected positives and negatives among all examples.
    expected: ClassWeights,
    /// The examples.
    chosen_on: Totals,
}

/// The least score that is called positive, the counts of the examples that are called so, and their expected classes.
/// These are the sums of their probabilities of being positive and of being negative. A row of five numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, usize, usize, f64, f64)", into = "(f64, usize, usize, f64, f64)")]
struct Candidate {
    threshold: f64,
    counts: Counts,
    expected: ClassWeights,
}

impl Thresholds {
    /// A model file has at least one threshold for each such part of the expected examples of either class.
    const PARTS: f64 = 250.0;
    /// So many thresholds are all kept.
    const FEW: usize = 500;

    /// The thresholds of examples with their scores.
    ///
    /// A threshold lies midway between the lowest score that is called positive and the next one. The scores of a model
    /// that learnt from all examples are not quite those that chose it.
    ///
    /// **Cost**: a sort.
    pub fn of(examples: &[HeldOutScore], probability: impl Fn(f64) -> f64, pooling: Pooling) -> Self {
        let mut ranked: Vec<&HeldOutScore> = examples.iter().collect();
        ranked.sort_by(|left, right| right.score.total_cmp(&left.score));
        let (mut counts, mut expected) = (Counts::NONE, ClassWeights::default());
        let mut candidates: Vec<Candidate> = Vec::new();
        for group in ranked.chunk_by(|left, right| left.score.total_cmp(&right.score).is_eq()) {
            let score = group[0].score;
            if let Some(above) = candidates.last_mut() {
                above.threshold = between(score, above.threshold);
            }
            let of_positive = probability(score);
            for example in group {
                let own = one(example.is_positive);
                counts = counts.plus(match example.is_tune {
                    false => pooling.counts(own, Counts::NONE),
                    true => pooling.counts(Counts::NONE, own),
                });
                expected.positives += example.weight * of_positive;
                expected.negatives += example.weight * (1.0 - of_positive);
            }
            candidates.push(Candidate { threshold: score, counts, expected });
        }
        // It calls everything positive.
        candidates.pop();
        let chosen_on = Totals {
            n_positives: counts.true_positives,
            n_negatives: counts.false_positives,
            negative_weight: pooling.negative_weight,
        };
        Self { candidates, expected, chosen_on }
    }

    /// The threshold of the best expected figure.
    ///
    /// Expected counts follow the probabilities: an example of probability `p` is `p` of a positive. The F1 of a few
    /// labels changes with each label; probabilities that were fitted to all examples do not.
    ///
    /// DIVERGENCE: the theses and papers choose on tune, by counts.
    pub fn choose(&self, point: OperatingPoint) -> ChosenThreshold {
        let called: Vec<ClassWeights> = self.candidates.iter().map(|candidate| candidate.expected).collect();
        let chosen = point.choose(&called, self.expected).map(|at| self.candidates[at]);
        ChosenThreshold {
            threshold: chosen.map(|chosen| (chosen.threshold, chosen.counts)),
            chosen_on: self.chosen_on,
        }
    }

    /// The same thresholds without most of very many, but with the chosen one. Between two that stay, neither class grows
    /// by more than a 250th, or by one score.
    pub fn thinned(mut self, chosen: &ChosenThreshold) -> Self {
        if self.candidates.len() <= Self::FEW {
            return self;
        }
        let step = [self.expected.positives / Self::PARTS, self.expected.negatives / Self::PARTS];
        let mut kept: Vec<Candidate> = Vec::new();
        for pair in self.candidates.windows(2) {
            let before = kept.last().map_or(ClassWeights::default(), |last| last.expected);
            let next = pair[1].expected;
            let grows = [next.positives - before.positives, next.negatives - before.negatives];
            let is_chosen = chosen.least().is_some_and(|least| least.total_cmp(&pair[0].threshold).is_eq());
            if is_chosen || grows[0] > step[0] || grows[1] > step[1] {
                kept.push(pair[0]);
            }
        }
        kept.extend(self.candidates.last());
        self.candidates = kept;
        self
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    pub fn is_sound(&self) -> bool {
        let all = Candidate {
            threshold: f64::NEG_INFINITY,
            counts: Counts {
                true_positives: self.chosen_on.n_positives,
                false_positives: self.chosen_on.n_negatives,
            },
            expected: self.expected,
        };
        let steps = self.candidates.iter().chain([&all]);
        let first =
            Candidate { threshold: f64::INFINITY, counts: Counts::NONE, expected: ClassWeights::default() };
        let mut above = &first;
        self.chosen_on.negative_weight.is_sound()
            && steps.into_iter().all(|candidate| {
                let is_lower = candidate.is_below(above);
                above = candidate;
                is_lower
            })
    }
}

impl Candidate {
    /// Whether it calls positive all that a higher threshold does.
    fn is_below(&self, above: &Self) -> bool {
        let weights = |of: &Self| [of.expected.positives, of.expected.negatives];
        let counts = |of: &Self| [of.counts.true_positives, of.counts.false_positives];
        self.threshold < above.threshold
            && weights(self).iter().all(|weight| weight.is_finite())
            && weights(self).iter().zip(weights(above)).all(|(own, above)| *own >= above)
            && counts(self).iter().zip(counts(above)).all(|(own, above)| *own >= above)
    }
}

impl From<(f64, usize, usize, f64, f64)> for Candidate {
    fn from(row: (f64, usize, usize, f64, f64)) -> Self {
        let (threshold, true_positives, false_positives, positives, negatives) = row;
        Self {
            threshold,
            counts: Counts { true_positives, false_positives },
            expected: ClassWeights { positives, negatives },
        }
    }
}

impl From<Candidate> for (f64, usize, usize, f64, f64) {
    fn from(Candidate { threshold, counts, expected }: Candidate) -> Self {
        (threshold, counts.true_positives, counts.false_positives, expected.positives, expected.negatives)
    }
}

/// A number above the lower and at most the upper one, midway if there is one there.
fn between(lower: f64, upper: f64) -> f64 {
    let middle = f64::midpoint(lower, upper);
    if middle > lower && middle <= upper { middle } else { upper }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::{HeldOutScore, Thresholds, between};
    use crate::deciding::{MistakeCosts, OperatingPoint};
    use gleaner_base::{Counts, NegativeWeight, Pooling};

    const POOLING: Pooling = Pooling::ONE;

    fn example(score: f64, is_positive: bool) -> HeldOutScore {
        HeldOutScore { is_tune: false, position: 0, score, is_positive, weight: 1.0 }
    }

    fn chosen(
        scored: &[(f64, bool)],
        probability: impl Fn(f64) -> f64,
        point: OperatingPoint,
    ) -> Option<(f64, Counts)> {
        let examples: Vec<HeldOutScore> =
            scored.iter().map(|&(score, class)| example(score, class)).collect();
        Thresholds::of(&examples, probability, POOLING).choose(point).threshold
    }

    /// Probabilities .9, .6, .5, .1: of 2.1 expected positives the first two calls find 1.5, F1 3/4.1 = .73; the first three 2.0,
    /// 4/5.1 = .78; the first .9, 1.8/3.1 = .58. Rightly called are expected .9 + .4 + .5 + .9 of the first, .1 + .6 less .4 more of two.
    #[test]
    fn expected_figures_by_hand() {
        let scored = [(4.0, true), (3.0, false), (2.0, true), (-1.0, false)];
        let probability = |score: f64| {
            if score > 3.5 {
                0.9
            } else if score > 2.5 {
                0.6
            } else if score > 0.0 {
                0.5
            } else {
                0.1
            }
        };
        let counts = |true_positives, false_positives| Counts { true_positives, false_positives };
        assert_eq!(chosen(&scored, probability, OperatingPoint::BestF1), Some((0.5, counts(2, 1))));
        // Of .5 each way the higher recall is taken.
        assert_eq!(chosen(&scored, probability, OperatingPoint::Accuracy), Some((0.5, counts(2, 1))));
        let costs = |false_positive, false_negative| {
            OperatingPoint::Cost(MistakeCosts { false_positive, false_negative })
        };
        assert_eq!(
            chosen(&scored, probability, costs(2.0, 1.0)),
            Some((3.5, counts(1, 0))),
            "from p = 2/3 on"
        );
        // Expected precision .9, .75, .667.
        assert_eq!(chosen(&scored, probability, OperatingPoint::Precision(0.7)), Some((2.5, counts(1, 1))));
        // Expected recall .9/2.1 = .43, .71, .95.
        assert_eq!(chosen(&scored, probability, OperatingPoint::Recall(0.75)), Some((2.5, counts(1, 1))));
        assert_eq!(
            chosen(&scored[..1], probability, OperatingPoint::BestF1),
            None,
            "to call all positive is no decision"
        );
    }

    /// Two classes six apart: midway, not on the lowest positive, which the next model may miss.
    #[test]
    fn a_gap_is_halved() {
        let scored = [(7.0, true), (6.0, true), (0.0, false), (-1.0, false)];
        let found = chosen(&scored, |score| f64::from(u8::from(score > 3.0)), OperatingPoint::BestF1);
        assert_eq!(found.map(|(least, _)| least), Some(3.0));
    }

    #[test]
    fn between_is_above_the_lower_and_not_above_the_upper() {
        let next = 1.0_f64.next_up();
        assert_eq!(between(1.0, next).to_bits(), next.to_bits());
        assert_eq!(between(-f64::MAX, f64::MAX).to_bits(), 0.0_f64.to_bits());
    }

    /// 5,000 scores with even probabilities. Neither class grows by more than a 250th between two thresholds that stay;
    /// the chosen threshold is as good but for that.
    #[test]
    fn many_thresholds_are_thinned() {
        let scored: Vec<HeldOutScore> =
            (0..5_000_u32).map(|number| example(f64::from(number), number % 7 == 0)).collect();
        let all = Thresholds::of(&scored, |score| score / 5_000.0, POOLING);
        let some = all.clone().thinned(&all.choose(OperatingPoint::BestF1));
        assert!((250..=501).contains(&some.candidates.len()), "{}", some.candidates.len());
        assert!(some.is_sound());
        assert_eq!(some.candidates.last(), all.candidates.last());
        for pair in some.candidates.windows(2) {
            let [before, after] = [pair[0].expected, pair[1].expected];
            assert!(after.positives - before.positives <= all.expected.positives / 250.0 + 1e-9);
            assert!(after.negatives - before.negatives <= all.expected.negatives / 250.0 + 1e-9);
        }
        let [all, some] =
            [all, some].map(|of| of.choose(OperatingPoint::Recall(0.5)).threshold.expect("it decides"));
        assert!((all.0 - some.0).abs() < 20.0, "{all:?} {some:?}");
    }

    /// Of 5,000 scores with uneven probabilities: whatever it was chosen by, the threshold that decides is in the file, and
    /// is chosen there again.
    #[test]
    fn the_chosen_threshold_is_not_thinned_away() {
        let scored: Vec<HeldOutScore> =
            (0..5_000_u32).map(|number| example(f64::from(number), number % 7 == 0)).collect();
        let probability = |score: f64| (score / 5_000.0).powi(3).clamp(0.001, 0.999);
        let all = Thresholds::of(&scored, probability, POOLING);
        let recalls = (1..40).map(|part| OperatingPoint::Recall(f64::from(part) / 41.0));
        for point in
            recalls.chain([OperatingPoint::BestF1, OperatingPoint::Accuracy, OperatingPoint::FBeta(3.0)])
        {
            let chosen = all.choose(point);
            let thinned = all.clone().thinned(&chosen);
            assert!(thinned.candidates.len() < 1_000 && thinned.is_sound());
            assert_eq!(thinned.choose(point), chosen, "{point:?}");
        }
    }

    proptest! {
        /// The decision of each score that chose a threshold is the decision that it was chosen for.
        #[test]
        fn the_threshold_calls_what_it_was_chosen_for(
            scored in proptest::collection::vec((0_u8..9, any::<bool>(), any::<bool>()), 1..40),
            offset in -1e9_f64..1e9,
            point in 0_usize..6,
        ) {
            let point = [
                OperatingPoint::BestF1,
                OperatingPoint::Accuracy,
                OperatingPoint::Recall(0.5),
                OperatingPoint::Precision(0.8),
                OperatingPoint::FBeta(4.0),
                OperatingPoint::Cost(MistakeCosts { false_positive: 3.0, false_negative: 1.0 }),
            ][point];
            let examples: Vec<HeldOutScore> = scored
                .iter()
                .map(|&(step, is_positive, is_tune)| {
                    // Neighbouring numbers: a middle rounds to one of them.
                    let score = (0..step).fold(offset, |score, _| score.next_up());
                    HeldOutScore { is_tune, ..example(score, is_positive) }
                })
                .collect();
            let probability = |score: f64| ((score - offset) / offset.abs().max(1.0)).clamp(0.01, 0.99);
            let thresholds = Thresholds::of(&examples, probability, POOLING);
            prop_assert!(thresholds.is_sound());
            let decision = thresholds.choose(point);
            if let Some((least, counts)) = decision.threshold {
                let called = examples.iter().filter(|example| example.score >= least);
                let is_positive = called.clone().filter(|example| example.is_positive).count();
                prop_assert_eq!(counts, Counts { true_positives: is_positive, false_positives: called.count() - is_positive });
                prop_assert!(examples.iter().any(|example| example.score < least));
            }
        }

        /// A sampled negative of train stands for four.
        #[test]
        fn negatives_count_for_those_they_stand_for(n_train in 1_usize..9, n_tune in 1_usize..9) {
            let (train, tune) = (NegativeWeight::new(4, 1), NegativeWeight::ONE);
            let negative = |is_tune: bool| HeldOutScore { is_tune, weight: if is_tune { 1.0 } else { 4.0 }, ..example(1.0, false) };
            let mut examples = vec![negative(false); n_train];
            examples.extend(vec![negative(true); n_tune]);
            examples.push(example(0.0, true));
            let thresholds = Thresholds::of(&examples, |score| score * 0.5, Pooling::of(train, tune));
            let found = thresholds.choose(OperatingPoint::BestF1);
            let expected = Counts { true_positives: 0, false_positives: 4 * n_train + n_tune };
            prop_assert_eq!(found.threshold.map(|(_, counts)| counts), Some(expected));
        }
    }
}
