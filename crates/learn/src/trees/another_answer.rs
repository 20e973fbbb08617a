//! Tests for another answer of a call: `child(A,C), C \= B` where the path to a node has `child(A,B)`. With them a tree counts.

use gleaner_base::{TypeId, VariableId};
use gleaner_engine::bias::{Extension, differing_variables, inequality};
use gleaner_lang::program::order::Orders;
use gleaner_lang::program::{Literal, Term};

use super::open_clause::OpenClause;

/// The calls on the path to a node. A test may ask for another answer of one of them.
pub(super) struct CallsMade<'a> {
    /// The clause of the path.
    pub open: &'a OpenClause,
    /// The types of all variables, new ones too.
    pub types: &'a [TypeId],
    /// Whether further answers are asked for at all.
    pub is_proposed: bool,
    /// The numbers by which scores keep an order: whether two of these differ goes neither way.
    pub orders: &'a Orders,
}

/// The inequalities that make a literal another answer than all answers of its call on the path.
pub(super) struct AnotherAnswer {
    /// A variable of the path, with the literal's new variable at the same argument.
    pairs: Vec<[VariableId; 2]>,
    /// The inequalities of these pairs, as further literals of a test.
    pub inequalities: Vec<Extension>,
}

impl CallsMade<'_> {
    /// The ways to make a literal another answer of a call on the path: `child(A,D), D \= B, D \= C` after `child(A,B)` and `child(A,C)`.
    /// There is one for each argument at which answers differ.
    ///
    /// The inequalities hold of the example that proposes the literal: new variables stand for constants that the path does not have.
    pub(super) fn of(&self, extension: &Extension) -> Vec<AnotherAnswer> {
        let Some(second) = extension.literal.positive_atom() else { return Vec::new() };
        let is_new = |variable: &VariableId| variable.index() >= self.open.types.len();
        if !self.is_proposed {
            return Vec::new();
        }
        let mut all: Vec<AnotherAnswer> = Vec::new();
        for inputs in &extension.input_sets {
            for first in self.open.literals.iter().filter_map(Literal::positive_atom) {
                let pairs = differing_variables(first, second, inputs, self.types).into_iter();
                for pair in pairs.filter(|pair| self.orders.of(self.types[pair[0].index()]).is_none()) {
                    match all.iter_mut().find(|known| known.pairs[0][1] == pair[1]) {
                        Some(known) if known.pairs.contains(&pair) => {}
                        Some(known) => known.add(pair),
                        None if is_new(&pair[1]) => {
                            let mut another = AnotherAnswer { pairs: Vec::new(), inequalities: Vec::new() };
                            another.add(pair);
                            all.push(another);
                        }
                        None => {}
                    }
                }
            }
        }
        all
    }

    /// Whether the path says nothing else of an answer. Then another answer alone is a test: "two children".
    pub(super) fn is_plain(&self, another: &AnotherAnswer) -> bool {
        let is_said_of = |known: VariableId| {
            let literals = self.open.literals.iter().filter(|literal| literal.comparison().is_none());
            literals.filter(|literal| literal.variables().contains(&known)).count()
        };
        another.pairs.iter().any(|&[known, _]| is_said_of(known) == 1)
    }

    /// Whether a literal says of the other answer what the path says of one: `sick(C)` after `sick(B)`, or `owns(C,_)`
    /// after `owns(B,_)`. Two answers with different literals are mostly different without an inequality.
    pub(super) fn repeats(&self, another: &AnotherAnswer, literal: &Literal) -> bool {
        another
            .pairs
            .iter()
            .any(|&pair| self.open.literals.iter().any(|of_way| self.says_the_same(of_way, literal, pair)))
    }

    fn says_the_same(&self, of_way: &Literal, literal: &Literal, [known, new]: [VariableId; 2]) -> bool {
        let is_same = |one: Term, other: Term| match other {
            Term::Variable(variable) if variable == new => one == Term::Variable(known),
            Term::Variable(variable) if variable.index() >= self.open.types.len() => one.variable().is_some(),
            other => one == other,
        };
        let both_are_same = |sides: (Option<Term>, Option<Term>)| match sides {
            (Some(one), Some(other)) => is_same(one, other),
            _ => false,
        };
        of_way.subject() == literal.subject() && of_way.terms().zip(literal.terms()).all(both_are_same)
    }
}

impl AnotherAnswer {
    fn add(&mut self, pair: [VariableId; 2]) {
        self.pairs.push(pair);
        self.inequalities.push(extension_of(pair));
    }
}

/// The depth of inequalities, which no call gives.
pub(super) const NO_CALL: u32 = 0;

/// An inequality as a literal of a test.
fn extension_of(pair: [VariableId; 2]) -> Extension {
    Extension {
        literal: inequality(pair),
        constants: Vec::new(),
        input_sets: vec![pair.to_vec()],
        depth: NO_CALL,
        is_open: false,
    }
}
