//! Terms and atoms, and how they stand in texts.

use crate::syntax::TermKind;
use crate::syntax::ast::Term as Syntax;
use gleaner_base::{ConstantId, PredicateId, VariableId};

/// A variable, a constant, or `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A variable of the clause.
    Variable(VariableId),
    /// A ground term.
    Constant(ConstantId),
    /// `_` of a negated atom: the atom is false for every value here. Only negated atoms have it.
    Any,
}

impl Term {
    /// The variable, if it is one.
    pub const fn variable(self) -> Option<VariableId> {
        match self {
            Self::Variable(variable) => Some(variable),
            Self::Constant(_) | Self::Any => None,
        }
    }

    /// The constant, if it is one.
    pub const fn constant(self) -> Option<ConstantId> {
        match self {
            Self::Constant(constant) => Some(constant),
            Self::Variable(_) | Self::Any => None,
        }
    }
}

/// A predicate applied to terms. Shape: as many arguments as the predicate's arity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments in order.
    pub arguments: Vec<Term>,
}

impl Atom {
    /// Its arguments, if all are constants.
    pub fn constants(&self) -> Option<Vec<ConstantId>> {
        self.arguments.iter().map(|term| term.constant()).collect()
    }

    /// The same atom over other terms.
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        Self { predicate: self.predicate, arguments: self.arguments.iter().map(|&term| map(term)).collect() }
    }
}

/// An element of the sequence that stands for a literal. No sequence is the beginning of another literal's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A kind, predicate or operator.
    Word(u64),
    /// A term.
    Term(Term),
}

/// The name of a variable by its position: A, B, …, Z, A1, B1, …
pub fn variable_name(position: usize) -> String {
    const LETTERS: [char; 26] = [
        'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T',
        'U', 'V', 'W', 'X', 'Y', 'Z',
    ];
    let letter = LETTERS[position % 26];
    match position / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// The position of the variable that [`variable_name`] gives this name.
pub fn variable_position(name: &str) -> Option<usize> {
    let letter = name.bytes().next().filter(u8::is_ascii_uppercase)?;
    let round = if name.len() == 1 { 0 } else { name[1..].parse::<usize>().ok()? };
    let position = round.checked_mul(26)?.checked_add(usize::from(letter - b'A'))?;
    (variable_name(position) == name).then_some(position)
}

/// The name and arguments of an atom's syntax; `None` for a term that is no atom.
pub fn atom_parts<'t, 's>(term: &'t Syntax<'s>) -> Option<(&'t str, &'t [Syntax<'s>])> {
    match &term.kind {
        TermKind::Atom(name) => Some((name, &[])),
        TermKind::Compound(name, arguments) => Some((name, arguments)),
        _ => None,
    }
}
