//! Features, rows and mutual information. Sizes are in the names.

mod data;

use criterion::{Criterion, criterion_group, criterion_main};
use gleaner::base::{ExampleSet, FeatureId};
use gleaner::ml::{Features, Labels, Rows};

/// As many as protein localization has.
const N_POSITIVES: usize = 1_773;
const N_FEATURES: usize = 2_000;
const N_PAIRED: usize = 200;

fn features() -> Features {
    let is_positive = |at: &usize| at.is_multiple_of(data::N_EXAMPLES / N_POSITIVES);
    let positives = ExampleSet::from_positions(data::N_EXAMPLES, (0..data::N_EXAMPLES).filter(is_positive));
    let mut negatives = ExampleSet::empty(data::N_EXAMPLES);
    negatives.union_with_difference(&ExampleSet::full(data::N_EXAMPLES), &positives);
    let labels = Labels::new(positives, negatives).expect("no example is of both classes");
    let compressed = |column: ExampleSet| column.iter().map(|at| u32::try_from(at).expect("few")).collect();
    Features::new(labels, data::columns(N_FEATURES).into_iter().map(compressed).collect())
        .expect("columns hold examples")
}

fn rows(criterion: &mut Criterion) {
    let features = features();
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
