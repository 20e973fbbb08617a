//! Proofs of one example: the values that a clause's variables have in it.
//!
//! The engines say whether there is a proof and keep none. A person who asks why wants to see one, and what goes on from a
//! clause starts from its values. So proofs are searched for again: depth first, tests as soon as they are ready, then the atom of the fewest rows.

use std::ops::ControlFlow;

use crate::datalog::Background;
use crate::datalog::background::value_of;
use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::{Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Term};

/// Values of the clause's variables with which its head is the example and every body literal is true; of several
/// proofs the first. `None` where there is none, or none was found within `most_steps` rows and tests.
///
/// **Shape**: an entry for each variable, `None` for one that no literal gives a value.
/// **Cost**: at most `most_steps` times the body's length.
#[must_use]
pub fn witness(
    background: &Background,
    clause: &Clause,
    example: &[ConstantId],
    most_steps: u64,
) -> Option<Vec<Option<ConstantId>>> {
    witnesses(background, clause, example, most_steps, 1).pop()
}

/// The first proofs, at most so many: no two give all variables the same values, unless the facts repeat a row. See [`witness`].
#[must_use]
pub fn witnesses(
    background: &Background,
    clause: &Clause,
    example: &[ConstantId],
    most_steps: u64,
    most: usize,
) -> Vec<Vec<Option<ConstantId>>> {
    let mut values = vec![None; clause.n_variables];
    let mut head = clause.head.arguments.iter().zip(example);
    let mut prover = Prover { background, steps_left: most_steps, most, found: Vec::new() };
    if head.all(|(&term, &value)| give(term, value, &mut values)) {
        let body: Vec<&Literal> = clause.body.iter().collect();
        // That the search ended early says nothing of the proofs found so far.
        let _ = prover.prove(&body, values);
    }
    prover.found
}

type Values = Vec<Option<ConstantId>>;

struct Prover<'a> {
    background: &'a Background,
    steps_left: u64,
    most: usize,
    found: Vec<Values>,
}

impl Prover<'_> {
    /// Finds the proofs that extend these values; breaks once there are enough, or nothing more is to be spent.
    fn prove(&mut self, goals: &[&Literal], values: Values) -> ControlFlow<()> {
        if goals.is_empty() {
            self.found.push(values);
            return if self.found.len() < self.most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            };
        }
        self.step()?;
        let Some(next) = self.next(goals, &values) else { return ControlFlow::Continue(()) };
        let rest = [&goals[..next], &goals[next + 1..]].concat();
        match goals[next] {
            Literal::Positive(atom) => self.prove_atom(atom, &rest, &values),
            Literal::Negative(atom) => {
                let bound: Values = atom.arguments.iter().map(|&term| value_of(term, &values)).collect();
                let is_true = self.background.matching_rows(atom.predicate, &bound).next().is_some();
                if is_true { ControlFlow::Continue(()) } else { self.prove(&rest, values) }
            }
            Literal::Comparison(comparison) => self.prove_comparison(comparison, &rest, values),
        }
    }

    fn step(&mut self) -> ControlFlow<()> {
        match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }

    /// A goal that is a test and ready, or the atom of the fewest rows; `None` where nothing gives the goals
    /// that are left their values.
    fn next(&self, goals: &[&Literal], values: &Values) -> Option<usize> {
        let is_atom = |goal: &&Literal| matches!(goal, Literal::Positive(_));
        let test = goals.iter().position(|goal| !is_atom(goal) && is_ready(goal, values));
        test.or_else(|| {
            let atoms = goals.iter().enumerate().filter_map(|(at, goal)| match goal {
                Literal::Positive(atom) => Some((self.n_rows(atom, values), at)),
                _ => None,
            });
            atoms.min().map(|(_, at)| at)
        })
    }

    /// Rows among which those of an atom are.
    fn n_rows(&self, atom: &Atom, values: &Values) -> usize {
        let relation = self.background.relation(atom.predicate);
        let columns = atom.arguments.iter().enumerate();
        let bound = columns.filter_map(|(column, &term)| Some((column, value_of(term, values)?)));
        bound
            .map(|(column, value)| relation.rows_with(column, value).len())
            .min()
            .unwrap_or(relation.n_rows())
    }

    fn prove_atom(&mut self, atom: &Atom, rest: &[&Literal], values: &Values) -> ControlFlow<()> {
        let background = self.background;
        let relation = background.relation(atom.predicate);
        let bound: Values = atom.arguments.iter().map(|&term| value_of(term, values)).collect();
        for row in background.matching_rows(atom.predicate, &bound) {
            self.step()?;
            let mut extended = values.clone();
            let mut columns = atom.arguments.iter().enumerate();
            let matches =
                columns.all(|(column, &term)| give(term, relation.value(row, column), &mut extended));
            if matches {
                self.prove(rest, extended)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn prove_comparison(
        &mut self,
        comparison: &Comparison,
        rest: &[&Literal],
        mut values: Values,
    ) -> ControlFlow<()> {
        if let Some((variable, value)) = assignment(comparison, &values) {
            values[variable.index()] = Some(value);
            return self.prove(rest, values);
        }
        let holds = comparison.holds(
            &|variable| values[variable.index()].expect("a test that is ready has values"),
            &|constant| self.background.number(constant),
        );
        if holds { self.prove(rest, values) } else { ControlFlow::Continue(()) }
    }
}

fn give(term: Term, value: ConstantId, values: &mut Values) -> bool {
    match term {
        Term::Constant(constant) => constant == value,
        Term::Variable(variable) => *values[variable.index()].get_or_insert(value) == value,
        Term::Any => true,
    }
}

/// Whether a test can be decided: its variables have values, or it gives one of them its value.
fn is_ready(goal: &Literal, values: &Values) -> bool {
    let gives = matches!(goal, Literal::Comparison(comparison) if assignment(comparison, values).is_some());
    gives || goal.variables().iter().all(|variable| values[variable.index()].is_some())
}

/// The variable that an `=` gives a value, and the value.
fn assignment(comparison: &Comparison, values: &Values) -> Option<(VariableId, ConstantId)> {
    let (Expression::Term(left), Expression::Term(right)) = (&comparison.left, &comparison.right) else {
        return None;
    };
    if comparison.operator != ComparisonOperator::Unify {
        return None;
    }
    match (value_of(*left, values), value_of(*right, values)) {
        (None, Some(value)) => Some((left.variable()?, value)),
        (Some(value), None) => Some((right.variable()?, value)),
        _ => None,
    }
}
