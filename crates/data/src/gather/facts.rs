//! The given facts, over provisional ids.

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::FactTable;

use crate::provisional::Provisional;

/// The facts of the files, before any rule runs.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) global: FactTable,
    pub(crate) folds: Vec<FactTable>,
}

impl Facts {
    /// Adds a fact of a known predicate, to a fold or globally.
    #[inline]
    pub(crate) fn add(
        &mut self,
        predicate: PredicateId,
        row: &[ConstantId],
        fold: Option<usize>,
        symbols: &Provisional,
    ) {
        let table = match fold {
            Some(fold) => &mut self.folds[fold],
            None => &mut self.global,
        };
        if table.n_predicates() <= predicate.index() {
            fit(table, symbols);
        }
        table.rows_mut(predicate).push(row);
    }

    /// The global table, then those of the folds.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &FactTable> {
        std::iter::once(&self.global).chain(&self.folds)
    }

    /// The number of a predicate's facts, global and of all folds.
    pub(crate) fn n_of(&self, predicate: PredicateId) -> usize {
        let known = self.tables().filter(|table| predicate.index() < table.n_predicates());
        known.map(|table| table.rows(predicate).len()).sum()
    }

    /// Whether folds have facts of their own: then each fold is a world.
    pub(crate) fn are_in_folds(&self) -> bool {
        self.folds.iter().any(|table| table.n_rows() > 0)
    }

    /// Makes room for every known predicate in every table.
    pub(crate) fn fit(&mut self, symbols: &Provisional) {
        std::iter::once(&mut self.global).chain(&mut self.folds).for_each(|table| fit(table, symbols));
    }
}

/// Makes room for every known predicate.
pub(crate) fn fit(table: &mut FactTable, symbols: &Provisional) {
    for predicate in &symbols.predicates()[table.n_predicates()..] {
        table.add_predicate(predicate.arity);
    }
}
