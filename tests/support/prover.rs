//! The reference with indices: a prover that says what the reference would take, and stands for it where
//! that is too much. Its order of goals and rows is the reference's own.

use gleaner_base::{ConstantId, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, ComparisonOperator, Expression, Literal, Term};

/// What a clause covers, and what it would take the reference to say so.
pub(crate) struct Twin {
    /// None where it takes more steps than allowed, or where `=` gives a variable its value.
    pub(crate) cover: Option<ExampleSet>,
    /// About the rows that the reference looks at.
    pub(crate) n_rows: u64,
}

/// What a clause covers whose literals value all its variables.
pub(crate) fn cover(worlds: &[Background], clause: &Clause, universe: &Universe, most_steps: u64) -> Twin {
    let examples = universe.examples();
    let mut cover = ExampleSet::empty(universe.len());
    let (mut steps_left, mut n_rows) = (most_steps, 0);
    let is_outside = clause.body.iter().any(assigns);
    for (position, id) in universe.iter() {
        let background = &worlds[examples.world(id).index()];
        let mut prover = Prover { background, steps_left, n_rows };
        if prover.covers(clause, examples.arguments(id)) {
            cover.insert(position);
        }
        (steps_left, n_rows) = (prover.steps_left, prover.n_rows);
        if steps_left == 0 || is_outside {
            return Twin { cover: None, n_rows };
        }
    }
    Twin { cover: Some(cover), n_rows }
}

struct Prover<'a> {
    background: &'a Background,
    steps_left: u64,
    /// Rows that the reference looks at.
    n_rows: u64,
}

impl Prover<'_> {
    /// As `reference::covers`, for a clause whose literals value all variables.
    fn covers(&mut self, clause: &Clause, example: &[ConstantId]) -> bool {
        let mut values = vec![None; clause.n_variables];
        let head_matches =
            clause.head.arguments.iter().zip(example).all(|(&term, &value)| give(term, value, &mut values));
        head_matches && self.prove(&clause.body.iter().collect::<Vec<_>>(), &mut values)
    }

    fn prove(&mut self, goals: &[&Literal], values: &mut [Option<ConstantId>]) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        if self.steps_left == 0 {
            return false;
        }
        let is_valued =
            |goal: &&Literal| goal.variables().iter().all(|variable| values[variable.index()].is_some());
        let next = goals
            .iter()
            .position(is_valued)
            .or_else(|| goals.iter().position(|goal| matches!(goal, Literal::Positive(_))));
        let Some(next) = next else { return goals.is_empty() };
        let rest = [&goals[..next], &goals[next + 1..]].concat();
        let valued = |term: Term| match term {
            Term::Constant(constant) => Some(constant),
            Term::Variable(variable) => values[variable.index()],
            Term::Any => None,
        };
        match goals[next] {
            Literal::Positive(atom) => {
                let relation = self.background.relation(atom.predicate);
                self.n_rows += relation.n_rows() as u64;
                let rows = (atom.arguments.iter().enumerate())
                    .filter_map(|(column, &term)| Some(relation.rows_with(column, valued(term)?)))
                    .min_by_key(|rows| rows.len())
                    .unwrap_or(relation.all_rows());
                rows.iter().any(|row| {
                    let mut extended = values.to_vec();
                    let mut columns = atom.arguments.iter().enumerate();
                    columns.all(|(column, &term)| give(term, relation.value(row, column), &mut extended))
                        && self.prove(&rest, &mut extended)
                })
            }
            Literal::Negative(atom) => {
                let relation = self.background.relation(atom.predicate);
                self.n_rows += relation.n_rows() as u64;
                let bound: Vec<Option<ConstantId>> =
                    atom.arguments.iter().map(|&term| valued(term)).collect();
                let is_instance = |row: usize| {
                    let mut columns = bound.iter().enumerate();
                    columns
                        .all(|(column, value)| value.is_none_or(|value| value == relation.value(row, column)))
                };
                let is_true = if atom.arguments.contains(&Term::Any) {
                    (0..relation.n_rows()).any(is_instance)
                } else {
                    relation.contains(&bound.into_iter().flatten().collect::<Vec<_>>())
                };
                !is_true && self.prove(&rest, values)
            }
            Literal::Comparison(comparison) => {
                let holds = comparison.holds(
                    &|variable| values[variable.index()].expect("the comparison is valued"),
                    &|constant| self.background.number(constant),
                );
                holds && self.prove(&rest, values)
            }
            Literal::Aggregate(_) => panic!("only rules have aggregates"),
        }
    }
}

fn give(term: Term, value: ConstantId, values: &mut [Option<ConstantId>]) -> bool {
    match term {
        Term::Constant(constant) => constant == value,
        Term::Variable(variable) => *values[variable.index()].get_or_insert(value) == value,
        Term::Any => panic!("only negated atoms have `_`"),
    }
}

/// Whether `=` gives a variable its value, which the prover of this file leaves to the reference.
fn assigns(literal: &Literal) -> bool {
    matches!(literal, Literal::Comparison(comparison) if comparison.operator == ComparisonOperator::Unify
        && matches!((&comparison.left, &comparison.right), (Expression::Term(_), Expression::Term(_))))
}
