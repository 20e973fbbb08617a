//! Replaces predicates of other systems that compare numbers by comparisons, wherever they are used.

use gleaner_base::{FixedMap, PredicateId};
use gleaner_lang::program::{ComparisonOperator, Literal, PredicateName};

use super::faults;
use super::gather::{Gathered, HeldRule, NumberIdiom};
use super::mode_terms::{Marker, RawMode};

/// Turns predicates whose clauses only compare numbers into comparisons, in modes, determinations and literals. The
/// held clauses of other predicates become ordinary rules or faults.
pub(super) fn settle(gathered: &mut Gathered) {
    let held = std::mem::take(&mut gathered.held);
    if held.is_empty() {
        return;
    }
    let comparisons = comparisons(&held, gathered);
    let are_last: Vec<bool> = (0..held.len()).map(|at| is_last(&held, at, gathered)).collect();
    for (rule, is_last) in held.into_iter().zip(are_last) {
        if comparisons.contains_key(&rule.predicate) {
            continue;
        }
        let rules = match (rule.rules, rule.cut) {
            (_, Some(cut)) if !is_last => Err(cut.fault),
            (rules, _) => rules,
        };
        match rules {
            Ok(rules) => gathered.rules.extend(rules),
            Err(fault) => {
                gathered.incomplete.push(rule.predicate);
                gathered.diagnostics.push(fault.into_warning(faults::RULE_LEFT_OUT));
            }
        }
    }
    let named: FixedMap<PredicateName, ComparisonOperator> = comparisons
        .iter()
        .map(|(&id, used)| (gathered.symbols.predicate_name(id).clone(), used.operator))
        .collect();
    gathered.modes.iter_mut().for_each(|mode| compare_in_mode(mode, &named));
    for (_, body, _) in &mut gathered.determinations {
        if let Some(operator) = named.get(body) {
            *body = PredicateName::new(operator.symbol(), 2);
        }
    }
    for rule in &mut gathered.rules {
        rule.clause.body.iter_mut().for_each(|literal| compare_in_rule(literal, &comparisons));
    }
    let mut read: Vec<(PredicateId, Used)> = comparisons.into_iter().collect();
    read.sort_by_key(|(_, used)| used.place);
    for (id, used) in read {
        let name = gathered.symbols.predicate_name(id);
        gathered.diagnostics.push(faults::read_as_comparison(used.place, name, used.operator.symbol()));
    }
}

/// Whether a held rule with a cut is the last statement of its predicate, so that the cut cuts nothing.
fn is_last(held: &[HeldRule], at: usize, gathered: &Gathered) -> bool {
    let HeldRule { predicate, cut, .. } = &held[at];
    let Some(cut) = cut else { return true };
    gathered.n_facts(*predicate) == cut.n_facts
        && gathered.rules[cut.n_rules..].iter().all(|rule| rule.clause.head.predicate != *predicate)
        && gathered.universal[cut.n_universal..].iter().all(|fact| fact.predicate != *predicate)
        && held[at + 1..].iter().all(|later| later.predicate != *predicate)
}

/// A comparison that replaces a predicate.
#[derive(Clone, Copy, Debug)]
struct Used {
    operator: ComparisonOperator,
    place: gleaner_lang::syntax::Place,
}

/// The predicates whose clauses all have the shape of one and the same comparison.
fn comparisons(held: &[HeldRule], gathered: &Gathered) -> FixedMap<PredicateId, Used> {
    let mut found: FixedMap<PredicateId, Option<Used>> = FixedMap::default();
    let compares = held.iter().filter_map(|rule| match rule.idiom {
        Some(NumberIdiom::Compares(operator)) => Some((rule, operator)),
        Some(NumberIdiom::MakesEqual) | None => None,
    });
    for (rule, operator) in compares {
        let used = found.entry(rule.predicate).or_insert(Some(Used { operator, place: rule.place }));
        if used.is_some_and(|used| used.operator != operator) {
            *used = None;
        }
    }
    let has_others = |id: &PredicateId| {
        gathered.first_facts.contains_key(id)
            || gathered.incomplete.contains(id)
            || held.iter().any(|rule| rule.predicate == *id && rule.idiom.is_none())
            || gathered.universal.iter().any(|fact| fact.predicate == *id)
            || gathered.rules.iter().any(|rule| rule.clause.head.predicate == *id)
    };
    found.into_iter().filter(|(id, _)| !has_others(id)).filter_map(|(id, used)| Some((id, used?))).collect()
}

/// Turns `gteq(+charge, #real)` into `+charge >= #charge`.
fn compare_in_mode(mode: &mut RawMode, comparisons: &FixedMap<PredicateName, ComparisonOperator>) {
    let Some(name) = mode.subject.relation() else { return };
    let Some(&operator) = comparisons.get(name) else { return };
    let input = mode.arguments.iter().find(|(marker, _)| *marker == Marker::Input).cloned();
    let Some((_, type_name)) = input else { return };
    for (marker, other) in &mut mode.arguments {
        // An argument that is no input becomes the threshold to be found.
        if *marker != Marker::Input {
            *marker = Marker::Constant;
            other.clone_from(&type_name);
        }
    }
    mode.subject = operator.into();
}

fn compare_in_rule(literal: &mut Literal, comparisons: &FixedMap<PredicateId, Used>) {
    let Some(atom) = literal.positive_atom() else { return };
    let Some(used) = comparisons.get(&atom.predicate) else { return };
    if let [left, right] = *atom.arguments.as_slice() {
        *literal = Literal::compared(left, used.operator, right);
    }
}
