//! Thresholds: for each bin of recall, which theory and how many votes; never chosen on test.
//! [GLEANER §3.1.2]
//!
//! Sorted backward selection: the most precise clauses of a theory, as many as rank tune best. [GLEANER §8.3]

use std::cmp::Ordering;

use crate::Covers;
use crate::covers::Votes;
use crate::saved::OverClauses;
use gleaner_base::{Budget, Counts, ExampleSet, NegativeWeight, Pooling, Totals};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_stats::eval::{OperatingPoints, PrCurve};

use super::config::{Partition, ThresholdRule};
use super::theory::{Theory, TheoryClause, VoteRule};

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

/// The clauses of highest tune precision, as many as have the largest area under the precision-recall
/// curve on tune; ties: fewer. The least precise is removed first; ties: fewer tune positives, canonically
/// last.
///
/// **Cost**: a curve for each clause; the covers of all clauses on tune are held at once.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn best_prefix(
    theory: &Theory,
    rule: &VoteRule,
    tune: &Covers<'_>,
    budget: &Budget,
) -> Result<Theory, Interrupted> {
    let mut covers: Vec<ExampleSet> = Vec::with_capacity(theory.clauses.len());
    tune.visit(&theory.all_clauses(), budget, |_, block| covers.extend(block.iter().cloned()))?;
    let weights = theory.weights(rule);
    let order = by_precision(&theory.clauses, rule);
    // Removing the least precise one by one meets the same sets as adding them, the most precise first.
    let mut votes = Votes::none(tune.universe(), &weights);
    let mut best = (0, f64::NEG_INFINITY);
    for (n_added, &clause) in order.iter().enumerate() {
        votes.add(tune.universe(), &[&covers[clause]], &weights[clause..=clause]);
        let area = area(&votes.curve(tune.universe()), tune.universe()).unwrap_or(0.0);
        if area > best.1 {
            best = (n_added + 1, area);
        }
    }
    let mut chosen = order[..best.0].to_vec();
    chosen.sort_unstable();
    Ok(Theory { clauses: chosen.into_iter().map(|clause| theory.clauses[clause].clone()).collect() })
}

/// The positions of the clauses, the most precise on tune first.
fn by_precision(clauses: &[TheoryClause], rule: &VoteRule) -> Vec<usize> {
    let covered = |counts: Counts| counts.in_parts(rule.tune.negative_weight);
    let mut order: Vec<usize> = (0..clauses.len()).collect();
    order.sort_by(|&left, &right| {
        let (left, right) = (clauses[left].tune, clauses[right].tune);
        // A clause that covers nothing on tune has no precision, and comes last.
        let precise = |counts: Counts, other: Counts| counts.true_positives as u128 * covered(other).max(1);
        precise(right, left).cmp(&precise(left, right)).then(right.true_positives.cmp(&left.true_positives))
    });
    order
}

fn area(curve: &[(f64, Counts)], universe: &Universe) -> Option<f64> {
    let points = curve.iter().map(|(_, counts)| *counts);
    PrCurve::new(OperatingPoints::from_counts(points, universe.totals()).ok()?).auc_pr()
}

#[cfg(test)]
mod tests {
    use crate::gleaner::config::{Partition, ThresholdRule};
    use gleaner_base::{Counts, NegativeWeight, Pooling, Totals};

    use super::{Choice, Choosing, Decision, ThresholdCurve, choose};

    /// 10 positives and 40 negatives.
    const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 40, negative_weight: NegativeWeight::ONE };

    const fn counts(true_positives: usize, false_positives: usize) -> Counts {
        Counts { true_positives, false_positives }
    }

    /// Two bins over 10 tune positives. Bin 1 holds recall (0, 0.5], bin 2 (0.5, 1].
    fn curves() -> Vec<ThresholdCurve> {
        vec![
            // precision 1 at recall .2, .5 at .4, .3 at .6
            vec![(3.0, counts(2, 0)), (2.0, counts(4, 4)), (1.0, counts(6, 14))],
            // precision 1 at recall .3, .6 at .6, .5 at 1
            vec![(2.0, counts(3, 0)), (1.0, counts(6, 4))],
        ]
    }

    /// Two bins of recall.
    const fn two_bins(rule: ThresholdRule) -> Choosing {
        Choosing { rule, partition: Partition::Recall, n_bins: 2, totals: TOTALS }
    }

    /// Bin 1 holds false positive rates up to 1/10, bin 2 those up to 2/10, ...
    #[test]
    fn bins_of_the_false_positive_rate_take_the_highest_recall() {
        let choosing =
            Choosing { partition: Partition::Roc, n_bins: 10, ..two_bins(ThresholdRule::BestOverlap) };
        // FP 0, 4, 14 of the first theory, 0 and 4 of the second: bins 1, 1, 4, 1, 1.
        let choice =
            |target_bin, theory_idx, threshold, counts| Choice { target_bin, theory_idx, threshold, counts };
        assert_eq!(
            choose(&choosing, &curves()),
            [choice(1, 1, 1.0, counts(6, 4)), choice(4, 0, 1.0, counts(6, 14))]
        );
    }

    #[test]
    fn best_overlap_takes_the_highest_precision_in_each_bin_whatever_theory_gives_it() {
        let chosen = choose(&two_bins(ThresholdRule::BestOverlap), &curves());
        assert_eq!(
            chosen,
            [
                // Precision 1 twice: the higher recall wins.
                Choice { target_bin: 1, theory_idx: 1, threshold: 2.0, counts: counts(3, 0) },
                Choice { target_bin: 2, theory_idx: 1, threshold: 1.0, counts: counts(6, 4) },
            ]
        );
    }

    #[test]
    fn own_bin_takes_the_recall_nearest_to_the_upper_edge() {
        let chosen = choose(&two_bins(ThresholdRule::OwnBin), &curves());
        // Bin 1's edge is .5: recalls .4 and .6 are equally near, more votes win. Bin 2's edge is 1.
        assert_eq!(chosen.iter().map(|choice| choice.threshold).collect::<Vec<_>>(), [2.0, 1.0]);
        assert_eq!(chosen.iter().map(|choice| choice.theory_idx).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn one_theory_serves_all_bins() {
        let union = &curves()[..1];
        let choice = |target_bin, threshold, counts| Choice { target_bin, theory_idx: 0, threshold, counts };
        // Of bin 1 recall .2 is more precise than .4; the edges .5 and 1 are nearest to .4 (more votes) and .6.
        let overlap = [choice(1, 3.0, counts(2, 0)), choice(2, 1.0, counts(6, 14))];
        assert_eq!(choose(&two_bins(ThresholdRule::BestOverlap), union), overlap);
        let nearest = [choice(1, 2.0, counts(4, 4)), choice(2, 1.0, counts(6, 14))];
        assert_eq!(choose(&two_bins(ThresholdRule::OwnBin), union), nearest);
    }

    /// One negative stands for five: the order of precisions is as it was, for they all weigh the same, but their
    /// values are not.
    #[test]
    fn precisions_weigh_sampled_negatives() {
        let weight = NegativeWeight::new(5, 1);
        let decision = Decision {
            target_bin: 1,
            theory_bin: 1,
            threshold: 2.0,
            chosen_on: counts(10, 3),
            tune: counts(6, 2),
        };
        assert_eq!(decision.chosen_precision(Pooling::of(weight, weight)), Some(10.0 / 25.0));
        assert_eq!(decision.tune_precision(weight), Some(6.0 / 16.0));
        // Train alone is a sample: its 4 positives and 1 negative weigh 4 and 5, those of tune 6 and 2.
        let train_alone = Pooling::of(weight, NegativeWeight::ONE);
        assert_eq!(decision.chosen_precision(train_alone), Some(10.0 / 17.0));
    }
}
