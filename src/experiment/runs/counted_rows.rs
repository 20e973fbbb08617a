//! The rows that an aggregate of a clause counts, for one example.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, VariableId};
use gleaner_data::Problem;
use gleaner_engine::coverage::reference::witnesses;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::lower::{Widened, lower_definition};
use gleaner_lang::program::{Atom, Clause, Literal, Symbols, Term};

/// Rows that are named for an aggregate.
const N_NAMED: usize = 3;
/// Rows that are looked for; more count as these.
const MOST_ROWS: usize = 1000;
/// Rows and tests that a search for them may take.
const MOST_STEPS: u64 = 100_000;

/// The rows of one aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedRows {
    /// The variable that has the aggregate's value, if it is one.
    pub value: Option<VariableId>,
    /// The first rows: instances of the goal.
    pub rows: Vec<String>,
    /// How many there are, up to a thousand.
    pub n_rows: usize,
}

/// The rows that the aggregates of a clause count, where the clause's variables have these values.
///
/// **Cost**: a proof for each row, at most a thousand.
pub(crate) fn counted_rows(
    problem: &Problem,
    world: &Background,
    clause: &Clause,
    values: &[Option<ConstantId>],
) -> Vec<CountedRows> {
    let symbols = problem.symbols();
    let atoms = clause.body.iter().filter_map(Literal::positive_atom);
    let mut aggregates = atoms.filter(|atom| symbols.is_aggregate(atom.predicate)).peekable();
    if aggregates.peek().is_none() {
        return Vec::new();
    }
    let usable = vec![true; symbols.predicates.len()];
    let mut names = Widened::new(symbols, &usable);
    let rows = |atom: &Atom| {
        let definition = lower_definition(symbols.predicate(atom.predicate), &mut names)?;
        let aggregate = definition.body.first()?.aggregate()?;
        let (value, groups) = atom.arguments.split_last()?;
        let group = |term: &Term| match *term {
            Term::Constant(constant) => Some(constant),
            Term::Variable(variable) => values[variable.index()],
            Term::Any => None,
        };
        let known: Vec<ConstantId> = groups.iter().map(group).collect::<Option<_>>()?;
        let mut head = definition.head.clone();
        head.arguments.pop();
        let goal = Clause { head, body: aggregate.goal.clone(), n_variables: definition.n_variables };
        let found = witnesses(world, &goal, &known, MOST_STEPS, MOST_ROWS);
        let rows: BTreeSet<Vec<Option<ConstantId>>> = found.into_iter().collect();
        let named = rows.iter().take(N_NAMED).map(|row| instance(&goal, row, symbols)).collect();
        Some(CountedRows { value: value.variable(), rows: named, n_rows: rows.len() })
    };
    aggregates.filter_map(rows).collect()
}

/// A goal with the values of a proof.
fn instance(goal: &Clause, row: &[Option<ConstantId>], symbols: &Symbols) -> String {
    let with_values = |literal: &Literal| {
        let instance = literal.map_terms(&mut |term| match term {
            Term::Variable(variable) => row[variable.index()].map_or(Term::Any, Term::Constant),
            other => other,
        });
        literal_text(&instance, symbols)
    };
    goal.body.iter().map(with_values).collect::<Vec<_>>().join(", ")
}
