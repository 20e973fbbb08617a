//! Directions of arguments that a Popper bias leaves open, chosen by the number of answers of a call.
//!
//! Without directions any argument of a predicate may be the known one. A value may be a hub, as a colour of thousands
//! of things. Calls from a hub join everything with everything, and fill the bottom clauses.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place};

use crate::faults;
use crate::gather::{Declarations, Facts};
use crate::mode_terms::{Marker, ModeSide, RawMode};
use crate::provisional::Provisional;

/// A mode whose calls have more answers than this, on average, is left out if other modes reach its types.
const MANY_ANSWERS: f64 = 10.0;

/// A mode with one known argument, of a predicate without directions.
struct Open {
    /// The position of the mode among the body modes.
    at: usize,
    predicate: PredicateId,
    /// The position of the known argument.
    known: usize,
    /// The answers of a call, on average over the tuples that hold the known value; 1 if the value determines the
    /// others.
    n_answers: f64,
}

/// Leaves out the modes of predicates without directions whose calls have many answers, and gives a warning.
///
/// Only the given facts count as answers; rules have no effect. A mode stays if other modes can only be called with its
/// answers. In a predicate of three or more arguments one mode with two known arguments may replace two, if its calls
/// have few answers. **Cost**: `O(facts)` for each argument.
pub(super) fn choose(
    declarations: &mut Declarations,
    symbols: &Provisional,
    facts: &Facts,
) -> Option<Diagnostic> {
    let Declarations { modes, undirected, .. } = declarations;
    let (_, first) = undirected.first()?;
    let (heads, mut body): (Vec<RawMode>, Vec<RawMode>) =
        std::mem::take(modes).into_iter().partition(|mode| mode.side == ModeSide::Head);
    let open = open_modes(&body, undirected, symbols, facts);
    let left_out = leave_out(&heads, &mut body, open, facts);
    modes.extend(heads.into_iter().chain(body));
    (!left_out.is_empty()).then(|| faults::chosen_directions(*first, undirected.len(), left_out))
}

/// Whether calls with one known argument may have so many answers that their mode is left out.
pub(super) fn has_many_answers(name: &PredicateName, symbols: &Provisional, facts: &Facts) -> bool {
    let Some(predicate) = symbols.find_predicate(name) else { return false };
    name.arity > 1 && (0..name.arity).any(|known| mean_answers(predicate, [known; 2], facts) > MANY_ANSWERS)
}

/// Leaves out modes; gives their texts, each with the mean answers of a call.
fn leave_out(
    heads: &[RawMode],
    body: &mut Vec<RawMode>,
    mut many: Vec<Open>,
    facts: &Facts,
) -> Vec<(String, f64)> {
    many.retain(|open| open.n_answers > MANY_ANSWERS);
    let rank = |open: &Open| (text(&body[open.at]), open.at);
    many.sort_by(|left, right| {
        left.n_answers.total_cmp(&right.n_answers).then_with(|| rank(left).cmp(&rank(right)))
    });
    let pairs = many.iter().flat_map(|open| many.iter().map(move |other| [open, other]));
    let in_pairs: Vec<RawMode> = pairs
        .filter(|[one, other]| one.at < other.at)
        .filter_map(|pair| known_together(pair, body, facts))
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

fn open_modes(
    body: &[RawMode],
    undirected: &[(PredicateName, Place)],
    symbols: &Provisional,
    facts: &Facts,
) -> Vec<Open> {
    let mut open = Vec::new();
    for (at, mode) in body.iter().enumerate() {
        let Some(name) = mode.subject.relation() else { continue };
        let is_open = name.arity > 1 && undirected.iter().any(|(known, _)| known == name);
        let inputs: Vec<usize> =
            (0..name.arity).filter(|&argument| mode.arguments[argument].0 == Marker::Input).collect();
        if let (true, &[known], Some(predicate)) = (is_open, &*inputs, symbols.find_predicate(name)) {
            let n_answers = mean_answers(predicate, [known; 2], facts);
            open.push(Open { at, predicate, known, n_answers });
        }
    }
    open
}

/// The mode that knows the known arguments of both modes, if its calls have few answers. Only a predicate with three or
/// more arguments has one.
fn known_together([one, other]: [&Open; 2], body: &[RawMode], facts: &Facts) -> Option<RawMode> {
    let mut mode = body[one.at].clone();
    if one.predicate != other.predicate || mode.arguments.len() < 3 {
        return None;
    }
    let n_answers = mean_answers(one.predicate, [one.known, other.known], facts);
    mode.arguments[other.known].0 = Marker::Input;
    (n_answers <= MANY_ANSWERS).then_some(mode)
}

/// The mean number of tuples that share a tuple's values in these columns, over all tuples; 0 without tuples.
#[expect(clippy::cast_precision_loss, reason = "counts of tuples are far below 2^53")]
fn mean_answers(predicate: PredicateId, [one, other]: [usize; 2], facts: &Facts) -> f64 {
    let (mut n_pairs, mut n_tuples) = (0_usize, 0_usize);
    for rows in facts.tables().map(|table| table.rows(predicate)) {
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
