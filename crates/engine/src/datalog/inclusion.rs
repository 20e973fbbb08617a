//! Tests whether literals hold for some values, and whether all facts of one atom make another literal true.

use crate::relation::Relation;
use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::literal::Valuation;
use gleaner_lang::program::{Atom, Literal, Number, Term};

use super::background::{Background, value_of};

impl Background {
    /// Whether a literal holds where its variables have these values. An atom may have variables without a value: it
    /// holds if some values make it true. A negated atom or a comparison with such a variable does not hold.
    ///
    /// **Cost**: for an atom with values for at most one argument or for all, a look-up; else a pass over the rows that
    /// agree with one of its values.
    #[must_use]
    pub fn can_hold(&self, literal: &Literal, values: &[Option<ConstantId>]) -> bool {
        match literal.positive_atom() {
            Some(atom) => self.has_row(atom, values),
            None => {
                literal.has_only(|variable| values[variable.index()].is_some())
                    && literal.holds(&mut Binding { background: self, values })
            }
        }
    }

    /// Whether each fact of an atom makes a literal true for some values of the literal's further variables. Variables
    /// have numbers below `n_variables`. For an atom with more than `most_rows` rows the answer is false.
    ///
    /// **Cost**: `can_hold` for each row of the atom, up to the first row that does not make the literal true.
    #[must_use]
    pub fn includes(&self, atom: &Atom, literal: &Literal, n_variables: usize, most_rows: usize) -> bool {
        self.includes_where(atom, literal, n_variables, most_rows, &|values| self.can_hold(literal, values))
    }

    /// As [`Self::includes`], for the atom's facts in this world, but with the facts of `all` to make the literal true.
    #[must_use]
    pub fn includes_within(&self, atom: &Atom, literal: &Literal, n_variables: usize, all: &Self) -> bool {
        self.includes_where(atom, literal, n_variables, usize::MAX, &|values| all.can_hold(literal, values))
    }

    fn includes_where(
        &self,
        atom: &Atom,
        tested: &Literal,
        n_variables: usize,
        most_rows: usize,
        holds: &dyn Fn(&[Option<ConstantId>]) -> bool,
    ) -> bool {
        let relation = self.relation(atom.predicate);
        let mut values = vec![None; n_variables];
        let bound = Bound::of(atom, &values);
        let bound = bound.get();
        let rows = self.least_rows(atom.predicate, bound);
        let columns = columns_of(atom, tested);
        let mut is_tested = false;
        rows.len() <= most_rows
            && rows.iter().filter(|&row| agrees(relation, row, atom, bound)).all(|row| {
                // Neighbouring rows often agree in what the literal asks for.
                let mut is_same = is_tested;
                for &(column, variable) in &columns {
                    let value = Some(relation.value(row, column));
                    let before = std::mem::replace(&mut values[variable.index()], value);
                    is_same &= before == value;
                }
                is_tested = true;
                is_same || holds(&values)
            })
    }

    /// Whether an atom has a row where its variables have these values. A variable that occurs twice has one value.
    fn has_row(&self, atom: &Atom, values: &[Option<ConstantId>]) -> bool {
        let relation = self.relation(atom.predicate);
        let bound = Bound::of(atom, values);
        let bound = bound.get();
        let rows = self.least_rows(atom.predicate, bound);
        if bound.iter().flatten().count() <= 1 && !has_repeated(atom, bound) {
            return !rows.is_empty();
        }
        rows.iter().any(|row| agrees(relation, row, atom, bound))
    }
}

/// The facts, and the values of all variables that a literal needs.
struct Binding<'a> {
    background: &'a Background,
    values: &'a [Option<ConstantId>],
}

impl Valuation for Binding<'_> {
    fn value(&self, variable: VariableId) -> ConstantId {
        self.values[variable.index()].expect("only literals whose variables have values are tested")
    }

    fn number(&self, constant: ConstantId) -> Option<Number> {
        self.background.number(constant)
    }

    fn has_instance(&mut self, atom: &Atom) -> bool {
        self.background.has_row(atom, self.values)
    }
}

/// Arguments that need no memory of their own: most predicates have no more.
const FEW: usize = 8;

/// The values of an atom's arguments, those that are known.
#[derive(Debug, Default)]
struct Bound {
    n: usize,
    few: [Option<ConstantId>; FEW],
    many: Vec<Option<ConstantId>>,
}

impl Bound {
    fn of(atom: &Atom, values: &[Option<ConstantId>]) -> Self {
        let mut bound = Self { n: atom.arguments.len(), ..Self::default() };
        let known = atom.arguments.iter().map(|&term| value_of(term, values));
        if bound.n <= FEW {
            bound.few.iter_mut().zip(known).for_each(|(place, value)| *place = value);
        } else {
            bound.many = known.collect();
        }
        bound
    }

    fn get(&self) -> &[Option<ConstantId>] {
        if self.n <= FEW { &self.few[..self.n] } else { &self.many }
    }
}

/// The columns of an atom with variables that a literal has too.
fn columns_of(atom: &Atom, literal: &Literal) -> Vec<(usize, VariableId)> {
    let wanted = literal.variables();
    let variable = |(column, term): (usize, &Term)| {
        term.variable().filter(|variable| wanted.contains(variable)).map(|variable| (column, variable))
    };
    atom.arguments.iter().enumerate().filter_map(variable).collect()
}

/// The first column before this one that holds the same variable, where that has no value.
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
