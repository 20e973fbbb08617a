//! Modes proposed from the data, if none are given.
//!
//! A predicate is called with one known argument of a type that other columns share. Its other arguments are new
//! values, constants of a column that holds few, and numbers to compare. Functional dependencies show which calls have
//! one answer.
//!
//! Modes of aggregates, proposed from the data where a call has more than one answer.
//!
//! Clauses may say how many rows an argument of the target has, and what the numbers of these rows come to. Rows
//! are those of a path of up to three relations. Each aggregate has a type of its own, so that
//! thresholds compare its value with others of its kind alone.

use std::fmt::Write;

use crate::classes::with_class;
use crate::derive::WorldFacts;
use crate::gather::Statements;
use crate::mode_terms::{
    Marker, ModeSide, RawMode, Subject, comparisons, marked, proposed_aggregate, raw_mode,
};
use crate::types::ColumnTypes;
use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::{AggregateOperator, AggregateText, ComparisonOperator, FactTable, PredicateName};
use gleaner_lang::syntax::{Place, Term, quote_atom};

/// Adds modes of the target, unless the modes already name it. Each argument has a mode in which it is known; one more
/// knows all if two have the same type.
pub(super) fn propose_target(target: &PredicateName, head: &RawMode, body: &mut Vec<RawMode>) {
    let subject = Subject::from(target.clone());
    if body.iter().any(|mode| mode.subject == subject) {
        return;
    }
    let types: Vec<&String> = head.arguments.iter().map(|(_, name)| name).collect();
    let mode = |is_known: &dyn Fn(usize) -> bool| {
        let marker = |at: usize| if is_known(at) { Marker::Input } else { Marker::Output };
        let arguments = types.iter().enumerate().map(|(at, name)| (marker(at), (*name).clone()));
        RawMode {
            side: ModeSide::Body,
            subject: subject.clone(),
            arguments: arguments.collect(),
            instantiation_limit: None,
            place: Place::default(),
        }
    };
    let n_arguments = types.len();
    if n_arguments > 1 {
        body.extend((0..n_arguments).map(|known| mode(&|at| at == known)));
    }
    if (1..n_arguments).any(|at| types[..at].contains(&types[at])) {
        body.push(mode(&|_| true));
    }
}

/// The most distinct constants of a column for clauses to name them.
pub const FEW_CONSTANTS: u64 = 30;

/// The most distinct constants for clauses to name them if other columns share them; clauses also follow such
/// constants.
pub const FEW_SHARED_CONSTANTS: u64 = 10;

/// The fewest rows for each constant for clauses to name a column's constants, however many there are.
const MANY_ROWS: u64 = 5;

/// The most answers of a call that are taken: following a hub explains little.
const MANY_ANSWERS: usize = 100;

/// A mode with the counts that explain it.
#[derive(Clone, Debug)]
pub(super) struct ProposedMode {
    pub(super) mode: RawMode,
    /// The most answers of a call, and the mean number of answers.
    pub(super) fan_out: Option<(usize, f64)>,
}

/// The proposed modes.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) head: RawMode,
    pub(super) body: Vec<ProposedMode>,
}

/// Modes for a target over all predicates with tuples.
pub(super) fn propose(
    target: &PredicateName,
    statements: &Statements,
    tables: &[FactTable],
    types: &ColumnTypes,
) -> Proposal {
    let predicates = statements.symbols.predicates();
    let target_id = statements.symbols.find_predicate(target);
    let head_types: Vec<String> = (0..target.arity)
        .map(|argument| {
            target_id
                .map_or_else(|| "any".to_owned(), |id| types.name(types.type_of(id, argument)).to_owned())
        })
        .collect();
    let head = raw_mode(
        ModeSide::Head,
        Subject::from(target.clone()),
        head_types.into_iter().map(|name| (Marker::Input, name)).collect(),
        Some(1),
    );
    let head = with_class(head, &statements.examples);
    let mut order: Vec<usize> = (0..predicates.len()).collect();
    order.sort_by(|&left, &right| predicates[left].cmp(&predicates[right]));
    let mut body = Vec::new();
    let mut compared: Vec<String> = Vec::new();
    for id in order.into_iter().map(PredicateId::new) {
        let has_tuples = tables.iter().any(|table| !table.rows(id).is_empty());
        if has_tuples && Some(id) != target_id {
            let name = &predicates[id.index()];
            body.extend(modes_of(id, name, tables, types));
            compared.extend(numbers_of(id, name, tables, types));
        }
    }
    body.extend(equalities(&head, target_id, types));
    compared.extend(own_numbers(&head, target_id, types));
    compared.sort();
    compared.dedup();
    let thresholds = compared.iter().flat_map(|name| comparisons(name));
    body.extend(thresholds.map(|mode| ProposedMode { mode, fan_out: None }));
    Proposal { head, body }
}

/// A use of an argument other than the known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Value,
    Constant,
}

/// The ways to use each argument of a predicate.
fn uses_of(id: PredicateId, arity: usize, tables: &[FactTable], types: &ColumnTypes) -> Vec<Vec<Use>> {
    (0..arity)
        .map(|argument| {
            let type_idx = types.type_of(id, argument);
            if types.n_columns(type_idx) > 1 {
                let is_few = types.n_constants(type_idx) <= FEW_SHARED_CONSTANTS;
                return if is_few { vec![Use::Value, Use::Constant] } else { vec![Use::Value] };
            }
            let n_distinct = types.n_distinct(id, argument);
            let n_rows: usize = tables.iter().map(|table| table.rows(id).len()).sum();
            match n_distinct <= FEW_CONSTANTS {
                // A value that another argument determines is an attribute. A column of many numbers also gets
                // comparisons.
                true if !are_compared(id, argument, types) && is_determined(id, arity, argument, tables) => {
                    vec![Use::Constant]
                }
                true => vec![Use::Constant, Use::Value],
                // Such as words of texts: there are many, but each occurs in many rows.
                false if n_rows as u64 >= MANY_ROWS * n_distinct && !types.is_numeric(id, argument) => {
                    vec![Use::Constant, Use::Value]
                }
                false => vec![Use::Value],
            }
        })
        .collect()
}

/// Whether a column holds so many numbers that their order says more than single numbers.
fn are_compared(id: PredicateId, argument: usize, types: &ColumnTypes) -> bool {
    types.is_numeric(id, argument) && types.n_distinct(id, argument) > FEW_SHARED_CONSTANTS
}

/// Whether some other argument determines this one, in each world.
fn is_determined(id: PredicateId, arity: usize, argument: usize, tables: &[FactTable]) -> bool {
    (0..arity).filter(|&other| other != argument).any(|other| {
        tables.iter().all(|table| {
            let rows = table.rows(id);
            let mut values: FixedMap<ConstantId, ConstantId> = FixedMap::default();
            rows.column(other)
                .zip(rows.column(argument))
                .all(|(key, value)| *values.entry(key).or_insert(value) == value)
        })
    })
}

/// The modes of a predicate: one known argument each, which may be any whose value clauses may know.
fn modes_of(
    id: PredicateId,
    name: &PredicateName,
    tables: &[FactTable],
    types: &ColumnTypes,
) -> Vec<ProposedMode> {
    let ways = uses_of(id, name.arity, tables, types);
    let mut modes = Vec::new();
    for known in (0..name.arity).filter(|&argument| ways[argument].contains(&Use::Value)) {
        let fan_out = fan_out(id, known, tables);
        let limit = match fan_out.0 {
            0 | 1 => Some(1),
            most if most > MANY_ANSWERS => u32::try_from(MANY_ANSWERS).ok(),
            _ => None,
        };
        for markers in markers(&ways, known) {
            let arguments = markers
                .into_iter()
                .enumerate()
                .map(|(argument, marker)| (marker, types.name(types.type_of(id, argument)).to_owned()))
                .collect();
            let mode = raw_mode(ModeSide::Body, name.clone().into(), arguments, limit);
            modes.push(ProposedMode { mode, fan_out: (name.arity > 1).then_some(fan_out) });
        }
    }
    modes
}

/// Combinations of uses for the arguments other than the known one: just enough to cover each use once.
fn markers(ways: &[Vec<Use>], known: usize) -> Vec<Vec<Marker>> {
    let arity = ways.len();
    let n_ways = (0..arity).filter(|&argument| argument != known).map(|argument| ways[argument].len()).max();
    (0..n_ways.unwrap_or(1))
        .map(|way| {
            (0..arity)
                .map(|argument| match ways[argument].get(way).or_else(|| ways[argument].last()) {
                    _ if argument == known => Marker::Input,
                    Some(Use::Constant) => Marker::Constant,
                    _ => Marker::Output,
                })
                .collect()
        })
        .collect()
}

/// The most rows that agree in an argument, and their mean number.
#[expect(clippy::cast_precision_loss, reason = "shown to a digit")]
pub(super) fn fan_out(predicate: PredicateId, argument: usize, tables: &[FactTable]) -> (usize, f64) {
    let (mut most, mut n_rows, mut n_keys) = (0, 0_usize, 0_usize);
    for table in tables {
        let mut counts: FixedMap<ConstantId, usize> = FixedMap::default();
        for constant in table.rows(predicate).column(argument) {
            *counts.entry(constant).or_insert(0) += 1;
        }
        most = most.max(counts.values().copied().max().unwrap_or(0));
        n_rows += table.rows(predicate).len();
        n_keys += counts.len();
    }
    (most, if n_keys == 0 { 0.0 } else { n_rows as f64 / n_keys as f64 })
}

/// The types of a predicate's columns of many numbers.
fn numbers_of(
    id: PredicateId,
    name: &PredicateName,
    tables: &[FactTable],
    types: &ColumnTypes,
) -> Vec<String> {
    let ways = uses_of(id, name.arity, tables, types);
    (0..name.arity)
        .filter(|&argument| are_compared(id, argument, types))
        .filter(|&argument| ways[argument].contains(&Use::Value))
        .map(|argument| types.name(types.type_of(id, argument)).to_owned())
        .collect()
}

/// The types of the target's own arguments that hold many numbers, without the argument that holds the class.
fn own_numbers(head: &RawMode, target: Option<PredicateId>, types: &ColumnTypes) -> Vec<String> {
    let Some(target) = target else { return Vec::new() };
    let arguments = head.arguments.iter().enumerate();
    arguments
        .filter(|&(argument, (marker, _))| *marker == Marker::Input && are_compared(target, argument, types))
        .map(|(_, (_, name))| name.clone())
        .collect()
}

/// Equalities for the target's own arguments of few values that no predicate shares: clauses can distinguish them in no
/// other way.
fn equalities(head: &RawMode, target: Option<PredicateId>, types: &ColumnTypes) -> Vec<ProposedMode> {
    let Some(target) = target else { return Vec::new() };
    let is_class = |&(argument, (marker, _)): &(usize, &(Marker, String))| {
        let type_idx = types.type_of(target, argument);
        *marker == Marker::Input
            && types.n_columns(type_idx) == 1
            && (2..=FEW_CONSTANTS).contains(&types.n_constants(type_idx))
    };
    head.arguments
        .iter()
        .enumerate()
        .filter(is_class)
        .map(|(_, (_, name))| {
            let arguments = vec![(Marker::Input, name.clone()), (Marker::Constant, name.clone())];
            let subject = Subject::from(ComparisonOperator::Identical);
            ProposedMode { mode: raw_mode(ModeSide::Body, subject, arguments, Some(1)), fan_out: None }
        })
        .collect()
}

/// Modes as a file to be edited; where known, with the most and the mean answers of a call.
pub(super) fn modes_text<'m>(
    head: &RawMode,
    body: impl Iterator<Item = (&'m RawMode, Option<(usize, f64)>)>,
) -> String {
    let mut text = String::from(
        "% Modes proposed from the data: + a known variable, - a new or known one, # a constant;\n\
         % before them the most answers of a call that are used, * for all.\n",
    );
    let _ = writeln!(text, ":- modeh(1, {}).", subject_text(head));
    for (mode, fan_out) in body {
        text.push_str(declaration(mode).trim_end());
        if let Some((most, mean)) = fan_out {
            let _ = write!(text, " % answers: {mean:.1} on average, {most} at most");
        }
        text.push('\n');
    }
    text
}

/// A body mode as a line of a file.
pub(super) fn declaration(mode: &RawMode) -> String {
    let limit = mode.instantiation_limit.map_or_else(|| "*".to_owned(), |limit| limit.to_string());
    format!(":- modeb({limit}, {}).\n", subject_text(mode))
}

fn subject_text(mode: &RawMode) -> String {
    let arguments: Vec<String> = mode
        .arguments
        .iter()
        .map(|(marker, name)| {
            let sign = match marker {
                Marker::Input => '+',
                Marker::Output => '-',
                Marker::Constant => '#',
            };
            format!("{sign}{}", quote_atom(name))
        })
        .collect();
    let atom = |name: &PredicateName| {
        if let Some(text) = AggregateText::of(&name.name, name.arity) {
            return text.with(|argument| arguments[argument].clone());
        }
        let name = quote_atom(&name.name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(", ")) }
    };
    mode.subject.text(atom, &arguments)
}

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
        if let Some(mode) = proposed_aggregate((operator, template), goal, &value_type, symbols) {
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
