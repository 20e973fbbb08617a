use proptest::collection::vec;
use proptest::prelude::*;

use super::{achievable_auc_pr, hull_thresholds};
use crate::eval::{PrCurve, Ranking};

fn ranking(examples: &[(f64, bool)]) -> Ranking {
    Ranking::new(examples.iter().copied()).expect("scores are finite")
}

const TUNE: [(f64, bool); 6] =
    [(0.9, true), (0.8, false), (0.7, true), (0.6, true), (0.5, false), (0.4, false)];

/// On tune the points (FP, TP) are (0,1) (1,1) (1,2) (1,3) (2,3) (3,3); the corners are (0,1), (1,3) and (3,3). On test
/// these thresholds have (0,1), (1,2) and (1,2), then all. The area is 1 up to the first positive. From there it is the
/// integral of x / (2x - 1) from 1 to 2, which is 1/2 + ln(3)/4. For two positives, halve the sum.
#[test]
fn thresholds_of_tune_by_hand() {
    let thresholds = hull_thresholds(&ranking(&TUNE));
    assert_eq!(thresholds, [0.9, 0.6, 0.4]);
    let test = ranking(&[(0.95, true), (0.85, false), (0.65, true), (0.3, false)]);
    let area = achievable_auc_pr(&test, &thresholds).expect("both classes");
    assert!((area - (1.5 + 3.0_f64.ln() / 4.0) / 2.0).abs() < 1e-12, "{area}");
    // Through all thresholds it goes down at .85: 1, then the integral of x / (x + 1) from 1 to 2.
    let whole = PrCurve::from_ranking(&test).auc_pr().expect("both classes");
    assert!((whole - (2.0 - 1.5_f64.ln()) / 2.0).abs() < 1e-12, "{whole}");
}

#[test]
fn what_a_class_is_missing_of_has_no_hull() {
    let positives = ranking(&[(0.9, true), (0.8, true)]);
    assert_eq!(hull_thresholds(&positives), [] as [f64; 0]);
    assert_eq!(achievable_auc_pr(&ranking(&TUNE), &[]), None);
    assert_eq!(achievable_auc_pr(&positives, &[0.9, 0.8]), None);
    // A constant score is one threshold; its area is the prevalence.
    let constant = ranking(&[(0.5, true), (0.5, false)]);
    assert_eq!(hull_thresholds(&constant), [0.5]);
    assert_eq!(achievable_auc_pr(&constant, &[0.5]), Some(0.5));
}

/// The corners by definition: the points above every line from an earlier to a later point.
fn corners(ranking: &Ranking) -> Vec<f64> {
    let mut points = vec![(0.0, 0.0)];
    for group in ranking.groups() {
        let (fp, tp) = points[points.len() - 1];
        points.push((fp + group.negatives, tp + group.positives));
    }
    let is_corner = |&at: &usize| {
        let above = |before: &(f64, f64), after: &(f64, f64)| {
            let (fp, tp) = points[at];
            (tp - before.1) * (after.0 - before.0) > (after.1 - before.1) * (fp - before.0)
        };
        points[..at].iter().all(|before| points[at + 1..].iter().all(|after| above(before, after)))
    };
    (1..points.len()).filter(is_corner).map(|at| ranking.groups()[at - 1].score).collect()
}

proptest! {
    #[test]
    fn hulls_are_those_of_the_definition(examples in vec((0_u8..8, any::<bool>()), 0..30)) {
        let ranking = ranking(&examples.iter().map(|&(score, label)| (f64::from(score), label)).collect::<Vec<_>>());
        let thresholds = hull_thresholds(&ranking);
        let has_both = ranking.n_positives() > 0 && ranking.n_negatives() > 0;
        prop_assert_eq!(&thresholds, &if has_both { corners(&ranking) } else { Vec::new() });
        // No threshold left out would raise the curve that is chosen on the same examples.
        if let Some(achievable) = achievable_auc_pr(&ranking, &thresholds) {
            prop_assert!(achievable >= PrCurve::from_ranking(&ranking).auc_pr().unwrap() - 1e-12);
        }
    }

    #[test]
    fn all_thresholds_change_nothing(examples in vec((0_u8..8, any::<bool>()), 0..30)) {
        let ranking = ranking(&examples.iter().map(|&(score, label)| (f64::from(score), label)).collect::<Vec<_>>());
        let all: Vec<f64> = ranking.groups().iter().map(|group| group.score).collect();
        prop_assert_eq!(ranking.at_thresholds(&all), ranking.clone());
    }
}
