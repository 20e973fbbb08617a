//! The first stage of loading: what the files say.

use gleaner_base::{FixedMap, PredicateId};
use gleaner_lang::syntax::Place;

use super::declarations::Declarations;
use super::examples::RawExamples;
use super::facts::{Facts, fit};
use super::rules::{Rules, Waiting};
use crate::messages::Messages;
use crate::mode_terms::RawMode;
use crate::provisional::Provisional;
use crate::tables::table_rows::TableRows;

/// The properties of a whole layout.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// Whether the data are another system's. Statements that only that system knows are left out, with a message.
    pub(crate) is_foreign: bool,
    /// Whether the facts of the target are its positive examples.
    pub(crate) has_positives_among_facts: bool,
    /// Whether the case of predicate names makes no difference.
    pub(crate) ignores_case: bool,
    /// Whether the data are one graph of links: folds share their things on purpose.
    pub(crate) is_one_graph: bool,
    /// Whether the data are the tables of a database.
    pub(crate) is_database: bool,
}

impl Habits {
    /// Those of a database.
    pub(crate) const DATABASE: Self = Self {
        is_foreign: false,
        has_positives_among_facts: false,
        ignores_case: false,
        is_one_graph: false,
        is_database: true,
    };
}

/// What the files say beside their facts; all stages keep it.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) symbols: Provisional,
    /// The place of each predicate's first fact.
    pub(crate) first_facts: FixedMap<PredicateId, Place>,
    pub(crate) examples: RawExamples,
    pub(crate) declarations: Declarations,
    pub(crate) rules: Rules,
    /// The properties of the layout.
    pub(crate) habits: Habits,
    /// Whether the user gives the modes of a database.
    pub(crate) has_given_modes: bool,
    /// The schema of a database, as a text.
    pub(crate) schema: Option<String>,
    /// The rows that the examples of a database come from.
    pub(crate) table_rows: Option<TableRows>,
}

impl Statements {
    /// Whether the modes are those that the schema of a database proposes.
    pub(crate) const fn has_modes_of_schema(&self) -> bool {
        self.schema.is_some() && !self.has_given_modes
    }

    /// Whether the predicate of a mode has examples, but no facts.
    pub(crate) fn is_other_target(&self, mode: &RawMode) -> bool {
        let Some(name) = mode.subject.relation() else { return false };
        self.symbols
            .find_predicate(name)
            .is_some_and(|id| !self.first_facts.contains_key(&id) && self.examples.of(id).next().is_some())
    }
}

/// Everything the files say.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) statements: Statements,
    pub(crate) facts: Facts,
    pub(crate) waiting: Waiting,
    pub(crate) messages: Messages,
}

impl Gathered {
    /// Makes positive examples of the facts of a predicate.
    pub(crate) fn make_examples_of_facts(&mut self, id: PredicateId) {
        self.fit_tables();
        let Statements { first_facts, examples, .. } = &mut self.statements;
        let place = first_facts.remove(&id).unwrap_or_default();
        let folds = (0..).map(Some).zip(&mut self.facts.folds);
        for (fold, table) in std::iter::once((None, &mut self.facts.global)).chain(folds) {
            let taken = table.take_rows(id);
            taken.iter().for_each(|row| examples.add(id, row, true, fold, place));
        }
    }

    /// Makes room for every known predicate in every table.
    pub(crate) fn fit_tables(&mut self) {
        self.facts.fit(&self.statements.symbols);
        fit(&mut self.statements.examples.rows, &self.statements.symbols);
    }
}
