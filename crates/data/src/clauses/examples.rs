//! The rows of aggregates that clauses ask for by arguments of their heads alone.
//!
//! Such a clause meets the groups of examples and no others. Their values are found by walks from each group: nothing is written
//! out, and what other groups have costs nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::{ConstantId, PredicateId};
use gleaner_engine::datalog::{Background, GroupedAggregate, NumberTable, Value};
use gleaner_lang::program::lower::{LateRelation, Widened};
use gleaner_lang::program::{Clause, Literal, Rows, Symbols};
use rayon::prelude::*;

use super::{Numbers, is_of_runs};
use crate::Problem;

/// Finds the rows of those late relations that these clauses, and no others, ask for by arguments of their heads.
///
/// **Cost**: for each group of an example, the facts that the goal finds.
pub(super) fn find_rows_of_examples(problem: &Problem, clauses: &[Clause], names: &mut Widened<'_>) {
    let n_known = problem.symbols().predicates.len();
    let asked: Vec<Option<BTreeSet<Vec<usize>>>> = names
        .late()
        .iter()
        .enumerate()
        .map(|(at, late)| {
            let is_open = late.rows.is_empty() && !is_of_runs(problem, late);
            if is_open { groups_asked(clauses, PredicateId::new(n_known + at)) } else { None }
        })
        .collect();
    if asked.iter().all(Option::is_none) {
        return;
    }
    let worlds = with_further_constants(problem, names);
    // Most aggregates ask for the same groups.
    let mut groups_asked: BTreeMap<BTreeSet<Vec<usize>>, Vec<Vec<Vec<ConstantId>>>> = BTreeMap::new();
    for (at, asked) in asked.into_iter().enumerate() {
        let Some(asked) = asked else { continue };
        let LateRelation { definition, .. } = names.late()[at].clone();
        let Some(aggregate) = GroupedAggregate::of(&definition) else { continue };
        let groups = groups_asked.entry(asked).or_insert_with_key(|asked| groups_of_examples(problem, asked));
        let groups = &*groups;
        let of_world =
            |(world, groups): (&Background, &Vec<Vec<ConstantId>>)| aggregate.values(world, groups);
        let values: Vec<Vec<Option<Value>>> = worlds.par_iter().zip(groups).map(of_world).collect();
        let mut numbers = Numbers { symbols: problem.symbols(), names: &mut *names };
        let mut row = |group: &Vec<ConstantId>, value: Option<Value>| {
            let constant = match value? {
                Value::Constant(constant) => constant,
                Value::Number(number) => numbers.intern(number),
            };
            Some([group.as_slice(), &[constant]].concat())
        };
        let mut rows_of_worlds = Vec::with_capacity(worlds.len());
        for (groups, values) in groups.iter().zip(values) {
            let mut rows = Rows::new(definition.head.arguments.len());
            groups
                .iter()
                .zip(values)
                .filter_map(|(group, value)| row(group, value))
                .for_each(|it| rows.push(&it));
            rows_of_worlds.push(rows);
        }
        names.set_late_rows(at, rows_of_worlds);
    }
}

/// The places in heads of what clauses give for the groups of a relation. `None` where one gives something else, or none asks for
/// it.
fn groups_asked(clauses: &[Clause], predicate: PredicateId) -> Option<BTreeSet<Vec<usize>>> {
    let mut found = BTreeSet::new();
    for clause in clauses {
        let atoms = clause.body.iter().flat_map(Literal::atoms).filter(|atom| atom.predicate == predicate);
        for atom in atoms {
            let (_, groups) = atom.arguments.split_last()?;
            let place = |term| clause.head.arguments.iter().position(|of_head| of_head == term);
            let places: Option<Vec<usize>> =
                groups.iter().map(|term| term.variable().and_then(|_| place(term))).collect();
            found.insert(places?);
        }
    }
    (!found.is_empty()).then_some(found)
}

/// By world, the distinct groups of its examples.
fn groups_of_examples(problem: &Problem, asked: &BTreeSet<Vec<usize>>) -> Vec<Vec<Vec<ConstantId>>> {
    let examples = problem.examples();
    let mut groups: Vec<BTreeSet<Vec<ConstantId>>> = vec![BTreeSet::new(); problem.worlds().len()];
    for id in examples.ids() {
        let arguments = examples.arguments(id);
        for places in asked {
            groups[examples.world(id).index()].insert(places.iter().map(|&at| arguments[at]).collect());
        }
    }
    groups.into_iter().map(|groups| groups.into_iter().collect()).collect()
}

/// The worlds with the constants that clauses alone name: goals compare with them.
fn with_further_constants(problem: &Problem, names: &Widened<'_>) -> Vec<Background> {
    let symbols = problem.symbols();
    if names.further().is_empty() {
        return problem.worlds().to_vec();
    }
    let constants = symbols.constants.widened(names.further());
    let symbols = Arc::new(Symbols { constants, ..Symbols::clone(symbols) });
    problem.worlds().iter().map(|world| world.with_symbols(Arc::clone(&symbols))).collect()
}
