//! Coverage by definition: one example, one substitution at a time. It is slow, and serves as the oracle of the other
//! engines.
//!
//! Proofs of one example: the values that a clause's variables have in each.
//!
//! The engines find whether there is a proof, and keep none. But a person who asks why wants to see a proof, and a
//! search that extends a clause starts from a proof's values. So this module searches for proofs again: depth first,
//! with tests as soon as they are ready, then the atom of the fewest rows.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::datalog::Background;
use crate::datalog::background::value_of;
use gleaner_base::{ConstantId, ExampleSet, PredicateId, VariableId};
use gleaner_lang::program::literal::{Role, Valuation};
use gleaner_lang::program::{Atom, Clause, Comparison, Literal, Number, Term};

use super::universe::Universe;

/// Whether some substitution makes the head equal the example and every body literal true.
///
/// Literals are proved in any order that gives their variables values first. A literal whose variables never get
/// values (an unsafe clause) is not true.
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

/// The first proof: values of the clause's variables with which its head is the example and every body literal is
/// true. `None` where there is no proof, or none was found within `most_steps` rows and tests.
///
/// **Shape**: an entry for each variable, `None` for one that no literal gives a value.
/// **Cost**: at most `most_steps` times the body's length.
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
pub fn witnesses(
    background: &Background,
    clause: &Clause,
    example: &[ConstantId],
    most_steps: u64,
    most: usize,
) -> Vec<Vec<Option<ConstantId>>> {
    // The proofs found so far are valid even if the search ended early.
    Prover::new(background, most_steps, most).run(clause, example).found
}

/// Facts that are taken for false, each with its predicate.
pub type Absent = BTreeSet<(PredicateId, Vec<ConstantId>)>;

/// What a search for a proof found, and the rows and tests that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The first proof; `None` where there is none. Missing where the steps did not suffice to know.
    pub proof: Option<Option<Vec<Option<ConstantId>>>>,
    /// The steps that were taken.
    pub n_steps: u64,
}

/// The first proof, as of [`witness`], in the background without some facts. What they let rules derive stays.
///
/// **Cost**: as [`witness`]; each row is compared with the absent facts of its predicate.
pub fn witness_without(
    background: &Background,
    absent: &Absent,
    clause: &Clause,
    example: &[ConstantId],
    most_steps: u64,
) -> Searched {
    let prover = Prover { absent: Some(absent), ..Prover::new(background, most_steps, 1) };
    let mut prover = prover.run(clause, example);
    let proof = prover.found.pop();
    let is_known = proof.is_some() || !prover.gave_up;
    Searched { proof: is_known.then_some(proof), n_steps: most_steps - prover.steps_left }
}

type Values = Vec<Option<ConstantId>>;

struct Prover<'a> {
    background: &'a Background,
    steps_left: u64,
    most: usize,
    found: Vec<Values>,
    /// Whether the steps did not suffice.
    gave_up: bool,
    /// Facts that are taken for false.
    absent: Option<&'a Absent>,
}

impl<'a> Prover<'a> {
    const fn new(background: &'a Background, steps_left: u64, most: usize) -> Self {
        Self { background, steps_left, most, found: Vec::new(), gave_up: false, absent: None }
    }

    /// Finds the proofs of an example.
    fn run(mut self, clause: &Clause, example: &[ConstantId]) -> Self {
        let mut values = vec![None; clause.n_variables];
        let mut head = clause.head.arguments.iter().zip(example);
        if head.all(|(&term, &value)| give(term, value, &mut values)) {
            let body: Vec<&Literal> = clause.body.iter().collect();
            let _ = self.prove(&body, values);
        }
        self
    }

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
            _ if self.holds(goals[next], &values) => self.prove(&rest, values),
            _ => ControlFlow::Continue(()),
        }
    }

    fn step(&mut self) -> ControlFlow<()> {
        match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                ControlFlow::Continue(())
            }
            None => {
                self.gave_up = true;
                ControlFlow::Break(())
            }
        }
    }

    /// Whether a row of a predicate is taken for false.
    fn is_absent(&self, predicate: PredicateId, row: usize) -> bool {
        let relation = self.background.relation(predicate);
        let is_row = |tuple: &[ConstantId]| {
            tuple.iter().enumerate().all(|(column, &value)| relation.value(row, column) == value)
        };
        let mut facts = self.absent.into_iter().flatten();
        facts.any(|(of, tuple)| *of == predicate && is_row(tuple))
    }

    /// Whether a literal without an unbound variable holds.
    fn holds(&self, literal: &Literal, values: &Values) -> bool {
        let is_changed = |atom: &Atom| self.absent.into_iter().flatten().any(|(of, _)| *of == atom.predicate);
        match literal {
            Literal::Negative(atom) if is_changed(atom) => {
                let bound: Values = atom.arguments.iter().map(|&term| value_of(term, values)).collect();
                let mut rows = self.background.matching_rows(atom.predicate, &bound);
                rows.all(|row| self.is_absent(atom.predicate, row))
            }
            _ => self.background.can_hold(literal, values),
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
            if self.is_absent(atom.predicate, row) {
                continue;
            }
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
