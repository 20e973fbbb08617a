use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use gleaner_base::Budget;

use super::{Descent, Design, DesignRow, LinearModel, Loss, Newton, Penalty, Problem, fit_hinge, fit_primal};

fn design() -> Design {
    Design::new(6, rows())
}

/// 40 weighted rows of six columns, by a formula; the script that computed the optima uses the same formula.
fn rows() -> Vec<DesignRow> {
    let value = |row: usize, column: usize| {
        let is_set = (row * 7 + column * 13 + row * column * 3) % 11 < 4;
        let level = 0.25 + ((row + 2 * column) % 4) as f64 * 0.25;
        if is_set { level } else { 0.0 }
    };
    let row = |row: usize| DesignRow {
        weight: 1.0 + (row * 3 % 5) as f64,
        is_positive: (row * 5 + usize::from(value(row, 0) > 0.0) * 4 + usize::from(value(row, 3) > 0.0) * 3)
            % 9
            < 4,
        values: (0..6_u32)
            .map(|column| (column, value(row, column as usize)))
            .filter(|&(_, value)| value > 0.0)
            .collect(),
    };
    (0..40).map(row).collect()
}

fn loss(design: &Design, model: &LinearModel, of: impl Fn(f64) -> f64) -> f64 {
    let margins = model.scores(design).into_iter().zip(design.classes()).map(|(score, class)| score * class);
    margins.zip(design.weights()).map(|(margin, weight)| weight * of(margin)).sum()
}

#[test]
fn the_table_is_that_of_the_script() {
    let design = design();
    assert!((design.classes().iter().sum::<f64>() + 4.0).abs() < 1e-12);
    let sum: f64 = (0..6).flat_map(|column| design.column(column)).map(|(_, value)| value).sum();
    assert!((sum - 44.0).abs() < 1e-12);
}

/// scikit-learn 1.9.1: LinearSVC (liblinear, intercept_scaling 1e4) and LogisticRegression (newton-cholesky), tolerance 1e-10; for
/// the logistic loss under the L1 penalty SciPy 1.17.1, L-BFGS-B over both signs. The objectives at their ends.
#[test]
fn optima_are_those_of_scikit_learn() {
    let design = design();
    for (loss_kind, penalty, optima) in [
        (Loss::SquaredHinge, Penalty::L2, [1.1488777272687662, 101.44442804567115, 10088.063663856734]),
        (Loss::SquaredHinge, Penalty::L1, [1.1946666687499998, 102.89091589996316, 10089.609430851468]),
        (Loss::Logistic, Penalty::L2, [0.8254416634273686, 75.06519752852878, 7253.95124406075]),
        (Loss::Logistic, Penalty::L1, [0.8291079711765816, 76.70548317012624, 7255.720409866771]),
    ] {
        for (cost, optimum) in [0.01, 1.0, 100.0].into_iter().zip(optima) {
            let problem = Problem { loss: loss_kind, penalty, cost, tolerance: 1e-5, most_passes: 20_000 };
            let by_columns =
                fit_primal(&design, &problem, LinearModel::zero(6), &mut Pcg64::seed_from_u64(1));
            let by_rows = (penalty == Penalty::L2).then(|| newton(&design, loss_kind, cost));
            for model in [by_columns].into_iter().chain(by_rows) {
                let objective = objective(&design, &model, loss_kind, penalty, cost);
                assert!(
                    (objective - optimum).abs() < 1e-7 * optimum,
                    "{loss_kind:?} {penalty:?} {cost}: {objective}, not {optimum}"
                );
            }
        }
    }
}

fn objective(design: &Design, model: &LinearModel, kind: Loss, penalty: Penalty, cost: f64) -> f64 {
    let of = |margin: f64| match kind {
        Loss::SquaredHinge => (1.0 - margin).max(0.0).powi(2),
        Loss::Logistic => (-margin).exp().ln_1p(),
    };
    let held: f64 = match penalty {
        Penalty::L2 => model.weights.iter().map(|weight| weight * weight / 2.0).sum(),
        Penalty::L1 => model.weights.iter().map(|weight| weight.abs()).sum(),
    };
    cost * loss(design, model, of) + held
}

fn newton(design: &Design, kind: Loss, cost: f64) -> LinearModel {
    let mut newton = Newton::new(design, kind, LinearModel::zero(design.n_columns()));
    newton.minimise(cost, 1e-7, 10_000, &Budget::unlimited()).expect("there is time");
    newton.model()
}

/// Random weighted rows of Boolean columns or of numbers, whose shares of values go from 5 % to 95 %, so that some columns
/// count as complements; some rows weigh nothing. 40,000 rows are three blocks.
fn random_design(n_rows: usize, is_boolean: bool, seed: u64) -> Design {
    let mut rng = Pcg64::seed_from_u64(seed);
    let shares = [0.05, 0.3, 0.49, 0.51, 0.8, 0.95, 0.95, 0.0, 1.0];
    let rows = (0..n_rows).map(|row| {
        let mut values = Vec::new();
        for (column, &share) in (0_u32..).zip(&shares) {
            if rng.random_bool(share) {
                values.push((column, if is_boolean { 1.0 } else { rng.random_range(-1.0..2.0) }));
            }
        }
        let is_likely = values.iter().any(|&(column, _)| column == 0 || column == 3);
        let is_positive = rng.random_bool(if is_likely { 0.4 } else { 0.1 });
        DesignRow { weight: f64::from(u32::try_from(row % 4).expect("below 4")), is_positive, values }
    });
    let design = Design::new(shares.len(), rows.collect::<Vec<_>>());
    design.scaled(vec![1.0, 0.5, 2.0, 1.0, 0.3, 1.5, 0.7, 1.0, 1.0])
}

/// Two ways to the same optimum, and the slopes there are 0 by plain sums.
#[test]
fn newton_and_descent_meet() {
    for (n_rows, is_boolean, kind) in [
        (300, true, Loss::SquaredHinge),
        (300, false, Loss::SquaredHinge),
        (300, true, Loss::Logistic),
        (300, false, Loss::Logistic),
        (40_000, true, Loss::SquaredHinge),
    ] {
        let design = random_design(n_rows, is_boolean, 7);
        for cost in [1e-3, 0.1, 10.0] {
            let by_rows = newton(&design, kind, cost);
            let case = format!("{n_rows} {is_boolean} {kind:?} {cost}");
            let gap = |margin: f64| match kind {
                Loss::SquaredHinge => -2.0 * (1.0 - margin).max(0.0),
                Loss::Logistic => -1.0 / (1.0 + margin.exp()),
            };
            let scores = by_rows.scores(&design);
            let slope_of = |row: usize| {
                let class = design.classes()[row];
                cost * design.weights()[row] * class * gap(class * scores[row])
            };
            let size: f64 = (0..design.n_rows()).map(|row| slope_of(row).abs()).sum::<f64>();
            for column in 0..design.n_columns() {
                let of_loss: f64 = design.column(column).map(|(row, value)| value * slope_of(row)).sum();
                let slope = of_loss + by_rows.weights[column];
                assert!(slope.abs() < 1e-5 * size.max(1.0), "{case}: slope {slope} of column {column}");
            }
            let of_intercept: f64 = (0..design.n_rows()).map(slope_of).sum();
            assert!(
                of_intercept.abs() < 1e-5 * size.max(1.0),
                "{case}: slope {of_intercept} of the intercept"
            );
            if n_rows > 1_000 {
                continue;
            }
            let problem =
                Problem { loss: kind, penalty: Penalty::L2, cost, tolerance: 1e-11, most_passes: 100_000 };
            let start = LinearModel::zero(design.n_columns());
            let by_columns = fit_primal(&design, &problem, start, &mut Pcg64::seed_from_u64(1));
            for (row, column) in by_rows.scores(&design).iter().zip(by_columns.scores(&design)) {
                assert!((row - column).abs() < 1e-4, "{case}: {row}, {column}");
            }
        }
    }
}

/// The start changes nothing but the way, and a further `C` goes on from the one before it. One class alone ends, too.
#[test]
fn newton_goes_on_from_any_start() {
    let design = random_design(300, true, 3);
    let start = LinearModel { weights: (0..9).map(|at| f64::from(at) - 4.0).collect(), intercept: -3.0 };
    let mut on = Newton::new(&design, Loss::SquaredHinge, start.clone());
    assert!(on.model().scores(&design).iter().zip(start.scores(&design)).all(|(a, b)| (a - b).abs() < 1e-9));
    on.minimise(0.01, 1e-3, 1_000, &Budget::unlimited()).expect("there is time");
    on.minimise(1.0, 1e-8, 1_000, &Budget::unlimited()).expect("there is time");
    let cold = newton(&design, Loss::SquaredHinge, 1.0);
    for (on, cold) in on.model().scores(&design).iter().zip(cold.scores(&design)) {
        assert!((on - cold).abs() < 1e-5, "{on}, {cold}");
    }
    let negatives = design.weights().iter().zip(design.classes());
    let negatives: Vec<f64> =
        negatives.map(|(weight, class)| if *class < 0.0 { *weight } else { 0.0 }).collect();
    for kind in [Loss::SquaredHinge, Loss::Logistic] {
        let model = newton(&design.reweighted(negatives.clone()), kind, 1.0);
        assert!(model.scores(&design).iter().all(|score| *score < -0.9), "{kind:?}: {model:?}");
    }
    assert!(on.minimise(2.0, 1e-8, 1_000, &Budget::expired()).is_err());
}

/// scikit-learn 1.9.1, LinearSVC with the hinge loss (liblinear, intercept_scaling 1), tolerance 1e-10.
#[test]
fn hinge_optima_are_those_of_liblinear() {
    let design = design();
    for (cost, optimum) in [(0.01, 1.17869375), (1.0, 89.56980935617656), (100.0, 8560.401234601739)] {
        let model =
            fit_hinge(&design, cost, 1e-9, 1_000_000, &mut Pcg64::seed_from_u64(1), &Budget::unlimited())
                .expect("there is time");
        let held: f64 =
            model.weights.iter().chain([&model.intercept]).map(|weight| weight * weight / 2.0).sum();
        let objective = cost * loss(&design, &model, |margin| (1.0 - margin).max(0.0)) + held;
        assert!((objective - optimum).abs() < 1e-6 * optimum, "{cost}: {objective}, not {optimum}");
    }
}

#[test]
fn a_warm_start_ends_where_a_cold_one_does() {
    let design = design();
    let problem = |cost| Problem {
        loss: Loss::SquaredHinge,
        penalty: Penalty::L2,
        cost,
        tolerance: 1e-6,
        most_passes: 10_000,
    };
    let rng = || Pcg64::seed_from_u64(1);
    let near = fit_primal(&design, &problem(0.5), LinearModel::zero(6), &mut rng());
    let warm = fit_primal(&design, &problem(1.0), near, &mut rng());
    let cold = fit_primal(&design, &problem(1.0), LinearModel::zero(6), &mut rng());
    for (warm, cold) in warm.scores(&design).into_iter().zip(cold.scores(&design)) {
        assert!((warm - cold).abs() < 1e-4, "{warm}, {cold}");
    }
}

/// A descent that goes on to another `C` ends where one from zero weights does. Rows of weight 0 have no effect.
#[test]
fn a_descent_goes_on() {
    let problem = Problem {
        loss: Loss::Logistic,
        penalty: Penalty::L2,
        cost: 2.0,
        tolerance: 1e-7,
        most_passes: 10_000,
    };
    let (whole, mut rng) = (design(), Pcg64::seed_from_u64(1));
    let halved: Vec<f64> = (0..).zip(whole.weights()).map(|(row, of)| of * f64::from(row % 2)).collect();
    let half = Design::new(6, rows().into_iter().skip(1).step_by(2));
    let mut descent =
        Descent::new(&whole.reweighted(halved), Loss::Logistic, Penalty::L2, LinearModel::zero(6));
    descent.minimise(0.1, 1e-7, 10_000, &mut rng, &Budget::unlimited()).expect("there is time");
    descent.minimise(2.0, 1e-7, 10_000, &mut rng, &Budget::unlimited()).expect("there is time");
    let cold = fit_primal(&half, &problem, LinearModel::zero(6), &mut rng);
    assert!((descent.model().intercept - cold.intercept).abs() < 1e-5);
    for (on, cold) in descent.model().weights.iter().zip(&cold.weights) {
        assert!((on - cold).abs() < 1e-5, "{on}, {cold}");
    }
}

/// Columns times numbers are rows whose values were multiplied; ones are stored as well as other values.
#[test]
fn scales_multiply_values() {
    let row =
        |weight, values: &[(u32, f64)]| DesignRow { weight, is_positive: true, values: values.to_vec() };
    let ones = Design::new(3, [row(1.0, &[(0, 1.0), (2, 1.0)]), row(2.0, &[(2, 1.0)])]);
    let scaled = ones.scaled(vec![2.0, 3.0, -0.5]);
    assert_eq!(scaled.row(0).collect::<Vec<_>>(), [(0, 2.0), (2, -0.5)]);
    assert_eq!(scaled.column(2).collect::<Vec<_>>(), [(0, -0.5), (1, -0.5)]);
    let mixed = Design::new(3, [row(1.0, &[(0, 1.0), (2, 0.25)]), row(2.0, &[(2, 1.0)])]);
    assert_eq!(mixed.row(0).collect::<Vec<_>>(), [(0, 1.0), (2, 0.25)]);
    assert_eq!(mixed.column(2).collect::<Vec<_>>(), [(0, 0.25), (1, 1.0)]);
}

/// A row of weight 3 is three rows.
#[test]
fn weights_are_repeated_rows() {
    let rows = rows();
    // Weights are 1 to 5.
    let single = |row: &DesignRow| {
        let weight = row.weight;
        let row = DesignRow { weight: 1.0, ..row.clone() };
        std::iter::repeat_n(row, (1..=5).filter(|&copy| f64::from(copy) <= weight).count())
    };
    let repeated = Design::new(6, rows.iter().flat_map(single));
    let fit = |design: &Design| {
        fit_hinge(design, 1.0, 1e-10, 1_000_000, &mut Pcg64::seed_from_u64(1), &Budget::unlimited())
            .expect("there is time")
    };
    let (weighted, repeated) = (fit(&design()), fit(&repeated));
    assert!((weighted.intercept - repeated.intercept).abs() < 1e-6);
    for (weighted, repeated) in weighted.weights.iter().zip(&repeated.weights) {
        assert!((weighted - repeated).abs() < 1e-6, "{weighted}, {repeated}");
    }
}
