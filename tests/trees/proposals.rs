//! The tests of a node are all that hold of its examples: enumerated from all rows of all relations.

use std::collections::BTreeSet;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ConstantId, ExampleId, ExampleSet, TypeId};
use gleaner_data::Problem;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, ModeSubject};
use gleaner_lang::program::{Literal, Term};
use gleaner_learn::Task;
use gleaner_learn::trees::loss::Gradients;
use gleaner_learn::trees::proposed::KnownTests;
use gleaner_learn::trees::proposing::Proposing;
use gleaner_learn::trees::tree::{OpenClause, Test};

use super::{config, on_folds, problem};
use crate::support::fixture;

/// A value with its type; of two variables of one value the first stands for new arguments.
type Known = (ConstantId, TypeId);

/// An argument: a variable of the clause by number, another value, or a constant of the clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Argument {
    Variable(usize),
    New(Known),
    Constant(ConstantId),
}

/// A literal that holds: the predicate and its arguments.
type Held = (usize, Vec<Argument>);

/// All ways to give a mode's arguments the values of a row.
fn ways(mode: &BodyMode, row: &[ConstantId], known: &[Known], new: &[Known]) -> Vec<Vec<Argument>> {
    let mut ways = vec![Vec::new()];
    for (argument, &value) in mode.arguments.iter().zip(row) {
        let of = (value, argument.type_id());
        let variables: Vec<usize> = (0..known.len()).filter(|&at| known[at] == of).collect();
        let choices: Vec<Argument> = match argument {
            ArgumentMode::Constant(_) => vec![Argument::Constant(value)],
            ArgumentMode::Input(_) if new.contains(&of) => vec![Argument::New(of)],
            ArgumentMode::Input(_) => variables.into_iter().map(Argument::Variable).collect(),
            ArgumentMode::Output(_) => {
                vec![variables.first().map_or(Argument::New(of), |&first| Argument::Variable(first))]
            }
        };
        ways = ways
            .into_iter()
            .flat_map(|way: Vec<Argument>| choices.iter().map(move |&choice| [&way[..], &[choice]].concat()))
            .collect();
    }
    ways
}

/// The literals that hold where these terms, and new values, are known.
fn held(task: &Task<'_>, background: &Background, known: &[Known], new: &[Known]) -> BTreeSet<Held> {
    let mut held = BTreeSet::new();
    for mode in &task.modes.body {
        let ModeSubject::Relation(predicate) = mode.subject else { panic!("these modes are of relations") };
        let relation = background.relation(predicate);
        for row in 0..relation.n_rows() {
            let row: Vec<ConstantId> =
                (0..mode.arguments.len()).map(|column| relation.value(row, column)).collect();
            held.extend(ways(mode, &row, known, new).into_iter().map(|way| (predicate.index(), way)));
        }
    }
    held
}

fn new_values((_, arguments): &Held) -> Vec<Known> {
    arguments
        .iter()
        .filter_map(|argument| if let Argument::New(of) = argument { Some(*of) } else { None })
        .collect()
}

fn shape(literals: &[&Held]) -> Vec<(usize, Vec<String>)> {
    let mut new: Vec<Known> = Vec::new();
    let mut argument = |argument: &Argument| match argument {
        Argument::Variable(at) => format!("v{at}"),
        Argument::Constant(constant) => format!("c{}", constant.index()),
        Argument::New(of) => {
            let at = new.iter().position(|known| known == of).unwrap_or_else(|| {
                new.push(*of);
                new.len() - 1
            });
            format!("n{at}:{}", of.1.index())
        }
    };
    literals.iter().map(|held| (held.0, held.1.iter().map(&mut argument).collect())).collect()
}

/// What a test says, whatever the order of its literals.
fn unordered(literals: &[&Held]) -> Vec<(usize, Vec<String>)> {
    let reversed: Vec<&Held> = literals.iter().rev().copied().collect();
    shape(literals).min(shape(&reversed))
}

/// A test with stand-ins for the values of new variables.
fn of_test(test: &Test, n_known: usize) -> Vec<(usize, Vec<String>)> {
    let literals: Vec<Held> = test
        .literals
        .iter()
        .map(|literal| {
            let Literal::Positive(atom) = literal else { panic!("these modes are of relations") };
            let argument = |term: &Term| match *term {
                Term::Constant(constant) => Argument::Constant(constant),
                Term::Any => panic!("these modes have no negated literals"),
                Term::Variable(variable) => match variable.index().checked_sub(n_known) {
                    Some(new) => Argument::New((ConstantId::new(new), test.types[new])),
                    None => Argument::Variable(variable.index()),
                },
            };
            (atom.predicate.index(), atom.arguments.iter().map(argument).collect())
        })
        .collect();
    unordered(&literals.iter().collect::<Vec<_>>())
}

/// All tests of one literal or two that hold of an example, whose terms are all that is known.
fn enumerated(task: &Task<'_>, example: ExampleId, length: u32) -> BTreeSet<Vec<(usize, Vec<String>)>> {
    let background = &task.worlds[task.examples.world(example).index()];
    let head = task.modes.head.arguments.iter().map(|argument| argument.type_id());
    let known: Vec<Known> = task.examples.arguments(example).iter().copied().zip(head).collect();
    let mut tests = BTreeSet::new();
    for first in held(task, background, &known, &[]) {
        if !first.1.iter().any(|argument| matches!(argument, Argument::Variable(_))) {
            continue;
        }
        tests.insert(unordered(&[&first]));
        let new = new_values(&first);
        let seconds = if length > 1 { held(task, background, &known, &new) } else { BTreeSet::new() };
        for second in seconds.iter().filter(|&second| *second != first) {
            if new_values(second).iter().any(|value| new.contains(value)) {
                tests.insert(unordered(&[&first, second]));
            }
        }
    }
    tests
}

fn check(problem: &Problem, length: &str) -> usize {
    let config = config("rdn-boost", &[("test-length", length)]);
    on_folds(problem, [&["fold1", "fold3"], &["fold4"]], 1, |task, _, _| {
        let mut n_tests = 0;
        for (position, example) in task.train.iter().step_by(task.train.len().div_ceil(12)) {
            let gradients = Gradients::of_classes(Vec::new(), Vec::new());
            let proposing = Proposing {
                task,
                universe: task.train,
                gradients: &gradients,
                saturation: config.saturation,
                test_length: config.test_length,
                n_sampled: 1,
                budget: &Budget::unlimited(),
                known: &KnownTests::default(),
            };
            let open = OpenClause::most_general(&task.modes.head, task.train);
            let mut rng = stream(1, Purpose::Search, &[]);
            let set = ExampleSet::from_positions(task.train.len(), [position]);
            let tests = proposing.tests(&open, &set, &mut rng).0;
            let found: BTreeSet<_> = tests.iter().map(|test| of_test(test, open.types.len())).collect();
            assert_eq!(found, enumerated(task, example, config.test_length));
            assert_eq!(found.len(), tests.len(), "each comes once");
            n_tests += tests.len();
        }
        n_tests
    })
}

#[test]
fn all_tests_that_hold_of_an_example_are_proposed() {
    let university = problem(fixture("university"));
    assert!(check(&university, "1") > 40);
    assert!(check(&university, "2") > 200);
    assert!(check(&problem(fixture("family")), "2") > 0);
}
