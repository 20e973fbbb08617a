//! Clauses over the names of a problem, for tests that evaluate clauses of their own.

use gleaner_data::clauses::Binding;
use gleaner_data::{GivenClauses, Problem};
use gleaner_lang::program::Clause;

/// The problem with these clauses of its target, and with the constants that only they name.
pub(crate) fn with_clauses(problem: &Problem, clauses: impl IntoIterator<Item = impl AsRef<str>>) -> Problem {
    let usable = vec![true; problem.symbols().predicates.len()];
    let binding = Binding::of(problem, &usable, clauses).expect("the clauses can be evaluated");
    let of_all = binding.clauses().to_vec();
    let bound = binding.bound(problem);
    bound.with_given_clauses(GivenClauses { of_all, ..GivenClauses::default() })
}

/// The clauses of [`with_clauses`], in their order.
pub(crate) fn clauses_of(problem: &Problem) -> &[Clause] {
    &problem.given_clauses().expect("the problem has clauses").of_all
}
