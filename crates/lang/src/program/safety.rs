//! Safety of clauses: each variable gets its values from somewhere finite.
//!
//! A clause is *safe* when every variable of its head, of its negated atoms and of its comparisons is
//! *valued*: it occurs in a positive body atom, or in `X = t` where `t` is a constant or a valued
//! variable, or it is `X` of `X is E` where the variables of `E` are valued. The order in which the
//! literals are written does not matter. [`comparison_role`] is the one place that knows which
//! comparison values what; whoever orders a body for evaluation asks it too.

use std::error::Error;
use std::fmt;

use gleaner_base::VariableId;

use super::clause::{Clause, Comparison, Expression, Literal, Term};
use super::number::ComparisonOperator;

/// Where a variable without a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In the head.
    Head,
    /// In the negated atom at this position of the body.
    Negated(usize),
    /// In the comparison at this position of the body.
    Comparison(usize),
}

/// A variable that no literal gives a value to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnsafeVariable {
    /// The variable.
    pub variable: VariableId,
    /// Its first place: head first, then the body in the order written.
    pub place: Place,
}

impl fmt::Display for UnsafeVariable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = self.variable.index();
        match self.place {
            Place::Head => write!(formatter, "variable {variable} of the head")?,
            Place::Negated(position) => {
                write!(formatter, "variable {variable} of the negated literal {}", position + 1)?;
            }
            Place::Comparison(position) => {
                write!(formatter, "variable {variable} of the comparison, literal {}", position + 1)?;
            }
        }
        write!(
            formatter,
            " gets no value: it must occur in a positive literal, or in `=` or on the left of "
        )?;
        write!(formatter, "`is` with the other side known")
    }
}

impl Error for UnsafeVariable {}

/// What a comparison can do once some variables have values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonRole {
    /// Every variable has a value: it can be tested.
    Test,
    /// `=` gives the variable the term, a constant or a variable with a value.
    Assign(VariableId, Term),
    /// `is` gives the variable the number that the right side amounts to.
    Compute(VariableId),
    /// Nothing yet: a variable lacks a value.
    Wait,
}

/// The role of a comparison where `is_valued` tells which variables have values.
///
/// `X = Y+1` assigns nothing: its right side is a compound term, which no constant equals.
#[must_use]
pub fn comparison_role(comparison: &Comparison, is_valued: &dyn Fn(VariableId) -> bool) -> ComparisonRole {
    let all_valued = |expression: &Expression| {
        let mut all = true;
        expression.visit_variables(&mut |variable| all &= is_valued(variable));
        all
    };
    let (left, right) = (&comparison.left, &comparison.right);
    match (comparison.operator, left, right, all_valued(left), all_valued(right)) {
        (_, _, _, true, true) => ComparisonRole::Test,
        (
            ComparisonOperator::Unify,
            Expression::Term(Term::Variable(variable)),
            Expression::Term(term),
            _,
            true,
        )
        | (
            ComparisonOperator::Unify,
            Expression::Term(term),
            Expression::Term(Term::Variable(variable)),
            true,
            _,
        ) => ComparisonRole::Assign(*variable, *term),
        (ComparisonOperator::Is, Expression::Term(Term::Variable(variable)), _, _, true) => {
            ComparisonRole::Compute(*variable)
        }
        _ => ComparisonRole::Wait,
    }
}

/// Checks that a clause is safe, as the module defines it.
///
/// **Cost**: `O(n_comparisons * body_len)`.
///
/// # Errors
///
/// The first variable without a value: head first, then the body in the order written.
pub fn check_safety(clause: &Clause) -> Result<(), UnsafeVariable> {
    let valued = valued_variables(clause);
    let check = |variable: VariableId, place| {
        if valued[variable.index()] { Ok(()) } else { Err(UnsafeVariable { variable, place }) }
    };
    for term in &clause.head.arguments {
        term.variable().map_or(Ok(()), |variable| check(variable, Place::Head))?;
    }
    for (position, literal) in clause.body.iter().enumerate() {
        let place = match literal {
            Literal::Positive(_) => continue,
            Literal::Negative(_) => Place::Negated(position),
            Literal::Comparison(_) => Place::Comparison(position),
        };
        let mut result = Ok(());
        literal.visit_variables(&mut |variable| result = result.and_then(|()| check(variable, place)));
        result?;
    }
    Ok(())
}

/// Checks that a clause can be evaluated for examples: that it is safe where an example values the
/// head's variables, and none gets its value by `is` alone, for new numbers have no ids.
///
/// **Cost**: as [`check_safety`].
///
/// # Errors
///
/// The first variable of the body without a value, in the order written.
pub fn check_evaluable(clause: &Clause) -> Result<(), UnsafeVariable> {
    // As a plain test `is` values nothing.
    let as_test = |literal: &Literal| match literal {
        Literal::Comparison(comparison) if comparison.operator == ComparisonOperator::Is => {
            Literal::Comparison(Comparison { operator: ComparisonOperator::Less, ..comparison.clone() })
        }
        literal => literal.clone(),
    };
    // Last, so that the places of the others are those of the clause.
    let example = Literal::Positive(clause.head.clone());
    let body = clause.body.iter().map(as_test).chain([example]).collect();
    check_safety(&Clause { head: clause.head.clone(), body, n_variables: clause.n_variables })
}

/// Which variables get a value, by variable.
fn valued_variables(clause: &Clause) -> Vec<bool> {
    let mut valued = vec![false; clause.n_variables];
    let mut waiting = Vec::new();
    for literal in &clause.body {
        match literal {
            Literal::Positive(_) => literal.visit_variables(&mut |variable| valued[variable.index()] = true),
            Literal::Negative(_) => {}
            Literal::Comparison(comparison) => waiting.push(comparison),
        }
    }
    loop {
        let n_waiting = waiting.len();
        waiting.retain(|comparison| {
            match comparison_role(comparison, &|variable| valued[variable.index()]) {
                ComparisonRole::Wait => true,
                ComparisonRole::Test => false,
                ComparisonRole::Assign(variable, _) | ComparisonRole::Compute(variable) => {
                    valued[variable.index()] = true;
                    false
                }
            }
        });
        if waiting.len() == n_waiting {
            return valued;
        }
    }
}

#[cfg(test)]
mod tests;
