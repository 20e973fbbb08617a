//! The background of one world: the facts and the consequences of the rules, frozen and indexed.
//!
//! Tests whether literals hold for some values, and whether all facts of one atom make another literal true.

use std::sync::Arc;

use crate::relation::{Relation, RowsWith};
use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::literal::Valuation;
use gleaner_lang::program::symbols::SharedSymbols;
use gleaner_lang::program::{Atom, Literal, Number, Rows, Term};

/// The relations of one world. It never changes.
///
/// **Shape**: one relation for each predicate of the symbols; worlds share relations that do not differ.
#[derive(Clone, Debug)]
pub struct Background {
    symbols: SharedSymbols,
    relations: Vec<Arc<Relation>>,
    /// Whether covers are found by their definition.
    is_asked_by_definition: bool,
}

impl Background {
    /// The background with these relations, by predicate id.
    ///
    /// # Panics
    ///
    /// When there is not one relation for each predicate.
    pub fn new(symbols: SharedSymbols, relations: Vec<Arc<Relation>>) -> Self {
        assert_eq!(symbols.predicates.len(), relations.len(), "one relation for each predicate");
        Self { symbols, relations, is_asked_by_definition: false }
    }

    /// The same facts, where engines find covers by their definition: slow, and a check of what is learnt.
    pub fn asked_by_definition(self) -> Self {
        Self { is_asked_by_definition: true, ..self }
    }

    /// Whether covers are found by their definition.
    pub const fn is_asked_by_definition(&self) -> bool {
        self.is_asked_by_definition
    }

    /// The same relations under symbols with further names.
    ///
    /// # Panics
    ///
    /// When the symbols have other predicates.
    pub fn with_symbols(&self, symbols: SharedSymbols) -> Self {
        Self {
            is_asked_by_definition: self.is_asked_by_definition,
            ..Self::new(symbols, self.relations.clone())
        }
    }

    /// The same relations, and further ones, under symbols with further names.
    ///
    /// # Panics
    ///
    /// When there is not one relation for each predicate of the symbols.
    pub fn widened(&self, symbols: SharedSymbols, further: Vec<Arc<Relation>>) -> Self {
        let relations = self.relations.iter().cloned().chain(further).collect();
        Self { is_asked_by_definition: self.is_asked_by_definition, ..Self::new(symbols, relations) }
    }

    /// The same background with one relation replaced.
    pub fn with_relation(&self, predicate: PredicateId, relation: Arc<Relation>) -> Self {
        let mut relations = self.relations.clone();
        relations[predicate.index()] = relation;
        let symbols = Arc::clone(&self.symbols);
        Self { symbols, relations, is_asked_by_definition: self.is_asked_by_definition }
    }

    /// The same background, where a predicate has only those of its rows for whose number `is_kept` is true.
    ///
    /// **Cost**: a pass over the rows of the predicate.
    pub fn with_rows(&self, predicate: PredicateId, is_kept: impl Fn(usize) -> bool) -> Self {
        let relation = self.relation(predicate);
        let mut rows = Rows::new(relation.arity());
        for row in (0..relation.n_rows()).filter(|&row| is_kept(row)) {
            let tuple: Vec<ConstantId> =
                (0..relation.arity()).map(|column| relation.value(row, column)).collect();
            rows.push(&tuple);
        }
        self.with_relation(predicate, Arc::new(Relation::renumbered(&rows, |constant| constant)))
    }

    /// Whether the facts of a predicate came after the constants were numbered, as those that only clauses have. Then the ids of
    /// its numbers need not ascend with them.
    pub fn is_late(&self, predicate: PredicateId) -> bool {
        predicate.index() >= self.relations.len() - self.symbols.n_late
            || self.symbols.unordered.contains(&predicate)
    }

    /// The names behind the ids.
    pub const fn symbols(&self) -> &SharedSymbols {
        &self.symbols
    }

    /// How many predicates there are.
    pub const fn n_predicates(&self) -> usize {
        self.relations.len()
    }

    /// The tuples of a predicate.
    pub fn relation(&self, predicate: PredicateId) -> &Relation {
        &self.relations[predicate.index()]
    }

    /// Whether another background has the very same relation of a predicate, as those without time have.
    pub fn shares(&self, other: &Self, predicate: PredicateId) -> bool {
        Arc::ptr_eq(&self.relations[predicate.index()], &other.relations[predicate.index()])
    }

    /// The value of a constant that is a number.
    pub fn number(&self, constant: ConstantId) -> Option<Number> {
        self.symbols.constants.number(constant)
    }

    /// A round number that may take the place of a threshold where no number lies between it and the nearest that does not
    /// pass: see [`Constants::round_between`](gleaner_lang::program::Constants::round_between).
    pub fn round_between(&self, bound: Number, beyond: Number) -> Option<ConstantId> {
        self.symbols.constants.round_between(bound, beyond)
    }

    /// The rows of a predicate that agree with the bound arguments, ascending. Candidates come from the index of the
    /// most selective bound column; the other bound columns are compared.
    pub fn matching_rows<'a>(
        &'a self,
        predicate: PredicateId,
        bound: &'a [Option<ConstantId>],
    ) -> impl Iterator<Item = usize> + 'a {
        let relation = self.relation(predicate);
        let candidates = self.least_rows(predicate, bound);
        (0..candidates.len()).map(move |position| candidates.get(position)).filter(move |&row| {
            bound
                .iter()
                .enumerate()
                .all(|(column, value)| value.is_none_or(|value| relation.value(row, column) == value))
        })
    }

    /// The rows that agree with one of the bound arguments, the one with the fewest rows; all rows where none is bound.
    fn least_rows(&self, predicate: PredicateId, bound: &[Option<ConstantId>]) -> RowsWith<'_> {
        let relation = self.relation(predicate);
        bound
            .iter()
            .enumerate()
            .filter_map(|(column, value)| value.map(|value| relation.rows_with(column, value)))
            .min_by_key(RowsWith::len)
            .unwrap_or_else(|| relation.all_rows())
    }
}

/// The constant of a term under a partial substitution.
pub fn value_of(term: Term, substitution: &[Option<ConstantId>]) -> Option<ConstantId> {
    match term {
        Term::Variable(variable) => substitution[variable.index()],
        Term::Constant(constant) => Some(constant),
        Term::Any => None,
    }
}

impl Background {
    /// Whether a literal holds where its variables have these values. An atom may have variables without a value: it
    /// holds if some values make it true. A negated atom or a comparison with such a variable does not hold.
    ///
    /// **Cost**: for an atom with values for at most one argument or for all, a look-up; else a pass over the rows that
    /// agree with one of its values.
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
    pub fn includes(&self, atom: &Atom, literal: &Literal, n_variables: usize, most_rows: usize) -> bool {
        self.includes_where(atom, literal, n_variables, most_rows, &|values| self.can_hold(literal, values))
    }

    /// As [`Self::includes`], for the atom's facts in this world, but with the facts of `all` to make the literal true.
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
pub(super) struct Bound {
    n: usize,
    few: [Option<ConstantId>; FEW],
    many: Vec<Option<ConstantId>>,
}

impl Bound {
    pub(super) fn of(atom: &Atom, values: &[Option<ConstantId>]) -> Self {
        let mut bound = Self { n: atom.arguments.len(), ..Self::default() };
        let known = atom.arguments.iter().map(|&term| value_of(term, values));
        if bound.n <= FEW {
            bound.few.iter_mut().zip(known).for_each(|(place, value)| *place = value);
        } else {
            bound.many = known.collect();
        }
        bound
    }

    pub(super) fn get(&self) -> &[Option<ConstantId>] {
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
