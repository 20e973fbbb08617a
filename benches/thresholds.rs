//! A threshold that is swept beside one that is given: 280,000 examples, each with eight numbers of a table of 2.2 million rows, and the
//! same numbers one join further away. *New* means that the store knows nothing of the numbers; *known*, that another clause asked for them.

#[path = "data/cpu_time.rs"]
mod cpu_time;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ConstantId, ExampleId, VariableId};
use gleaner_data::{LoadRequest, Problem, Table, load};
use gleaner_engine::coverage::component::Extreme;
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe};
use gleaner_lang::program::{Atom, ComparisonOperator, Literal, Term};
use gleaner_lang::syntax::Sources;
use rand::RngExt;

use cpu_time::CpuTime;

const N_EXAMPLES: usize = 280_000;
const N_ROWS_EACH: usize = 8;
const N_NUMBERS: i64 = 65_536;
/// Numbers given one after the other.
const N_GIVEN: usize = 16;

fn problem() -> Problem {
    let modes =
        ":- modeh(1, t(+x)). :- modeb(*, amount(+x, -n)). :- modeb(*, has(+x, -r)). :- modeb(*, of(+r, -n)).";
    let (mut labels, mut numbers) = (Vec::new(), Vec::new());
    let mut rng = stream(1, Purpose::Generate, &[]);
    for _ in 0..N_EXAMPLES {
        labels.push(rng.random_bool(0.05));
        numbers.extend((0..N_ROWS_EACH).map(|_| rng.random_range(0..N_NUMBERS)));
    }
    let example = |row: usize| format!("x{}", row / N_ROWS_EACH);
    let examples = (0..numbers.len()).map(example).collect::<Vec<_>>();
    let rows = (0..numbers.len()).map(|row| format!("r{row}")).collect::<Vec<_>>();
    let names = (0..N_EXAMPLES).map(|example| format!("x{example}")).collect::<Vec<_>>();
    let tables = [
        Table::new("t").column("x", names).column("label", labels),
        Table::new("amount").column("x", examples.clone()).column("n", numbers.clone()),
        Table::new("has").column("x", examples).column("r", rows.clone()),
        Table::new("of").column("r", rows).column("n", numbers),
    ];
    load(&LoadRequest::of_facts(tables, modes), &mut Sources::new()).expect("the problem loads").problem
}

fn atom(problem: &Problem, name: &str, arguments: &[usize]) -> Literal {
    let predicate = problem.symbols().find_predicate(name, arguments.len()).expect("it has facts");
    let arguments = arguments.iter().map(|&variable| Term::Variable(VariableId::new(variable))).collect();
    Literal::Positive(Atom { predicate, arguments })
}

#[derive(Clone, Copy, Default)]
struct Tally {
    positives: usize,
    negatives: usize,
}

fn thresholds(criterion: &mut Criterion<CpuTime>) {
    let problem = problem();
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &all);
    let head = Atom {
        predicate: problem.modes().head.predicate,
        arguments: vec![Term::Variable(VariableId::new(0))],
    };
    let bodies = [
        ("table", vec![atom(&problem, "amount", &[0, 1])], 1),
        ("join", vec![atom(&problem, "has", &[0, 2]), atom(&problem, "of", &[2, 1])], 1),
    ];
    for (name, body, variable) in bodies {
        let variable = VariableId::new(variable);
        let constants = &problem.symbols().constants;
        let numbers: Vec<ConstantId> = (0..constants.len())
            .map(ConstantId::new)
            .filter(|&constant| constants.number(constant).is_some())
            .collect();
        let given = (1..=N_GIVEN).map(|at| {
            let constant = numbers[numbers.len() * at / (N_GIVEN + 1)];
            let (left, right) = (Term::Variable(variable), Term::Constant(constant));
            Literal::compared(left, ComparisonOperator::GreaterOrEqual, right)
        });
        let literals: Vec<Literal> = body.iter().cloned().chain(given).collect();
        let n_body = u16::try_from(body.len()).expect("few literals");
        let positions: Vec<u16> = (0..n_body).collect();
        let engine = || {
            let store = Arc::new(CoverStore::new(problem.worlds(), &universe));
            ComponentEngine::sharing(&store, head.clone(), literals.clone(), Budget::unlimited())
        };
        let tally = |position: usize| {
            if universe.is_positive(position) {
                Tally { positives: 1, negatives: 0 }
            } else {
                Tally { positives: 0, negatives: 1 }
            }
        };
        let sweep = |engine: &mut ComponentEngine<'_>| {
            let extremes =
                engine.extremes(&positions, variable, Extreme::Greatest).expect("nothing interrupts");
            let steps = extremes.sums(tally, |sum, more| {
                sum.positives += more.positives;
                sum.negatives += more.negatives;
            });
            black_box(steps.len())
        };
        let mut group = criterion.benchmark_group(format!("thresholds/{name}/{N_EXAMPLES}-examples"));
        group.sample_size(10);
        group.bench_function(format!("given/{}-clauses", literals.len() - body.len()), |bencher| {
            bencher.iter_batched_ref(
                engine,
                |engine| {
                    for given in n_body..u16::try_from(literals.len()).expect("few literals") {
                        let clause = [positions.clone(), vec![given]].concat();
                        black_box(engine.count(&clause, 0)).expect("nothing interrupts");
                    }
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function("swept/new", |bencher| {
            bencher.iter_batched_ref(engine, sweep, BatchSize::PerIteration);
        });
        let mut known = engine();
        sweep(&mut known);
        group.bench_function("swept/known", |bencher| bencher.iter(|| sweep(&mut known)));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = thresholds
}
criterion_main!(benches);
