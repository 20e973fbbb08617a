//! Proofs of one example: the values that a clause's variables have in each.
//!
//! The engines find whether there is a proof, and keep none. But a person who asks why wants to see a proof, and a
//! search that extends a clause starts from a proof's values. So this module searches for proofs again: depth first,
//! with tests as soon as they are ready, then the atom of the fewest rows.

use std::ops::ControlFlow;

use crate::datalog::Background;
use crate::datalog::background::value_of;
use gleaner_base::ConstantId;
use gleaner_lang::program::literal::Role;
use gleaner_lang::program::{Atom, Clause, Literal, Term};

/// The first proof: values of the clause's variables with which its head is the example and every body literal is
/// true. `None` where there is no proof, or none was found within `most_steps` rows and tests.
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

/// The first proofs, at most `most`. No two give all variables the same values, unless the facts repeat a row. See
/// [`witness`].
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
        // The proofs found so far are valid even if the search ended early.
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
    /// Finds the proofs that extend these values; breaks once there are enough, or no steps are left.
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
        match role(goals[next], &values) {
            Role::Enumerate(atom) => self.prove_atom(atom, &rest, &values),
            Role::Assign(variable, term) => {
                let mut values = values;
                values[variable.index()] = value_of(term, &values);
                self.prove(&rest, values)
            }
            _ if self.background.can_hold(goals[next], &values) => self.prove(&rest, values),
            _ => ControlFlow::Continue(()),
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

    /// The next goal: a test or assignment that is ready, else the atom of the fewest rows. `None` where nothing gives
    /// values to the goals that are left.
    fn next(&self, goals: &[&Literal], values: &Values) -> Option<usize> {
        let is_ready = |goal: &&Literal| matches!(role(goal, values), Role::Test | Role::Assign(..));
        goals.iter().position(is_ready).or_else(|| {
            let atoms = goals.iter().enumerate().filter_map(|(at, goal)| match role(goal, values) {
                Role::Enumerate(atom) => Some((self.n_rows(atom, values), at)),
                _ => None,
            });
            atoms.min().map(|(_, at)| at)
        })
    }

    /// An upper bound on the number of an atom's rows under these values.
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
}

fn give(term: Term, value: ConstantId, values: &mut Values) -> bool {
    match term {
        Term::Constant(constant) => constant == value,
        Term::Variable(variable) => *values[variable.index()].get_or_insert(value) == value,
        Term::Any => true,
    }
}

/// A literal's role; an atom is enumerated even if its variables have values.
fn role<'l>(literal: &'l Literal, values: &Values) -> Role<'l> {
    match literal.positive_atom() {
        Some(atom) => Role::Enumerate(atom),
        None => literal.role(&|variable| values[variable.index()].is_some()),
    }
}
