//! Whether literals hold of some values, and whether all facts of one atom make another literal true.

use crate::relation::Relation;
use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::{Atom, Literal, Term};

use super::background::{Background, value_of};

impl Background {
    /// Whether a literal holds where its variables have these values. Of an atom those without a value are some or other; a negated
    /// atom or a comparison that lacks one does not hold.
    ///
    /// **Cost**: for an atom of which at most one argument has a value, or all have, a look-up; else a pass over the rows that agree
    /// with one of those it has.
    #[must_use]
    pub fn can_hold(&self, literal: &Literal, values: &[Option<ConstantId>]) -> bool {
        let is_whole = || {
            let mut is_whole = true;
            literal.visit_variables(&mut |variable| is_whole &= values[variable.index()].is_some());
            is_whole
        };
        match literal {
            Literal::Positive(atom) => self.has_row(atom, values),
            Literal::Negative(atom) => is_whole() && !self.has_row(atom, values),
            Literal::Comparison(comparison) => {
                // `is_whole` comes first: each has a value.
                let value =
                    |variable: VariableId| values[variable.index()].unwrap_or_else(|| ConstantId::new(0));
                is_whole() && comparison.holds(&value, &|constant| self.number(constant))
            }
        }
    }

    /// Whether each fact of an atom makes a literal true, whose variables beyond the atom's are some or other. Variables are numbered
    /// below `n_variables`. An atom with more than `most_rows` rows counts as one that does not.
    ///
    /// **Cost**: of `can_hold` for each row of the atom, up to the first that does not make the literal true.
    #[must_use]
    pub fn includes(&self, atom: &Atom, literal: &Literal, n_variables: usize, most_rows: usize) -> bool {
        self.includes_where(atom, n_variables, most_rows, &|values| self.can_hold(literal, values))
    }

    /// As [`Self::includes`], where these are some of another world's facts, which make the literal true.
    #[must_use]
    pub fn includes_within(&self, atom: &Atom, literal: &Literal, n_variables: usize, all: &Self) -> bool {
        self.includes_where(atom, n_variables, usize::MAX, &|values| all.can_hold(literal, values))
    }

    fn includes_where(
        &self,
        atom: &Atom,
        n_variables: usize,
        most_rows: usize,
        holds: &dyn Fn(&[Option<ConstantId>]) -> bool,
    ) -> bool {
        let relation = self.relation(atom.predicate);
        let mut values = vec![None; n_variables];
        let bound = bound(atom, &values);
        let rows = self.least_rows(atom.predicate, &bound);
        rows.len() <= most_rows
            && rows.iter().filter(|&row| agrees(relation, row, atom, &bound)).all(|row| {
                for (column, term) in atom.arguments.iter().enumerate() {
                    if let Term::Variable(variable) = *term {
                        values[variable.index()] = Some(relation.value(row, column));
                    }
                }
                holds(&values)
            })
    }

    /// Whether an atom has a row where its variables have these values; one that occurs twice has one value.
    fn has_row(&self, atom: &Atom, values: &[Option<ConstantId>]) -> bool {
        let relation = self.relation(atom.predicate);
        let bound = bound(atom, values);
        let rows = self.least_rows(atom.predicate, &bound);
        if bound.iter().flatten().count() <= 1 && !has_repeated(atom, &bound) {
            return !rows.is_empty();
        }
        rows.iter().any(|row| agrees(relation, row, atom, &bound))
    }
}

fn bound(atom: &Atom, values: &[Option<ConstantId>]) -> Vec<Option<ConstantId>> {
    atom.arguments.iter().map(|&term| value_of(term, values)).collect()
}

/// The column before this one that holds the same variable without a value.
fn earlier(atom: &Atom, bound: &[Option<ConstantId>], column: usize) -> Option<usize> {
    let term = atom.arguments[column];
    let is_free = bound[column].is_none() && term.variable().is_some();
    (0..column).find(|&earlier| is_free && atom.arguments[earlier] == term)
}

fn has_repeated(atom: &Atom, bound: &[Option<ConstantId>]) -> bool {
    (0..bound.len()).any(|column| earlier(atom, bound, column).is_some())
}

fn agrees(relation: &Relation, row: usize, atom: &Atom, bound: &[Option<ConstantId>]) -> bool {
    (0..bound.len()).all(|column| match bound[column] {
        Some(value) => relation.value(row, column) == value,
        None => earlier(atom, bound, column)
            .is_none_or(|earlier| relation.value(row, earlier) == relation.value(row, column)),
    })
}
