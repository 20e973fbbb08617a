use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};

use gleaner_base::{ConstantId, PredicateId, VariableId};

use super::super::arithmetic::{Comparison, ComparisonOperator, Expression};
use super::super::{Atom, Clause, Literal, Term};
use super::canonical;

fn term() -> impl Strategy<Value = Term> {
    prop::sample::select((0..7_u32).collect::<Vec<_>>()).prop_map(|number| {
        if number < 5 {
            Term::Variable(VariableId::from_raw(number))
        } else {
            Term::Constant(ConstantId::from_raw(number))
        }
    })
}

fn literal() -> impl Strategy<Value = Literal> {
    let negation = (any::<bool>(), any::<bool>());
    (0..3_u32, prop::collection::vec(term(), 2), negation).prop_map(|(predicate, mut arguments, negation)| {
        let (negate, has_any) = negation;
        if negate && has_any {
            arguments[1] = Term::Any;
        }
        let atom = Atom { predicate: PredicateId::from_raw(predicate), arguments };
        if negate { Literal::Negative(atom) } else { Literal::Positive(atom) }
    })
}

/// The canonical clause by its definition: it tries every tied choice, and compares literals directly.
fn every_order(clause: &Clause) -> Clause {
    let mut numbers: Vec<Option<u32>> = vec![None; clause.n_variables];
    clause.head.arguments.iter().for_each(|&term| number(term, &mut numbers));
    let (_, body) = smallest(&clause.body, &numbers);
    Clause::renumbered(&clause.head, &body)
}

fn number(term: Term, numbers: &mut [Option<u32>]) {
    let next = u32::try_from(numbers.iter().flatten().count()).expect("few");
    if let Term::Variable(variable) = term {
        numbers[variable.index()].get_or_insert(next);
    }
}

/// The readiness of a literal, and the literal with numbers in place of variables.
type Look = (u8, Literal);

/// How a literal looks, and what is numbered after it.
fn look(literal: &Literal, numbers: &[Option<u32>]) -> (Look, Vec<Option<u32>>) {
    let variables = literal.variables();
    let n_known = variables.iter().filter(|variable| numbers[variable.index()].is_some()).count();
    let readiness = match (literal, n_known) {
        (_, n_known) if n_known == variables.len() => 0,
        (Literal::Positive(_), 1..) => 1,
        (Literal::Positive(_), 0) => 2,
        _ => 3,
    };
    let mut numbers = numbers.to_vec();
    let renamed = literal.map_terms(&mut |term| {
        number(term, &mut numbers);
        term.variable().map_or(term, |variable| {
            Term::Variable(VariableId::from_raw(numbers[variable.index()].expect("it was numbered")))
        })
    });
    ((readiness, renamed), numbers)
}

/// The smallest looks of all orders, with the literals in that order.
fn smallest(rest: &[Literal], numbers: &[Option<u32>]) -> (Vec<Look>, Vec<Literal>) {
    let Some(next) = rest.iter().map(|literal| look(literal, numbers).0).min() else {
        return Default::default();
    };
    let tied = (0..rest.len()).filter(|&at| look(&rest[at], numbers).0 == next);
    let orders = tied.map(|at| {
        let mut others = rest.to_vec();
        let literal = others.remove(at);
        let (mut looks, mut order) = smallest(&others, &look(&literal, numbers).1);
        looks.insert(0, next.clone());
        order.insert(0, literal);
        (looks, order)
    });
    orders.min_by(|left, right| left.0.cmp(&right.0)).expect("the smallest look is one of them")
}

/// A body literal of the kinds that the exchange of literals must tell apart.
fn any_literal() -> impl Strategy<Value = Literal> {
    let comparison = (term(), term()).prop_map(|(left, right)| {
        let [left, right] = [left, right].map(Expression::Term);
        Literal::Comparison(Comparison { operator: ComparisonOperator::NotUnify, left, right })
    });
    prop_oneof![4 => literal(), 1 => comparison]
}

#[test]
fn literals_that_can_be_exchanged_are_not_tried_in_every_order() {
    // h(X) :- p(X, A), p(X, B), ... with twenty variables: 20! orders tie, more than the limit.
    let variable = |number: u32| Term::Variable(VariableId::from_raw(number));
    let head = Atom { predicate: PredicateId::from_raw(9), arguments: vec![variable(0)] };
    let literal = |predicate: u32, number: u32| {
        let arguments = vec![variable(0), variable(number)];
        Literal::Positive(Atom { predicate: PredicateId::from_raw(predicate), arguments })
    };
    let mut body: Vec<Literal> = (1..=20).map(|number| literal(0, number)).collect();
    body.extend([7, 3].map(|number| literal(1, number)));
    let other: Vec<Literal> = body.iter().rev().cloned().collect();
    let [one, other] = [body, other].map(|body| canonical(&Clause::renumbered(&head, &body)));
    assert_eq!(one, other);
}

proptest! {
    #[test]
    fn the_smallest_of_all_orders_is_found(body in prop::collection::vec(any_literal(), 0..6)) {
        let head = Atom {
            predicate: PredicateId::from_raw(9),
            arguments: vec![Term::Variable(VariableId::from_raw(0))],
        };
        let clause = Clause::renumbered(&head, &body);
        assert_eq!(canonical(&clause), every_order(&clause));
    }

    #[test]
    fn order_and_names_do_not_matter(
        (body, shuffled) in prop::collection::vec(literal(), 0..6)
            .prop_flat_map(|body| (Just(body.clone()), Just(body).prop_shuffle())),
        names in Just((0..5_u32).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let head = Atom {
            predicate: PredicateId::from_raw(9),
            arguments: vec![Term::Variable(VariableId::from_raw(0)), Term::Variable(VariableId::from_raw(1))],
        };
        let mut rename = |term| match term {
            Term::Variable(variable) => Term::Variable(VariableId::from_raw(names[variable.index()])),
            other @ (Term::Constant(_) | Term::Any) => other,
        };
        let renamed_head = head.map_terms(&mut rename);
        let renamed_body: Vec<Literal> = shuffled.iter().map(|literal| literal.map_terms(&mut rename)).collect();
        let clause = Clause::renumbered(&head, &body);
        let variant = Clause::renumbered(&renamed_head, &renamed_body);
        assert_eq!(canonical(&clause), canonical(&variant));
        assert_eq!(canonical(&canonical(&clause)), canonical(&clause));
    }
}
