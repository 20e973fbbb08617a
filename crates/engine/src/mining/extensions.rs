//! What refuses most candidates before they are built: the frequent extensions of a query's parts, and literals that
//! the query already implies.
//!
//! A candidate is a query and a new literal. Replace one of the query's literals by the new one: if that query was
//! not frequent, the candidate is not. It was mined one level before. So each part keeps the literals with which it
//! is frequent, in the numbering of the part's variables. One look-up of a literal then decides; otherwise a query
//! would have to be put in canonical form.
//!
//! A literal that a query's own literals imply on the facts that queries can meet never changes the cover.
//!
//! The facts that queries over some examples can meet.
//!
//! A world may hold facts of examples that are not mined, such as those of a test fold. Thresholds, constants and
//! implications between literals must not depend on these facts. A literal of a query takes an entity that the query
//! knows. So this module meets facts step by step from the arguments of the examples: as saturation does, but from
//! all examples at once.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::coverage::Universe;
use crate::datalog::Background;
use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, TypeId, VariableId};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, Modes};
use gleaner_lang::program::{Atom, Clause, Literal, Term};

use super::language::{Addition, Query, QueryLanguage};

/// For each query that is one literal shorter than the growing ones: the literals with which it is frequent.
#[derive(Debug, Default)]
pub struct Extensions {
    literals: FixedMap<Query, FixedSet<Literal>>,
}

impl Extensions {
    /// The extensions of the parts of the queries that grow.
    pub fn of<'q>(language: &QueryLanguage, growing: impl Iterator<Item = &'q Query>) -> Self {
        let mut literals: FixedMap<Query, FixedSet<Literal>> = FixedMap::default();
        for query in growing {
            for position in 0..query.len() {
                let part = Part::of(query, position);
                if language.admits(&part.query) {
                    let literal = part.renamed(&query.clause.body[position]);
                    literals.entry(part.query).or_default().insert(literal);
                }
            }
        }
        Self { literals }
    }

    /// The parts of a query that can refuse additions to it.
    pub fn refusing<'e>(&'e self, language: &QueryLanguage, query: &Query) -> Vec<Refusing<'e>> {
        let refusing = |position: usize| {
            let part = Part::of(query, position);
            // Where a part has a symmetry, a literal has several names in it.
            if !part.query.is_rigid() || !language.admits(&part.query) {
                return None;
            }
            let literals = self.literals.get(&part.query)?;
            Some(Refusing { part, literals })
        };
        (0..query.len()).filter_map(refusing).collect()
    }
}

/// A part of a query, and the literals with which it is frequent.
#[derive(Debug)]
pub struct Refusing<'e> {
    part: Part,
    literals: &'e FixedSet<Literal>,
}

impl Refusing<'_> {
    /// Whether the part with the addition is known not to be frequent. Nothing is known of an addition with a variable
    /// that only the left-out literal has.
    pub fn refuses(&self, addition: &Addition) -> bool {
        let numbers = &self.part.numbers;
        let is_there = |variable: &VariableId| numbers.get(variable.index()).is_none_or(Option::is_some);
        addition.literal.variables().iter().all(is_there)
            && !self.literals.contains(&self.part.renamed(&addition.literal))
    }
}

/// A query without one of its literals.
#[derive(Debug)]
struct Part {
    query: Query,
    /// By variable of the whole query: its number in the part, if the part has it.
    numbers: Vec<Option<VariableId>>,
}

impl Part {
    fn of(query: &Query, position: usize) -> Self {
        let (part, names) = query.without_named(position);
        let mut numbers = vec![None; query.types.len()];
        for (number, name) in names.into_iter().enumerate() {
            numbers[name.index()] = Some(VariableId::new(number));
        }
        Self { query: part, numbers }
    }

    /// A literal in the part's numbering. Variables that the part lacks get new numbers, in the order in which they are
    /// met.
    fn renamed(&self, literal: &Literal) -> Literal {
        let mut new: Vec<VariableId> = Vec::new();
        let first_new = self.query.types.len();
        literal.map_terms(&mut |term: Term| {
            let Term::Variable(variable) = term else { return term };
            let number = self.numbers.get(variable.index()).copied().flatten();
            Term::Variable(number.unwrap_or_else(|| {
                let at = new.iter().position(|&known| known == variable).unwrap_or_else(|| {
                    new.push(variable);
                    new.len() - 1
                });
                VariableId::new(first_new + at)
            }))
        })
    }
}

/// The implications between literals on the facts of some worlds; each question is answered once.
#[derive(Debug)]
pub struct Implications<'a> {
    /// Each world, and the same world with only the facts that queries can meet.
    worlds: Vec<(&'a Background, &'a Background)>,
    implied: Mutex<FixedMap<(Literal, Literal), bool>>,
    determined: Mutex<FixedMap<(PredicateId, u64), bool>>,
}

impl<'a> Implications<'a> {
    /// Implications on these worlds. Beside each world stands the same world with only the facts that queries can meet;
    /// implications must hold for these facts.
    pub fn new(worlds: Vec<(&'a Background, &'a Background)>) -> Self {
        Self { worlds, implied: Mutex::default(), determined: Mutex::default() }
    }

    /// Whether the addition is redundant beside a literal of the query, or makes that literal redundant. One implies
    /// the other, or both stand for the same fact.
    ///
    /// DIVERGENCE: [MLYNX §2] leaves out queries that are equivalent on all facts, not on these alone.
    ///
    /// **Cost**: for a question not asked before, a pass over the facts of a literal.
    pub fn is_idle(&self, query: &Query, addition: &Addition) -> bool {
        let added = &addition.literal;
        query.clause.body.iter().any(|literal| {
            self.implies(&query.clause, literal, added)
                || self.implies(&query.clause, added, literal)
                || self.are_one_fact(literal, added)
        })
    }

    /// Whether two atoms agree in arguments that determine their other arguments.
    fn are_one_fact(&self, left: &Literal, right: &Literal) -> bool {
        let (Some(left), Some(right)) = (left.positive_atom(), right.positive_atom()) else { return false };
        let shared = (0..left.arguments.len())
            .filter(|&at| left.predicate == right.predicate && left.arguments[at] == right.arguments[at]);
        let mask = shared.fold(0, |mask, at| mask | 1 << at);
        mask != 0 && self.are_determined(left.predicate, mask)
    }

    /// Whether a literal is an atom, the other has no further variable, and each fact of the atom makes the other true.
    fn implies(&self, clause: &Clause, literal: &Literal, other: &Literal) -> bool {
        let Some(atom) = literal.positive_atom().filter(|_| other.atom().is_some()) else {
            return false;
        };
        let (literal, is_given) = (other, |of| atom.arguments.contains(&Term::Variable(of)));
        if !literal.variables().into_iter().all(is_given) {
            return false;
        }
        let empty = Atom { predicate: clause.head.predicate, arguments: Vec::new() };
        let pair = Clause::renumbered(&empty, &[atom.clone().into(), literal.clone()]);
        let [first, literal] = &pair.body[..] else { unreachable!("two literals were given") };
        let key = (first.clone(), literal.clone());
        if let Some(&known) = self.lock_implied().get(&key) {
            return known;
        }
        let n_variables = pair.n_variables;
        let is_implied = first.positive_atom().is_some_and(|atom| {
            self.worlds.iter().all(|(all, met)| met.includes_within(atom, literal, n_variables, all))
        });
        self.lock_implied().insert(key, is_implied);
        is_implied
    }

    fn lock_implied(&self) -> std::sync::MutexGuard<'_, FixedMap<(Literal, Literal), bool>> {
        self.implied.lock().expect("no thread panics while it holds the lock")
    }

    /// Whether the arguments in a mask determine the other arguments of a relation.
    fn are_determined(&self, predicate: PredicateId, mask: u64) -> bool {
        let mut determined = self.determined.lock().expect("no thread panics while it holds the lock");
        *determined.entry((predicate, mask)).or_insert_with(|| {
            self.worlds.iter().all(|(_, met)| {
                let relation = met.relation(predicate);
                let columns: Vec<usize> = (0..relation.arity()).filter(|at| mask >> at & 1 == 1).collect();
                let mut met = BTreeSet::new();
                (0..relation.n_rows()).all(|row| {
                    let values: Vec<ConstantId> =
                        columns.iter().map(|&column| relation.value(row, column)).collect();
                    met.insert(values)
                })
            })
        })
    }
}

/// An entity with the type in which it was met.
type Met = (TypeId, ConstantId);

/// The worlds of the examples, ascending. Each keeps only those facts of the modes' relations that a query of at most
/// `max_length` literals can meet from the examples.
///
/// **Cost**: a look at each such fact for each mode and argument, and a copy of each relation with unmet facts.
pub fn reached_worlds(
    worlds: &[Background],
    modes: &Modes,
    universe: &Universe,
    max_length: usize,
) -> Vec<Background> {
    let mut starts: FixedMap<usize, FixedSet<Met>> = FixedMap::default();
    let examples = universe.examples();
    for (_, id) in universe.iter() {
        let of_world = starts.entry(examples.world(id).index()).or_default();
        for (argument, &constant) in modes.head.arguments.iter().zip(examples.arguments(id)) {
            if let ArgumentMode::Input(type_id) | ArgumentMode::Output(type_id) = *argument {
                of_world.insert((type_id, constant));
            }
        }
    }
    let mut starts: Vec<(usize, FixedSet<Met>)> = starts.into_iter().collect();
    starts.sort_unstable_by_key(|&(world, _)| world);
    let reached = |(world, starts): (usize, FixedSet<Met>)| {
        Reach::of(&worlds[world], modes, starts, max_length).world(&worlds[world])
    };
    starts.into_iter().map(reached).collect()
}

/// The met rows of each relation of the modes.
struct Reach {
    rows: FixedMap<PredicateId, Vec<bool>>,
}

impl Reach {
    fn of(world: &Background, modes: &Modes, starts: FixedSet<Met>, max_length: usize) -> Self {
        let calls: Vec<Call<'_>> = modes.body.iter().filter_map(Call::of).collect();
        let mut reach = Self { rows: FixedMap::default() };
        for call in &calls {
            reach
                .rows
                .entry(call.predicate)
                .or_insert_with(|| vec![false; world.relation(call.predicate).n_rows()]);
        }
        let mut last: Vec<Met> = starts.iter().copied().collect();
        let mut known = starts;
        for _ in 0..max_length {
            let mut next: FixedSet<Met> = FixedSet::default();
            for call in &calls {
                let is_met = reach.rows.entry(call.predicate).or_default();
                for &(type_id, constant) in &last {
                    for column in call.columns_of(type_id) {
                        for row in world.relation(call.predicate).rows_with(column, constant).iter() {
                            if call.may_meet(world, row, &known) {
                                is_met[row] = true;
                                next.extend(call.outputs(world, row).filter(|met| !known.contains(met)));
                            }
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            last = next.iter().copied().collect();
            known.extend(next);
        }
        reach
    }

    /// The world with only these rows of the modes' relations.
    fn world(self, world: &Background) -> Background {
        let mut reached = world.clone();
        for (predicate, is_met) in self.rows {
            if !is_met.iter().all(|&is_met| is_met) {
                reached = reached.with_rows(predicate, |row| is_met[row]);
            }
        }
        reached
    }
}

/// A mode of a relation, to find the facts that its literals meet.
struct Call<'m> {
    predicate: PredicateId,
    arguments: &'m [ArgumentMode],
    is_negated: bool,
    has_input: bool,
}

impl<'m> Call<'m> {
    fn of(mode: &'m BodyMode) -> Option<Self> {
        let (&predicate, is_negated) = (mode.subject.predicate()?, mode.is_negated());
        let has_input = mode.arguments.iter().any(|argument| matches!(argument, ArgumentMode::Input(_)));
        Some(Self { predicate, arguments: &mode.arguments, is_negated, has_input })
    }

    /// The columns where a known entity of a type may stand and so connect the literal with the query: inputs, or
    /// outputs where the mode has no inputs.
    fn columns_of(&self, type_id: TypeId) -> impl Iterator<Item = usize> + '_ {
        let has_known = move |argument: &ArgumentMode| match *argument {
            ArgumentMode::Input(of) => of == type_id,
            ArgumentMode::Output(of) => of == type_id && !self.has_input && !self.is_negated,
            ArgumentMode::Constant(_) => false,
        };
        (0..self.arguments.len()).filter(move |&column| has_known(&self.arguments[column]))
    }

    /// Whether all inputs of a row are known.
    fn may_meet(&self, world: &Background, row: usize, known: &FixedSet<Met>) -> bool {
        let relation = world.relation(self.predicate);
        self.arguments.iter().enumerate().all(|(column, argument)| match *argument {
            ArgumentMode::Input(type_id) => known.contains(&(type_id, relation.value(row, column))),
            ArgumentMode::Output(_) | ArgumentMode::Constant(_) => true,
        })
    }

    /// The entities that a row makes known. A negated literal gives none, as its outputs are no variables.
    fn outputs<'r>(&'r self, world: &'r Background, row: usize) -> impl Iterator<Item = Met> + 'r {
        let relation = world.relation(self.predicate);
        self.arguments.iter().enumerate().filter_map(move |(column, argument)| match *argument {
            ArgumentMode::Output(type_id) if !self.is_negated => Some((type_id, relation.value(row, column))),
            ArgumentMode::Output(_) | ArgumentMode::Input(_) | ArgumentMode::Constant(_) => None,
        })
    }
}
