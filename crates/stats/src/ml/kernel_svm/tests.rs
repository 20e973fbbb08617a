use crate::ml::kernel::{FeatureStatistics, Kernel, KernelFunction};
use crate::ml::linear::{Design, DesignRow};
use gleaner_base::Budget;

use super::linear_program::best_intercept;
use super::{KernelModel, LinearProgram, LinearProgramFit, Precision};

/// A problem by a formula; the script that computed the optima uses the same formula.
struct Formula {
    rows: Design,
    kernel: Kernel,
    cost: f64,
}

const N_FORMULAS: usize = 50;

fn formula(at: usize) -> Formula {
    let n_rows = if at < 48 { [8, 20, 45, 90, 160, 300][at % 6] } else { 400 };
    let n_features = 3 + at * 5 % 28;
    let holds = |row: usize, feature: usize| {
        let hash =
            row * row * 31 + feature * feature * 17 + row * feature * (7 + at) + row * 101 + feature * 57;
        ((hash + at * 1009) % 7919).is_multiple_of(3 + feature * feature % 17)
    };
    let row = |row: usize| {
        let values: Vec<u32> = (0..n_features)
            .filter(|&feature| holds(row, feature))
            .map(|feature| feature.try_into().unwrap())
            .collect();
        let hash = (row * row * 13 + row * (29 + at) + at * 71) % 7919;
        let vote: u32 = values.iter().map(|feature| 1 + feature % 3).sum();
        DesignRow {
            weight: f64::from(u32::try_from(1 + hash / 7 % 5).unwrap()),
            is_positive: match row {
                0 => true,
                1 => false,
                _ => hash.is_multiple_of(13) != (vote % 7 > 3),
            },
            values: values.into_iter().map(|feature| (feature, 1.0)).collect::<Vec<_>>(),
        }
    };
    let width = Kernel::default_width(n_features);
    let kernel = [
        Kernel::Dot,
        Kernel::Info,
        Kernel::Precision,
        Kernel::Recall,
        Kernel::Info,
        Kernel::BothPos,
        Kernel::Hamming,
        Kernel::Gaussian { width },
    ][at % 8];
    let cost = [100.0, 1.0, 0.1, 10.0, 0.02, 1000.0, 0.5][at / 8 % 7];
    Formula { rows: Design::new(n_features, (0..n_rows).map(row)), kernel, cost }
}

/// The optima of those problems by HiGHS 1.15.1 (SciPy 1.17.1, `linprog`, both feasibility tolerances 1e-10), each as one program with a
/// column of either sign for every row. Of the 14 matrices of the info kernel 13 have negative eigenvalues, down to -122.
const OPTIMA: [f64; N_FORMULAS] = [
    2.0,
    2000.0,
    4416.3238095238,
    17823.515064345,
    32620.846437518,
    70892.494796316,
    200.0,
    136.75497086079,
    60.0,
    127.49236540452,
    342.24713594638,
    614.97506867182,
    8.0,
    24.15051724025,
    25.889380530973,
    170.0,
    36.563611111111,
    26.008822193215,
    1.6,
    5.5318181818182,
    8.7136360967197,
    20.41201707231,
    28.983924715989,
    41.0,
    140.0,
    1.9180388699967,
    546.18549624978,
    1651.0926568583,
    1640.0,
    3587.2298740498,
    3.75,
    183.26129265486,
    2.72,
    4.5968324016438,
    2.68,
    10.04,
    0.32,
    0.96,
    2.36,
    4.36,
    142004.0,
    456001.52577917,
    4004.0,
    12032.434923515,
    5089.5463856586,
    66004.581446311,
    184003.33333333,
    144950.42031578,
    510.07826086957,
    475.44723808352,
];

fn solved(at: usize, precision: &Precision) -> LinearProgramFit {
    let Formula { rows, kernel, cost } = formula(at);
    let function = KernelFunction::new(kernel, rows.n_columns(), &FeatureStatistics::of(&rows)).unwrap();
    fit(&mut LinearProgram::new(&function, &rows), cost, precision)
}

fn fit(program: &mut LinearProgram<'_>, cost: f64, precision: &Precision) -> LinearProgramFit {
    program.fit(cost, precision, &Budget::unlimited()).expect("no budget ends")
}

/// `|alpha|_1 + C sum_i weight_i xi_i`, from the scores that the model gives.
fn objective(model: &KernelModel, rows: &Design, cost: f64) -> f64 {
    let missed: f64 = model
        .scores(rows)
        .iter()
        .zip(rows.classes())
        .zip(rows.weights())
        .map(|((score, class), weight)| weight * (1.0 - class * score).max(0.0))
        .sum();
    model.coefficients.iter().map(|value| value.abs()).sum::<f64>() + cost * missed
}

#[test]
fn optima_are_those_of_highs() {
    let precision = Precision { tolerance: 1e-7, most_passes: 300 };
    for (at, optimum) in OPTIMA.into_iter().enumerate() {
        let fit = solved(at, &precision);
        let share = |value: f64| (value - optimum) / optimum;
        assert!(share(fit.objective).abs() < 1e-6, "{at}: {} where {optimum} is least", fit.objective);
        assert!(share(fit.bound) < 1e-6, "{at}: {} is above the optimum {optimum}", fit.bound);
        let Formula { rows, cost, .. } = formula(at);
        assert!(
            share(objective(&fit.model, &rows, cost)).abs() < 1e-6,
            "{at}: the model is not that of the objective"
        );
    }
}

/// Two rows and one feature of `q = 1/8`: the info kernel is 6 on both, `5 - log2 7` on one, `6 - 2 log2 7` on none, so its determinant
/// is below 0. By hand: the margin 2 between the rows is cheapest as `alpha (6 - (5 - log2 7)) = 2` of the row that has the feature.
#[test]
fn an_indefinite_kernel_is_solved() {
    let row = |is_positive, values| DesignRow { weight: 1.0, is_positive, values };
    let rows = Design::new(1, [row(true, vec![(0, 1.0)]), row(false, vec![])]);
    let statistics = FeatureStatistics { coverages: vec![0.125], ..FeatureStatistics::default() };
    let function = KernelFunction::new(Kernel::Info, 1, &statistics).unwrap();
    let columns = function.columns(&rows, &[vec![(0, 1.0)], vec![]]);
    assert!(columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0] < -2.0, "the kernel is indefinite");

    let precision = Precision { tolerance: 1e-6, most_passes: 50 };
    let fit = fit(&mut LinearProgram::new(&function, &rows), 100.0, &precision);
    let alpha = 2.0 / (1.0 + 7.0_f64.log2());
    assert!((fit.objective - alpha).abs() < 1e-6, "{} where {alpha} is least", fit.objective);
    assert!((fit.model.coefficients[0] - alpha).abs() < 1e-4, "{:?}", fit.model.coefficients);
    let scores = fit.model.scores(&rows);
    assert!((scores[0] - 1.0).abs() < 1e-4 && (scores[1] + 1.0).abs() < 1e-4, "{scores:?}");
}

/// The fit of a later cost starts from the rows and columns generated before, and ends at the same optimum.
#[test]
fn a_grid_of_costs_ends_where_each_alone_does() {
    let Formula { rows, kernel, .. } = formula(9);
    let function = KernelFunction::new(kernel, rows.n_columns(), &FeatureStatistics::of(&rows)).unwrap();
    let precision = Precision { tolerance: 1e-6, most_passes: 100 };
    let mut program = LinearProgram::new(&function, &rows);
    for cost in [0.001, 0.1, 10.0, 1.0] {
        let alone = fit(&mut LinearProgram::new(&function, &rows), cost, &precision);
        let again = fit(&mut program, cost, &precision);
        assert!((again.objective / alone.objective - 1.0).abs() < 2e-6, "{again:?} where {alone:?}");
    }
}

/// Rows of weight 0 and similarities to them have no effect. Equal rows of one class count as one row with the sum of
/// their weights.
#[test]
fn weights_count_rows() {
    let row = |weight, is_positive, values: &[u32]| DesignRow {
        weight,
        is_positive,
        values: values.iter().map(|&feature| (feature, 1.0)).collect(),
    };
    let merged =
        [row(3.0, true, &[0, 1]), row(2.0, false, &[1]), row(1.0, false, &[0]), row(1.0, true, &[2])];
    let split = [
        row(1.0, true, &[0, 1]),
        row(2.0, true, &[0, 1]),
        row(2.0, false, &[1]),
        row(0.0, true, &[1]),
        row(1.0, false, &[0]),
        row(1.0, true, &[2]),
    ];
    let objective = |rows: &[DesignRow]| {
        let rows = Design::new(3, rows.iter().cloned());
        let function = KernelFunction::new(Kernel::Hamming, 3, &FeatureStatistics::default()).unwrap();
        let precision = Precision { tolerance: 1e-8, most_passes: 50 };
        fit(&mut LinearProgram::new(&function, &rows), 0.5, &precision).objective
    };
    assert!((objective(&merged) - objective(&split)).abs() < 1e-6);
}

#[test]
fn rows_of_one_class_need_no_coefficient() {
    let rows = Design::new(1, [DesignRow { weight: 2.0, is_positive: false, values: vec![(0, 1.0)] }]);
    let function = KernelFunction::new(Kernel::Dot, 1, &FeatureStatistics::default()).unwrap();
    let found = fit(&mut LinearProgram::new(&function, &rows), 1.0, &Precision::default());
    assert!(
        found.model.support.is_empty() && found.objective <= 0.0 && found.model.scores(&rows)[0] <= -1.0,
        "{found:?}"
    );
    let none = Design::new(1, [] as [DesignRow; 0]);
    let program = &mut LinearProgram::new(&function, &none);
    assert!(fit(program, 1.0, &Precision::default()).objective <= 0.0);
}

#[test]
fn the_best_intercept_is_that_worked_by_hand() {
    // Places: positives at 1 - score, negatives at -1 - score.
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    near(best_intercept(&[0.0, 0.0], &[1.0, -1.0], &[1.0, 3.0]), -1.0);
    near(best_intercept(&[0.0, 0.0], &[1.0, -1.0], &[3.0, 1.0]), 1.0);
    // Equal weights: all between -1 and 1 lose as much.
    near(best_intercept(&[0.0, 0.0], &[1.0, -1.0], &[2.0, 2.0]), 0.0);
    near(best_intercept(&[3.0, -3.0], &[1.0, -1.0], &[1.0, 1.0]), 0.0);
    near(best_intercept(&[], &[], &[]), 0.0);
}
