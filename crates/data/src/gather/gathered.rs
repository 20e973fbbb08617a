//! The first stage of loading: what the files say.
//!
//! The given facts, over provisional ids.
//!
//! Rules over provisional ids, and the statements whose meaning depends on what else the files say.

use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::lower::Variables;
use gleaner_lang::program::{Clause, FactTable, Term};
use gleaner_lang::syntax::{Diagnostic, Place};

use crate::gather::built_ins::NumberIdiom;
use crate::gather::declarations::{Declarations, RawExamples};
use crate::messages::Messages;
use crate::mode_terms::RawMode;
use crate::provisional::Provisional;
use crate::tables::TableRows;

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

/// A rule with its place and the names of its variables.
#[derive(Debug)]
pub(crate) struct RawRule {
    pub(crate) clause: Clause,
    pub(crate) variables: Variables,
    pub(crate) place: Place,
}

/// The rules, and what is left out of them.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    pub(crate) list: Vec<RawRule>,
    /// The head predicates of rules outside the language, in files of other systems, and of rules with cuts; later all
    /// predicates that are left out with them.
    pub(crate) incomplete: Vec<PredicateId>,
}

impl Rules {
    /// The first rule of this predicate.
    pub(crate) fn first_of(&self, predicate: PredicateId) -> Option<&RawRule> {
        self.list.iter().find(|rule| rule.clause.head.predicate == predicate)
    }
}

/// Statements that wait until all others are known.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Rules with cuts, and rules of other systems' files that may only compare numbers.
    pub(crate) held: Vec<HeldRule>,
    /// Facts with variables, which hold for constants of all files.
    pub(crate) universal: Vec<UniversalFact>,
}

/// A rule that waits until all rules of its predicate are known.
#[derive(Debug)]
pub(crate) struct HeldRule {
    pub(crate) predicate: PredicateId,
    /// How the rule compares numbers, if it does nothing else.
    pub(crate) idiom: Option<NumberIdiom>,
    /// The rule's clauses, or the fault that keeps it outside the language.
    pub(crate) rules: Result<Vec<RawRule>, Diagnostic>,
    /// What the rule means if the data define a built-in predicate that it calls.
    pub(crate) own: Option<OwnMeaning>,
    /// The state at the rule's cut, if it has one: its clauses mean the same only if it is the last of its predicate.
    pub(crate) cut: Option<CutRule>,
    pub(crate) place: Place,
}

/// The meaning of a rule where the data define a built-in predicate of Prolog's themselves: its calls are kept.
#[derive(Debug)]
pub(crate) struct OwnMeaning {
    /// The built-in predicates that the rule calls.
    pub(crate) called: Vec<PredicateId>,
    pub(crate) rules: Result<Vec<RawRule>, Diagnostic>,
}

/// The counts of statements before a rule with a cut, and the fault of the rule if more of its predicate follows.
#[derive(Debug)]
pub(crate) struct CutRule {
    pub(crate) fault: Diagnostic,
    /// The number of facts of the rule's predicate.
    pub(crate) n_facts: usize,
    /// The number of rules of any predicate.
    pub(crate) n_rules: usize,
    /// The number of facts with variables, of any predicate.
    pub(crate) n_universal: usize,
}

/// A fact with variables.
#[derive(Debug)]
pub(crate) struct UniversalFact {
    pub(crate) predicate: PredicateId,
    pub(crate) arguments: Vec<Term>,
    pub(crate) variables: Variables,
    pub(crate) n_variables: usize,
    pub(crate) fold: Option<usize>,
    /// The fact as it is written.
    pub(crate) text: String,
    pub(crate) place: Place,
    /// Whether the layout means it for all constants: then no message tells of it.
    pub(crate) is_meant: bool,
}
