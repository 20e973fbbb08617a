//! Clauses a second of a core's time: the streams that rapid random restarts evaluate on generated
//! sentences, replayed. *Cold* is a store that knows nothing, all misses counted; *shared* one that the
//! streams before it filled; *warm* the same stream once more. Sizes and engines are in the names.
//!
//! `GLEANER_BENCH_LARGE=1` adds ten times as many sentences: 2.3 GB of text, 3 GB of memory.

#[path = "data/cpu_time.rs"]
mod cpu_time;
#[path = "data/cycles.rs"]
mod cycles;
#[path = "data/sentences.rs"]
mod data;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use gleaner_data::Problem;
use gleaner_engine::coverage::{CoverStore, Universe, reference};

use cpu_time::CpuTime;
use cycles::cyclic_share;
use data::{Stream, engine, problem, universe};

/// Sentences of protein localization [GLEANER §4.1].
const N_SENTENCES: usize = 7_245;
const N_CLAUSES: usize = 25_000;
/// Examples on which the oracle judges a clause.
const N_BY_REFERENCE: usize = 100;
/// Positives that are searched from, evenly over all.
const N_SEEDS: usize = 8;
/// The positives in whose streams the most clauses have a cycle, of 150 evenly over all.
const CYCLIC_SEEDS: [usize; 2] = [236, 969];

fn sample<'a>(
    criterion: &'a mut Criterion<CpuTime>,
    universe: &Universe,
    n_clauses: usize,
) -> criterion::BenchmarkGroup<'a, CpuTime> {
    let n_examples = universe.n_positives() + universe.n_negatives();
    let mut group = criterion.benchmark_group(format!("streams/{n_examples}-examples/{n_clauses}-clauses"));
    group.sample_size(10).throughput(Throughput::Elements(n_clauses as u64));
    group
}

/// One stream with a store of its own, and again.
fn cold_and_warm(
    criterion: &mut Criterion<CpuTime>,
    name: &str,
    (problem, universe): (&Problem, &Universe),
    stream: &Stream,
) {
    let mut group = sample(criterion, universe, stream.candidates.len());
    group.bench_function(format!("component/{name}/cold"), |bencher| {
        bencher.iter_batched_ref(
            || engine(&Arc::new(CoverStore::new(problem.worlds(), universe)), &stream.bottom),
            |engine| black_box(stream.count(engine)),
            BatchSize::PerIteration,
        );
    });
    let mut warm = engine(&Arc::new(CoverStore::new(problem.worlds(), universe)), &stream.bottom);
    let expected = stream.count(&mut warm);
    group.bench_function(format!("component/{name}/warm"), |bencher| {
        bencher.iter(|| assert_eq!(stream.count(&mut warm), expected, "what is known does not change"));
    });
    group.finish();
}

fn streams(criterion: &mut Criterion<CpuTime>) {
    let problem = problem(N_SENTENCES);
    let universe = universe(&problem);
    let step = universe.n_positives() / N_SEEDS;
    let streams: Vec<Stream> =
        (0..N_SEEDS).map(|seed| Stream::record(&problem, &universe, seed * step, N_CLAUSES)).collect();
    for (seed, stream) in streams.iter().enumerate() {
        cold_and_warm(criterion, &format!("seed-{seed}"), (&problem, &universe), stream);
    }
    let mut group = sample(criterion, &universe, N_CLAUSES * N_SEEDS);
    group.bench_function(format!("component/{N_SEEDS}-seeds/shared"), |bencher| {
        bencher.iter_batched(
            || Arc::new(CoverStore::new(problem.worlds(), &universe)),
            |store| {
                streams.iter().map(|stream| stream.count(&mut engine(&store, &stream.bottom))).sum::<usize>()
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
    for seed_idx in CYCLIC_SEEDS {
        let stream = Stream::record(&problem, &universe, seed_idx, N_CLAUSES);
        let name = format!("positive-{seed_idx}-{:.0}-percent-cyclic", cyclic_share(&stream) * 100.0);
        cold_and_warm(criterion, &name, (&problem, &universe), &stream);
    }
    // The oracle takes milliseconds for each example, and twenty minutes for all: one clause on a few is enough.
    let clause = streams[0].bottom.clause(streams[0].candidates[0].positions());
    let some: Vec<_> = problem.examples().ids().take(N_BY_REFERENCE).collect();
    let some = Universe::new(Arc::clone(problem.examples()), &some);
    let mut group = sample(criterion, &some, 1);
    group.bench_function("reference", |bencher| {
        bencher.iter(|| black_box(reference::cover(problem.worlds(), &clause, &some)));
    });
    group.finish();
}

/// The same search on a tenth of the sentences, and on ten times as many where it was asked for.
fn growth(criterion: &mut Criterion<CpuTime>) {
    let is_large = std::env::var_os("GLEANER_BENCH_LARGE").is_some();
    for n_sentences in [N_SENTENCES / 10, N_SENTENCES * 10].into_iter().take(1 + usize::from(is_large)) {
        let problem = problem(n_sentences);
        let universe = universe(&problem);
        for seed in 0..2 {
            let seed_idx = seed * universe.n_positives() / 2;
            let stream = Stream::record(&problem, &universe, seed_idx, N_CLAUSES);
            cold_and_warm(criterion, &format!("seed-{seed}"), (&problem, &universe), &stream);
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .with_measurement(CpuTime)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = streams, growth
}
criterion_main!(benches);
