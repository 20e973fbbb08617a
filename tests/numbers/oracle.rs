//! Metrics beside those of scikit-learn 1.9.1 on the same eight numbers: `mean_absolute_error`, `root_mean_squared_error`,
//! `r2_score`, `mean_poisson_deviance` and `mean_pinball_loss`.

use gleaner_stats::eval::{NumberLoss, NumberMetrics};

#[test]
fn metrics_are_those_of_another_program() {
    let pairs =
        [(0.0, 0.4), (3.0, 2.5), (1.0, 1.7), (7.0, 5.25), (2.0, 2.0), (12.0, 9.5), (0.0, 0.1), (5.0, 6.5)];
    let of = |further| NumberMetrics::of(&pairs, Some(further));
    let counts = of(NumberLoss::Poisson);
    let found = [
        counts.mae,
        counts.rmse,
        counts.r2,
        counts.poisson_deviance,
        of(NumberLoss::Pinball(0.8)).pinball,
        of(NumberLoss::Pinball(0.25)).pinball,
    ];
    let expected = [
        0.931_249_999_999_999_9,
        1.248_624_242_916_979_4,
        0.895_627_615_062_761_6,
        0.367_916_954_580_691_46,
        0.5425,
        0.401_562_5,
    ];
    for (found, expected) in found.into_iter().zip(expected) {
        assert!(found.is_some_and(|found: f64| (found - expected).abs() < 1e-12), "{found:?} for {expected}");
    }
}
