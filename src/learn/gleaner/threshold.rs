//! Thresholds: for each recall bin, which theory and how many votes; chosen on tune. [GLEANER §3.1.2]

use std::cmp::Ordering;

use crate::coverage::Counts;

use super::bins::recall_bin;
use super::config::{OperatingPoint, ThresholdRule};

/// "An example is positive when at least `threshold` votes of the theory of `theory_bin` cover it."
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Decision {
    /// The recall bin that the decision serves, from 1.
    pub target_bin: usize,
    /// The bin whose theory votes, from 1.
    pub theory_bin: usize,
    /// `L`: least votes.
    pub threshold: f64,
    /// Its counts on tune.
    pub tune: Counts,
}

impl Decision {
    /// Its precision on tune; `None` when it covers nothing there.
    #[must_use]
    pub fn tune_precision(&self) -> Option<f64> {
        ratio(self.tune.true_positives, self.tune.true_positives + self.tune.false_positives)
    }

    /// Its recall on tune; `None` without tune positives.
    #[must_use]
    pub fn tune_recall(&self, n_tune_positives: usize) -> Option<f64> {
        ratio(self.tune.true_positives, n_tune_positives)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// One theory's curve on tune: thresholds descending, with counts.
pub type ThresholdCurve = Vec<(f64, Counts)>;

/// The decisions for all bins, ascending by target bin; a bin that no point serves has none.
///
/// `curves[b - 1]` is the tune curve of bin `b`'s theory.
#[must_use]
pub fn choose(rule: ThresholdRule, curves: &[ThresholdCurve], n_tune_positives: usize) -> Vec<Decision> {
    match rule {
        ThresholdRule::BestOverlap => best_overlap(curves, n_tune_positives),
        ThresholdRule::OwnBin => own_bin(curves, n_tune_positives),
    }
}

/// Over all theories and thresholds, for each bin the point of highest precision whose recall lies in
/// it; ties: higher recall, lower theory bin, more votes.
fn best_overlap(curves: &[ThresholdCurve], n_tune_positives: usize) -> Vec<Decision> {
    let mut best: Vec<Option<Decision>> = vec![None; curves.len()];
    for (theory_idx, curve) in curves.iter().enumerate() {
        for &(threshold, tune) in curve {
            let Some(target_bin) = recall_bin(tune.true_positives, n_tune_positives, curves.len()) else {
                continue;
            };
            let challenger = Decision { target_bin, theory_bin: theory_idx + 1, threshold, tune };
            let slot = &mut best[target_bin - 1];
            if slot.is_none_or(|known| rank(&challenger, &known).is_gt()) {
                *slot = Some(challenger);
            }
        }
    }
    best.into_iter().flatten().collect()
}

fn rank(left: &Decision, right: &Decision) -> Ordering {
    compare_precision(left.tune, right.tune)
        .then(left.tune.true_positives.cmp(&right.tune.true_positives))
        .then(right.theory_bin.cmp(&left.theory_bin))
        .then(left.threshold.total_cmp(&right.threshold))
}

/// The order of precisions, by exact products. Both cover something.
fn compare_precision(left: Counts, right: Counts) -> Ordering {
    let covered = |counts: Counts| (counts.true_positives + counts.false_positives) as u128;
    (left.true_positives as u128 * covered(right)).cmp(&(right.true_positives as u128 * covered(left)))
}

/// For each bin's own theory, the threshold whose recall is nearest to the bin's upper edge; ties:
/// more votes.
///
/// DIVERGENCE: the thesis's text says the threshold is learned on train; we choose it on tune, as its
/// table of the algorithm does.
fn own_bin(curves: &[ThresholdCurve], n_tune_positives: usize) -> Vec<Decision> {
    let n_bins = curves.len();
    let decision = |(bin_idx, curve): (usize, &ThresholdCurve)| {
        // |tp/P - b/B| in units of 1/(P·B), exact.
        let distance =
            |tune: Counts| (tune.true_positives * n_bins).abs_diff((bin_idx + 1) * n_tune_positives);
        // Thresholds descend, and `min_by_key` keeps the first of equals: the most votes.
        let &(threshold, tune) = curve
            .iter()
            .filter(|(_, tune)| tune.true_positives > 0)
            .min_by_key(|(_, tune)| distance(*tune))?;
        Some(Decision { target_bin: bin_idx + 1, theory_bin: bin_idx + 1, threshold, tune })
    };
    curves.iter().enumerate().filter_map(decision).collect()
}

/// The decision that classifies, by position; `None` when there are no decisions.
#[must_use]
pub fn operating_decision(
    point: OperatingPoint,
    decisions: &[Decision],
    n_tune_positives: usize,
) -> Option<usize> {
    let precision = |decision: &Decision| decision.tune_precision().unwrap_or(0.0);
    let recall = |decision: &Decision| decision.tune_recall(n_tune_positives).unwrap_or(0.0);
    let key = |decision: &Decision| -> (f64, f64) {
        let (precision, recall) = (precision(decision), recall(decision));
        match point {
            OperatingPoint::BestF1 => (2.0 * precision * recall / (precision + recall), recall),
            OperatingPoint::Recall(wanted) => (-(recall - wanted).abs(), precision),
            OperatingPoint::Precision(wanted) if precision >= wanted => (1.0 + recall, precision),
            OperatingPoint::Precision(_) => (precision - 1.0, recall),
        }
    };
    // The first of equals: `max_by` keeps the last, so the order is reversed.
    (0..decisions.len()).rev().max_by(|&left, &right| {
        let (left, right) = (key(&decisions[left]), key(&decisions[right]));
        left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1))
    })
}

#[cfg(test)]
mod tests;
