use super::{Metrics, metrics};
use crate::eval::Ranking;

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

/// Twelve examples with ties. ROC area and average precision: scikit-learn 1.9.1 (`roc_auc_score`,
/// `average_precision_score`); PR area: quadrature with 40 digits (mpmath 1.3.0) through the points
/// (TP, FP) = (1,1) (2,1) (3,2) (3,3) (4,4) (5,4) (5,5) (5,7).
#[test]
fn agrees_with_other_programs() {
    let scores = [0.9, 0.9, 0.8, 0.7, 0.7, 0.6, 0.55, 0.55, 0.5, 0.4, 0.3, 0.3];
    let labels = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0].map(|label| label == 1);
    let found = metrics(&Ranking::new(scores.into_iter().zip(labels)).unwrap());
    assert_eq!((found.n_positives, found.n_negatives), (5, 7));
    close(found.prevalence, 5.0 / 12.0);
    close(found.auc_roc, 0.7);
    close(found.average_precision, 0.564_444_444_444_444_4);
    close(found.auc_pr, 0.550_221_831_041_559_9);
    // By hand: at (5, 4), 2 * 5 / (5 + 4 + 5); five called positive at (3, 2).
    close(found.best_f1, 5.0 / 7.0);
    close(found.break_even, 0.6);
    // By hand: highest precision 2/3 to recall 0.4, 3/5 to 0.6, 5/9 from there: (5·2/3 + 2·3/5 + 4·5/9) / 11.
    close(found.eleven_point_average, 304.0 / 495.0);

    let weights = [2.0, 1.0, 3.0, 0.5, 1.5, 1.0, 0.25, 2.0, 1.0, 0.75, 1.0, 4.0];
    let weighted =
        scores.into_iter().zip(labels).zip(weights).map(|((score, label), weight)| (score, label, weight));
    let found = metrics(&Ranking::weighted(weighted).unwrap());
    close(found.auc_roc, 0.848_559_670_781_893);
    close(found.average_precision, 0.719_389_854_707_315);
    close(found.auc_pr, 0.694_502_159_071_391_3);
    close(found.prevalence, 6.75 / 18.0);
}

/// 120 examples, 53 scores, mostly tied; the same programs, best F1 from `precision_recall_curve`.
#[test]
fn agrees_with_other_programs_on_a_poor_ranking() {
    let examples = (0..120_u32).map(|i| {
        let score = (i * i * 7 + i * 31) % 53;
        let shift = if score > 30 { 20 } else { 0 };
        (f64::from(score), (i * 37 + shift) % 61 > 44)
    });
    let found = metrics(&Ranking::new(examples).unwrap());
    assert_eq!(found.n_positives, 33);
    close(found.auc_roc, 0.556_426_332_288_401_2);
    close(found.average_precision, 0.364_666_764_223_788_2);
    close(found.auc_pr, 0.361_117_813_559_636_74);
    close(found.best_f1, 0.448);
}

#[test]
fn one_class_or_none_leaves_the_areas_undefined() {
    let undefined = |n_positives, n_negatives, prevalence| Metrics {
        n_positives,
        n_negatives,
        prevalence,
        auc_pr: None,
        minimum_auc_pr: None,
        auc_roc: None,
        average_precision: None,
        best_f1: None,
        break_even: None,
        eleven_point_average: None,
    };
    assert_eq!(metrics(&Ranking::new([]).unwrap()), undefined(0, 0, None));
    assert_eq!(metrics(&Ranking::new([(1.0, true), (2.0, true)]).unwrap()), undefined(2, 0, Some(1.0)));
    assert_eq!(metrics(&Ranking::new([(1.0, false)]).unwrap()), undefined(0, 1, Some(0.0)));
}

#[test]
fn a_constant_score_is_chance() {
    let found = metrics(&Ranking::new((0..8).map(|k| (1.0, k % 4 == 0))).unwrap());
    close(found.auc_roc, 0.5);
    for chance in [found.auc_pr, found.average_precision, found.break_even, found.eleven_point_average] {
        close(chance, 0.25);
    }
}
