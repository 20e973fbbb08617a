//! Support vector machines of nine `C` on an exported matrix, by rows and by columns; `linear_svc.py` does the same by scikit-learn. Sizes are in what it
//! prints.
//!
//! `gleaner features MODEL DATA -o matrix.svm`, then `GLEANER_MATRIX=matrix.svm cargo bench --bench linear`.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::fs::File;
use std::io::{BufRead, BufReader};

use cpu_time::ProcessTime;
use gleaner_base::Budget;
use gleaner_stats::ml::linear::{Descent, Design, DesignRow, LinearModel, Loss, Newton, Penalty};
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// As of `srl`.
const COSTS: [f64; 9] = [1e-3, 3.2e-3, 1e-2, 3.2e-2, 1e-1, 3.2e-1, 1.0, 3.2, 1e1];

fn main() {
    let Some(path) = std::env::var_os("GLEANER_MATRIX") else {
        println!("linear: GLEANER_MATRIX names no file of libsvm's format, so nothing is measured");
        return;
    };
    let rows = read(&path);
    let n_columns =
        rows.iter().filter_map(|(_, columns)| columns.last()).max().map_or(0, |last| *last as usize + 1);
    println!("{} rows, {n_columns} columns", rows.len());
    let started = ProcessTime::now();
    let design = merged(rows, n_columns);
    println!("merged into {} rows: {:.2} s of CPU time", design.n_rows(), started.elapsed().as_secs_f64());
    let (budget, start) = (Budget::unlimited(), LinearModel::zero(n_columns));
    let mut newton = Newton::new(&design, Loss::SquaredHinge, start.clone());
    report("Newton's method", &design, |cost| {
        newton.minimise(cost, 1e-3, 1_000, &budget).expect("there is time");
        newton.model()
    });
    let mut descent = Descent::new(&design, Loss::SquaredHinge, Penalty::L2, start);
    let mut rng = Pcg64::seed_from_u64(1);
    report("coordinate descent", &design, |cost| {
        descent.minimise(cost, 1e-3, 300, &mut rng, &budget).expect("there is time");
        descent.model().clone()
    });
}

fn report(name: &str, design: &Design, mut fit: impl FnMut(f64) -> LinearModel) {
    let started = ProcessTime::now();
    for cost in COSTS {
        let model = fit(cost);
        let taken = started.elapsed().as_secs_f64();
        println!("{name}, C {cost}: objective {:.6e}, {taken:.2} s so far", objective(&model, design, cost));
    }
}

/// The class and the columns of each row; all values are 1.
fn read(path: &std::ffi::OsStr) -> Vec<(bool, Vec<u32>)> {
    let lines = BufReader::new(File::open(path).expect("the file can be read")).lines();
    let lines =
        lines.map(|line| line.expect("text")).filter(|line| !line.starts_with('#') && !line.is_empty());
    let row = |line: String| {
        let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
        let is_positive =
            words.next().is_some_and(|label| label.parse::<f64>().is_ok_and(|label| label > 0.0));
        let column = |word: &str| {
            word.split_once(':').and_then(|(at, _)| at.parse::<u32>().ok()).expect("column:1") - 1
        };
        (is_positive, words.map(column).collect())
    };
    lines.map(row).collect()
}

/// Equal rows of one class as one.
fn merged(mut rows: Vec<(bool, Vec<u32>)>, n_columns: usize) -> Design {
    rows.sort_unstable();
    let groups = rows.chunk_by(|left, right| left == right).map(|group| DesignRow {
        weight: u32::try_from(group.len()).expect("fewer than 2^32 rows").into(),
        is_positive: group[0].0,
        values: group[0].1.iter().map(|&column| (column, 1.0)).collect::<Vec<_>>(),
    });
    Design::new(n_columns, groups)
}

fn objective(model: &LinearModel, design: &Design, cost: f64) -> f64 {
    let scores = model.scores(design);
    let rows = scores.iter().zip(design.classes()).zip(design.weights());
    let loss: f64 =
        rows.map(|((score, class), weight)| weight * (1.0 - class * score).max(0.0).powi(2)).sum();
    model.weights.iter().map(|weight| weight * weight).sum::<f64>() / 2.0 + cost * loss
}
