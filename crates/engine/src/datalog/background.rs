//! The background of one world: the facts and the consequences of the rules, frozen and indexed.

use std::sync::Arc;

use crate::relation::{Relation, RowsWith};
use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::symbols::SharedSymbols;
use gleaner_lang::program::{Number, Rows, Term};

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
    #[must_use]
    pub fn new(symbols: SharedSymbols, relations: Vec<Arc<Relation>>) -> Self {
        assert_eq!(symbols.predicates.len(), relations.len(), "one relation for each predicate");
        Self { symbols, relations, is_asked_by_definition: false }
    }

    /// The same facts, where engines find covers by their definition: slow, and a check of what is learnt.
    #[must_use]
    pub fn asked_by_definition(self) -> Self {
        Self { is_asked_by_definition: true, ..self }
    }

    /// Whether covers are found by their definition.
    #[must_use]
    pub const fn is_asked_by_definition(&self) -> bool {
        self.is_asked_by_definition
    }

    /// The same relations under symbols with further names.
    ///
    /// # Panics
    ///
    /// When the symbols have other predicates.
    #[must_use]
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
    #[must_use]
    pub fn widened(&self, symbols: SharedSymbols, further: Vec<Arc<Relation>>) -> Self {
        let relations = self.relations.iter().cloned().chain(further).collect();
        Self { is_asked_by_definition: self.is_asked_by_definition, ..Self::new(symbols, relations) }
    }

    /// The same background with one relation replaced.
    #[must_use]
    pub fn with_relation(&self, predicate: PredicateId, relation: Arc<Relation>) -> Self {
        let mut relations = self.relations.clone();
        relations[predicate.index()] = relation;
        let symbols = Arc::clone(&self.symbols);
        Self { symbols, relations, is_asked_by_definition: self.is_asked_by_definition }
    }

    /// The same background, where a predicate has only those of its rows for whose number `is_kept` is true.
    ///
    /// **Cost**: a pass over the rows of the predicate.
    #[must_use]
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
    #[must_use]
    pub fn is_late(&self, predicate: PredicateId) -> bool {
        predicate.index() >= self.relations.len() - self.symbols.n_late
            || self.symbols.unordered.contains(&predicate)
    }

    /// The names behind the ids.
    #[must_use]
    pub const fn symbols(&self) -> &SharedSymbols {
        &self.symbols
    }

    /// How many predicates there are.
    #[must_use]
    pub const fn n_predicates(&self) -> usize {
        self.relations.len()
    }

    /// The tuples of a predicate.
    #[must_use]
    pub fn relation(&self, predicate: PredicateId) -> &Relation {
        &self.relations[predicate.index()]
    }

    /// Whether another background has the very same relation of a predicate, as those without time have.
    #[must_use]
    pub fn shares(&self, other: &Self, predicate: PredicateId) -> bool {
        Arc::ptr_eq(&self.relations[predicate.index()], &other.relations[predicate.index()])
    }

    /// The value of a constant that is a number.
    #[must_use]
    pub fn number(&self, constant: ConstantId) -> Option<Number> {
        self.symbols.constants.number(constant)
    }

    /// A round number that may take the place of a threshold where no number lies between it and the nearest that does not
    /// pass: see [`Constants::round_between`](gleaner_lang::program::Constants::round_between).
    #[must_use]
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
    pub(super) fn least_rows(&self, predicate: PredicateId, bound: &[Option<ConstantId>]) -> RowsWith<'_> {
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
#[must_use]
pub fn value_of(term: Term, substitution: &[Option<ConstantId>]) -> Option<ConstantId> {
    match term {
        Term::Variable(variable) => substitution[variable.index()],
        Term::Constant(constant) => Some(constant),
        Term::Any => None,
    }
}
