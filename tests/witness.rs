//! Witnesses of coverage: there is one exactly where the reference covers, and it proves.

use crate::support::asked::{clauses_of, with_clauses};
use std::path::Path;

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use gleaner_base::{ConstantId, PredicateId};
use gleaner_data::{LoadRequest, Problem, load};
use gleaner_engine::coverage::reference;
use gleaner_engine::coverage::reference::{Absent, Searched, witness, witness_without};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, Literal, Term};
use gleaner_lang::syntax::Sources;

/// More than any proof below takes.
const ENOUGH: u64 = 1_000_000;

fn problem(clauses: &[&str]) -> Problem {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/family");
    let request = LoadRequest { path, ..LoadRequest::default() };
    let loaded = load(&request, &mut Sources::new()).map_err(|faults| format!("{faults:?}"));
    with_clauses(&loaded.expect("it loads").problem, clauses)
}

/// Bodies that join, test, negate, name constants and give values by `=`; some cover nothing.
const CLAUSES: [&str; 11] = [
    "grandparent(A,B) :- parent(A,C), parent(C,B).",
    "grandparent(A,B) :- parent(C,B), parent(A,C), A \\== C.",
    "grandparent(A,B) :- parent(A,C), \\+ parent(C,B).",
    "grandparent(A,B) :- parent(A,C), parent(A,D), C \\= D.",
    "grandparent(A,B) :- C = bob, parent(C,B), parent(A,C).",
    "grandparent(A,B) :- parent(A,C), D = C, parent(D,B).",
    "grandparent(A,B) :- parent(C,D), parent(D,E), parent(B,F).",
    "grandparent(A,A) :- parent(A,B).",
    "grandparent(ann,B) :- parent(C,B).",
    "grandparent(A,B) :- parent(A,C), \\+ parent(B,_).",
    "grandparent(A,B) :- \\+ parent(_,A).",
];

/// Whether the values make the head the example and every literal true.
fn proves(
    background: &Background,
    clause: &Clause,
    example: &[ConstantId],
    values: &[Option<ConstantId>],
) -> bool {
    let put = |term: Term| match term {
        Term::Variable(variable) => {
            Term::Constant(values[variable.index()].expect("every variable has a value"))
        }
        other @ (Term::Constant(_) | Term::Any) => other,
    };
    let head = clause.head.map_terms(&mut { put });
    let body: Vec<Literal> = clause.body.iter().map(|literal| literal.map_terms(&mut { put })).collect();
    let ground = Clause { head, body, n_variables: 0 };
    reference::covers(background, &ground, example)
}

#[test]
fn there_is_a_witness_where_the_reference_covers_and_it_proves() {
    let problem = problem(&CLAUSES);
    let mut n_covered = 0;
    for clause in clauses_of(&problem) {
        for id in problem.examples().ids() {
            let background = &problem.worlds()[problem.examples().world(id).index()];
            let example = problem.examples().arguments(id);
            let found = witness(background, clause, example, ENOUGH);
            assert_eq!(found.is_some(), reference::covers(background, clause, example), "{clause:?}");
            if let Some(values) = found {
                assert!(proves(background, clause, example, &values), "{clause:?}: {values:?}");
                n_covered += 1;
            }
        }
    }
    assert!(n_covered > 30, "{n_covered}");
}

/// Facts that are taken for false are those of a background that lacks them, for the reference: each fact alone and each
/// pair.
#[test]
fn without_facts_there_is_a_witness_where_the_reference_covers_without_them() {
    let problem = problem(&CLAUSES);
    let background = &problem.worlds()[0];
    let predicates = (0..background.n_predicates()).map(PredicateId::new);
    let facts: Vec<(PredicateId, Vec<ConstantId>)> = predicates
        .flat_map(|predicate| {
            let relation = background.relation(predicate);
            let tuple = move |row| (0..relation.arity()).map(|column| relation.value(row, column)).collect();
            (0..relation.n_rows()).map(move |row| (predicate, tuple(row)))
        })
        .collect();
    let (mut n_turned, mut n_gained) = (0, 0);
    for (at, one) in facts.iter().enumerate() {
        for other in &facts[at..] {
            let absent = Absent::from([one.clone(), other.clone()]);
            let reduced = absent.iter().fold(background.clone(), |reduced, (predicate, tuple)| {
                let relation = reduced.relation(*predicate);
                let is_kept =
                    |row: usize| (0..tuple.len()).any(|column| relation.value(row, column) != tuple[column]);
                reduced.with_rows(*predicate, is_kept)
            });
            for clause in clauses_of(&problem) {
                for id in problem.examples().ids().filter(|&id| problem.examples().world(id).index() == 0) {
                    let example = problem.examples().arguments(id);
                    let found = witness_without(background, &absent, clause, example, ENOUGH).proof;
                    let found = found.expect("the steps suffice");
                    let expected = reference::covers(&reduced, clause, example);
                    assert_eq!(found.is_some(), expected, "{clause:?} {absent:?}");
                    assert!(found.is_none_or(|values| proves(&reduced, clause, example, &values)));
                    match (reference::covers(background, clause, example), expected) {
                        (true, false) => n_turned += 1,
                        (false, true) => n_gained += 1,
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(n_turned > 100 && n_gained > 10, "{n_turned} lost, {n_gained} gained");
}

#[test]
fn too_few_steps_give_no_witness() {
    let problem = problem(&CLAUSES[..1]);
    let id = problem.examples().ids().find(|&id| problem.examples().is_positive(id)).expect("a positive");
    let example = problem.examples().arguments(id);
    assert_eq!(witness(&problem.worlds()[0], &clauses_of(&problem)[0], example, 1), None);
    let searched =
        witness_without(&problem.worlds()[0], &Absent::new(), &clauses_of(&problem)[0], example, 1);
    assert_eq!(searched, Searched { proof: None, n_steps: 1 }, "whether there is a proof is not known");
}

/// Bodies of random atoms over six variables, against the oracle.
fn random_clause(problem: &Problem, seed: &[(u8, u8)]) -> Clause {
    let Literal::Positive(parent) = &clauses_of(problem)[0].body[0] else {
        unreachable!("it begins with an atom")
    };
    let variable = |number: u8| Term::Variable(gleaner_base::VariableId::new(usize::from(number % 6)));
    let body: Vec<Literal> = (seed.iter())
        .map(|&(first, second)| {
            let mut arguments = [variable(first), variable(second)].into_iter();
            Literal::Positive(parent.map_terms(&mut |_| arguments.next().expect("parent has two arguments")))
        })
        .collect();
    Clause::renumbered(&clauses_of(problem)[0].head, &body)
}

proptest! {
    #[test]
    fn random_bodies_agree_with_the_reference(seed in proptest::collection::vec(any::<(u8, u8)>(), 1..5)) {
        let problem = problem(&CLAUSES[..1]);
        let clause = random_clause(&problem, &seed);
        for id in problem.examples().ids().step_by(5) {
            let example = problem.examples().arguments(id);
            let found = witness(&problem.worlds()[0], &clause, example, ENOUGH);
            prop_assert_eq!(found.is_some(), reference::covers(&problem.worlds()[0], &clause, example));
            if let Some(values) = found {
                prop_assert!(proves(&problem.worlds()[0], &clause, example, &values));
            }
        }
    }
}
