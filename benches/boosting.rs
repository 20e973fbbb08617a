//! Boosting on generated sentences: clauses weighed a second of a core's time over whole rounds, and sums of weights
//! alone, over covers of several sizes. Sizes are in the names.

#[path = "data/cpu_time.rs"]
mod cpu_time;
#[path = "data/sentences.rs"]
mod data;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use gleaner::experiment::default_settings;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleSet, ExampleWeights, Forgetful};
use gleaner_data::Problem;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::settings::DataSummary;
use gleaner_learn::{Configured, Found, RunContext, SetStores, Silent, Task, configured_learner};
use rand::RngExt;

use cpu_time::CpuTime;
use data::{Stream, problem, universe};

/// Sentences of protein localization [GLEANER §4.1].
const N_SENTENCES: usize = 7_245;
const N_ROUNDS: usize = 20;
/// Examples of the sums' universe.
const N_EXAMPLES: usize = 281_040;

fn boosting_config(learner: &str, n_positives: usize) -> Box<dyn Configured> {
    let mut settings = default_settings();
    // One climb a round, as in the paper, whatever the learner.
    let of_paper = [("round-seeds", "1"), ("literal-share", "1"), ("lookahead", "1")];
    let given = [("learner", learner), ("rounds", &N_ROUNDS.to_string())];
    for (name, value) in given.into_iter().chain(of_paper) {
        settings.set(name, value).expect("the setting exists");
    }
    configured_learner(&settings, DataSummary { n_train_positives: n_positives, ..DataSummary::default() })
}

/// Rounds from nothing, on one thread: covers, sums, climbs and the weights' updates.
fn boost(config: &dyn Configured, problem: &Problem, universe: &Universe, tune: &Universe) -> Found {
    let store = Arc::new(CoverStore::new(problem.worlds(), universe));
    let tune_store = Arc::new(CoverStore::new(problem.worlds(), tune));
    let task = Task {
        labels: problem.labels(),
        worlds: problem.worlds(),
        modes: problem.modes(),
        examples: problem.examples(),
        train: universe,
        tune,
        run_idx: 0,
        given: None,
    };
    let budget = Budget::unlimited();
    let context = RunContext {
        budget: &budget,
        rng_seed: 1,
        monitor: &Silent,
        cover_bytes: usize::MAX,
        keeper: &Forgetful,
    };
    config.search(&task, &context, SetStores { train: &store, tune: &tune_store })
}

fn rounds(criterion: &mut Criterion<CpuTime>) {
    // The clock is that of this thread.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("first pool");
    let problem = problem(N_SENTENCES);
    let universe = universe(&problem);
    let tune = Universe::new(Arc::clone(problem.examples()), &[]);
    for learner in ["rankboost", "prankboost-clause", "prankboost-path"] {
        let config = boosting_config(learner, universe.n_positives());
        let n_clauses = boost(&*config, &problem, &universe, &tune).record.funnel().evaluated();
        let n_examples = universe.n_positives() + universe.n_negatives();
        let mut group =
            criterion.benchmark_group(format!("boosting/{n_examples}-examples/{N_ROUNDS}-rounds"));
        group.sample_size(10).throughput(Throughput::Elements(n_clauses));
        group.bench_function(format!("{learner}/{n_clauses}-clauses"), |bencher| {
            bencher.iter(|| black_box(boost(&*config, &problem, &universe, &tune)));
        });
        group.finish();
    }
    weighed_stream(criterion, &problem, &universe);
}

/// The same warm stream of clauses, counted and weighed: what the sums add.
fn weighed_stream(criterion: &mut Criterion<CpuTime>, problem: &Problem, universe: &Universe) {
    const N_CLAUSES: usize = 10_000;
    let recorded = Stream::record(problem, universe, 0, N_CLAUSES);
    let store = Arc::new(CoverStore::new(problem.worlds(), universe));
    let mut engine = data::engine(&store, &recorded.bottom);
    recorded.count(&mut engine);
    let weights = weights(universe.len());
    let mut group = criterion.benchmark_group(format!("weighed/{N_CLAUSES}-clauses"));
    group.sample_size(10).throughput(Throughput::Elements(N_CLAUSES as u64));
    group.bench_function("counted", |bencher| bencher.iter(|| black_box(recorded.count(&mut engine))));
    group.bench_function("weighed", |bencher| {
        bencher.iter(|| {
            for candidate in &recorded.candidates {
                let is_wanted =
                    |positives: gleaner_engine::coverage::Mass| positives.n >= data::MIN_POSITIVES;
                let weighed = engine.weigh(candidate.positions(), &weights, &is_wanted);
                black_box(weighed.expect("no budget"));
            }
        });
    });
    group.finish();
}

fn weights(len: usize) -> ExampleWeights {
    let mut rng = stream(7, Purpose::Weights, &[]);
    let mut weights = ExampleWeights::zero(len);
    (0..len).for_each(|position| weights.set(position, rng.random()));
    weights
}

/// Sums over random covers of so many examples in a thousand.
fn sums(criterion: &mut Criterion<CpuTime>) {
    let weights = weights(N_EXAMPLES);
    let mut rng = stream(8, Purpose::Weights, &[]);
    let mut group = criterion.benchmark_group(format!("weighted-sums/{N_EXAMPLES}-examples"));
    group.throughput(Throughput::Elements(1));
    for per_mille in [1_u32, 10, 100, 500] {
        let chosen = (0..N_EXAMPLES).filter(|_| rng.random_ratio(per_mille, 1_000));
        let cover = ExampleSet::from_positions(N_EXAMPLES, chosen);
        let n_words = cover.words().len();
        group.bench_function(format!("{per_mille}-per-mille"), |bencher| {
            bencher.iter(|| black_box(weights.sum_words(black_box(&cover), 0..n_words)));
        });
        // The loop that the sums must equal, but for rounding.
        group.bench_function(format!("{per_mille}-per-mille/plain"), |bencher| {
            bencher.iter_batched(
                || (),
                |()| black_box(&cover).iter().map(|position| weights.at(position)).sum::<f64>(),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = sums, rounds
}
criterion_main!(benches);
