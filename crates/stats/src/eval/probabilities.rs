//! Measures of the quality of probabilities, and probabilities of many classes.
//!
//! Probabilities are ranked as scores are: a group has the examples of equal probability.

use serde::{Deserialize, Serialize};

use gleaner_base::ClassId;

use super::ranking::{RankedGroup, Ranking};

/// Measures of probabilities. A measure is `None` where it is undefined, as all measures are without examples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbabilityMetrics {
    /// Mean of `-ln` of the probability of each example's class; at least 0. Probabilities of 0 and 1 count as the nearest numbers
    /// that are neither.
    pub mean_cross_entropy: Option<f64>,
    /// The mean cross entropy if each example had the prior as its probability.
    pub prior_cross_entropy: Option<f64>,
    /// The mean cross entropy over positives.
    pub cross_entropy_positives: Option<f64>,
    /// The mean cross entropy over negatives.
    pub cross_entropy_negatives: Option<f64>,
    /// Mean squared difference to 1 of positives and 0 of negatives; 0 to 1. It is reliability less resolution plus uncertainty.
    /// [Brier 1950; Murphy 1973]
    pub brier: Option<f64>,
    /// Mean squared difference of each group's probability and frequency of positives; 0 is best.
    pub brier_reliability: Option<f64>,
    /// The mean squared difference between the frequency of a group and that of all examples. The uncertainty is the
    /// highest and best value.
    pub brier_resolution: Option<f64>,
    /// The Brier score if each example had the prevalence of these examples as its probability; 0 to 1/4.
    pub brier_uncertainty: Option<f64>,
    /// Expected calibration error: mean difference of mean probability and frequency of positives, over ten bins of equal width.
    pub calibration_error: Option<f64>,
    /// The sum of the probabilities.
    pub expected_positives: Option<f64>,
    /// The positives that there are, by weight.
    pub observed_positives: Option<f64>,
    /// Precision where examples with a chosen probability or more count as positive.
    pub precision_at_probability: Option<f64>,
    /// Recall where examples with this probability or more count as positive.
    pub recall_at_probability: Option<f64>,
}

/// The prior and the threshold against which probabilities are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measuring {
    /// The probability of a positive without knowledge of the example, if that is known.
    pub prior: Option<f64>,
    /// The least probability at which an example counts as positive.
    pub at_probability: f64,
}

/// A row of a reliability table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReliabilityBin {
    /// The bound below the row's probabilities, which exceed it; the first row includes 0.
    pub above: f64,
    /// The greatest probability of the row.
    pub up_to: f64,
    /// Weight of the examples.
    pub examples: f64,
    /// The sum of their probabilities.
    pub expected_positives: f64,
    /// Weight of the positives among them.
    pub positives: f64,
}

impl ReliabilityBin {
    /// Adds the examples of the same row of another table.
    pub fn add(&mut self, other: &Self) {
        self.examples += other.examples;
        self.expected_positives += other.expected_positives;
        self.positives += other.positives;
    }

    /// The mean probability; `None` of an empty row.
    pub fn mean_probability(&self) -> Option<f64> {
        (self.examples > 0.0).then(|| self.expected_positives / self.examples)
    }

    /// The share of positives; `None` of an empty row.
    pub fn frequency(&self) -> Option<f64> {
        (self.examples > 0.0).then(|| self.positives / self.examples)
    }
}

/// The upper ends of the rows of a reliability table. Where positives are rare, most examples fall into the first rows.
const RELIABILITY_ENDS: [f64; 12] = [0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// The upper ends of the bins of the expected calibration error.
const TENTHS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Measures the probabilities that are the scores of a ranking. **Cost**: linear in its groups.
pub fn probability_metrics(ranking: &Ranking, measuring: Measuring) -> ProbabilityMetrics {
    let (positives, negatives) = ranking.class_weights();
    let all = positives + negatives;
    // An empty sum is -0.0.
    let mean = |sum: f64, weight: f64| (weight > 0.0).then(|| sum / weight + 0.0);
    let sum = |of: &dyn Fn(&RankedGroup) -> f64| -> f64 { ranking.groups().iter().map(of).sum() };
    let of_positives = sum(&|group| group.positives * loss(group.score));
    let of_negatives = sum(&|group| group.negatives * loss_of_negative(group.score));
    let prior = measuring.prior.map(|prior| positives * loss(prior) + negatives * loss_of_negative(prior));
    let base = if all > 0.0 { positives / all } else { 0.0 };
    let square = |difference: f64| difference * difference;
    let weight = |group: &RankedGroup| group.positives + group.negatives;
    let frequency = |group: &RankedGroup| group.positives / weight(group);
    let errors = reliability(ranking, &TENTHS);
    let called: Vec<&RankedGroup> =
        ranking.groups().iter().filter(|group| group.score >= measuring.at_probability).collect();
    let found: f64 = called.iter().map(|group| group.positives).sum();
    ProbabilityMetrics {
        mean_cross_entropy: mean(of_positives + of_negatives, all),
        prior_cross_entropy: prior.and_then(|sum| mean(sum, all)),
        cross_entropy_positives: mean(of_positives, positives),
        cross_entropy_negatives: mean(of_negatives, negatives),
        brier: mean(
            sum(&|group| group.positives * square(1.0 - group.score) + group.negatives * square(group.score)),
            all,
        ),
        brier_reliability: mean(sum(&|group| weight(group) * square(group.score - frequency(group))), all),
        brier_resolution: mean(sum(&|group| weight(group) * square(frequency(group) - base)), all),
        brier_uncertainty: mean(all * base * (1.0 - base), all),
        calibration_error: mean(
            errors.iter().map(|bin| (bin.expected_positives - bin.positives).abs()).sum(),
            all,
        ),
        expected_positives: (all > 0.0).then(|| sum(&|group| weight(group) * group.score)),
        observed_positives: (all > 0.0).then_some(positives),
        precision_at_probability: mean(found, called.iter().copied().map(weight).sum()),
        recall_at_probability: mean(found, positives),
    }
}

/// The reliability table of the probabilities that are the scores of a ranking: a row for each of `RELIABILITY_ENDS`.
pub fn reliability_table(ranking: &Ranking) -> Vec<ReliabilityBin> {
    reliability(ranking, &RELIABILITY_ENDS)
}

fn reliability(ranking: &Ranking, ends: &[f64]) -> Vec<ReliabilityBin> {
    let bin = |(at, &up_to): (usize, &f64)| ReliabilityBin {
        above: at.checked_sub(1).map_or(0.0, |before| ends[before]),
        up_to,
        examples: 0.0,
        expected_positives: 0.0,
        positives: 0.0,
    };
    let mut bins: Vec<ReliabilityBin> = ends.iter().enumerate().map(bin).collect();
    for group in ranking.groups().iter().rev() {
        let at = ends.partition_point(|&end| end < group.score).min(bins.len() - 1);
        let weight = group.positives + group.negatives;
        bins[at].examples += weight;
        bins[at].expected_positives += weight * group.score;
        bins[at].positives += group.positives;
    }
    bins
}

/// `-ln` of a probability; 0 and 1 count as the nearest numbers that are neither.
pub(super) fn loss(probability: f64) -> f64 {
    -probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln()
}

fn loss_of_negative(probability: f64) -> f64 {
    -(-probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON)).ln_1p()
}

/// The probabilities of an example's classes, with sum 1. They are the probabilities of each class against the rest,
/// divided by their sum; where all are 0, the priors.
///
/// **Shape**: one probability for each class, as many as priors.
pub fn normalised(against_rest: &[f64], priors: &[f64]) -> Vec<f64> {
    let sum: f64 = against_rest.iter().sum();
    if sum > 0.0 { against_rest.iter().map(|part| part / sum).collect() } else { priors.to_vec() }
}

/// The most probable class. If classes are equally probable, it is the first with the greatest prior.
///
/// # Panics
///
/// When there is no class.
pub fn most_probable(probabilities: &[f64], priors: &[f64]) -> ClassId {
    let better = |left: &usize, right: &usize| {
        let of = |class: usize| (probabilities[class], priors[class]);
        of(*left).0.total_cmp(&of(*right).0).then(of(*left).1.total_cmp(&of(*right).1)).then(right.cmp(left))
    };
    ClassId::new((0..probabilities.len()).max_by(better).expect("there is a class"))
}

/// The mean of `-ln` of the probability of each example's own class; at least 0, and `None` without examples. A probability of 0
/// counts as the least number above it.
pub fn log_loss(of_own_class: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0.0);
    for probability in of_own_class {
        sum += loss(probability);
        n += 1.0;
    }
    (n > 0.0).then(|| sum / n)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, proptest};

    use super::super::Ranking;
    use super::{Measuring, log_loss, most_probable, normalised, probability_metrics, reliability_table};

    const PROBABILITIES: [f64; 10] = [0.02, 0.02, 0.1, 0.25, 0.25, 0.25, 0.6, 0.6, 0.9, 0.97];
    const CLASSES: [u8; 10] = [0, 1, 0, 0, 1, 0, 1, 0, 1, 1];

    const fn at(at_probability: f64) -> Measuring {
        Measuring { prior: Some(0.3), at_probability }
    }

    fn ranking(negative_weight: f64) -> Ranking {
        let weight = |class: u8| if class == 1 { 1.0 } else { negative_weight };
        Ranking::weighted((0..10).map(|at| (PROBABILITIES[at], CLASSES[at] == 1, weight(CLASSES[at]))))
            .expect("numbers")
    }

    fn assert_near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?}, not {expected}");
    }

    /// scikit-learn 1.9.1: `log_loss`, `brier_score_loss`, `precision_score`, `recall_score` with sample weights (3 of negatives, 1 of
    /// positives); `calibration_curve` of ten bins, each row as often as it weighs. The decomposition: its definition in NumPy.
    #[test]
    fn figures_of_scikit_learn() {
        let found = probability_metrics(&ranking(3.0), at(0.5));
        assert_near(found.mean_cross_entropy, 0.539_830_850_635_787_5);
        assert_near(found.prior_cross_entropy, 0.568_499_409_035_533_3);
        assert_near(found.cross_entropy_positives, 1.188_992_542_691_312_4);
        assert_near(found.cross_entropy_negatives, 0.323_443_619_950_612_55);
        assert_near(found.brier, 0.159);
        assert_near(found.brier_reliability, 0.041_142_857_142_857_14);
        assert_near(found.brier_resolution, 0.069_642_857_142_857_15);
        assert_near(found.brier_uncertainty, 0.1875);
        assert_near(found.calibration_error, 0.145);
        assert_near(found.precision_at_probability, 0.5);
        assert_near(found.recall_at_probability, 0.6);
        let lower = probability_metrics(&ranking(3.0), at(0.25));
        assert_near(lower.precision_at_probability, 0.307_692_307_692_307_7);
        assert_near(lower.recall_at_probability, 0.8);
        let unweighted = probability_metrics(&ranking(1.0), at(0.5));
        assert_near(unweighted.mean_cross_entropy, 0.756_218_081_320_962_5);
        // By hand.
        assert_near(unweighted.expected_positives, 3.96);
        assert_near(unweighted.observed_positives, 5.0);
    }

    /// By hand: rows are open below and closed above.
    #[test]
    fn rows_of_the_table() {
        let table = reliability_table(&ranking(3.0));
        let filled: Vec<(f64, f64, f64)> = table
            .iter()
            .filter(|bin| bin.examples > 0.0)
            .map(|bin| (bin.up_to, bin.examples, bin.positives))
            .collect();
        assert_eq!(
            filled,
            [(0.1, 7.0, 1.0), (0.3, 7.0, 1.0), (0.6, 4.0, 1.0), (0.9, 1.0, 1.0), (1.0, 1.0, 1.0)]
        );
        assert_near(table[2].mean_probability(), 0.38 / 7.0);
        assert_near(table[2].frequency(), 1.0 / 7.0);
        assert_eq!((table[0].mean_probability(), table[0].frequency()), (None, None));
    }

    /// Undefined measures are `None`; a certain but wrong probability gives a great but finite loss.
    #[test]
    fn edges() {
        let none = probability_metrics(&Ranking::new([]).expect("none"), at(0.5));
        assert_eq!(none, super::ProbabilityMetrics::default());
        let wrong = Ranking::new([(0.0, true), (1.0, false)]).expect("numbers");
        let found = probability_metrics(&wrong, Measuring { prior: None, at_probability: 0.5 });
        assert!(found.mean_cross_entropy.is_some_and(|loss| loss > 36.0 && loss < 37.0), "{found:?}");
        assert_eq!(found.prior_cross_entropy, None);
        let positives = Ranking::new([(0.5, true)]).expect("numbers");
        let found = probability_metrics(&positives, at(0.6));
        assert_eq!((found.cross_entropy_negatives, found.precision_at_probability), (None, None));
        // Nothing is found, and that is 0, not -0.
        assert_eq!(found.recall_at_probability.map(f64::to_bits), Some(0));
    }

    proptest! {
        /// Murphy's identity, and the Brier score of single examples.
        #[test]
        fn parts_of_the_brier_score_add_up(
            examples in proptest::collection::vec((0..=20_u8, any::<bool>(), 1..4_u8), 1..40),
        ) {
            let examples: Vec<(f64, bool, f64)> = examples
                .iter()
                .map(|&(twentieths, is_positive, weight)| {
                    (f64::from(twentieths) / 20.0, is_positive, f64::from(weight))
                })
                .collect();
            let found = probability_metrics(&Ranking::weighted(examples.clone()).expect("numbers"), at(0.5));
            let all: f64 = examples.iter().map(|example| example.2).sum();
            let square = |(probability, is_positive, weight): &(f64, bool, f64)| {
                weight * (probability - f64::from(u8::from(*is_positive))).powi(2)
            };
            let brier = examples.iter().map(square).sum::<f64>() / all;
            let part = |part: Option<f64>| part.expect("there are examples");
            prop_assert!((part(found.brier) - brier).abs() < 1e-12);
            let sum = part(found.brier_reliability) - part(found.brier_resolution) + part(found.brier_uncertainty);
            prop_assert!((sum - brier).abs() < 1e-12, "{sum}, not {brier}");
        }
    }

    #[test]
    fn worked_by_hand() {
        let priors = [0.2, 0.5, 0.3];
        let parts = normalised(&[0.1, 0.3, 0.4], &priors);
        assert!(
            parts.iter().zip([0.125, 0.375, 0.5]).all(|(part, expected)| (part - expected).abs() < 1e-15)
        );
        assert_eq!(normalised(&[0.0; 3], &priors), priors);
        assert_eq!(most_probable(&[0.4, 0.4, 0.2], &priors).index(), 1);
        assert_eq!(most_probable(&[0.4, 0.4, 0.2], &[0.4, 0.4, 0.2]).index(), 0);
        let loss = log_loss([0.5, 0.25]).unwrap();
        assert!((loss - 3.0 * 2.0_f64.ln() / 2.0).abs() < 1e-15);
        assert!(log_loss([0.0]).unwrap().is_finite());
        assert_eq!(log_loss([]), None);
    }
}
