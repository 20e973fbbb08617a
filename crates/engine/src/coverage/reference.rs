//! Coverage by definition: one example, one substitution at a time. Slow; the oracle of the others.

use crate::datalog::Background;
use crate::datalog::background::value_of;
use gleaner_base::{ConstantId, ExampleSet};
use gleaner_lang::program::{Clause, ComparisonOperator, Expression, Literal, Term};

use super::universe::Universe;

/// Whether some substitution makes the head equal the example and every body literal true.
///
/// Literals are proved in any order that values their variables first; one whose variables never get
/// a value (an unsafe clause) is not true.
#[must_use]
pub fn covers(background: &Background, clause: &Clause, example: &[ConstantId]) -> bool {
    let mut substitution = vec![None; clause.n_variables];
    let head_matches = clause
        .head
        .arguments
        .iter()
        .zip(example)
        .all(|(&term, &value)| unify(term, value, &mut substitution));
    let body: Vec<&Literal> = clause.body.iter().collect();
    head_matches && prove(background, &body, &mut substitution)
}

/// The examples of a universe that a clause is proved for, each in its own world.
#[must_use]
pub fn cover(worlds: &[Background], clause: &Clause, universe: &Universe) -> ExampleSet {
    let examples = universe.examples();
    ExampleSet::from_positions(
        universe.len(),
        universe
            .iter()
            .filter(|&(_, id)| covers(&worlds[examples.world(id).index()], clause, examples.arguments(id)))
            .map(|(position, _)| position),
    )
}

fn unify(term: Term, value: ConstantId, substitution: &mut [Option<ConstantId>]) -> bool {
    match term {
        Term::Constant(constant) => constant == value,
        Term::Variable(variable) => *substitution[variable.index()].get_or_insert(value) == value,
        Term::Any => true,
    }
}

fn prove(background: &Background, goals: &[&Literal], substitution: &mut Vec<Option<ConstantId>>) -> bool {
    let Some(next) = (0..goals.len()).find(|&goal| is_ready(goals[goal], substitution)) else {
        // Goals that are left wait for a value: enumerate an atom, if there is one.
        return match goals.iter().position(|goal| matches!(goal, Literal::Positive(_))) {
            Some(atom) => prove_atom(background, goals, atom, substitution),
            None => prove_renamed(background, goals, substitution),
        };
    };
    match goals[next] {
        Literal::Positive(_) => prove_atom(background, goals, next, substitution),
        Literal::Negative(atom) => {
            let relation = background.relation(atom.predicate);
            let is_true = (0..relation.n_rows()).any(|row| {
                let mut columns = atom.arguments.iter().enumerate();
                columns.all(|(column, &term)| match term {
                    Term::Any => true,
                    _ => value_of(term, substitution) == Some(relation.value(row, column)),
                })
            });
            !is_true && prove(background, &without(goals, next), substitution)
        }
        Literal::Comparison(comparison) => {
            let sides = [&comparison.left, &comparison.right].map(|side| match side {
                Expression::Term(term) => Some(*term),
                _ => None,
            });
            if let (ComparisonOperator::Unify, [Some(left), Some(right)]) = (comparison.operator, sides) {
                let saved = substitution.clone();
                let holds = match (value_of(left, substitution), value_of(right, substitution)) {
                    (Some(value), _) => unify(right, value, substitution),
                    (None, Some(value)) => unify(left, value, substitution),
                    (None, None) => false,
                };
                if holds && prove(background, &without(goals, next), substitution) {
                    return true;
                }
                *substitution = saved;
                return false;
            }
            let holds = comparison.holds(
                &|variable| substitution[variable.index()].expect("ready comparisons are valued"),
                &|constant| background.number(constant),
            );
            holds && prove(background, &without(goals, next), substitution)
        }
    }
}

/// Carries out an `=` of two variables without a value: the one stands for the other from here on.
/// What then is left has variables that nothing values, and is not true.
fn prove_renamed(
    background: &Background,
    goals: &[&Literal],
    substitution: &mut Vec<Option<ConstantId>>,
) -> bool {
    let equality = goals.iter().enumerate().find_map(|(position, goal)| match goal {
        Literal::Comparison(comparison) if comparison.operator == ComparisonOperator::Unify => {
            match (&comparison.left, &comparison.right) {
                (Expression::Term(left), Expression::Term(right)) => Some((position, *left, *right)),
                _ => None,
            }
        }
        _ => None,
    });
    let Some((position, left, right)) = equality else { return goals.is_empty() };
    let mut rename = |term| if term == left { right } else { term };
    let renamed: Vec<Literal> =
        without(goals, position).iter().map(|literal| literal.map_terms(&mut rename)).collect();
    prove(background, &renamed.iter().collect::<Vec<_>>(), substitution)
}

/// Tries every row of an atom's relation.
fn prove_atom(
    background: &Background,
    goals: &[&Literal],
    atom_goal: usize,
    substitution: &mut Vec<Option<ConstantId>>,
) -> bool {
    let Literal::Positive(atom) = goals[atom_goal] else { return false };
    let relation = background.relation(atom.predicate);
    let rest = without(goals, atom_goal);
    for row in 0..relation.n_rows() {
        let saved = substitution.clone();
        let matches = atom
            .arguments
            .iter()
            .enumerate()
            .all(|(column, &term)| unify(term, relation.value(row, column), substitution));
        if matches && prove(background, &rest, substitution) {
            return true;
        }
        *substitution = saved;
    }
    false
}

/// Whether a goal can be decided now: an atom always, the others when their variables are valued,
/// `=` when one side is.
fn is_ready(goal: &Literal, substitution: &[Option<ConstantId>]) -> bool {
    let all_valued = goal.variables().iter().all(|variable| substitution[variable.index()].is_some());
    match goal {
        Literal::Positive(_) | Literal::Negative(_) => all_valued,
        Literal::Comparison(comparison) if comparison.operator == ComparisonOperator::Unify => {
            let is_valued = |side: &Expression| matches!(side, Expression::Term(term) if value_of(*term, substitution).is_some());
            all_valued || is_valued(&comparison.left) || is_valued(&comparison.right)
        }
        Literal::Comparison(_) => all_valued,
    }
}

fn without<'a>(goals: &[&'a Literal], goal: usize) -> Vec<&'a Literal> {
    goals.iter().enumerate().filter(|&(position, _)| position != goal).map(|(_, &literal)| literal).collect()
}
