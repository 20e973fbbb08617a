//! Tests that count: what tells a literal apart from those that the way to a node has already.

use crate::base::{TypeId, VariableId};
use crate::bias::{Extension, inequality, told_apart};
use crate::program::{Expression, Literal, Term};

use super::open_clause::OpenClause;

/// What literals are told apart from.
pub(super) struct Apart<'a> {
    /// The clause of the way.
    pub open: &'a OpenClause,
    /// The types of all variables, new ones too.
    pub types: &'a [TypeId],
    /// Whether anything is told apart.
    pub is_proposed: bool,
}

/// What tells a literal apart from all answers of its call that the way has: a test's further literals.
pub(super) struct ToldApart {
    /// The new variable of the literal, with a variable of the way.
    pairs: Vec<[VariableId; 2]>,
    /// The inequalities.
    pub inequalities: Vec<Extension>,
}

impl Apart<'_> {
    /// What makes a literal with new variables another answer of a call that the way has made: `child(A,D), D \= B, D \= C` after
    /// `child(A,B)` and `child(A,C)`. One for each argument by which answers differ.
    ///
    /// It holds of what proposes the literal: its new variables stand for other constants than those of the way.
    pub(super) fn of(&self, extension: &Extension) -> Vec<ToldApart> {
        let Literal::Positive(second) = &extension.literal else { return Vec::new() };
        let is_new = |variable: &VariableId| variable.index() >= self.open.types.len();
        if !self.is_proposed {
            return Vec::new();
        }
        let mut all: Vec<ToldApart> = Vec::new();
        for inputs in &extension.input_sets {
            for literal in &self.open.literals {
                let Literal::Positive(first) = literal else { continue };
                for pair in told_apart(first, second, inputs, self.types) {
                    match all.iter_mut().find(|known| known.pairs[0][1] == pair[1]) {
                        Some(known) if known.pairs.contains(&pair) => {}
                        Some(known) => known.add(pair),
                        None if is_new(&pair[1]) => {
                            let mut told_apart = ToldApart { pairs: Vec::new(), inequalities: Vec::new() };
                            told_apart.add(pair);
                            all.push(told_apart);
                        }
                        None => {}
                    }
                }
            }
        }
        all
    }

    /// Whether the way says nothing else of an answer: then another answer by itself is what counts.
    pub(super) fn is_plain(&self, told_apart: &ToldApart) -> bool {
        let is_said_of = |known: VariableId| {
            let literals =
                self.open.literals.iter().filter(|literal| !matches!(literal, Literal::Comparison(_)));
            literals.filter(|literal| literal.variables().contains(&known)).count()
        };
        told_apart.pairs.iter().any(|&[known, _]| is_said_of(known) == 1)
    }

    /// Whether a literal says of another answer what the way says of one: `sick(C)` after `sick(B)`, also `owns(C,_)` after `owns(B,_)`.
    /// What counts asks so of each answer. Answers of which different things hold mostly differ as it is.
    pub(super) fn repeats(&self, told_apart: &ToldApart, literal: &Literal) -> bool {
        told_apart
            .pairs
            .iter()
            .any(|&pair| self.open.literals.iter().any(|of_way| self.says_the_same(of_way, literal, pair)))
    }

    fn says_the_same(&self, of_way: &Literal, literal: &Literal, [known, new]: [VariableId; 2]) -> bool {
        let is_same = |one: &Term, other: &Term| match *other {
            Term::Variable(variable) if variable == new => *one == Term::Variable(known),
            Term::Variable(variable) if variable.index() >= self.open.types.len() => one.variable().is_some(),
            other => *one == other,
        };
        match (of_way, literal) {
            (Literal::Positive(one), Literal::Positive(other))
            | (Literal::Negative(one), Literal::Negative(other)) => {
                one.predicate == other.predicate
                    && one.arguments.iter().zip(&other.arguments).all(|(one, other)| is_same(one, other))
            }
            (Literal::Comparison(one), Literal::Comparison(other)) => {
                let side = |one: &Expression, other: &Expression| match (one, other) {
                    (Expression::Term(one), Expression::Term(other)) => is_same(one, other),
                    _ => false,
                };
                one.operator == other.operator
                    && side(&one.left, &other.left)
                    && side(&one.right, &other.right)
            }
            _ => false,
        }
    }
}

impl ToldApart {
    fn add(&mut self, pair: [VariableId; 2]) {
        self.pairs.push(pair);
        self.inequalities.push(extension_of(pair));
    }
}

/// The depth of inequalities, which no call gives.
pub(super) const TOLD_APART: u32 = 0;

/// An inequality as a literal of a test.
fn extension_of(pair: [VariableId; 2]) -> Extension {
    Extension {
        literal: inequality(pair),
        constants: Vec::new(),
        input_sets: vec![pair.to_vec()],
        depth: TOLD_APART,
    }
}
