//! The clause of a way down a tree, which tests add to.

use gleaner_base::{ConstantId, TypeId, VariableId};
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::mode::{ArgumentMode, HeadMode};
use gleaner_lang::program::object_identity::{Distinctions, LiteralTerms, ObjectIdentity};
use gleaner_lang::program::{Atom, Clause, Literal, Term};

use super::test::Test;

/// A clause whose variables have types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenClause {
    /// The head.
    pub head: Atom,
    /// The body, in the order of the tests.
    pub literals: Vec<Literal>,
    /// The constants of each literal, with the types at their places.
    pub constants: Vec<Vec<(ConstantId, TypeId)>>,
    /// The type of each variable, numbered by first occurrence.
    pub types: Vec<TypeId>,
}

impl OpenClause {
    /// The clause without a body. An argument of the head is a constant where all examples have the same. Else it is a
    /// variable, even where the mode says `#`: a tree is to sort all examples.
    pub fn most_general(mode: &HeadMode, universe: &Universe) -> Self {
        let first = universe.iter().next().map(|(_, example)| universe.examples().arguments(example));
        let mut types = Vec::new();
        let argument = |(at, argument): (usize, &ArgumentMode)| {
            let shared = first.map(|arguments| arguments[at]).filter(|constant| {
                matches!(argument, ArgumentMode::Constant(_))
                    && universe
                        .iter()
                        .all(|(_, example)| universe.examples().arguments(example)[at] == *constant)
            });
            match shared {
                Some(constant) => Term::Constant(constant),
                None => {
                    types.push(argument.type_id());
                    Term::Variable(VariableId::new(types.len() - 1))
                }
            }
        };
        let arguments = mode.arguments.iter().enumerate().map(argument).collect();
        let head = Atom { predicate: mode.predicate, arguments };
        Self { head, literals: Vec::new(), constants: Vec::new(), types }
    }

    /// The clause with the literals of a test.
    pub fn with(&self, test: &Test) -> Self {
        let mut clause = self.clone();
        clause.literals.extend(test.literals.iter().cloned());
        clause.constants.extend(test.constants.iter().cloned());
        clause.types.extend(&test.types);
        clause
    }

    /// The open clause as a clause: the body in this order, and then the literals that object identity demands.
    pub fn clause(&self, identity: ObjectIdentity) -> Clause {
        let mut body = self.literals.clone();
        if identity == ObjectIdentity::On {
            let positions: Vec<u16> = (0..).take(body.len()).collect();
            body.extend(self.distinctions().of(&positions));
        }
        Clause::renumbered(&self.head, &body)
    }

    fn distinctions(&self) -> Distinctions {
        let terms = self.literals.iter().zip(&self.constants).map(|(literal, constants)| LiteralTerms {
            variables: literal.variables(),
            constants: constants.clone(),
        });
        Distinctions::new(self.types.clone(), self.head_variables(), terms.collect())
    }

    /// The variables of the head, ascending.
    pub fn head_variables(&self) -> Vec<VariableId> {
        self.head.arguments.iter().filter_map(|term| term.variable()).collect()
    }
}
