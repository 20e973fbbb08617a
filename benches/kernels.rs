//! Columns of the info kernel, and the linear program with it. Sizes are in the names.

use criterion::{Criterion, criterion_group, criterion_main};
use gleaner_base::Budget;
use gleaner_stats::ml::kernel::{FeatureStatistics, Kernel, KernelFunction, SparseRow};
use gleaner_stats::ml::kernel_svm::{LinearProgram, Precision};
use gleaner_stats::ml::linear::{Design, DesignRow};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const COSTS: [f64; 9] = [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4];
/// Features of one seed, from coverage .001 to .5 in equal steps of the logarithm, all of which follow one score.
const N_BINS: usize = 20;

/// Examples of which one in 21 is positive, with the features of `n_seeds` seeds.
fn examples(n_examples: usize, n_seeds: usize) -> Design {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let is_positive = |example: usize| example.is_multiple_of(21);
    let general: Vec<f64> =
        (0..n_examples).map(|example| normal() + if is_positive(example) { 2.0 } else { 0.0 }).collect();
    let mut rows: Vec<DesignRow> = (0..n_examples)
        .map(|example| DesignRow { weight: 1.0, is_positive: is_positive(example), values: Vec::new() })
        .collect();
    for seed in 0..n_seeds {
        let of_seed: Vec<f64> = general.iter().map(|score| 0.6 * score + 0.8 * normal()).collect();
        for bin in 0..N_BINS {
            let share = 0.001 * 500_f64.powf(bin as f64 / (N_BINS - 1) as f64);
            let scores: Vec<f64> = of_seed.iter().map(|score| score + 0.1 * normal()).collect();
            let mut order: Vec<usize> = (0..n_examples).collect();
            order.sort_by(|&left, &right| scores[right].total_cmp(&scores[left]));
            let n_covered = share * n_examples as f64;
            let feature = u32::try_from(seed * N_BINS + bin).expect("few features");
            for (_, &example) in order.iter().enumerate().take_while(|&(rank, _)| (rank as f64) < n_covered) {
                rows[example].values.push((feature, 1.0));
            }
        }
    }
    Design::new(n_seeds * N_BINS, rows)
}

fn columns(criterion: &mut Criterion) {
    let rows = examples(20_000, 100);
    let statistics = FeatureStatistics::of(&rows);
    let function = KernelFunction::new(Kernel::Info, rows.n_columns(), &statistics).expect("shares");
    let sparse = |row: usize| -> SparseRow {
        rows.row(row).map(|(feature, value)| (feature.try_into().expect("few features"), value)).collect()
    };
    let right: Vec<SparseRow> = (0..200).map(sparse).collect();
    let mut group = criterion.benchmark_group("kernel/20000-rows/2000-features");
    group.sample_size(10);
    group.bench_function("200-columns", |bencher| bencher.iter(|| function.columns(&rows, &right)));
    group.finish();
}

fn program(criterion: &mut Criterion) {
    let is_large = std::env::var_os("GLEANER_BENCH_LARGE").is_some();
    let (n_examples, n_seeds) = if is_large { (20_000, 100) } else { (2_000, 20) };
    let rows = examples(n_examples, n_seeds);
    let statistics = FeatureStatistics::of(&rows);
    let function = KernelFunction::new(Kernel::Info, rows.n_columns(), &statistics).expect("shares");
    let precision = Precision { tolerance: 1e-3, ..Precision::default() };
    let mut group = criterion.benchmark_group(format!("linear-program/{n_examples}-rows"));
    group.sample_size(10);
    group.bench_function("one-cost", |bencher| {
        bencher.iter(|| LinearProgram::new(&function, &rows).fit(0.01, &precision, &Budget::unlimited()));
    });
    group.bench_function("nine-costs", |bencher| {
        bencher.iter(|| {
            let mut program = LinearProgram::new(&function, &rows);
            COSTS.map(|cost| program.fit(cost, &precision, &Budget::unlimited()).map(|fit| fit.objective))
        });
    });
    group.finish();
}

criterion_group!(benches, columns, program);
criterion_main!(benches);
