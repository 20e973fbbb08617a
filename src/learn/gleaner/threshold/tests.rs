use super::{Decision, ThresholdCurve, choose, operating_decision};
use crate::coverage::Counts;
use crate::learn::gleaner::config::{OperatingPoint, ThresholdRule};

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

#[test]
fn best_overlap_takes_the_highest_precision_in_each_bin_whatever_theory_gives_it() {
    let chosen = choose(ThresholdRule::BestOverlap, &curves(), 10);
    assert_eq!(
        chosen,
        [
            // Precision 1 twice: the higher recall wins.
            Decision { target_bin: 1, theory_bin: 2, threshold: 2.0, tune: counts(3, 0) },
            Decision { target_bin: 2, theory_bin: 2, threshold: 1.0, tune: counts(6, 4) },
        ]
    );
}

#[test]
fn own_bin_takes_the_recall_nearest_to_the_upper_edge() {
    let chosen = choose(ThresholdRule::OwnBin, &curves(), 10);
    // Bin 1's edge is .5: recalls .4 and .6 are equally near, more votes win. Bin 2's edge is 1.
    assert_eq!(chosen.iter().map(|decision| decision.threshold).collect::<Vec<_>>(), [2.0, 1.0]);
    assert_eq!(chosen.iter().map(|decision| decision.theory_bin).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn operating_points_by_hand() {
    let decisions = choose(ThresholdRule::BestOverlap, &curves(), 10);
    // F1: 2·1·.3/1.3 = .46 against 2·.6·.6/1.2 = .6.
    assert_eq!(operating_decision(OperatingPoint::BestF1, &decisions, 10), Some(1));
    assert_eq!(operating_decision(OperatingPoint::Recall(0.4), &decisions, 10), Some(0));
    assert_eq!(operating_decision(OperatingPoint::Precision(0.55), &decisions, 10), Some(1));
    assert_eq!(operating_decision(OperatingPoint::Precision(0.9), &decisions, 10), Some(0));
    assert_eq!(operating_decision(OperatingPoint::BestF1, &[], 10), None);
}
