//! The threshold that decides: chosen by the probabilities of scores that examples have by models which did not learn from them.

use crate::base::{ClassWeights, Counts, Pooling, Totals};

use super::calibration::HeldOutScore;
use super::deciding::OperatingPoint;
use super::votes::one;

/// A threshold of a model's scores, and the examples that chose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChosenThreshold {
    /// The least score that is called positive, with the counts of the examples that are called so; `None` where nothing decides,
    /// as to call everything positive is no decision.
    pub threshold: Option<(f64, Counts)>,
    /// How many examples chose it.
    pub chosen_on: Totals,
}

impl ChosenThreshold {
    /// The threshold of the best expected figure, over examples with their scores.
    ///
    /// Expected is what probabilities say: an example of probability `p` is `p` of a positive. What a few labels say of F1 changes
    /// with each of them; probabilities that were fitted to all examples do not. A threshold lies midway between the lowest score that
    /// is called positive and the next one: the scores of a model that learnt from all examples are not quite those that chose it.
    ///
    /// DIVERGENCE: the theses and papers choose on tune, by counts.
    ///
    /// **Cost**: a sort.
    #[must_use]
    pub fn choose(
        examples: &[HeldOutScore],
        probability: impl Fn(f64) -> f64,
        point: OperatingPoint,
        pooling: Pooling,
    ) -> Self {
        let mut ranked: Vec<&HeldOutScore> = examples.iter().collect();
        ranked.sort_by(|left, right| right.score.total_cmp(&left.score));
        let (mut counts, mut expected) = (Counts::NONE, ClassWeights::default());
        let mut thresholds: Vec<(f64, Counts)> = Vec::new();
        let mut called: Vec<ClassWeights> = Vec::new();
        for group in ranked.chunk_by(|left, right| left.score.total_cmp(&right.score).is_eq()) {
            let score = group[0].score;
            if let Some((above, _)) = thresholds.last_mut() {
                *above = between(score, *above);
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
            thresholds.push((score, counts));
            called.push(expected);
        }
        // The last calls everything positive.
        let n_decisions = called.len().saturating_sub(1);
        let chosen = point.choose(&called[..n_decisions], expected);
        Self {
            threshold: chosen.map(|at| thresholds[at]),
            chosen_on: Totals {
                n_positives: counts.true_positives,
                n_negatives: counts.false_positives,
                negative_weight: pooling.negative_weight,
            },
        }
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

    use super::{ChosenThreshold, between};
    use crate::base::{Counts, NegativeWeight, Pooling};
    use crate::learn::calibration::HeldOutScore;
    use crate::learn::deciding::{MistakeCosts, OperatingPoint};

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
        ChosenThreshold::choose(&examples, probability, point, POOLING).threshold
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

    proptest! {
        /// The decision of each score that chose a threshold is the one that it was chosen for.
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
            let decision = ChosenThreshold::choose(&examples, probability, point, POOLING);
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
            let found = ChosenThreshold::choose(&examples, |score| score * 0.5, OperatingPoint::BestF1, Pooling::of(train, tune));
            let expected = Counts { true_positives: 0, false_positives: 4 * n_train + n_tune };
            prop_assert_eq!(found.threshold.map(|(_, counts)| counts), Some(expected));
        }
    }
}
