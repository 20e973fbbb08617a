//! Directions of arguments that a Popper bias leaves open, chosen by the number of answers of a call.
//!
//! Without directions any argument of a predicate may be the known one. A value may be a hub, as a colour of thousands
//! of things. Calls from a hub join everything with everything, and fill the bottom clauses.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::PredicateName;

use super::faults;
use super::gather::Gathered;
use super::mode_terms::{Marker, ModeSide, RawMode};

/// A mode whose calls have more answers than this, on average, is left out if other modes reach its types.
const MANY_ANSWERS: f64 = 10.0;

/// A mode with one known argument, of a predicate without directions.
struct Open {
    /// The position of the mode among the body modes.
    at: usize,
    /// The answers of a call, on average over the tuples that hold the known value; 1 if the value determines the
    /// others.
    n_answers: f64,
}

/// Leaves out the modes of predicates without directions whose calls have many answers, and warns of it.
///
/// Only the given facts count as answers; rules have no effect. A mode stays if other modes can only be called with its
/// answers. In a predicate of three or more arguments one mode with two known arguments may replace two, if its calls
/// have few answers. **Cost**: `O(facts)` for each argument.
pub(super) fn choose(gathered: &mut Gathered) {
    let Some((_, first)) = gathered.undirected.first() else { return };
    let first = *first;
    gathered.fit_tables();
    let modes = std::mem::take(&mut gathered.modes);
    let (heads, mut body): (Vec<RawMode>, Vec<RawMode>) =
        modes.into_iter().partition(|mode| mode.side == ModeSide::Head);
    let left_out = leave_out(&heads, &mut body, gathered);
    gathered.modes = heads.into_iter().chain(body).collect();
    if !left_out.is_empty() && !gathered.is_scored {
        let warning = faults::chosen_directions(first, gathered.undirected.len(), left_out);
        gathered.diagnostics.push(warning);
    }
}

/// Whether calls with one known argument may have so many answers that their mode is left out.
pub(super) fn has_many_answers(name: &PredicateName, gathered: &Gathered) -> bool {
    let Some(predicate) = gathered.symbols.find_predicate(name) else { return false };
    name.arity > 1
        && (0..name.arity).any(|known| mean_answers(predicate, [known; 2], gathered) > MANY_ANSWERS)
}

/// Leaves out modes; gives their texts, each with the mean answers of a call.
fn leave_out(heads: &[RawMode], body: &mut Vec<RawMode>, gathered: &Gathered) -> Vec<(String, f64)> {
    let mut many = open_modes(body, gathered);
    many.retain(|open| open.n_answers > MANY_ANSWERS);
    let rank = |open: &Open| (text(&body[open.at]), open.at);
    many.sort_by(|left, right| {
        left.n_answers.total_cmp(&right.n_answers).then_with(|| rank(left).cmp(&rank(right)))
    });
    let pairs = many.iter().flat_map(|open| many.iter().map(move |other| [open.at, other.at]));
    let in_pairs: Vec<RawMode> = pairs
        .filter(|[one, other]| one < other)
        .filter_map(|pair| known_together(pair.map(|at| &body[at]), gathered))
        .collect();
    body.extend(in_pairs);
    let mut is_kept = vec![true; body.len()];
    many.iter().for_each(|open| is_kept[open.at] = false);
    let (_, callable) = closure(heads, body, &vec![true; body.len()]);
    loop {
        let (known, is_called) = closure(heads, body, &is_kept);
        let is_lost = |at: usize| is_kept[at] && callable[at] && !is_called[at];
        if !(0..body.len()).any(is_lost) {
            break;
        }
        let gives_more = |open: &&Open| {
            let mode = &body[open.at];
            !is_kept[open.at]
                && can_be_called(mode, &known)
                && outputs(mode).any(|name| !known.contains(name))
        };
        let Some(needed) = many.iter().find(gives_more) else { break };
        is_kept[needed.at] = true;
    }
    let left_out = many
        .iter()
        .filter(|open| !is_kept[open.at])
        .map(|open| (text(&body[open.at]), open.n_answers))
        .collect();
    let mut kept = is_kept.into_iter();
    body.retain(|_| kept.next().unwrap_or(true));
    left_out
}

fn open_modes(body: &[RawMode], gathered: &Gathered) -> Vec<Open> {
    let mut open = Vec::new();
    for (at, mode) in body.iter().enumerate() {
        let Some(name) = mode.subject.relation() else { continue };
        let is_open = name.arity > 1 && gathered.undirected.iter().any(|(known, _)| known == name);
        let inputs: Vec<usize> =
            (0..name.arity).filter(|&argument| mode.arguments[argument].0 == Marker::Input).collect();
        if let (true, &[known], Some(predicate)) = (is_open, &*inputs, gathered.symbols.find_predicate(name))
        {
            open.push(Open { at, n_answers: mean_answers(predicate, [known; 2], gathered) });
        }
    }
    open
}

/// The mode that knows the known arguments of both modes, if its calls have few answers. Only a predicate with three or
/// more arguments has one.
fn known_together([one, other]: [&RawMode; 2], gathered: &Gathered) -> Option<RawMode> {
    let known = |mode: &RawMode| mode.arguments.iter().position(|(marker, _)| *marker == Marker::Input);
    let name = one.subject.name();
    if one.subject != other.subject || name.arity < 3 {
        return None;
    }
    let columns = [known(one)?, known(other)?];
    let n_answers = mean_answers(gathered.symbols.find_predicate(&name)?, columns, gathered);
    let mut mode = one.clone();
    mode.arguments[columns[1]].0 = Marker::Input;
    (n_answers <= MANY_ANSWERS).then_some(mode)
}

/// The mean number of tuples that share a tuple's values in these columns, over all tuples; 0 without tuples.
#[expect(clippy::cast_precision_loss, reason = "counts of tuples are far below 2^53")]
fn mean_answers(predicate: PredicateId, [one, other]: [usize; 2], gathered: &Gathered) -> f64 {
    let (mut n_pairs, mut n_tuples) = (0_usize, 0_usize);
    let tables = std::iter::once(&gathered.global).chain(&gathered.folds);
    for rows in tables.map(|table| table.rows(predicate)) {
        let mut counts: FixedMap<[ConstantId; 2], usize> = FixedMap::default();
        for (value, beside) in rows.column(one).zip(rows.column(other)) {
            *counts.entry([value, beside]).or_default() += 1;
        }
        n_pairs += counts.values().map(|count| count * count).sum::<usize>();
        n_tuples += counts.values().sum::<usize>();
    }
    if n_tuples == 0 { 0.0 } else { n_pairs as f64 / n_tuples as f64 }
}

/// The types whose values become known, and which kept modes can be called.
fn closure<'m>(
    heads: &'m [RawMode],
    body: &'m [RawMode],
    is_kept: &[bool],
) -> (BTreeSet<&'m str>, Vec<bool>) {
    let mut known: BTreeSet<&str> =
        heads.iter().flat_map(|head| &head.arguments).map(|(_, name)| name.as_str()).collect();
    let mut is_called = vec![false; body.len()];
    loop {
        let called: Vec<usize> = (0..body.len())
            .filter(|&at| is_kept[at] && !is_called[at] && can_be_called(&body[at], &known))
            .collect();
        if called.is_empty() {
            return (known, is_called);
        }
        for at in called {
            is_called[at] = true;
            known.extend(outputs(&body[at]));
        }
    }
}

fn can_be_called(mode: &RawMode, known: &BTreeSet<&str>) -> bool {
    mode.arguments.iter().all(|(marker, name)| *marker != Marker::Input || known.contains(name.as_str()))
}

fn outputs(mode: &RawMode) -> impl Iterator<Item = &str> {
    mode.arguments.iter().filter(|(marker, _)| *marker == Marker::Output).map(|(_, name)| name.as_str())
}

/// The direction of a mode as a declaration: `direction(size,(out,in))`.
fn text(mode: &RawMode) -> String {
    let directions: Vec<&str> = mode
        .arguments
        .iter()
        .map(|(marker, _)| if *marker == Marker::Input { "in" } else { "out" })
        .collect();
    match mode.subject.predicate() {
        Some(name) => format!("direction({},({}))", name.name, directions.join(",")),
        None => mode.subject.name().name.to_string(),
    }
}
