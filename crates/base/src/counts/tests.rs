use super::{Counts, Totals};
use crate::NegativeWeight;

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() < 1e-15, "{found} is not {expected}");
}

const fn counts(true_positives: usize, false_positives: usize) -> Counts {
    Counts { true_positives, false_positives }
}

const fn totals(n_positives: usize, n_negatives: usize) -> Totals {
    Totals { n_positives, n_negatives, negative_weight: NegativeWeight::ONE }
}

#[test]
fn ratios_worked_by_hand() {
    // TP 6, FP 2, FN 4, TN 88: p = 6/8, r = 6/10, accuracy = 94/100.
    let (counts, totals) = (counts(6, 2), totals(10, 90));
    close(counts.precision(NegativeWeight::ONE), 0.75);
    close(counts.recall(totals), 0.6);
    close(counts.accuracy(totals), 0.94);
    // F1 = 2 TP / (2 TP + FP + FN) = 12/18.
    close(counts.f_beta(1.0, totals), 2.0 / 3.0);
    // b = 4 enters unsquared: 5 * 0.75 * 0.6 / (4 * 0.75 + 0.6) = 2.25 / 3.6; squared it would be 7.65 / 12.6.
    close(counts.f_beta(4.0, totals), 0.625);
    // b = 0 leaves the precision.
    close(counts.f_beta(0.0, totals), 0.75);
}

/// Each negative stands for three: FP 6, N 270, TN 264.
#[test]
fn sampled_negatives_count_for_those_they_stand_for() {
    let counts = counts(6, 2);
    let totals = Totals { negative_weight: NegativeWeight::new(3, 1), ..totals(10, 90) };
    close(counts.precision(totals.negative_weight), 0.5);
    close(counts.accuracy(totals), 270.0 / 280.0);
    close(counts.f_beta(1.0, totals), 12.0 / 22.0);
}

#[test]
fn nothing_over_nothing_is_undefined() {
    let some = totals(10, 90);
    assert_eq!(Counts::NONE.precision(NegativeWeight::ONE), None);
    close(Counts::NONE.f_beta(1.0, some), 0.0);
    close(Counts::NONE.recall(some), 0.0);
    let wrong = counts(0, 3);
    close(wrong.precision(NegativeWeight::ONE), 0.0);
    close(wrong.f_beta(1.0, some), 0.0);
    assert_eq!(counts(0, 1).f_beta(1.0, totals(0, 3)), None);
    assert_eq!(counts(0, 1).recall(totals(0, 3)), None);
    assert_eq!(Counts::NONE.accuracy(totals(0, 0)), None);
}
