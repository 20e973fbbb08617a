//! Clauses as one process keeps them for another: the same clause again, also where names have other ids.

use gleaner::experiment::load;
use gleaner_base::VariableId;
use gleaner_data::clauses::{Binding, usable_predicates};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::display::{kept_text, read_kept};
use gleaner_lang::program::{Clause, Term};
use gleaner_lang::syntax::Sources;

use crate::support::{fresh_folder, write};

const FACTS: &str = "'own Name'(ann, 'Bob O''Hara'). 'own Name'(bob, ann).
age(ann, -3). age(bob, 2.5e10). age('Bob O''Hara', 7).
parent(ann, bob). parent(bob, 'Bob O''Hara').
'is it?'(ann, f(x, 'Y')). 'is it?'(bob, \"text\"). call(ann, [1, 'B']).
";

const MODES: &str = ":- modeh(*, good(+person)).
:- modeb(*, 'own Name'(+person, -person)).
:- modeb(*, parent(+person, -person)).
:- modeb(*, age(+person, -number)).
:- modeb(*, 'is it?'(+person, #thing)).
:- modeb(*, call(+person, #thing)).
:- modeb(1, aggregate_all(count, parent(+person, _), -count)).
";

/// Names that need quotes, numbers, built-ins, negation, constants that no fact has, aggregates that modes declare and others.
const CLAUSES: [&str; 14] = [
    "good(A).",
    "good(ann).",
    "good(A) :- 'own Name'(A, 'Bob O''Hara').",
    "good(A) :- age(A, -3).",
    "good(A) :- age(A, B), B < -2.",
    "good(A) :- age(A, B), B >= 2.5e10, B =< 1234567.5.",
    "good(A) :- parent(A, 'nobody''s name'), \\+ parent(A, \"nobody\").",
    "good(A) :- \\+ parent(A, _).",
    "good(A) :- parent(A, B), parent(C, A), \\+ 'is it?'(B, f(x, 'Y')), C \\== B.",
    "good(A) :- 'is it?'(A, \"text\").",
    "good(A) :- call(A, [1, 'B']).",
    "good(A) :- age(A, B), 0 - B * (B - -1) > abs(B) + 2 ** 3, B =:= B.",
    "good(A) :- aggregate_all(count, parent(A, _), B), B >= 1.",
    "good(A) :- parent(A, B), aggregate_all(max(C), (parent(D, B), age(D, C)), E), E > -3.",
];

fn problem(name: &str, more: &str) -> Problem {
    let folder = fresh_folder(&format!("kept_clauses/{name}"));
    write(&folder, "background.pl", &format!("{more}{FACTS}"));
    write(&folder, "modes.pl", MODES);
    write(&folder, "pos.pl", "good(ann).\n");
    write(&folder, "neg.pl", "good(bob). good('Bob O''Hara').\n");
    let loaded = load(&LoadRequest { path: folder, ..LoadRequest::default() }, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the problem loads").problem
}

/// The clauses over the ids of a problem, which has them all.
fn bound(problem: &Problem) -> (Problem, Vec<Clause>) {
    let binding = Binding::of(problem, &usable_predicates(problem), CLAUSES).expect("they can be evaluated");
    let clauses = binding.clauses().to_vec();
    (binding.bound(problem), clauses)
}

#[test]
fn a_kept_clause_is_the_clause() {
    let (problem, clauses) = bound(&problem("one", ""));
    for clause in &clauses {
        let n = clause.n_variables;
        // Not every clause numbers its variables in the order of the text.
        let mut backwards = |term| match term {
            Term::Variable(id) => Term::Variable(VariableId::new(n - 1 - id.index())),
            other @ (Term::Constant(_) | Term::Any) => other,
        };
        let turned = Clause {
            head: clause.head.map_terms(&mut backwards),
            body: clause.body.iter().map(|literal| literal.map_terms(&mut backwards)).collect(),
            n_variables: n,
        };
        for clause in [clause, &turned] {
            let text = kept_text(clause, problem.symbols());
            assert_eq!(read_kept(&text, problem.symbols()).as_ref(), Ok(clause), "{text}");
        }
    }
}

#[test]
fn a_kept_clause_holds_no_ids() {
    let (one, of_one) = bound(&problem("ids", ""));
    let (other, of_other) =
        bound(&problem("other_ids", "aaa(aaa, -77). parent(aaa, zzz). between(bc, 3).\n"));
    assert!(of_one.iter().zip(&of_other).filter(|(one, other)| one != other).count() > 10, "ids differ");
    for (clause, same) in of_one.iter().zip(&of_other) {
        let text = kept_text(clause, one.symbols());
        assert_eq!(read_kept(&text, other.symbols()).as_ref(), Ok(same), "{text}");
        assert_eq!(text, kept_text(same, other.symbols()));
    }
}

#[test]
fn a_text_over_other_names_is_refused() {
    let (problem, _) = bound(&problem("refused", ""));
    for (text, why) in [
        ("good(A) :- parent(A", "is no clause"),
        ("bad(A) :- parent(A,A).", "has another head"),
        ("good(A) :- child(A,A).", "has child/2"),
        ("good(A) :- parent(A,carl).", "has a constant that the data lack"),
        ("good(Person) :- parent(Person,Person).", "has a variable of another name"),
    ] {
        let refused = read_kept(text, problem.symbols()).expect_err(text);
        assert!(refused.ends_with(why), "{refused}");
    }
}
