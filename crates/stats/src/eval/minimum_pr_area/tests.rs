use super::minimum_pr_area;
use crate::eval::{PrCurve, Ranking};

/// Values of the closed form at 40 digits (mpmath 1.3.0).
#[test]
fn agrees_with_forty_digits() {
    let cases = [
        (0.9, 0.744_157_211_889_550_5),
        (0.5, 0.306_852_819_440_054_7),
        (0.1, 0.051_755_359_079_563_29),
        (0.099_99, 0.051_749_998_583_409_35),
        (0.01, 0.005_016_750_503_357_323),
        (1e-6, 5.000_001_666_667_5e-7),
    ];
    for (prevalence, expected) in cases {
        let found = minimum_pr_area(prevalence).unwrap();
        assert!((found / expected - 1.0_f64).abs() < 1e-13, "{prevalence}: {found}, not {expected}");
    }
    for prevalence in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
        assert_eq!(minimum_pr_area(prevalence), None);
    }
}

#[test]
fn the_worst_ranking_reaches_it() {
    for n_negatives in [1, 7, 400] {
        let negatives = (0..n_negatives).map(|k| (f64::from(1000 - k), false));
        let positives = (0..5).map(|k| (f64::from(-k), true));
        let ranking = Ranking::new(negatives.chain(positives)).unwrap();
        let area = PrCurve::from_ranking(&ranking).auc_pr().unwrap();
        let least = minimum_pr_area(5.0 / f64::from(5 + n_negatives)).unwrap();
        assert!((area / least - 1.0).abs() < 1e-12, "{area}, not {least}");
    }
}
