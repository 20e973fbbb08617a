//! Object identity: distinct variables stand for distinct constants, and for none of the clause's own. [MLYNX §2]
//!
//! DIVERGENCE: only where both are of one type. A page is no person, so that to demand that they differ would say nothing; and
//! where a number counts years here and atoms there, to demand it would say something that nobody means.

use crate::base::{ConstantId, TypeId, VariableId};
use crate::program::{Comparison, ComparisonOperator, Expression, Literal, Term};

/// `A \= B` of each pair of variables of one type, and of each variable and each constant of its type.
#[must_use]
pub fn distinctions(types: &[TypeId], constants: &[(ConstantId, TypeId)]) -> Vec<Literal> {
    let variables: Vec<(VariableId, TypeId)> =
        types.iter().enumerate().map(|(at, &type_id)| (VariableId::new(at), type_id)).collect();
    let mut all = Vec::new();
    for (at, &(variable, type_id)) in variables.iter().enumerate() {
        let later = variables[at + 1..].iter().filter(|&&(_, other)| other == type_id);
        all.extend(later.map(|&(other, _)| distinct(variable, Term::Variable(other))));
        let of_type = constants.iter().filter(|&&(_, other)| other == type_id);
        all.extend(of_type.map(|&(constant, _)| distinct(variable, Term::Constant(constant))));
    }
    all
}

fn distinct(variable: VariableId, other: Term) -> Literal {
    Literal::Comparison(Comparison {
        operator: ComparisonOperator::NotUnify,
        left: Expression::Term(Term::Variable(variable)),
        right: Expression::Term(other),
    })
}
