//! The arguments of facts that are times, or that name rows with a time.

use std::collections::BTreeSet;

use gleaner_base::{FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::PredicateName;

use crate::gather::Statements;
use crate::gather::time_terms::{TimedArgument, TimedFacts};

/// What the arguments of one predicate say about the time of its facts.
#[derive(Debug, Default)]
pub(super) struct TimeColumns {
    /// The argument that is the fact's own time, with the relation of ages if there is one.
    pub(super) time: Option<(usize, Option<PredicateId>)>,
    /// The argument that names the row which gets the time of the fact, and the number of the row's type.
    pub(super) key: Option<(usize, u32)>,
    /// The arguments that name rows with a time, the key too.
    pub(super) rows: Vec<RowColumn>,
    /// The arguments that have types of other things.
    pub(super) of_others: Vec<usize>,
}

/// An argument that names rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowColumn {
    pub(super) argument: usize,
    /// The number of the rows' type. If no statement gives a type, names of any rows count.
    pub(super) row_type: Option<u32>,
}

/// The columns of all predicates.
#[derive(Debug)]
pub(super) struct Columns {
    /// By predicate.
    pub(super) of: Vec<TimeColumns>,
    /// The names of the types of rows with a time.
    pub(super) row_types: Vec<String>,
}

impl Columns {
    /// Finds the columns. A directive speaks for all arguments of its predicate. Of other predicates, modes and tables
    /// give the types; where none does, any name of a row counts, so that no fact comes too early.
    pub(super) fn new(statements: &Statements) -> Self {
        let timed = &statements.declarations.times.timed;
        let types: BTreeSet<&str> = timed.iter().filter_map(TimedFacts::key_type).collect();
        let row_types: Vec<String> = types.into_iter().map(str::to_owned).collect();
        let number = |name: &str| {
            let at = row_types.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
            u32::try_from(at).ok()
        };
        let directives: FixedMap<&PredicateName, &TimedFacts> =
            timed.iter().map(|facts| (&facts.predicate, facts)).collect();
        let types = argument_types(statements);
        let times = &statements.declarations.times;
        let untimed: FixedSet<&PredicateName> = times.untimed.iter().map(|(name, _)| name).collect();
        let of = statements.symbols.predicates().iter().map(|name| match directives.get(name) {
            Some(facts) => of_directive(facts, number, statements),
            None if times.are_others_untimed || untimed.contains(name) => TimeColumns::default(),
            None => of_types(name, types.get(name), number),
        });
        Self { of: of.collect(), row_types }
    }
}

/// The types that modes and tables give to the arguments of each predicate.
fn argument_types(statements: &Statements) -> FixedMap<&PredicateName, Vec<BTreeSet<&str>>> {
    let mut types: FixedMap<&PredicateName, Vec<BTreeSet<&str>>> = FixedMap::default();
    let declarations = &statements.declarations;
    let mut add = |name, argument: usize, type_name| {
        let arguments = types.entry(name).or_insert_with(|| vec![BTreeSet::new(); name.arity]);
        if let Some(known) = arguments.get_mut(argument) {
            known.insert(type_name);
        }
    };
    for mode in &declarations.modes {
        if let Some(name) = mode.subject.predicate() {
            mode.arguments.iter().enumerate().for_each(|(at, (_, of))| add(name, at, of.as_str()));
        }
    }
    for (name, of_arguments, _) in &declarations.declared_types {
        let known = of_arguments.iter().enumerate().filter(|(_, of)| !of.is_empty());
        known.for_each(|(at, of)| add(name, at, of.as_str()));
    }
    types
}

fn of_directive(
    facts: &TimedFacts,
    number: impl Fn(&str) -> Option<u32>,
    statements: &Statements,
) -> TimeColumns {
    let mut columns = TimeColumns::default();
    let ages = facts.age_predicate().and_then(|age| statements.symbols.find_predicate(&age));
    columns.time = facts.time_argument().map(|argument| (argument, ages));
    for (argument, said) in facts.arguments.iter().enumerate() {
        let (TimedArgument::Key(name) | TimedArgument::Of(name)) = said else { continue };
        let Some(row_type) = number(name) else { continue };
        columns.rows.push(RowColumn { argument, row_type: Some(row_type) });
        if matches!(said, TimedArgument::Key(_)) {
            columns.key = Some((argument, row_type));
        }
    }
    columns
}

fn of_types(
    name: &PredicateName,
    types: Option<&Vec<BTreeSet<&str>>>,
    number: impl Fn(&str) -> Option<u32>,
) -> TimeColumns {
    let mut columns = TimeColumns::default();
    for argument in 0..name.arity {
        let Some(of) = types.map(|types| &types[argument]).filter(|of| !of.is_empty()) else {
            columns.rows.push(RowColumn { argument, row_type: None });
            continue;
        };
        let n_before = columns.rows.len();
        let of_rows = of.iter().filter_map(|name| number(name));
        columns.rows.extend(of_rows.map(|row_type| RowColumn { argument, row_type: Some(row_type) }));
        if columns.rows.len() == n_before {
            columns.of_others.push(argument);
        }
    }
    columns
}
