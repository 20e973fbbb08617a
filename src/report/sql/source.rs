//! Where the rows of relations come from, and what the model's clauses ask of them.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::{Atom, Clause, Literal, PredicateName, Symbols, Term};

use super::shared::NoSql;
use super::text::{cell_of, number_of};
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
    /// Of rows that examples name, whether those of the moment of the cut-off are seen: the columns `moment` and `since` say when
    /// they came to be. None where all rows are seen.
    pub(super) knows_same: Option<bool>,
    /// Whether rows may see it from later on than they came to be.
    pub(super) is_later: bool,
    /// Whether a column `example` says whose row it is.
    pub(super) is_of_example: bool,
    /// What the second column is made of, if it is an age: the column `moment`, and the cut-off.
    pub(super) age: Option<Age>,
    /// Of a foreign key of rows that exist from a time on, the query of its rows: `a1`, `a2`, `since`, `position`.
    pub(super) rows: Option<String>,
    /// Whether an age is made of a time without which the row does not exist.
    pub(super) is_row_time: bool,
    /// Of the places of rows, the query of the rows that have places.
    pub(super) places_of: Option<String>,
    /// The statements that make the view.
    pub(super) statements: String,
}

impl Relation {
    /// A relation of rows that always exist.
    pub(super) const fn plain(view: String, kinds: Vec<Kind>) -> Self {
        Self {
            view,
            kinds,
            is_boolean: false,
            is_timed: false,
            knows_same: None,
            is_later: false,
            is_of_example: false,
            age: None,
            rows: None,
            is_row_time: false,
            places_of: None,
            statements: String::new(),
        }
    }
}

/// The relations of a model, and its examples.
#[derive(Debug)]
pub(super) struct Source {
    /// The statements that make the tables of cells, and that of the examples. Those of a relation are its own.
    pub(super) text: String,
    /// The relations by their names.
    pub(super) relations: BTreeMap<PredicateName, Relation>,
    /// What each argument of an example is, `a1` on.
    pub(super) example_kinds: Vec<Kind>,
    /// The names of the arguments in the answer.
    pub(super) argument_names: Vec<String>,
    /// Remarks for those who run the query.
    pub(super) remarks: Vec<String>,
}

/// What the clauses of a model ask for.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The relations of facts, each with the cells that clauses name in its columns.
    pub(super) relations: BTreeMap<PredicateName, Vec<BTreeSet<String>>>,
    /// What aggregates are: `relation(Groups, Value) :- aggregate_all(…, Value)`.
    pub(super) definitions: BTreeMap<PredicateName, (Symbols, Clause)>,
    /// What the values of each aggregate are compared with; `None` where not only with numbers.
    pub(super) thresholds: BTreeMap<PredicateName, Option<Vec<f64>>>,
}

impl Uses {
    /// What these clauses ask for.
    pub(super) fn of(clauses: &[&Clause], symbols: &Symbols) -> Result<Self, NoSql> {
        let mut uses = Self::default();
        for (clause, literal) in clauses.iter().flat_map(|it| it.body.iter().map(move |of| (*it, of))) {
            for atom in literal.atoms() {
                let name = symbols.predicate(atom.predicate);
                if symbols.is_aggregate(atom.predicate) {
                    let compared = compared_with(clause, atom, symbols);
                    let known = uses.thresholds.entry(name.clone()).or_insert_with(|| Some(Vec::new()));
                    match (known.as_mut(), compared) {
                        (Some(known), Some(more)) => known.extend(more),
                        _ => *known = None,
                    }
                }
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
        for thresholds in uses.thresholds.values_mut().flatten() {
            thresholds.sort_by(f64::total_cmp);
            thresholds.dedup_by_key(|it| it.to_bits());
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

/// The numbers that a clause compares the value of an aggregate with; `None` where it does something else with it.
fn compared_with(clause: &Clause, atom: &Atom, symbols: &Symbols) -> Option<Vec<f64>> {
    let number = |term: Term| match term {
        Term::Constant(constant) => number_of(&cell_of(symbols.constants.text(constant))),
        Term::Variable(_) | Term::Any => None,
    };
    let value = match atom.arguments.last() {
        Some(Term::Variable(value)) => *value,
        Some(Term::Any) | None => return Some(Vec::new()),
        Some(constant) => return number(*constant).map(|it| vec![it]),
    };
    if clause.head.arguments.iter().any(|term| term.variable() == Some(value)) {
        return None;
    }
    let mut compared = Vec::new();
    let mut n_atoms = 0;
    for literal in clause.body.iter().filter(|literal| literal.variables().contains(&value)) {
        let Literal::Comparison(comparison) = literal else {
            n_atoms += 1;
            continue;
        };
        let [left, right] = comparison.plain_sides()?;
        let other = if left.variable() == Some(value) { right } else { left };
        compared.push(number(other)?);
    }
    // The value stands in one atom, and not among its groups.
    let n_places = atom.arguments.iter().filter(|term| term.variable() == Some(value)).count();
    (n_atoms == 1 && n_places == 1).then_some(compared)
}
