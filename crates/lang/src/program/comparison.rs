//! Built-in comparisons of terms and arithmetic.

use serde::{Deserialize, Serialize};

use gleaner_base::{ConstantId, VariableId};

use super::atom::{Term, Token};
use super::number::{ArithmeticOperator, ComparisonOperator, Number};

/// An arithmetic expression, or a term that stands for itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Expression {
    /// A variable or constant.
    Term(Term),
    /// `- expression`.
    Negate(Box<Self>),
    /// `left operator right`.
    Binary(ArithmeticOperator, Box<Self>, Box<Self>),
}

impl Expression {
    /// The term, if it is no arithmetic.
    #[must_use]
    pub const fn plain_term(&self) -> Option<Term> {
        match self {
            Self::Term(term) => Some(*term),
            Self::Negate(_) | Self::Binary(..) => None,
        }
    }

    /// Calls `visit` for each variable of the expression.
    pub fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Self::Term(Term::Variable(variable)) => visit(*variable),
            Self::Term(Term::Constant(_) | Term::Any) => {}
            Self::Negate(inner) => inner.visit_variables(visit),
            Self::Binary(_, left, right) => {
                left.visit_variables(visit);
                right.visit_variables(visit);
            }
        }
    }

    /// Calls `visit` for each token: the operators in prefix order, and the terms.
    pub(super) fn visit_tokens(&self, visit: &mut impl FnMut(Token)) {
        match self {
            Self::Term(term) => {
                visit(Token::Word(0));
                visit(Token::Term(*term));
            }
            Self::Negate(inner) => {
                visit(Token::Word(1));
                inner.visit_tokens(visit);
            }
            Self::Binary(operator, left, right) => {
                visit(Token::Word(2));
                visit(Token::Word(*operator as u64));
                left.visit_tokens(visit);
                right.visit_tokens(visit);
            }
        }
    }

    /// The same expression over other terms.
    #[must_use]
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        match self {
            Self::Term(term) => Self::Term(map(*term)),
            Self::Negate(inner) => Self::Negate(Box::new(inner.map_terms(map))),
            Self::Binary(operator, left, right) => {
                Self::Binary(*operator, Box::new(left.map_terms(map)), Box::new(right.map_terms(map)))
            }
        }
    }

    /// The value of the expression, where `value_of` gives constants for variables and `number_of`
    /// numbers for constants; `None` where a part is no number or the arithmetic is undefined.
    pub fn evaluate(
        &self,
        value_of: &dyn Fn(VariableId) -> ConstantId,
        number_of: &dyn Fn(ConstantId) -> Option<Number>,
    ) -> Option<Number> {
        match self {
            Self::Term(Term::Variable(variable)) => number_of(value_of(*variable)),
            Self::Term(Term::Constant(constant)) => number_of(*constant),
            Self::Term(Term::Any) => None,
            Self::Negate(inner) => {
                ArithmeticOperator::Subtract.apply(Number::Integer(0), inner.evaluate(value_of, number_of)?)
            }
            Self::Binary(operator, left, right) => {
                operator.apply(left.evaluate(value_of, number_of)?, right.evaluate(value_of, number_of)?)
            }
        }
    }
}

/// A built-in comparison `left operator right`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Comparison {
    /// The operator.
    pub operator: ComparisonOperator,
    /// The left side; a plain term for all but the numeric operators.
    pub left: Expression,
    /// The right side.
    pub right: Expression,
}

impl Comparison {
    /// Both sides, if neither is arithmetic.
    #[must_use]
    pub const fn plain_sides(&self) -> Option<[Term; 2]> {
        match (self.left.plain_term(), self.right.plain_term()) {
            (Some(left), Some(right)) => Some([left, right]),
            _ => None,
        }
    }

    /// The sides of `left = right`, if neither is arithmetic.
    #[must_use]
    pub fn unified(&self) -> Option<[Term; 2]> {
        self.plain_sides().filter(|_| self.operator == ComparisonOperator::Unify)
    }

    /// Whether the comparison holds once every variable has a value.
    ///
    /// Identity operators compare constants; numeric ones compare values and are false where a side
    /// is no number; `is` compares the left constant's number with the value, type included.
    pub fn holds(
        &self,
        value_of: &dyn Fn(VariableId) -> ConstantId,
        number_of: &dyn Fn(ConstantId) -> Option<Number>,
    ) -> bool {
        use ComparisonOperator::{Identical, Is, NotIdentical, NotUnify, Unify};
        match self.operator {
            Unify | Identical => self.identical(value_of),
            NotUnify | NotIdentical => !self.identical(value_of),
            Is => match (self.left.evaluate(value_of, number_of), self.right.evaluate(value_of, number_of)) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
            operator => {
                match (self.left.evaluate(value_of, number_of), self.right.evaluate(value_of, number_of)) {
                    (Some(left), Some(right)) => operator.holds(left.compare(right)),
                    _ => false,
                }
            }
        }
    }

    /// The same comparison over other terms.
    #[must_use]
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        Self { operator: self.operator, left: self.left.map_terms(map), right: self.right.map_terms(map) }
    }

    fn identical(&self, value_of: &dyn Fn(VariableId) -> ConstantId) -> bool {
        let constant = |expression: &Expression| match expression {
            Expression::Term(Term::Variable(variable)) => Some(value_of(*variable)),
            Expression::Term(Term::Constant(constant)) => Some(*constant),
            _ => None,
        };
        match (constant(&self.left), constant(&self.right)) {
            (Some(left), Some(right)) => left == right,
            // `X == Y+1` compares a constant with a compound term: never identical.
            _ => false,
        }
    }

    /// Calls `visit` for each variable.
    pub fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        self.left.visit_variables(visit);
        self.right.visit_variables(visit);
    }
}
