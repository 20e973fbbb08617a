//! Weights of one theory: how its clauses score an example, from their covers on tune. [GLEANER §8.1]

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::covers::add_weights;
use gleaner_base::{ClassWeights, Classes, ExampleSet};
use gleaner_lang::program::settings::words;
use gleaner_stats::ml::PseudoCounts;
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::TreeAugmented;

words! {
    /// A way to score examples by the clauses that cover them.
    pub enum TheoryWeights {
        /// The highest m-estimate, `(TP + m) / (TP + FP + 2m)`, of a covering clause.
        RankedList = "ranked-list",
        /// The lowest false positive rate of a covering clause ranks first.
        LowestFpr = "lowest-fpr",
        /// `sum TP / (sum TP + sum FP)` over covering clauses.
        Cn2 = "cn2",
        /// The mean precision of the covering clauses; those without a defined precision are left out.
        WeightedVote = "weighted-vote",
        /// The number of covering clauses.
        Equal = "equal",
        /// The sum of their precisions.
        Precision = "precision",
        /// The sum of their recalls.
        Recall = "recall",
        /// The sum of their F1.
        F1 = "f1",
        /// The sum of the clauses' departures from the theory's mean vote.
        Diversity = "diversity",
        /// The sum of random numbers from 0 to 1, to compare with.
        Random = "random",
        /// Naive Bayes with a column for each clause.
        NaiveBayes = "naive-bayes",
        /// Tree-augmented naive Bayes.
        Tan = "tan",
    }
}

impl TheoryWeights {
    /// Whether no score falls by one more clause that covers the example.
    pub const fn are_for_positives(self) -> bool {
        match self {
            Self::RankedList
            | Self::LowestFpr
            | Self::Equal
            | Self::Precision
            | Self::Recall
            | Self::F1
            | Self::Random => true,
            // Means and log-odds fall by a worse clause; a diversity may be less than 0 by rounding.
            Self::Cn2 | Self::WeightedVote | Self::Diversity | Self::NaiveBayes | Self::Tan => false,
        }
    }
}

/// How a theory is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    /// How its clauses score.
    pub weights: TheoryWeights,
    /// The pseudo-counts that naive Bayes and TAN add to counts.
    pub smoothing: PseudoCounts,
    /// The `m` of the ranked list's m-estimate, above 0.
    pub ranked_list_m: f64,
}

/// Far above any number that is learnt: sums of numbers below it stay finite.
const BOUND: f64 = 1e15;

/// A theory's way of scoring, with the values that it learnt from tune.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scorer {
    /// Theories that cover the example, of an ensemble.
    Theories,
    /// The greatest of the covering clauses' values, which are above 0; 0 for an uncovered example.
    Greatest(Vec<f64>),
    /// The sum of the covering clauses' values.
    Sum(Vec<f64>),
    /// The sum of the covering clauses' first values over the sum of their second; 0 for 0/0.
    Ratio(Vec<(f64, f64)>),
    /// Log-odds.
    NaiveBayes(NaiveBayes),
    /// Log-odds.
    Tan(TreeAugmented),
}

impl Scorer {
    /// Fits a theory's covers on tune, in the order of its clauses.
    pub fn fit(weighing: Weighing, classes: Classes, covers: &[ExampleSet], rng: &mut Pcg64) -> Self {
        let all = classes.totals.weighted();
        let covered = |cover: &ExampleSet| classes.counts(cover).weighted(classes.totals.negative_weight);
        let each = |value: &dyn Fn(ClassWeights) -> f64| -> Vec<f64> {
            covers.iter().map(|cover| value(covered(cover))).collect()
        };
        let precision = |of: ClassWeights| of.precision().unwrap_or(0.0);
        let m = weighing.ranked_list_m;
        match weighing.weights {
            TheoryWeights::RankedList => {
                Self::Greatest(each(&|of| (of.positives + m) / (of.sum() + 2.0 * m)))
            }
            // From 1 down to 1/2, so that an uncovered example comes last.
            TheoryWeights::LowestFpr => {
                Self::Greatest(each(&|of| 1.0 - or_zero(of.negatives / all.negatives) / 2.0))
            }
            TheoryWeights::Cn2 => {
                Self::Ratio(covers.iter().map(covered).map(|of| (of.positives, of.sum())).collect())
            }
            TheoryWeights::WeightedVote => {
                // A clause whose precision is undefined has no part in the mean.
                let vote = |of: ClassWeights| of.precision().map_or((0.0, 0.0), |precision| (precision, 1.0));
                Self::Ratio(covers.iter().map(covered).map(vote).collect())
            }
            TheoryWeights::Equal => Self::Sum(vec![1.0; covers.len()]),
            TheoryWeights::Precision => Self::Sum(each(&precision)),
            TheoryWeights::Recall => Self::Sum(each(&|of| of.recall(all).unwrap_or(0.0))),
            TheoryWeights::F1 => Self::Sum(each(&|of| of.f_beta(1.0, all).unwrap_or(0.0))),
            TheoryWeights::Diversity => Self::Sum(diversities(classes, covers)),
            TheoryWeights::Random => Self::Sum(covers.iter().map(|_| rng.random::<f64>()).collect()),
            TheoryWeights::NaiveBayes => {
                Self::NaiveBayes(NaiveBayes::fit(classes, covers, weighing.smoothing))
            }
            TheoryWeights::Tan => Self::Tan(TreeAugmented::fit(classes, covers, weighing.smoothing)),
        }
    }

    /// The score of each position of a universe of `len`, from the covers of the clauses in their order;
    /// higher is more likely positive.
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        match self {
            Self::Theories => sums(len, covers, &vec![1.0; covers.len()]),
            Self::Sum(values) => sums(len, covers, values),
            Self::Greatest(values) => {
                let mut scores = vec![0.0_f64; len];
                for (cover, &value) in covers.iter().zip(values) {
                    cover.iter().for_each(|position| scores[position] = scores[position].max(value));
                }
                scores
            }
            Self::Ratio(values) => {
                let part = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<f64> {
                    sums(len, covers, &values.iter().map(of).collect::<Vec<f64>>())
                };
                let (above, below) = (part(&|value| value.0), part(&|value| value.1));
                above.iter().zip(below).map(|(above, below)| or_zero(above / below)).collect()
            }
            Self::NaiveBayes(model) => model.scores(len, covers),
            Self::Tan(model) => model.scores(len, covers),
        }
    }

    /// A score on a scale from 0 to 1: sums over the greatest possible sum, log-odds as probabilities (not calibrated).
    pub fn confidence(&self, score: f64) -> f64 {
        let share = match self {
            Self::Sum(values) => or_zero(score / values.iter().sum::<f64>()),
            Self::NaiveBayes(_) | Self::Tan(_) => 1.0 / (1.0 + (-score).exp()),
            Self::Theories | Self::Greatest(_) | Self::Ratio(_) => score,
        };
        share.clamp(0.0, 1.0)
    }

    /// The value of a covering clause, where scores are sums of values or the greatest value.
    pub fn value(&self, clause_idx: usize) -> Option<f64> {
        match self {
            Self::Greatest(values) | Self::Sum(values) => values.get(clause_idx).copied(),
            Self::Theories | Self::Ratio(_) | Self::NaiveBayes(_) | Self::Tan(_) => None,
        }
    }

    /// The highest score that an example can have; `None` for ratios and log-odds, where that is not obvious.
    pub fn greatest_score(&self) -> Option<f64> {
        match self {
            Self::Theories => Some(1.0),
            Self::Greatest(values) => Some(values.iter().copied().fold(0.0, f64::max)),
            Self::Sum(values) => Some(values.iter().map(|value| value.max(0.0)).sum()),
            Self::Ratio(_) | Self::NaiveBayes(_) | Self::Tan(_) => None,
        }
    }

    /// Whether its parts fit together; one that was read from a file may not.
    pub fn is_sound(&self) -> bool {
        let is_small = |value: &f64| value.abs() < BOUND;
        match self {
            Self::Theories => true,
            Self::Greatest(values) | Self::Sum(values) => values.iter().all(is_small),
            Self::Ratio(values) => values.iter().all(|(above, below)| is_small(above) && is_small(below)),
            Self::NaiveBayes(model) => model.is_below(BOUND),
            Self::Tan(model) => model.is_below(BOUND),
        }
    }

    /// How many clauses it was fitted to; `None` for an ensemble.
    pub fn n_clauses(&self) -> Option<usize> {
        match self {
            Self::Theories => None,
            Self::Greatest(values) | Self::Sum(values) => Some(values.len()),
            Self::Ratio(values) => Some(values.len()),
            Self::NaiveBayes(model) => Some(model.added.len()),
            Self::Tan(model) => Some(model.branches.len()),
        }
    }
}

/// A clause that covers nothing on tune has no precision: it adds nothing.
fn or_zero(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn sums(len: usize, covers: &[ExampleSet], values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    add_weights(&mut sums, covers, values);
    sums
}

/// The diversity of each clause: the mean over examples of the squared difference of its vote (0 or 1) from the
/// theory's mean vote. [Opitz and Shavlik 1996]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn diversities(classes: Classes, covers: &[ExampleSet]) -> Vec<f64> {
    let Some(len) = covers.first().map(ExampleSet::universe) else { return Vec::new() };
    let n_clauses = covers.len() as f64;
    let means: Vec<f64> =
        sums(len, covers, &vec![1.0; covers.len()]).into_iter().map(|votes| votes / n_clauses).collect();
    let negative_weight = classes.totals.negative_weight.ratio();
    let weight = |position: usize| if classes.is_positive(position) { 1.0 } else { negative_weight };
    let squares: f64 = means.iter().enumerate().map(|(at, mean)| weight(at) * mean * mean).sum();
    // (1 - m)² = m² + (1 - 2m) for the examples that the clause covers, m² for the rest.
    let of = |cover: &ExampleSet| -> f64 {
        let covered: f64 = cover.iter().map(|at| weight(at) * (1.0 - 2.0 * means[at])).sum();
        or_zero((squares + covered) / classes.totals.weighted().sum())
    };
    covers.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
