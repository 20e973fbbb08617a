use crate::program::{
    ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Term,
};
use gleaner_base::{ConstantId, PredicateId, VariableId};

use super::{Place, UnsafeVariable, check_safety};

fn variable(number: usize) -> Term {
    Term::Variable(VariableId::new(number))
}

fn atom(arguments: &[Term]) -> Atom {
    Atom { predicate: PredicateId::new(0), arguments: arguments.to_vec() }
}

fn positive(arguments: &[Term]) -> Literal {
    Literal::Positive(atom(arguments))
}

fn compare(left: Term, operator: ComparisonOperator, right: Expression) -> Literal {
    Literal::Comparison(Comparison { operator, left: Expression::Term(left), right })
}

/// `term + 1`.
fn successor(term: Term) -> Expression {
    let one = Term::Constant(ConstantId::new(1));
    Expression::Binary(
        ArithmeticOperator::Add,
        Box::new(Expression::Term(term)),
        Box::new(Expression::Term(one)),
    )
}

/// Checks `h(X) :- body`, where `X` is variable 0.
fn check(body: &[Literal]) -> Result<(), (usize, Place)> {
    let mut n_variables = 1;
    for literal in body {
        literal.visit_variables(&mut |variable| n_variables = n_variables.max(variable.index() + 1));
    }
    let clause = Clause { head: atom(&[variable(0)]), body: body.to_vec(), n_variables };
    check_safety(&clause).map_err(|UnsafeVariable { variable, place }| (variable.index(), place))
}

#[test]
fn chains_of_bindings_are_followed_in_any_order() {
    use ComparisonOperator::{Is, Unify};
    let [x, y, z] = [0, 1, 2].map(variable);
    let constant = Term::Constant(ConstantId::new(7));
    let mut body = vec![
        compare(x, Unify, Expression::Term(y)),
        compare(y, Is, successor(z)),
        compare(constant, Unify, Expression::Term(z)),
    ];
    assert_eq!(check(&body), Ok(()));
    body.reverse();
    assert_eq!(check(&body), Ok(()));
    body.remove(0);
    assert_eq!(check(&body), Err((0, Place::Head)));
}

#[test]
fn only_equality_and_is_give_values() {
    use ComparisonOperator::{Identical, Is, Less, Unify};
    let [x, y] = [0, 1].map(variable);
    let constant = Expression::Term(Term::Constant(ConstantId::new(7)));
    assert_eq!(check(&[]), Err((0, Place::Head)));
    for operator in ComparisonOperator::ALL {
        let gives = matches!(operator, Is | Unify);
        assert_eq!(check(&[compare(x, operator, constant.clone())]).is_ok(), gives, "{operator:?}");
    }
    // `X = Y+1` compares with a compound term, `Y+1 is ...` and `5 is Y` run the wrong way.
    assert_eq!(check(&[positive(&[y]), compare(x, Unify, successor(y))]), Err((0, Place::Head)));
    assert_eq!(check(&[positive(&[x]), compare(x, Is, successor(y))]), Err((1, Place::Body(1))));
    assert_eq!(check(&[positive(&[x]), compare(y, Is, successor(y))]), Err((1, Place::Body(1))));
    assert_eq!(check(&[compare(y, Less, constant.clone()), positive(&[x])]), Err((1, Place::Body(0))));
    assert_eq!(check(&[positive(&[x]), compare(y, Identical, constant)]), Err((1, Place::Body(1))));
}

#[test]
fn negation_gives_no_value() {
    let [x, y] = [0, 1].map(variable);
    assert_eq!(check(&[Literal::Negative(atom(&[x]))]), Err((0, Place::Head)));
    assert_eq!(check(&[Literal::Negative(atom(&[x, y])), positive(&[x])]), Err((1, Place::Body(0))));
    assert_eq!(check(&[Literal::Negative(atom(&[x])), positive(&[x])]), Ok(()));
}

#[test]
fn the_message_names_the_place() {
    let fault = UnsafeVariable { variable: VariableId::new(1), place: Place::Body(0) };
    assert_eq!(
        fault.to_string(),
        "variable 1 of literal 1 gets no value: it must occur in a positive literal, or in `=` or \
         on the left of `is` with the other side known"
    );
}
