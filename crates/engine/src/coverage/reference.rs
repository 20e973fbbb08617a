//! Coverage by definition: one example, one substitution at a time. It is slow, and serves as the oracle of the other
//! engines.

use crate::datalog::Background;
use crate::datalog::background::value_of;
use gleaner_base::{ConstantId, ExampleSet, VariableId};
use gleaner_lang::program::literal::{Role, Valuation};
use gleaner_lang::program::{Atom, Clause, Comparison, Literal, Number, Term};

use super::universe::Universe;

/// Whether some substitution makes the head equal the example and every body literal true.
///
/// Literals are proved in any order that gives their variables values first. A literal whose variables never get
/// values (an unsafe clause) is not true.
#[must_use]
pub fn covers(background: &Background, clause: &Clause, example: &[ConstantId]) -> bool {
    find_proofs(background, clause, example, &mut |_| true)
}

/// Calls `visit` with the value of a variable in each proof of the body, for the example as the head.
pub fn each_value(
    background: &Background,
    clause: &Clause,
    example: &[ConstantId],
    variable: VariableId,
    visit: &mut dyn FnMut(ConstantId),
) {
    find_proofs(background, clause, example, &mut |substitution| {
        substitution[variable.index()].into_iter().for_each(&mut *visit);
        false
    });
}

/// Whether `is_wanted` accepts the substitution of some proof; proofs after it are not looked for.
fn find_proofs(
    background: &Background,
    clause: &Clause,
    example: &[ConstantId],
    is_wanted: Wanted<'_>,
) -> bool {
    let mut substitution = vec![None; clause.n_variables];
    let head_matches = clause
        .head
        .arguments
        .iter()
        .zip(example)
        .all(|(&term, &value)| unify(term, value, &mut substitution));
    let body: Vec<&Literal> = clause.body.iter().collect();
    head_matches && prove(background, &body, &mut substitution, is_wanted)
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

/// Whether a proof with this substitution is the one that is looked for.
type Wanted<'w> = &'w mut dyn FnMut(&[Option<ConstantId>]) -> bool;

fn unify(term: Term, value: ConstantId, substitution: &mut [Option<ConstantId>]) -> bool {
    match term {
        Term::Constant(constant) => constant == value,
        Term::Variable(variable) => *substitution[variable.index()].get_or_insert(value) == value,
        Term::Any => true,
    }
}

fn prove(
    background: &Background,
    goals: &[&Literal],
    substitution: &mut Vec<Option<ConstantId>>,
    is_wanted: Wanted<'_>,
) -> bool {
    let is_valued = |variable: VariableId| substitution[variable.index()].is_some();
    let ready = goals.iter().enumerate().find_map(|(position, goal)| match goal.role(&is_valued) {
        role @ (Role::Test | Role::Assign(..)) => Some((position, role)),
        // New numbers have no ids, so no example has a number that `is` would make.
        Role::Enumerate(_) | Role::Compute(..) | Role::Aggregate(_) | Role::Wait => None,
    });
    let Some((next, role)) = ready else {
        // Goals that are left wait for a value: enumerate an atom, if there is one.
        return match goals.iter().position(|goal| goal.positive_atom().is_some()) {
            Some(atom) => prove_atom(background, goals, atom, substitution, is_wanted),
            None => prove_renamed(background, goals, substitution, is_wanted),
        };
    };
    let rest = without(goals, next);
    if let Role::Assign(variable, term) = role {
        substitution[variable.index()] = value_of(term, substitution);
        let holds = prove(background, &rest, substitution, is_wanted);
        if !holds {
            substitution[variable.index()] = None;
        }
        return holds;
    }
    goals[next].holds(&mut Definition { background, substitution })
        && prove(background, &rest, substitution, is_wanted)
}

/// The truth, by definition, of a literal whose variables have values.
struct Definition<'a> {
    background: &'a Background,
    substitution: &'a [Option<ConstantId>],
}

impl Valuation for Definition<'_> {
    fn value(&self, variable: VariableId) -> ConstantId {
        self.substitution[variable.index()].expect("literals that are tested are valued")
    }

    fn number(&self, constant: ConstantId) -> Option<Number> {
        self.background.number(constant)
    }

    fn has_instance(&mut self, atom: &Atom) -> bool {
        let relation = self.background.relation(atom.predicate);
        (0..relation.n_rows()).any(|row| {
            let mut columns = atom.arguments.iter().enumerate();
            columns.all(|(column, &term)| match term {
                Term::Any => true,
                _ => value_of(term, self.substitution) == Some(relation.value(row, column)),
            })
        })
    }
}

/// Carries out an `=` of two variables without values: the right one replaces the left one from here on. Without such
/// an `=`, the goals that are left have variables without values, and are not true.
fn prove_renamed(
    background: &Background,
    goals: &[&Literal],
    substitution: &mut Vec<Option<ConstantId>>,
    is_wanted: Wanted<'_>,
) -> bool {
    let equality = goals
        .iter()
        .enumerate()
        .find_map(|(position, goal)| Some((position, goal.comparison().and_then(Comparison::unified)?)));
    let Some((position, [left, right])) = equality else {
        return goals.is_empty() && is_wanted(substitution);
    };
    let mut rename = |term| if term == left { right } else { term };
    let renamed: Vec<Literal> =
        without(goals, position).iter().map(|literal| literal.map_terms(&mut rename)).collect();
    prove(background, &renamed.iter().collect::<Vec<_>>(), substitution, is_wanted)
}

/// Tries every row of an atom's relation.
fn prove_atom(
    background: &Background,
    goals: &[&Literal],
    atom_goal: usize,
    substitution: &mut Vec<Option<ConstantId>>,
    is_wanted: Wanted<'_>,
) -> bool {
    let Some(atom) = goals[atom_goal].positive_atom() else { return false };
    let relation = background.relation(atom.predicate);
    let rest = without(goals, atom_goal);
    for row in 0..relation.n_rows() {
        let saved = substitution.clone();
        let matches = atom
            .arguments
            .iter()
            .enumerate()
            .all(|(column, &term)| unify(term, relation.value(row, column), substitution));
        if matches && prove(background, &rest, substitution, is_wanted) {
            return true;
        }
        *substitution = saved;
    }
    false
}

fn without<'a>(goals: &[&'a Literal], goal: usize) -> Vec<&'a Literal> {
    goals.iter().enumerate().filter(|&(position, _)| position != goal).map(|(_, &literal)| literal).collect()
}
