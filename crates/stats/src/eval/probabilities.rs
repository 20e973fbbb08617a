//! Measures of the quality of probabilities. Probabilities are ranked as scores are: a group has the examples of equal
//! probability.

use serde::{Deserialize, Serialize};

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
    #[must_use]
    pub fn mean_probability(&self) -> Option<f64> {
        (self.examples > 0.0).then(|| self.expected_positives / self.examples)
    }

    /// The share of positives; `None` of an empty row.
    #[must_use]
    pub fn frequency(&self) -> Option<f64> {
        (self.examples > 0.0).then(|| self.positives / self.examples)
    }
}

/// The upper ends of the rows of a reliability table. Where positives are rare, most examples fall into the first rows.
pub const RELIABILITY_ENDS: [f64; 12] = [0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// The upper ends of the bins of the expected calibration error.
const TENTHS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Measures the probabilities that are the scores of a ranking. **Cost**: linear in its groups.
#[must_use]
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

/// The reliability table of the probabilities that are the scores of a ranking: a row for each of [`RELIABILITY_ENDS`].
#[must_use]
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

#[cfg(test)]
mod tests;
