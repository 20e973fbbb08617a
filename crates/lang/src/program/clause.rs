//! Function-free first-order clauses over ids.

use serde::{Deserialize, Serialize};

use gleaner_base::{ConstantId, PredicateId, VariableId};

use super::number::{ArithmeticOperator, ComparisonOperator, Number};

/// A variable, a constant, or whatever there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Term {
    /// A variable of the clause.
    Variable(VariableId),
    /// A ground term.
    Constant(ConstantId),
    /// `_` of a negated atom: there is none, whatever stood here. Only negated atoms have it.
    Any,
}

impl Term {
    /// The variable, if it is one.
    #[must_use]
    pub const fn variable(self) -> Option<VariableId> {
        match self {
            Self::Variable(variable) => Some(variable),
            Self::Constant(_) | Self::Any => None,
        }
    }
}

/// A predicate applied to terms. Shape: as many arguments as the predicate's arity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments in order.
    pub arguments: Vec<Term>,
}

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

/// A literal of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Literal {
    /// An atom that must be true.
    Positive(Atom),
    /// `\+ atom`: false for the values its variables have, and whatever stands for `_`.
    Negative(Atom),
    /// A built-in comparison.
    Comparison(Comparison),
}

impl Atom {
    /// Its arguments, if all are constants.
    #[must_use]
    pub fn constants(&self) -> Option<Vec<ConstantId>> {
        let constant = |term: &Term| match *term {
            Term::Constant(constant) => Some(constant),
            Term::Variable(_) | Term::Any => None,
        };
        self.arguments.iter().map(constant).collect()
    }

    /// The same atom over other terms.
    #[must_use]
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        Self { predicate: self.predicate, arguments: self.arguments.iter().map(|&term| map(term)).collect() }
    }
}

impl Literal {
    /// The same literal over other terms.
    #[must_use]
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        match self {
            Self::Positive(atom) => Self::Positive(atom.map_terms(map)),
            Self::Negative(atom) => Self::Negative(atom.map_terms(map)),
            Self::Comparison(comparison) => Self::Comparison(comparison.map_terms(map)),
        }
    }

    /// Calls `visit` for each variable occurrence, in order.
    pub fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => {
                atom.arguments.iter().filter_map(|term| term.variable()).for_each(visit);
            }
            Self::Comparison(comparison) => comparison.visit_variables(visit),
        }
    }

    /// The distinct variables, ascending.
    #[must_use]
    pub fn variables(&self) -> Vec<VariableId> {
        let mut variables = Vec::new();
        self.visit_variables(&mut |variable| variables.push(variable));
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

/// A definite clause `head :- body`.
///
/// **Invariant**: variables are numbered `0..n_variables`, and each occurs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Clause {
    /// The head.
    pub head: Atom,
    /// The body, in the order written.
    pub body: Vec<Literal>,
    /// How many distinct variables head and body have.
    pub n_variables: usize,
}

impl Clause {
    /// The clause with this head and body, its variables renumbered by first occurrence.
    #[must_use]
    pub fn renumbered(head: &Atom, body: &[Literal]) -> Self {
        Self::renumbered_from(head, body).0
    }

    /// As `renumbered`, with the variable that each of its numbers was.
    #[must_use]
    pub fn renumbered_from(head: &Atom, body: &[Literal]) -> (Self, Vec<VariableId>) {
        let mut names: Vec<VariableId> = Vec::new();
        let mut rename = |term| match term {
            Term::Variable(variable) => {
                let position = names.iter().position(|&known| known == variable).unwrap_or_else(|| {
                    names.push(variable);
                    names.len() - 1
                });
                Term::Variable(VariableId::new(position))
            }
            other @ (Term::Constant(_) | Term::Any) => other,
        };
        let head = head.map_terms(&mut rename);
        let body = body.iter().map(|literal| literal.map_terms(&mut rename)).collect();
        (Self { head, body, n_variables: names.len() }, names)
    }

    /// Replaces every predicate.
    pub fn map_predicates(&mut self, map: impl Fn(PredicateId) -> PredicateId) {
        self.head.predicate = map(self.head.predicate);
        for literal in &mut self.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                atom.predicate = map(atom.predicate);
            }
        }
    }

    /// The same clause over other constants.
    #[must_use]
    pub fn map_constants(&self, map: impl Fn(ConstantId) -> ConstantId) -> Self {
        let mut rename = |term| match term {
            Term::Constant(constant) => Term::Constant(map(constant)),
            other @ (Term::Variable(_) | Term::Any) => other,
        };
        Self {
            head: self.head.map_terms(&mut rename),
            body: self.body.iter().map(|literal| literal.map_terms(&mut rename)).collect(),
            n_variables: self.n_variables,
        }
    }

    /// The number of literals, head included.
    #[must_use]
    pub fn n_literals(&self) -> usize {
        self.body.len() + 1
    }
}
