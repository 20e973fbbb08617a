//! Coverage of random legal candidates on a generated university: the oracle against the engine,
//! with a fresh memo and with a warm one. Sizes and engines are in the names.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gleaner::experiment::load;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::bias::{Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{ComponentEngine, Universe, reference};
use gleaner_lang::program::Literal;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::syntax::Sources;
use rand::RngExt;

const N_CANDIDATES: u64 = 200;

fn problem() -> Problem {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/university").into();
    let request = LoadRequest { path, ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("the fixture is well formed").problem
}

fn coverage(criterion: &mut Criterion) {
    let problem = problem();
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &all);
    let seed = universe.positives().next().expect("the fixture has positives");
    let background = &problem.worlds()[problem.examples().world(seed).index()];
    let config = SaturationConfig {
        depth: 2,
        max_bottom_literals: 5_000,
        negation: Negation::Modes,
        object_identity: ObjectIdentity::Off,
        thresholds: gleaner_lang::program::Thresholds::Seed,
        max_thresholds: usize::MAX,
    };
    let bottom = saturate(background, problem.modes(), problem.examples(), seed, config);
    let space = RefinementSpace::new(&bottom, 10);
    let mut rng = stream(1, Purpose::Search, &[0]);
    let candidates: Vec<Candidate> = (0..N_CANDIDATES)
        .map(|_| {
            let n_body = rng.random_range(1..=6);
            space.draw(n_body, &mut rng)
        })
        .collect();
    let literals: Vec<Literal> = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
    let engine = || {
        let (head, literals) = (bottom.head.clone(), literals.clone());
        ComponentEngine::new(problem.worlds(), &universe, head, literals, Budget::unlimited())
    };
    let count_all = |engine: &mut ComponentEngine<'_>| {
        for candidate in &candidates {
            black_box(engine.count(candidate.positions(), 2).expect("no budget"));
        }
    };

    let name = format!("coverage/{N_CANDIDATES}-candidates/{}-examples", problem.examples().len());
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(N_CANDIDATES));
    group.sample_size(20);
    group.bench_function("component-cold", |bencher| {
        bencher.iter_batched_ref(engine, |engine| count_all(engine), criterion::BatchSize::LargeInput);
    });
    let mut warm = engine();
    count_all(&mut warm);
    group.bench_function("component-warm", |bencher| bencher.iter(|| count_all(&mut warm)));
    group.finish();

    // The oracle takes seconds for what the engine does in microseconds: one candidate is enough.
    let clause = bottom.clause(candidates[0].positions());
    let mut group =
        criterion.benchmark_group(format!("coverage/1-candidate/{}-examples", problem.examples().len()));
    group.sample_size(10);
    group.bench_function("reference", |bencher| {
        bencher.iter(|| black_box(reference::cover(problem.worlds(), &clause, &universe)));
    });
    group.finish();
}

criterion_group!(benches, coverage);
criterion_main!(benches);
