use super::Confusion;

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() < 1e-15, "{found} is not {expected}");
}

#[test]
fn ratios_worked_by_hand() {
    // TP 6, FP 2, FN 4, TN 88: p = 6/8, r = 6/10, accuracy = 94/100, false positive rate = 2/90.
    let confusion = Confusion::new(6, 2, 10, 90);
    close(confusion.precision(), 0.75);
    close(confusion.recall(), 0.6);
    close(confusion.accuracy(), 0.94);
    close(confusion.false_positive_rate(), 2.0 / 90.0);
    // F1 = 2 TP / (2 TP + FP + FN) = 12/18.
    close(confusion.f_beta(1.0), 2.0 / 3.0);
    // b = 4 enters unsquared: 5 * 0.75 * 0.6 / (4 * 0.75 + 0.6) = 2.25 / 3.6; squared it would be 7.65 / 12.6.
    close(confusion.f_beta(4.0), 0.625);
    // b = 0 leaves the precision.
    close(confusion.f_beta(0.0), 0.75);
}

#[test]
fn nothing_over_nothing_is_undefined() {
    let silent = Confusion::new(0, 0, 10, 90);
    assert_eq!(silent.precision(), None);
    close(silent.f_beta(1.0), 0.0);
    close(silent.recall(), 0.0);
    let wrong = Confusion::new(0, 3, 10, 90);
    close(wrong.precision(), 0.0);
    close(wrong.f_beta(1.0), 0.0);
    assert_eq!(Confusion::new(0, 1, 0, 3).f_beta(1.0), None);
    assert_eq!(Confusion::new(0, 1, 0, 3).recall(), None);
    assert_eq!(Confusion::new(1, 0, 3, 0).false_positive_rate(), None);
    assert_eq!(Confusion::new(0, 0, 0, 0).accuracy(), None);
}
