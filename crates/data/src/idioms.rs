//! Replaces predicates that only compare by comparisons, wherever they are used.

use gleaner_base::{FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{ComparisonOperator, Literal, PredicateName, Term};

use crate::faults;
use crate::gather::{Facts, HeldRule, NumberIdiom, Rules, Statements, UniversalFact, Waiting};
use crate::messages::Messages;
use crate::mode_terms::{Marker, RawMode};

/// Turns predicates whose clauses only compare numbers into comparisons, in modes, determinations and literals. The
/// held clauses of other predicates become ordinary rules or faults. Gives what still waits.
pub(super) fn settle(
    waiting: Waiting,
    statements: &mut Statements,
    facts: &Facts,
    messages: &mut Messages,
) -> Vec<UniversalFact> {
    let mut waiting = waiting;
    let comparisons = comparisons(&waiting, statements);
    let own = defined_held(&waiting, statements, facts);
    let is_foreign = statements.habits.is_foreign;
    let Statements { symbols, declarations, rules: known, .. } = statements;
    let are_last: Vec<bool> = (0..waiting.held.len()).map(|at| is_last(&waiting, at, known, facts)).collect();
    for (rule, is_last) in waiting.held.into_iter().zip(are_last) {
        if comparisons.contains_key(&rule.predicate) {
            continue;
        }
        let has_cut = rule.cut.is_some();
        let rules = match rule.own {
            Some(meaning) if meaning.called.iter().any(|called| own.contains(called)) => meaning.rules,
            _ => rule.rules,
        };
        let rules = match (rules, rule.cut) {
            (_, Some(cut)) if !is_last => Err(cut.fault),
            (rules, _) => rules,
        };
        match rules {
            Ok(rules) => known.list.extend(rules),
            Err(fault) => {
                let is_left_out = is_foreign || has_cut;
                if is_left_out {
                    known.incomplete.push(rule.predicate);
                }
                messages.push(if is_left_out { fault.into_warning(faults::RULE_LEFT_OUT) } else { fault });
            }
        }
    }
    let named: FixedMap<PredicateName, ComparisonOperator> =
        comparisons.iter().map(|(&id, used)| (symbols.predicate_name(id).clone(), used.operator)).collect();
    declarations.modes.iter_mut().for_each(|mode| compare_in_mode(mode, &named));
    for (_, body, _) in &mut declarations.determinations {
        if let Some(operator) = named.get(body) {
            *body = PredicateName::new(operator.symbol(), 2);
        }
    }
    for rule in &mut known.list {
        rule.clause.body.iter_mut().for_each(|literal| compare_in_rule(literal, &comparisons));
    }
    let is_replaced = |id| comparisons.contains_key(&id);
    let mut read: Vec<(PredicateId, Used)> = comparisons.iter().map(|(&id, &used)| (id, used)).collect();
    read.sort_by_key(|(_, used)| used.place);
    for (id, used) in read {
        let name = symbols.predicate_name(id);
        messages.push(faults::read_as_comparison(used.place, name, used.operator));
    }
    waiting.universal.retain(|fact| !is_replaced(fact.predicate));
    waiting.universal
}

/// The built-in predicates that held rules call and the data define themselves.
fn defined_held(waiting: &Waiting, statements: &Statements, facts: &Facts) -> FixedSet<PredicateId> {
    let called = waiting.held.iter().filter_map(|rule| rule.own.as_ref()).flat_map(|own| own.called.iter());
    let mut called: FixedSet<PredicateId> = called.copied().collect();
    called.retain(|id| {
        statements.first_facts.contains_key(id)
            || facts.n_of(*id) > 0
            || statements.rules.incomplete.contains(id)
            || statements.rules.first_of(*id).is_some()
            || waiting.held.iter().any(|rule| rule.predicate == *id)
            || waiting.universal.iter().any(|fact| fact.predicate == *id)
    });
    called
}

/// Whether a held rule with a cut is the last statement of its predicate, so that the cut cuts nothing.
fn is_last(Waiting { held, universal }: &Waiting, at: usize, rules: &Rules, facts: &Facts) -> bool {
    let HeldRule { predicate, cut, .. } = &held[at];
    let Some(cut) = cut else { return true };
    facts.n_of(*predicate) == cut.n_facts
        && rules.list[cut.n_rules..].iter().all(|rule| rule.clause.head.predicate != *predicate)
        && universal[cut.n_universal..].iter().all(|fact| fact.predicate != *predicate)
        && held[at + 1..].iter().all(|later| later.predicate != *predicate)
}

/// A comparison that replaces a predicate.
#[derive(Clone, Copy, Debug)]
struct Used {
    operator: ComparisonOperator,
    place: gleaner_lang::syntax::Place,
}

/// The predicates whose clauses all have the shape of one and the same comparison.
fn comparisons(waiting: &Waiting, statements: &Statements) -> FixedMap<PredicateId, Used> {
    let Waiting { held, universal } = waiting;
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
    let equal = if statements.habits.is_foreign { universal.as_slice() } else { &[] };
    for fact in equal.iter().filter(|fact| is_equal(fact)) {
        let used = Used { operator: ComparisonOperator::Unify, place: fact.place };
        found.entry(fact.predicate).or_insert(Some(used));
    }
    let has_others = |id: &PredicateId| {
        statements.first_facts.contains_key(id)
            || statements.rules.incomplete.contains(id)
            || held.iter().any(|rule| rule.predicate == *id && rule.idiom.is_none())
            || universal.iter().any(|fact| fact.predicate == *id && !is_equal(fact))
            || universal.iter().any(|fact| fact.predicate == *id)
                && held.iter().any(|rule| rule.predicate == *id)
            || statements.rules.first_of(*id).is_some()
    };
    found.into_iter().filter(|(id, _)| !has_others(id)).filter_map(|(id, used)| Some((id, used?))).collect()
}

/// Whether a fact is `eq(X,X).`
fn is_equal(fact: &UniversalFact) -> bool {
    matches!(*fact.arguments.as_slice(), [Term::Variable(left), Term::Variable(right)] if left == right)
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
    if let Literal::Aggregate(aggregate) = literal {
        return aggregate.goal.iter_mut().for_each(|inner| compare_in_rule(inner, comparisons));
    }
    let Some(atom) = literal.positive_atom() else { return };
    let Some(used) = comparisons.get(&atom.predicate) else { return };
    if let [left, right] = *atom.arguments.as_slice() {
        *literal = Literal::compared(left, used.operator, right);
    }
}
