//! Thresholds: for each bin of recall, which theory and how many votes; never chosen on test.
//! [GLEANER §3.1.2]

use std::cmp::Ordering;

use gleaner_base::{Counts, NegativeWeight, Pooling, Totals};

use super::config::ThresholdRule;
use super::gathering_config::Partition;

/// "An example is positive when at least `threshold` votes of the theory `theory_bin` cover it."
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Decision {
    /// The bin of recall that the decision serves, from 1, of `n_threshold_bins`.
    pub target_bin: usize,
    /// The bin whose theory votes, from 1; 1 where all bins' clauses form one theory.
    pub theory_bin: usize,
    /// `L`: least votes.
    pub threshold: f64,
    /// Its counts on the examples it was chosen on: tune, or train and tune. Each negative counts once, however many it
    /// stands for.
    pub chosen_on: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

impl Decision {
    /// Its precision on the examples it was chosen on; `None` when it covers nothing there. `pooling` is of train and
    /// tune: covered examples that are not of tune are of train.
    pub fn chosen_precision(&self, pooling: Pooling) -> Option<f64> {
        self.pooled(pooling).precision(pooling.negative_weight)
    }

    /// Its counts on the examples it was chosen on, false positives in units of the pooling.
    pub fn pooled(&self, pooling: Pooling) -> Counts {
        let on_train = Counts {
            true_positives: self.chosen_on.true_positives.saturating_sub(self.tune.true_positives),
            false_positives: self.chosen_on.false_positives.saturating_sub(self.tune.false_positives),
        };
        pooling.counts(on_train, self.tune)
    }

    /// Its precision on tune; `None` when it covers nothing there.
    pub fn tune_precision(&self, weight: NegativeWeight) -> Option<f64> {
        self.tune.precision(weight)
    }

    /// Its recall on tune; `None` without tune positives.
    pub fn tune_recall(&self, totals: Totals) -> Option<f64> {
        self.tune.recall(totals)
    }
}

/// One theory's curve on the examples that thresholds are chosen on: thresholds descending, with counts.
pub type ThresholdCurve = Vec<(f64, Counts)>;

/// A threshold, with the bin that it serves and its counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The bin of recall that it serves, from 1.
    pub target_bin: usize,
    /// The position of the theory.
    pub theory_idx: usize,
    /// `L`: least votes.
    pub threshold: f64,
    /// Its counts on the examples it is chosen on.
    pub counts: Counts,
}

/// The rule and the bins for which points are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choosing {
    /// The rule.
    pub rule: ThresholdRule,
    /// The measure that the bins divide.
    pub partition: Partition,
    /// Bins that a point is chosen for.
    pub n_bins: usize,
    /// How many examples there are to choose on.
    pub totals: Totals,
}

/// The choices for all bins, ascending; a bin that no point serves has none.
///
/// `curves` are those of the bins' theories in order, or of the one theory.
pub fn choose(choosing: &Choosing, curves: &[ThresholdCurve]) -> Vec<Choice> {
    match choosing.rule {
        ThresholdRule::BestOverlap => best_overlap(choosing, curves),
        ThresholdRule::OwnBin => own_bin(choosing, curves),
    }
}

/// Over all theories and thresholds, for each bin the best point that lies in it. That is the point of highest
/// precision, or for bins of the false positive rate, of highest recall. Ties: higher recall, lower theory bin, more
/// votes.
fn best_overlap(choosing: &Choosing, curves: &[ThresholdCurve]) -> Vec<Choice> {
    let mut best: Vec<Option<Choice>> = vec![None; choosing.n_bins];
    for (theory_idx, curve) in curves.iter().enumerate() {
        for &(threshold, counts) in curve {
            let bin = choosing.partition.bin(counts, choosing.totals, choosing.n_bins);
            let Some(target_bin) = bin else { continue };
            let challenger = Choice { target_bin, theory_idx, threshold, counts };
            let slot = &mut best[target_bin - 1];
            if slot.is_none_or(|known| rank(choosing, &challenger, &known).is_gt()) {
                *slot = Some(challenger);
            }
        }
    }
    best.into_iter().flatten().collect()
}

fn rank(choosing: &Choosing, left: &Choice, right: &Choice) -> Ordering {
    let by_counts = match choosing.partition {
        Partition::Recall => compare_precision(left.counts, right.counts, choosing.totals.negative_weight)
            .then(left.counts.true_positives.cmp(&right.counts.true_positives)),
        Partition::Roc => Partition::Roc.compare(left.counts, right.counts, choosing.totals.negative_weight),
    };
    by_counts.then(right.theory_idx.cmp(&left.theory_idx)).then(left.threshold.total_cmp(&right.threshold))
}

/// The order of precisions, by exact products. Both cover something.
fn compare_precision(left: Counts, right: Counts, weight: NegativeWeight) -> Ordering {
    let covered = |counts: Counts| counts.in_parts(weight);
    (left.true_positives as u128 * covered(right)).cmp(&(right.true_positives as u128 * covered(left)))
}

/// For each bin's own theory, or the only one, the threshold whose recall (or false positive rate) is nearest to the
/// bin's upper edge. Ties: more votes.
///
/// DIVERGENCE: the thesis's text says the threshold is learned on train, its table of the algorithm on
/// tune; the setting `threshold-set` chooses between tune and both.
fn own_bin(choosing: &Choosing, curves: &[ThresholdCurve]) -> Vec<Choice> {
    let n_bins = choosing.n_bins;
    let choice = |bin_idx: usize| {
        // The theory whose bin holds this bin's upper edge.
        let theory_idx = ((bin_idx + 1) * curves.len()).div_ceil(n_bins).checked_sub(1)?;
        // |tp/P - b/B| in units of 1/(P·B), exact; likewise of FP and N.
        let Totals { n_positives, n_negatives, .. } = choosing.totals;
        let distance = |counts: Counts| match choosing.partition {
            Partition::Recall => (counts.true_positives * n_bins).abs_diff((bin_idx + 1) * n_positives),
            Partition::Roc => (counts.false_positives * n_bins).abs_diff((bin_idx + 1) * n_negatives),
        };
        // Of equal false positive rates the highest recall.
        let missed = |counts: Counts| match choosing.partition {
            Partition::Recall => 0,
            Partition::Roc => n_positives - counts.true_positives,
        };
        // Thresholds descend, and `min_by_key` keeps the first of equals: the most votes.
        let &(threshold, counts) = curves
            .get(theory_idx)?
            .iter()
            .filter(|(_, counts)| counts.true_positives > 0)
            .min_by_key(|(_, counts)| (distance(*counts), missed(*counts)))?;
        Some(Choice { target_bin: bin_idx + 1, theory_idx, threshold, counts })
    };
    (0..n_bins).filter_map(choice).collect()
}

#[cfg(test)]
mod tests;
