//! Where the rows of relations come from, and what the model's clauses ask of them.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::{Clause, Literal, PredicateName, Symbols, Term};

use super::fault::NoSql;
use super::text::cell_of;
use crate::store::aggregate_definition;

/// What the cells of a relation's column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Texts, which are equal or not.
    Name,
    /// Floats.
    Number,
}

/// The days that a column of ages is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// From the time of a row, which exists.
    OfRow,
    /// From a time that may be later than the cut-off: then there is no age.
    OfExample,
}

/// A relation as a view: its columns are `a1`, `a2` and so on.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// The name of the view.
    pub(super) view: String,
    /// What each column holds.
    pub(super) kinds: Vec<Kind>,
    /// Whether a column holds `true` and `false`, in small letters.
    pub(super) is_boolean: bool,
    /// Whether a column `since` says from when on a row exists.
    pub(super) is_timed: bool,
    /// Whether a column `example` says whose row it is.
    pub(super) is_of_example: bool,
    /// What the second column is made of, if it is an age: the column `moment`, and the cut-off.
    pub(super) age: Option<Age>,
}

impl Relation {
    /// A relation of rows that always exist.
    pub(super) const fn plain(view: String, kinds: Vec<Kind>) -> Self {
        Self { view, kinds, is_boolean: false, is_timed: false, is_of_example: false, age: None }
    }
}

/// The relations of a model, and its examples.
#[derive(Debug)]
pub(super) struct Source {
    /// The statements that make the views, and the table of examples.
    pub(super) text: String,
    /// The relations by their names.
    pub(super) relations: BTreeMap<PredicateName, Relation>,
    /// What each argument of an example is, `a1` on.
    pub(super) example_kinds: Vec<Kind>,
    /// The names of the arguments in the answer.
    pub(super) argument_names: Vec<String>,
    /// Remarks for who runs the query.
    pub(super) remarks: Vec<String>,
}

/// What the clauses of a model ask for.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The relations of facts, each with the cells that clauses name in its columns.
    pub(super) relations: BTreeMap<PredicateName, Vec<BTreeSet<String>>>,
    /// What aggregates are: `relation(Groups, Value) :- aggregate_all(…, Value)`.
    pub(super) definitions: BTreeMap<PredicateName, (Symbols, Clause)>,
}

impl Uses {
    /// What these clauses ask for.
    pub(super) fn of(clauses: &[&Clause], symbols: &Symbols) -> Result<Self, NoSql> {
        let mut uses = Self::default();
        for literal in clauses.iter().flat_map(|clause| &clause.body) {
            for atom in literal.atoms() {
                let name = symbols.predicate(atom.predicate);
                if !symbols.is_aggregate(atom.predicate) {
                    uses.add(name, &atom.arguments, symbols);
                } else if !uses.definitions.contains_key(name) {
                    let unread = || NoSql::Unknown(name.name.clone());
                    let (own, definition) = aggregate_definition(name).ok_or_else(unread)?;
                    uses.add_goal(&definition, &own);
                    uses.definitions.insert(name.clone(), (own, definition));
                }
            }
        }
        Ok(uses)
    }

    fn add_goal(&mut self, definition: &Clause, symbols: &Symbols) {
        for atom in definition.body.iter().flat_map(Literal::atoms) {
            self.add(symbols.predicate(atom.predicate), &atom.arguments, symbols);
        }
    }

    fn add(&mut self, name: &PredicateName, arguments: &[Term], symbols: &Symbols) {
        let cells =
            self.relations.entry(name.clone()).or_insert_with(|| vec![BTreeSet::new(); arguments.len()]);
        for (cells, argument) in cells.iter_mut().zip(arguments) {
            if let Term::Constant(constant) = argument {
                cells.insert(cell_of(symbols.constants.text(*constant)));
            }
        }
    }
}
