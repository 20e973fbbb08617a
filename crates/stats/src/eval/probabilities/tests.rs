use proptest::prelude::{any, prop_assert, proptest};

use super::{Measuring, probability_metrics, reliability_table};
use crate::eval::Ranking;

const PROBABILITIES: [f64; 10] = [0.02, 0.02, 0.1, 0.25, 0.25, 0.25, 0.6, 0.6, 0.9, 0.97];
const CLASSES: [u8; 10] = [0, 1, 0, 0, 1, 0, 1, 0, 1, 1];

const fn at(at_probability: f64) -> Measuring {
    Measuring { prior: Some(0.3), at_probability }
}

fn ranking(negative_weight: f64) -> Ranking {
    let weight = |class: u8| if class == 1 { 1.0 } else { negative_weight };
    Ranking::weighted((0..10).map(|at| (PROBABILITIES[at], CLASSES[at] == 1, weight(CLASSES[at]))))
        .expect("numbers")
}

fn assert_near(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?}, not {expected}");
}

/// scikit-learn 1.9.1: `log_loss`, `brier_score_loss`, `precision_score`, `recall_score` with sample weights (3 of negatives, 1 of
/// positives); `calibration_curve` of ten bins, each row as often as it weighs. The decomposition: its definition in NumPy.
#[test]
fn figures_of_scikit_learn() {
    let found = probability_metrics(&ranking(3.0), at(0.5));
    assert_near(found.mean_cross_entropy, 0.539_830_850_635_787_5);
    assert_near(found.prior_cross_entropy, 0.568_499_409_035_533_3);
    assert_near(found.cross_entropy_positives, 1.188_992_542_691_312_4);
    assert_near(found.cross_entropy_negatives, 0.323_443_619_950_612_55);
    assert_near(found.brier, 0.159);
    assert_near(found.brier_reliability, 0.041_142_857_142_857_14);
    assert_near(found.brier_resolution, 0.069_642_857_142_857_15);
    assert_near(found.brier_uncertainty, 0.1875);
    assert_near(found.calibration_error, 0.145);
    assert_near(found.precision_at_probability, 0.5);
    assert_near(found.recall_at_probability, 0.6);
    let lower = probability_metrics(&ranking(3.0), at(0.25));
    assert_near(lower.precision_at_probability, 0.307_692_307_692_307_7);
    assert_near(lower.recall_at_probability, 0.8);
    let unweighted = probability_metrics(&ranking(1.0), at(0.5));
    assert_near(unweighted.mean_cross_entropy, 0.756_218_081_320_962_5);
    // By hand.
    assert_near(unweighted.expected_positives, 3.96);
    assert_near(unweighted.observed_positives, 5.0);
}

/// By hand: rows are open below and closed above.
#[test]
fn rows_of_the_table() {
    let table = reliability_table(&ranking(3.0));
    let filled: Vec<(f64, f64, f64)> = table
        .iter()
        .filter(|bin| bin.examples > 0.0)
        .map(|bin| (bin.up_to, bin.examples, bin.positives))
        .collect();
    assert_eq!(filled, [(0.1, 7.0, 1.0), (0.3, 7.0, 1.0), (0.6, 4.0, 1.0), (0.9, 1.0, 1.0), (1.0, 1.0, 1.0)]);
    assert_near(table[2].mean_probability(), 0.38 / 7.0);
    assert_near(table[2].frequency(), 1.0 / 7.0);
    assert_eq!((table[0].mean_probability(), table[0].frequency()), (None, None));
}

/// Undefined measures are `None`; a certain but wrong probability gives a great but finite loss.
#[test]
fn edges() {
    let none = probability_metrics(&Ranking::new([]).expect("none"), at(0.5));
    assert_eq!(none, super::ProbabilityMetrics::default());
    let wrong = Ranking::new([(0.0, true), (1.0, false)]).expect("numbers");
    let found = probability_metrics(&wrong, Measuring { prior: None, at_probability: 0.5 });
    assert!(found.mean_cross_entropy.is_some_and(|loss| loss > 36.0 && loss < 37.0), "{found:?}");
    assert_eq!(found.prior_cross_entropy, None);
    let positives = Ranking::new([(0.5, true)]).expect("numbers");
    let found = probability_metrics(&positives, at(0.6));
    assert_eq!((found.cross_entropy_negatives, found.precision_at_probability), (None, None));
    // Nothing is found, and that is 0, not -0.
    assert_eq!(found.recall_at_probability.map(f64::to_bits), Some(0));
}

proptest! {
    /// Murphy's identity, and the Brier score of single examples.
    #[test]
    fn parts_of_the_brier_score_add_up(
        examples in proptest::collection::vec((0..=20_u8, any::<bool>(), 1..4_u8), 1..40),
    ) {
        let examples: Vec<(f64, bool, f64)> = examples
            .iter()
            .map(|&(twentieths, is_positive, weight)| {
                (f64::from(twentieths) / 20.0, is_positive, f64::from(weight))
            })
            .collect();
        let found = probability_metrics(&Ranking::weighted(examples.clone()).expect("numbers"), at(0.5));
        let all: f64 = examples.iter().map(|example| example.2).sum();
        let square = |(probability, is_positive, weight): &(f64, bool, f64)| {
            weight * (probability - f64::from(u8::from(*is_positive))).powi(2)
        };
        let brier = examples.iter().map(square).sum::<f64>() / all;
        let part = |part: Option<f64>| part.expect("there are examples");
        prop_assert!((part(found.brier) - brier).abs() < 1e-12);
        let sum = part(found.brier_reliability) - part(found.brier_resolution) + part(found.brier_uncertainty);
        prop_assert!((sum - brier).abs() < 1e-12, "{sum}, not {brier}");
    }
}
