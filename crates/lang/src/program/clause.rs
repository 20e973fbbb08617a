//! Function-free first-order clauses over ids.
//!
//! Object identity: distinct variables stand for distinct constants, and for no constant of the clause. [MLYNX §2]
//!
//! DIVERGENCE: only terms of one type must differ. A page is no person, so the demand would say nothing. Where one
//! number counts years and another atoms, the demand would say something that nobody means.

use gleaner_base::{ConstantId, PredicateId, TypeId, VariableId};

use super::arithmetic::ComparisonOperator;
use super::atom::{Atom, Term};
use super::literal::Literal;
use super::settings::{Setting, words};

/// A definite clause `head :- body`.
///
/// **Invariant**: variables are numbered `0..n_variables`, and each occurs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    pub fn renumbered(head: &Atom, body: &[Literal]) -> Self {
        Self::renumbered_from(head, body).0
    }

    /// As `renumbered`; with it, for each new variable number, the variable of the given literals.
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
            literal.map_predicates(&map);
        }
    }

    /// The same clause over other constants.
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
    pub fn n_literals(&self) -> usize {
        self.body.len() + 1
    }
}

words! {
    /// Whether distinct variables stand for distinct constants.
    pub enum ObjectIdentity {
        /// They may stand for the same.
        Off = "off",
        /// They may; but clauses may have `A \= B` of two answers of one call. Mined queries have none.
        Proposed = "proposed",
        /// Those of one type stand for distinct ones, which are not the clause's own constants either.
        On = "on",
    }
}

/// Whether distinct variables stand for distinct constants.
pub static OBJECT_IDENTITY: Setting<ObjectIdentity> = Setting::new("object-identity", "off")
    .help(
        "Whether distinct variables of one type stand for distinct constants; proposed: a \
         clause may say so for two answers of a call",
    )
    .source("on: [MLYNX §2]; proposed: our own");

/// `A \= B` for each pair of variables of one type, and for each variable and each constant of its type.
pub fn distinct(variables: &[(VariableId, TypeId)], constants: &[(ConstantId, TypeId)]) -> Vec<Literal> {
    let mut all = Vec::new();
    for (at, &(variable, type_id)) in variables.iter().enumerate() {
        let later = variables[at + 1..].iter().filter(|&&(_, other)| other == type_id);
        all.extend(later.map(|&(other, _)| differs(variable, Term::Variable(other))));
        let of_type = constants.iter().filter(|&&(_, other)| other == type_id);
        all.extend(of_type.map(|&(constant, _)| differs(variable, Term::Constant(constant))));
    }
    all
}

/// `A \= B`.
pub const fn differs(variable: VariableId, other: Term) -> Literal {
    Literal::compared(Term::Variable(variable), ComparisonOperator::NotUnify, other)
}

/// The inequalities that object identity demands of clauses over a table of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinctions {
    /// The type of each variable.
    types: Vec<TypeId>,
    /// The variables of the head.
    head: Vec<VariableId>,
    /// The terms of each literal.
    literals: Vec<LiteralTerms>,
}

/// The terms of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralTerms {
    /// Its variables.
    pub variables: Vec<VariableId>,
    /// Its constants, with the types of their arguments.
    pub constants: Vec<(ConstantId, TypeId)>,
}

impl Distinctions {
    /// The inequalities for clauses of a head with these variables, and of these literals. `types` has the type of
    /// every variable, by number.
    pub const fn new(types: Vec<TypeId>, head: Vec<VariableId>, literals: Vec<LiteralTerms>) -> Self {
        Self { types, head, literals }
    }

    /// The `A \= B` literals that object identity adds to a clause of the head and the literals at these positions.
    pub fn of(&self, positions: &[u16]) -> Vec<Literal> {
        let mut variables = self.head.clone();
        let mut constants = Vec::new();
        for &position in positions {
            let terms = &self.literals[usize::from(position)];
            variables.extend_from_slice(&terms.variables);
            constants.extend_from_slice(&terms.constants);
        }
        variables.sort_unstable();
        variables.dedup();
        constants.sort_unstable();
        constants.dedup();
        let variables: Vec<(VariableId, TypeId)> =
            variables.into_iter().map(|variable| (variable, self.types[variable.index()])).collect();
        distinct(&variables, &constants)
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{Expression, Literal};
    use gleaner_base::{ConstantId, TypeId, VariableId};

    use super::{Distinctions, LiteralTerms, Term};

    /// Variables 0, 1 and 3 are of one type, 2 of another. The literal at 0 has variables 1 and 2; the one at 1 has
    /// variable 3 and constant 7 of the first type. With the first literal alone, 0 and 1 differ. With both, each two
    /// of 0, 1 and 3 differ, and each of them differs from 7.
    #[test]
    fn pairs_of_one_type_differ() {
        let [one, other] = [1, 2].map(TypeId::new);
        let variable = VariableId::new;
        let first = LiteralTerms { variables: vec![variable(1), variable(2)], constants: Vec::new() };
        let second =
            LiteralTerms { variables: vec![variable(3)], constants: vec![(ConstantId::new(7), one)] };
        let distinctions =
            Distinctions::new(vec![one, one, other, one], vec![variable(0)], vec![first, second]);
        let pairs = |positions: &[u16]| -> Vec<(usize, Option<usize>)> {
            let pair = |literal: Literal| {
                let Literal::Comparison(comparison) = literal else { panic!("{literal:?}") };
                let (Expression::Term(Term::Variable(left)), Expression::Term(right)) =
                    (comparison.left, comparison.right)
                else {
                    panic!("a variable is on the left")
                };
                (left.index(), right.variable().map(VariableId::index))
            };
            distinctions.of(positions).into_iter().map(pair).collect()
        };
        assert_eq!(pairs(&[0]), [(0, Some(1))]);
        let of_both = [(0, Some(1)), (0, Some(3)), (0, None), (1, Some(3)), (1, None), (3, None)];
        assert_eq!(pairs(&[0, 1]), of_both);
    }
}
