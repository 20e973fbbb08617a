//! Modes of aggregates, proposed from the data where a call has more than one answer.
//!
//! Clauses may say how many rows an argument of the target has, and what the numbers of these rows come to. Rows
//! are those of a path of up to three relations. Each aggregate has a type of its own, so that
//! thresholds compare its value with others of its kind alone.

use gleaner_base::{FixedMap, PredicateId};
use gleaner_lang::program::{AggregateOperator, PredicateName};
use gleaner_lang::syntax::Term;

use crate::derive::WorldFacts;
use crate::gather::Statements;
use crate::mode_terms::{RawMode, comparisons, marked, proposed_aggregate};
use crate::propose::{FEW_CONSTANTS, are_compared, fan_out};
use crate::types::ColumnTypes;

/// The most aggregates that are proposed: each is a relation to keep, and a literal of every bottom clause.
const MOST_AGGREGATES: usize = 60;

/// The most relations of a path.
const MOST_CALLS: usize = 3;

/// The most paths that are made longer: wide tables have very many.
const MOST_PATHS: usize = 1000;

/// The relations that aggregates are made of.
struct Relations<'r> {
    predicates: &'r [PredicateName],
    types: &'r ColumnTypes,
    /// The predicates with rows, but the target, in canonical order.
    ids: Vec<PredicateId>,
    /// By predicate and argument, whether a call that knows it has one answer at most.
    are_single: FixedMap<(PredicateId, usize), bool>,
}

/// A call of a relation by one known argument.
#[derive(Clone, Copy)]
struct Call {
    id: PredicateId,
    known: usize,
    is_single: bool,
}

/// Adds aggregates of the target's arguments, with thresholds, to the facts. Gives their modes; `None` where they have too
/// many rows.
pub(super) fn propose_aggregates(
    target: &PredicateName,
    statements: &mut Statements,
    worlds: &mut WorldFacts,
    types: &ColumnTypes,
) -> Option<Vec<RawMode>> {
    let n_known = statements.symbols.aggregates().len();
    let predicates = statements.symbols.predicates();
    let target_id = statements.symbols.find_predicate(target)?;
    let is_asked =
        |id: &PredicateId| *id != target_id && worlds.tables.iter().any(|table| !table.rows(*id).is_empty());
    let mut ids: Vec<PredicateId> = (0..predicates.len()).map(PredicateId::new).filter(is_asked).collect();
    ids.sort_by(|left, right| predicates[left.index()].cmp(&predicates[right.index()]));
    let mut key_types: Vec<usize> = (0..target.arity).map(|at| types.type_of(target_id, at)).collect();
    key_types.sort_unstable();
    key_types.dedup();
    let arguments = ids.iter().flat_map(|&id| (0..predicates[id.index()].arity).map(move |at| (id, at)));
    let are_single = arguments.map(|(id, at)| ((id, at), fan_out(id, at, &worlds.tables).0 < 2)).collect();
    let relations = Relations { predicates, types, ids, are_single };
    let mut modes = Vec::new();
    let proposed = aggregate_modes(&relations, &key_types);
    for Proposed { operator, template, goal, value_type } in proposed {
        let symbols = &mut statements.symbols;
        if let Some((mode, _)) = proposed_aggregate((operator, template), goal, &value_type, (None, symbols))
        {
            modes.push(mode);
            modes.extend(comparisons(&value_type));
        }
    }
    worlds.add_aggregates(n_known, statements).ok().map(|()| modes)
}

/// An aggregate that may become a mode.
struct Proposed {
    operator: AggregateOperator,
    template: Option<Term<'static>>,
    goal: Vec<Term<'static>>,
    /// The type of its value.
    value_type: String,
}

/// The aggregates of all paths, short ones first.
fn aggregate_modes(relations: &Relations<'_>, key_types: &[usize]) -> Vec<Proposed> {
    let mut modes = Vec::new();
    let starts = key_types.iter().flat_map(|&key| relations.calls(key));
    let mut paths: Vec<Path> = starts.map(|call| relations.path(call)).collect();
    for n_calls in 1..=MOST_CALLS {
        paths.iter().for_each(|path| relations.add_of_path(path, &mut modes));
        if n_calls < MOST_CALLS {
            paths = paths.iter().flat_map(|path| relations.longer(path)).take(MOST_PATHS).collect();
        }
    }
    modes.truncate(MOST_AGGREGATES);
    modes
}

/// Calls that each lead to the next, from an argument of the target.
#[derive(Clone)]
struct Path {
    calls: Vec<Call>,
    /// The literals before the last.
    before: Vec<Term<'static>>,
    /// The term by which the last call is known.
    known: Term<'static>,
    /// The names of the relations.
    name: String,
}

impl Relations<'_> {
    fn arity(&self, id: PredicateId) -> usize {
        self.predicates[id.index()].arity
    }

    /// The calls that know an argument of a type.
    fn calls(&self, type_idx: usize) -> Vec<Call> {
        let of = |&id: &PredicateId| {
            let arguments = (0..self.arity(id)).filter(move |&at| self.types.type_of(id, at) == type_idx);
            arguments.map(move |known| Call { id, known, is_single: self.are_single[&(id, known)] })
        };
        self.ids.iter().flat_map(of).filter(|call| self.arity(call.id) > 1).collect()
    }

    fn others(&self, call: Call) -> impl Iterator<Item = usize> + use<> {
        (0..self.arity(call.id)).filter(move |&at| at != call.known)
    }

    /// An atom with these terms; `_` elsewhere.
    fn atom(&self, id: PredicateId, terms: &[(usize, &Term<'static>)]) -> Term<'static> {
        let term = |at: usize| {
            let given = terms.iter().find(|(of, _)| *of == at);
            given.map_or_else(|| Term::variable("_"), |(_, term)| (*term).clone())
        };
        Term::compound(self.name(id).to_owned(), (0..self.arity(id)).map(term).collect())
    }

    fn marked(&self, sign: char, id: PredicateId, argument: usize) -> Term<'static> {
        marked(sign, self.types.name(self.types.type_of(id, argument)))
    }

    fn name(&self, id: PredicateId) -> &str {
        &self.predicates[id.index()].name
    }

    /// The path of one call.
    fn path(&self, call: Call) -> Path {
        let known = self.marked('+', call.id, call.known);
        Path { calls: vec![call], before: Vec::new(), known, name: self.name(call.id).to_owned() }
    }

    /// The paths that are longer by a call of a relation that is not on them.
    fn longer(&self, path: &Path) -> Vec<Path> {
        let last = path.calls[path.calls.len() - 1];
        let mut longer = Vec::new();
        for argument in self.others(last).filter(|&at| !are_compared(last.id, at, self.types)) {
            for next in self.calls(self.types.type_of(last.id, argument)) {
                if path.calls.iter().any(|call| call.id == next.id) {
                    continue;
                }
                let link = Term::variable(format!("X{}", path.calls.len()));
                let mut before = path.before.clone();
                before.push(self.atom(last.id, &[(last.known, &path.known), (argument, &link)]));
                let name = format!("{}_{}", path.name, self.name(next.id));
                let calls = path.calls.iter().copied().chain([next]).collect();
                longer.push(Path { calls, before, known: link, name });
            }
        }
        longer
    }

    /// If a path has several rows: how many, how many of each constant, and what their numbers come to.
    fn add_of_path(&self, path: &Path, found: &mut Vec<Proposed>) {
        use AggregateOperator::{Avg, Count, Max, Min, Sum};
        let last = path.calls[path.calls.len() - 1];
        if path.calls.iter().all(|call| call.is_single) {
            return;
        }
        let mut add = |operator: AggregateOperator, terms: &[(usize, &Term<'static>)], name: String| {
            let end = self.atom(last.id, &[&[(last.known, &path.known)], terms].concat());
            let goal = path.before.iter().cloned().chain([end]).collect();
            let template = (operator != Count).then(|| Term::variable(VALUE));
            found.push(Proposed {
                operator,
                template,
                goal,
                value_type: format!("{}_{name}", operator.symbol()),
            });
        };
        if !last.is_single {
            add(Count, &[], format!("{}_{}", path.name, last.known + 1));
        }
        for at in self.others(last) {
            let name = format!("{}_{}", path.name, at + 1);
            if are_compared(last.id, at, self.types) {
                let value = Term::variable(VALUE);
                [Sum, Avg, Max, Min]
                    .into_iter()
                    .for_each(|operator| add(operator, &[(at, &value)], name.clone()));
            } else if self.types.n_distinct(last.id, at) <= FEW_CONSTANTS {
                add(Count, &[(at, &self.marked('#', last.id, at))], name);
            }
        }
    }
}

/// The variable of the values that an aggregate is of.
const VALUE: &str = "V";
