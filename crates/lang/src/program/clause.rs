//! Function-free first-order clauses over ids.

use gleaner_base::{ConstantId, PredicateId, VariableId};

use super::atom::{Atom, Term};
use super::literal::Literal;

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
