//! Features, rows and mutual information. Sizes are in the names.

mod data;

use criterion::{Criterion, criterion_group, criterion_main};
use gleaner_base::FeatureId;
use gleaner_stats::ml::Rows;

const N_FEATURES: usize = 2_000;
const N_PAIRED: usize = 200;

fn rows(criterion: &mut Criterion) {
    let features = data::features(data::N_LEFT, N_FEATURES);
    // As many as the columns of protein localization have, within a thousand.
    assert_eq!(Rows::of(&features).n_rows(), 55_200);
    let mut group = criterion
        .benchmark_group(format!("rows/{N_FEATURES}-features/{}-examples/55200-rows", data::N_EXAMPLES));
    group.sample_size(20);
    group.bench_function("distinct", |bencher| bencher.iter(|| Rows::of(&features)));
    group.finish();

    let chosen: Vec<FeatureId> = (0..N_PAIRED).map(FeatureId::new).collect();
    let columns = features.dense(&chosen);
    let mut group = criterion
        .benchmark_group(format!("mutual-information/{N_PAIRED}-features/{}-examples", data::N_EXAMPLES));
    group.sample_size(20);
    group.bench_function("dense", |bencher| bencher.iter(|| features.dense(&chosen)));
    group.bench_function("all-pairs", |bencher| bencher.iter(|| columns.pair_information()));
    group.bench_function("with-class", |bencher| {
        bencher.iter(|| {
            (0..N_PAIRED)
                .filter_map(|column| columns.class_contingency(column).mutual_information())
                .sum::<f64>()
        });
    });
    group.finish();
}

criterion_group!(benches, rows);
criterion_main!(benches);
