//! What a literal answers agrees, whichever way it is asked.

use gleaner_lang::program::atom::{Term, Token};
use gleaner_lang::program::literal::Role;
use gleaner_lang::program::{Atom, Clause, Literal};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

use crate::support::asked::clauses_of;

use super::{clause, program};

fn tokens(literal: &Literal) -> Vec<Token> {
    let mut tokens = Vec::new();
    literal.visit_tokens(&mut |token| tokens.push(token));
    tokens
}

/// Puts one of the head's terms in the place of some variables.
fn other_term(term: Term, head: &Atom, chosen: u8) -> Term {
    let at = term.variable().map(|variable| usize::from(chosen) + variable.index());
    let of_head = at.and_then(|at| head.arguments.get(at % 4));
    of_head.copied().unwrap_or(term)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// It is its subject with its terms; its tokens are those of no other; it becomes what its terms are mapped to, and nothing else.
    #[test]
    fn literals_are_what_they_say_of_themselves(
        program in program(), clauses in vec(clause(), 1..6), chosen in any::<u8>(),
    ) {
        let texts = clauses.iter().map(|clause| program.clause_text(clause)).collect();
        let clauses: Vec<Clause> = clauses_of(&program.load(texts)).to_vec();
        let literals: Vec<&Literal> = clauses.iter().flat_map(|clause| &clause.body).collect();
        for clause in &clauses {
            for &literal in &literals {
                if let Some(terms) = literal.terms().collect::<Option<Vec<Term>>>() {
                    prop_assert_eq!(literal.subject().literal(terms), Some(literal.clone()));
                }
                prop_assert!(matches!(literal.role(&|_| true), Role::Test));
                prop_assert_eq!(literal.has_only(|_| false), literal.variables().is_empty());
                let mut map = |term| other_term(term, &clause.head, chosen);
                let mapped = literal.map_terms(&mut map);
                for &other in &literals {
                    prop_assert_eq!(literal == other, tokens(literal) == tokens(other));
                    prop_assert_eq!(literal.maps_to(other, &mut map), mapped == *other);
                }
                prop_assert!(literal.maps_to(&mapped, &mut map));
            }
        }
    }
}
