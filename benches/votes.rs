//! Kernels over words, and votes: "at least L of K" for every L, and sums of weights. Sizes are in the
//! names.

mod data;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use gleaner_base::ExampleSet;
use gleaner_engine::coverage::votes::{VoteCounter, weighted_votes};

const N_SETS: usize = 100;
/// As many words as the 1,773 positives of protein localization take.
const N_POSITIVE_WORDS: usize = 28;

fn kernels(criterion: &mut Criterion) {
    let sets = data::voters(data::N_EXAMPLES, 2);
    let n_words = sets[0].words().len();
    let mut group = criterion.benchmark_group(format!("kernels/{}-examples", data::N_EXAMPLES));
    group.bench_function("count", |bencher| bencher.iter(|| black_box(&sets[0]).count()));
    let mut kept = sets[0].clone();
    group.bench_function("intersect", |bencher| {
        bencher.iter(|| kept.intersect_words_with(black_box(&sets[1]), 0..n_words));
    });
    group.finish();
}

fn votes(criterion: &mut Criterion) {
    let sets = data::voters(data::N_EXAMPLES, N_SETS);
    let borrowed: Vec<&ExampleSet> = sets.iter().collect();
    let counter = VoteCounter::of(data::N_EXAMPLES, &sets);
    let weights: Vec<f64> = (1..).map(f64::from).take(N_SETS).collect();
    let mut group = criterion.benchmark_group(format!("votes/{N_SETS}-sets/{}-examples", data::N_EXAMPLES));
    group.bench_function("add", |bencher| bencher.iter(|| VoteCounter::of(data::N_EXAMPLES, &sets)));
    group.bench_function("all-counts", |bencher| bencher.iter(|| counter.counts(N_POSITIVE_WORDS)));
    group.bench_function("add-and-all-counts", |bencher| {
        bencher.iter(|| VoteCounter::of(data::N_EXAMPLES, &sets).counts(N_POSITIVE_WORDS));
    });
    group.bench_function("at-least-50", |bencher| bencher.iter(|| counter.at_least(black_box(50))));
    group.bench_function("weighted", |bencher| {
        bencher.iter(|| weighted_votes(data::N_EXAMPLES, &borrowed, &weights));
    });
    // The loop that weighted votes must equal bit by bit.
    group.bench_function("weighted-plain", |bencher| {
        bencher.iter(|| {
            let mut sums = vec![0.0; data::N_EXAMPLES];
            for (set, weight) in sets.iter().zip(&weights) {
                for position in set.iter() {
                    sums[position] += weight;
                }
            }
            sums
        });
    });
    group.finish();
}

criterion_group!(benches, kernels, votes);
criterion_main!(benches);
