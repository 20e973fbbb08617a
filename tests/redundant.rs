//! `--redundant-clauses`: what facts make redundant is not evaluated, and every model is the same.

use crate::support::asked::{clauses_of, with_clauses};
use std::path::Path;
use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, TypeId, VariableId};
use gleaner_data::{LoadRequest, Problem, load};
use gleaner_engine::coverage::{ComponentEngine, Universe};
use gleaner_lang::program::clause::{Distinctions, LiteralTerms};
use gleaner_lang::syntax::{Sources, render};
use gleaner_learn::Covers;

use crate::reduced_clauses::{LEARNERS, learnt, said, university};

/// Searches from the top down that exhaust their space.
const EXHAUSTIVE: [&[(&str, &str)]; 6] = [
    &[("learner", "gleaner"), ("seeds", "4"), ("search", "breadth-first"), ("max-literals", "3")],
    &[("learner", "gleaner"), ("seeds", "4"), ("search", "depth-first"), ("max-literals", "3")],
    &[("learner", "aleph"), ("theory-nodes", "1000000"), ("search", "breadth-first"), ("max-literals", "3")],
    &[("learner", "aleph"), ("theory-nodes", "1000000"), ("search", "best-first"), ("max-literals", "3")],
    &[("learner", "best-clause"), ("seeds", "4"), ("search", "iterative-deepening"), ("max-literals", "3")],
    &[("learner", "best-clause"), ("seeds", "4"), ("search", "iterated-beam"), ("max-literals", "3")],
];

/// What a run evaluated, inferred and left out.
struct Spared {
    evaluated: u64,
    inferred: u64,
    left_out: u64,
}

/// Runs with what is redundant evaluated and otherwise: the clauses of both models are the same, and what these say of train
/// and tune.
fn spared_at_equal_models(set: &[(&str, &str)], word: &str) -> [Spared; 2] {
    let (problem, split) = university();
    let set: Vec<(&str, &str)> = [&[("clauses", "1000000")], set].concat();
    let with = |word| learnt(&problem, &split, &[&set[..], &[("redundant-clauses", word)]].concat());
    let (plain, spared) = (with("evaluate"), with(word));
    assert!(!plain.model.clauses().is_empty(), "{set:?}");
    assert_eq!(plain.model.clauses(), spared.model.clauses(), "{set:?}");
    for ids in [&split.train, &split.tune] {
        let universe = Universe::new(Arc::clone(problem.examples()), ids);
        let covers = Covers::new(problem.worlds(), &universe, 64 << 20);
        assert_eq!(said(&*plain.model, &covers), said(&*spared.model, &covers), "{set:?}");
    }
    [plain, spared].map(|run| {
        let funnel = run.search.funnel;
        Spared { evaluated: funnel.evaluated(), inferred: funnel.inferred, left_out: funnel.left_out }
    })
}

#[test]
fn what_is_inferred_changes_no_model_of_any_learner() {
    for set in LEARNERS {
        let [plain, inferring] = spared_at_equal_models(set, "infer");
        assert_eq!((plain.inferred, plain.left_out), (0, 0), "{set:?}");
        assert_eq!((inferring.evaluated, inferring.left_out), (plain.evaluated, 0), "{set:?}");
        assert!(inferring.inferred > 0 && inferring.inferred < inferring.evaluated, "{set:?}");
    }
}

#[test]
fn what_is_left_out_changes_no_model_of_a_search_that_exhausts_its_space() {
    for set in EXHAUSTIVE {
        let [plain, leaving] = spared_at_equal_models(set, "leave-out");
        assert_eq!(plain.left_out, 0, "{set:?}");
        assert!(leaving.left_out > 0 && leaving.evaluated < plain.evaluated, "{set:?}");
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the file can be written");
}

/// All fathers are parents, and not all parents are fathers; all parents, children and examples are people, and none a god. Ann's
/// child is no parent, Cid's is one, and Fay has none.
fn family(clause: &str) -> Problem {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    let facts = "parent(ann, ben). parent(cid, dan). parent(dan, eve). father(cid, dan). father(dan, eve).
person(ann). person(ben). person(cid). person(dan). person(eve). person(fay). old(cid). god(zeus).\n";
    write(folder, "background.pl", facts);
    write(folder, "pos.pl", "good(cid). good(dan).\n");
    write(folder, "neg.pl", "good(ann). good(fay).\n");
    let mut sources = Sources::new();
    match load(&LoadRequest { path: folder.to_owned(), ..LoadRequest::default() }, &mut sources) {
        Ok(loaded) => with_clauses(&loaded.problem, [clause]),
        Err(faults) => panic!("{}", render(&faults, &sources, false)),
    }
}

/// Which literals of a clause stay, and which are idle, by position.
fn left(clause: &str, has_identity: bool) -> (Vec<u16>, Vec<u16>) {
    let problem = family(clause);
    let clause = &clauses_of(&problem)[0];
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &all);
    let (head, literals) = (clause.head.clone(), clause.body.clone());
    let mut engine =
        ComponentEngine::new(problem.worlds(), &universe, head, literals.clone(), Budget::unlimited());
    if has_identity {
        let terms = literals
            .iter()
            .map(|literal| LiteralTerms { variables: literal.variables(), constants: Vec::new() });
        let types = vec![TypeId::new(0); clause.n_variables];
        let distinctions = Distinctions::new(types, vec![VariableId::new(0)], terms.collect());
        engine = engine.with_distinctions(Arc::new(distinctions));
    }
    let positions: Vec<u16> = (0..).take(literals.len()).collect();
    (engine.without_implied(&positions).to_vec(), engine.idle_literals(&positions))
}

#[test]
fn implied_literals_of_a_family_by_hand() {
    let left = |body: &str| left(&format!("good(A) :- {body}."), false);
    // A father is a parent of the same child; a parent need not be a father.
    assert_eq!(left("father(A,B), parent(A,B)"), (vec![0], vec![1]));
    assert_eq!(left("parent(A,B), father(A,B)"), (vec![1], vec![0]));
    // Of two that imply each other the first stays.
    assert_eq!(left("father(A,B), father(A,B)"), (vec![0], vec![0, 1]));
    // Every example is a person, and every child; neither is a god.
    assert_eq!(left("person(A)"), (vec![], vec![0]));
    assert_eq!(left("parent(A,B), person(B)"), (vec![0], vec![1]));
    assert_eq!(left("parent(A,B), \\+ god(B)"), (vec![0], vec![1]));
    assert_eq!(left("parent(A,B), \\+ father(B,_)"), (vec![0, 1], vec![]));
    // Not all have a child, nor has each child one.
    assert_eq!(left("parent(A,B), parent(B,C)"), (vec![0, 1], vec![]));
    // Who is old has a child. Where nothing else speaks of the child its literal goes, but a longer clause may speak of it.
    assert_eq!(left("old(A), parent(A,B)"), (vec![0], vec![]));
    assert_eq!(left("old(A), parent(A,B), old(B)"), (vec![0, 1, 2], vec![]));
}

/// A literal's variables then differ from others: what it demands would go with it.
#[test]
fn under_object_identity_all_literals_stay() {
    assert_eq!(left("good(A) :- old(A), parent(A,B).", true), (vec![0, 1], vec![]));
    assert_eq!(left("good(A) :- father(A,B), parent(A,B).", true), (vec![0, 1], vec![]));
}
