//! Patterns: the rows and columns that a body atom takes from its predicate.

use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::{Atom, Term};

use super::tuple::{Keyed, tuple};

/// A selection and projection of a predicate's rows. Constants and repeated variables select rows; the first columns
/// of the requested variables are kept. Equal patterns share one index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    /// The predicate.
    pub(super) predicate: PredicateId,
    constants: Vec<(usize, ConstantId)>,
    repeats: Vec<(usize, usize)>,
    key: Vec<usize>,
    value: Vec<usize>,
}

impl Pattern {
    /// The pattern of an atom that is looked up by the variables of `key` and gives those of `value`. All of them
    /// occur in the atom.
    pub(super) fn new(atom: &Atom, key: &[VariableId], value: &[VariableId]) -> Self {
        let first_column = |term: Term| {
            atom.arguments.iter().position(|&other| other == term).expect("the atom has the term")
        };
        let columns = |variables: &[VariableId]| {
            variables.iter().map(|&variable| first_column(Term::Variable(variable))).collect()
        };
        let mut pattern = Self {
            predicate: atom.predicate,
            constants: Vec::new(),
            repeats: Vec::new(),
            key: columns(key),
            value: columns(value),
        };
        for (column, &term) in atom.arguments.iter().enumerate() {
            let first = first_column(term);
            match term {
                Term::Constant(constant) => pattern.constants.push((column, constant)),
                Term::Variable(_) if first != column => pattern.repeats.push((first, column)),
                Term::Variable(_) | Term::Any => {}
            }
        }
        pattern
    }

    /// Whether a row has the atom's constants, and equal values for equal variables.
    pub(super) fn selects(&self, row: &[ConstantId]) -> bool {
        self.constants.iter().all(|&(column, constant)| row[column] == constant)
            && self.repeats.iter().all(|&(first, column)| row[first] == row[column])
    }

    /// The row's values for the variables of `value`.
    pub(super) fn values(&self, row: &[ConstantId]) -> impl Iterator<Item = ConstantId> {
        self.value.iter().map(|&column| row[column])
    }

    /// Key and value of a row, where the pattern selects it.
    pub(super) fn keyed<const N: usize>(&self, row: &[ConstantId]) -> Option<Keyed<N>> {
        let key = || tuple(self.key.iter().map(|&column| row[column]));
        self.selects(row).then(|| (key(), tuple(self.values(row))))
    }
}
