//! Instructions of the kernels, counted by callgrind: the same on a machine that is busy, so that a
//! change of a few per cent shows. Sizes are in the names, a tenth of protein localization's, as
//! valgrind is slow.
//!
//! Needs valgrind, and the runner of the library's version: `cargo install gungraun-runner`. Then
//! `cargo bench --bench instructions` prints counts beside those of the run before;
//! `-- --save-baseline=NAME` and `-- --baseline=NAME` keep and compare a named one. Valgrind knows no
//! AVX-512, so the kernels' code for AVX2 is what is counted. Making the data is not counted.

#![allow(
    missing_docs,
    unused_qualifications,
    unreachable_pub,
    clippy::allow_attributes,
    clippy::exit,
    clippy::needless_pass_by_value,
    reason = "the library's macros make items of such kinds"
)]

mod data;

use std::hint::black_box;

use gleaner_base::{Counts, ExampleSet, FeatureId};
use gleaner_engine::coverage::votes::{VoteCounter, weighted_votes};
use gleaner_stats::ml::{Features, PairInformation, Rows};
use gungraun::{library_benchmark, library_benchmark_group, main};

/// Left things: 117 of them make 28,080 pairs.
const N_LEFT: usize = 117;
const N_EXAMPLES: usize = N_LEFT * data::N_RIGHT;
const N_POSITIVE_WORDS: usize = 3;

fn sets(n_sets: usize) -> Vec<ExampleSet> {
    data::voters(N_EXAMPLES, n_sets)
}

fn votes_of(n_sets: usize) -> VoteCounter {
    VoteCounter::of(N_EXAMPLES, &sets(n_sets))
}

// What a benchmark was given it gives back, so that dropping is not counted.

#[library_benchmark]
#[bench::examples_28080(sets(1))]
fn count(sets: Vec<ExampleSet>) -> (usize, Vec<ExampleSet>) {
    (black_box(&sets[0]).count(), sets)
}

#[library_benchmark]
#[bench::examples_28080(sets(2))]
fn intersect(mut sets: Vec<ExampleSet>) -> (usize, Vec<ExampleSet>) {
    let (first, second) = sets.split_at_mut(1);
    let words = 0..second[0].words().len();
    (first[0].intersect_words_with(black_box(&second[0]), words), sets)
}

#[library_benchmark]
#[bench::sets_100_examples_28080(sets(100))]
fn votes_add(sets: Vec<ExampleSet>) -> (VoteCounter, Vec<ExampleSet>) {
    (VoteCounter::of(N_EXAMPLES, black_box(&sets)), sets)
}

#[library_benchmark]
#[bench::sets_100_examples_28080(votes_of(100))]
fn votes_all_counts(counter: VoteCounter) -> (Vec<Counts>, VoteCounter) {
    (black_box(&counter).counts(N_POSITIVE_WORDS), counter)
}

#[library_benchmark]
#[bench::sets_100_examples_28080(votes_of(100))]
fn votes_at_least(counter: VoteCounter) -> (ExampleSet, VoteCounter) {
    (black_box(&counter).at_least(50), counter)
}

#[library_benchmark]
#[bench::sets_100_examples_28080(sets(100))]
fn votes_weighted(sets: Vec<ExampleSet>) -> (Vec<f64>, Vec<ExampleSet>) {
    let borrowed: Vec<&ExampleSet> = sets.iter().collect();
    let weights: Vec<f64> = (1..).map(f64::from).take(sets.len()).collect();
    (weighted_votes(N_EXAMPLES, black_box(&borrowed), &weights), sets)
}

#[library_benchmark]
#[bench::features_500_examples_28080(data::features(N_LEFT, 500))]
fn rows(features: Features) -> (Rows, Features) {
    (Rows::of(black_box(&features)), features)
}

#[library_benchmark]
#[bench::features_50_examples_28080(data::features(N_LEFT, 50))]
fn mutual_information(features: Features) -> (Option<PairInformation>, Features) {
    let chosen: Vec<FeatureId> = (0..features.n_features()).map(FeatureId::new).collect();
    (features.dense(black_box(&chosen)).pair_information(), features)
}

library_benchmark_group!(name = kernels; benchmarks = count, intersect);
library_benchmark_group!(
    name = votes;
    benchmarks = votes_add, votes_all_counts, votes_at_least, votes_weighted
);
library_benchmark_group!(name = features; benchmarks = rows, mutual_information);
main!(library_benchmark_groups = kernels, votes, features);
