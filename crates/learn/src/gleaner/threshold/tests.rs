use super::{Choice, Choosing, Decision, ThresholdCurve, choose};
use crate::gleaner::config::ThresholdRule;
use crate::gleaner::gathering_config::Partition;
use gleaner_base::{Counts, NegativeWeight, Pooling, Totals};

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
    let choosing = Choosing { partition: Partition::Roc, n_bins: 10, ..two_bins(ThresholdRule::BestOverlap) };
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
