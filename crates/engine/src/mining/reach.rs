//! The facts that queries over some examples can meet.
//!
//! A world may hold facts of examples that are not mined, such as those of a test fold. Thresholds, constants and
//! implications between literals must not depend on these facts. A literal of a query takes an entity that the query
//! knows. So this module meets facts step by step from the arguments of the examples: as saturation does, but from
//! all examples at once.

use crate::coverage::Universe;
use crate::datalog::Background;
use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, TypeId};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, Modes};

/// An entity with the type in which it was met.
type Met = (TypeId, ConstantId);

/// The worlds of the examples, ascending. Each keeps only those facts of the modes' relations that a query of at most
/// `max_length` literals can meet from the examples.
///
/// **Cost**: a look at each such fact for each mode and argument, and a copy of each relation with unmet facts.
#[must_use]
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
