//! Checks over everything that was read, before any rule is run.

use std::collections::BTreeSet;

use crate::base::{FixedSet, PredicateId};
use crate::program::safety::{Place as UnsafePlace, check_safety};
use crate::program::settings::nearest;
use crate::program::{Clause, PredicateName};
use crate::syntax::Diagnostic;

use super::LoadRequest;
use super::faults;
use super::gather::Gathered;
use super::layout::Layout;
use super::mode_terms::{Marker, ModeSide, RawMode, Subject};

/// The target that the request, the modes or the examples name.
pub(super) fn target(request: &LoadRequest, gathered: &Gathered<'_>) -> Result<PredicateName, Diagnostic> {
    let of_examples: BTreeSet<&PredicateName> =
        gathered.examples.iter().map(|example| gathered.symbols.predicate_name(example.predicate)).collect();
    let known: Vec<PredicateName> = of_examples.iter().map(|&name| name.clone()).collect();
    if let Some(target) = &request.target {
        return if of_examples.contains(target) {
            Ok(target.clone())
        } else {
            Err(faults::other_target(target, &known))
        };
    }
    let heads: BTreeSet<&PredicateName> = gathered
        .modes
        .iter()
        .filter(|mode| mode.side == ModeSide::Head)
        .filter_map(|mode| match &mode.subject {
            Subject::Relation(name) => Some(name),
            _ => None,
        })
        .collect();
    match (heads.len(), known.as_slice()) {
        (1, known) => {
            let head = heads.into_iter().next().cloned().unwrap_or_else(|| PredicateName::new("", 0));
            if known.is_empty() || known.contains(&head) {
                Ok(head)
            } else {
                Err(faults::other_target(&head, known))
            }
        }
        (_, [only]) => Ok(only.clone()),
        (_, []) => Err(faults::no_examples("positive", None)),
        (_, several) => Err(faults::several_targets(several)),
    }
}

/// The head and body modes of the target, and what is wrong with the declarations.
pub(super) fn modes<'g>(
    target: &PredicateName,
    gathered: &'g Gathered<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(&'g RawMode, Vec<&'g RawMode>)> {
    let is_target = |mode: &RawMode| mode.subject == Subject::Relation(target.clone());
    let head = gathered.modes.iter().find(|mode| mode.side != ModeSide::Body && is_target(mode));
    let determined: BTreeSet<&PredicateName> = gathered
        .determinations
        .iter()
        .filter(|(head, _, _)| head == target)
        .map(|(_, body, _)| body)
        .collect();
    let mut body = Vec::new();
    for mode in &gathered.modes {
        if mode.side == ModeSide::Head || (mode.side == ModeSide::Either && is_target(mode)) {
            continue;
        }
        let name = subject_name(&mode.subject);
        if determined.is_empty() || determined.contains(&name) {
            body.push(mode);
        } else {
            diagnostics.push(faults::mode_without_determination(mode.place, &name.to_string(), target));
        }
    }
    for (_, predicate, place) in gathered.determinations.iter().filter(|(head, _, _)| head == target) {
        if !gathered.modes.iter().any(|mode| subject_name(&mode.subject) == *predicate) {
            diagnostics.push(faults::determination_without_mode(*place, predicate));
        }
    }
    if head.is_none() {
        diagnostics.push(faults::no_head_mode(target));
    }
    if body.is_empty() {
        diagnostics.push(faults::no_body_modes(target));
    }
    check_defined(&body, gathered, diagnostics);
    let head = head?;
    check_reachable(head, &body, diagnostics);
    Some((head, body))
}

/// The predicate that determinations and messages name a mode by.
fn subject_name(subject: &Subject) -> PredicateName {
    match subject {
        Subject::Relation(name) | Subject::Negated(name) => name.clone(),
        Subject::Comparison(operator) => PredicateName::new(operator.symbol(), 2),
    }
}

fn check_defined(body: &[&RawMode], gathered: &Gathered<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let defined = defined_predicates(gathered);
    let mut reported: FixedSet<&PredicateName> = FixedSet::default();
    for mode in body {
        let (Subject::Relation(name) | Subject::Negated(name)) = &mode.subject else { continue };
        let is_defined = gathered.symbols.find_predicate(name).is_some_and(|id| defined.contains(&id));
        if !is_defined && reported.insert(name) {
            diagnostics.push(faults::empty_predicate(mode.place, name, nearest_predicate(name, gathered)));
        }
    }
}

/// The predicates with facts or rules.
pub(super) fn defined_predicates(gathered: &Gathered<'_>) -> FixedSet<PredicateId> {
    gathered
        .first_facts
        .keys()
        .copied()
        .chain(gathered.rules.iter().map(|rule| rule.clause.head.predicate))
        .collect()
}

/// The defined predicate whose name is nearest; the same name with another arity is the nearest.
pub(super) fn nearest_predicate(name: &PredicateName, gathered: &Gathered<'_>) -> Option<String> {
    let defined = defined_predicates(gathered);
    let mut names: Vec<&PredicateName> =
        defined.iter().map(|&id| gathered.symbols.predicate_name(id)).collect();
    names.sort();
    if let Some(other_arity) = names.iter().find(|known| known.name == name.name) {
        return Some(other_arity.to_string());
    }
    let near = nearest(&name.name, names.iter().map(|known| known.name.as_str()))?;
    names
        .iter()
        .filter(|known| known.name == near)
        .min_by_key(|known| known.arity.abs_diff(name.arity))
        .map(ToString::to_string)
}

/// Warns of modes with an input type that neither the head nor a reachable mode gives.
fn check_reachable(head: &RawMode, body: &[&RawMode], diagnostics: &mut Vec<Diagnostic>) {
    let mut given: BTreeSet<&str> = head.arguments.iter().map(|(_, type_name)| type_name.as_str()).collect();
    let is_reachable = |mode: &RawMode, given: &BTreeSet<&str>| {
        mode.arguments.iter().all(|(marker, name)| *marker != Marker::Input || given.contains(name.as_str()))
    };
    loop {
        let before = given.len();
        for mode in body.iter().filter(|mode| is_reachable(mode, &given)).collect::<Vec<_>>() {
            let outputs = mode.arguments.iter().filter(|(marker, _)| *marker == Marker::Output);
            given.extend(outputs.map(|(_, type_name)| type_name.as_str()));
        }
        if given.len() == before {
            break;
        }
    }
    for mode in body.iter().filter(|mode| !is_reachable(mode, &given)) {
        let missing = mode
            .arguments
            .iter()
            .find(|(marker, name)| *marker == Marker::Input && !given.contains(name.as_str()));
        if let Some((_, type_name)) = missing {
            diagnostics.push(faults::unreachable_mode(mode.place, type_name));
        }
    }
}

/// Faults of unsafe rules.
pub(super) fn rules(gathered: &Gathered<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &gathered.rules {
        if let Err(fault) = check_safety(&rule.clause) {
            let place = match fault.place {
                UnsafePlace::Head => "the head",
                UnsafePlace::Negated(_) => "a negated literal",
                UnsafePlace::Comparison(_) => "a comparison",
            };
            diagnostics.push(faults::unsafe_rule(rule.place, rule.variables.name(fault.variable), place));
        }
    }
}

/// Whether a clause can be evaluated for examples: safe when the head's variables are valued, and
/// without `is` that makes new values.
pub(super) fn evaluable(clause: &Clause) -> Result<(), String> {
    use crate::program::{ComparisonOperator, Expression, Literal, Term};
    let mut valued = vec![false; clause.n_variables];
    let mut learn = |term: &Term| {
        if let Term::Variable(variable) = term {
            valued[variable.index()] = true;
        }
    };
    clause.head.arguments.iter().for_each(&mut learn);
    for literal in &clause.body {
        match literal {
            Literal::Positive(atom) => atom.arguments.iter().for_each(&mut learn),
            Literal::Comparison(comparison) if comparison.operator == ComparisonOperator::Unify => {
                for side in [&comparison.left, &comparison.right] {
                    if let Expression::Term(term) = side {
                        learn(term);
                    }
                }
            }
            _ => {}
        }
    }
    let is_safe =
        clause.body.iter().all(|literal| literal.variables().iter().all(|variable| valued[variable.index()]));
    if is_safe { Ok(()) } else { Err("a variable gets no value from a positive literal".to_owned()) }
}

/// Faults and warnings of the target's examples.
pub(super) fn examples(
    target: &PredicateName,
    gathered: &Gathered<'_>,
    layout: &Layout,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let target_id = gathered.symbols.find_predicate(target);
    let of_target: Vec<_> =
        gathered.examples.iter().filter(|example| Some(example.predicate) == target_id).collect();
    for (is_positive, class) in [(true, "positive"), (false, "negative")] {
        if !of_target.iter().any(|example| example.is_positive == is_positive) {
            diagnostics.push(faults::no_examples(class, Some(target)));
            continue;
        }
        for (fold_idx, name) in layout.fold_names.iter().enumerate() {
            let is_in_fold = |fold: Option<usize>| fold == Some(fold_idx);
            if !of_target.iter().any(|example| example.is_positive == is_positive && is_in_fold(example.fold))
            {
                diagnostics.push(faults::empty_fold(name, class));
            }
        }
    }
    check_repeats(target, gathered, &of_target, diagnostics);
    if let Some(place) = target_id.and_then(|id| gathered.first_facts.get(&id)) {
        diagnostics.push(faults::target_in_background(*place, target));
    }
}

fn check_repeats(
    target: &PredicateName,
    gathered: &Gathered<'_>,
    of_target: &[&super::gather::RawExample],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut sorted: Vec<&super::gather::RawExample> = of_target.to_vec();
    sorted.sort_by(|left, right| {
        (&left.arguments, left.fold, !left.is_positive).cmp(&(
            &right.arguments,
            right.fold,
            !right.is_positive,
        ))
    });
    let mut conflicts = Vec::new();
    let mut repeats: [Vec<&super::gather::RawExample>; 2] = [Vec::new(), Vec::new()];
    for pair in sorted.windows(2) {
        if pair[0].arguments == pair[1].arguments && pair[0].fold == pair[1].fold {
            if pair[0].is_positive == pair[1].is_positive {
                repeats[usize::from(pair[0].is_positive)].push(pair[1]);
            } else {
                conflicts.push((pair[0], pair[1]));
            }
        }
    }
    if let Some((positive, negative)) = conflicts.iter().min_by_key(|(_, negative)| negative.place) {
        let arguments: Vec<&str> =
            positive.arguments.iter().map(|&constant| gathered.symbols.constant_text(constant)).collect();
        let text = format!("{}({})", target.name, arguments.join(","));
        diagnostics.push(faults::in_both_classes(positive.place, negative.place, &text, conflicts.len() - 1));
    }
    for (repeated, class) in repeats.iter().zip(["negative", "positive"]) {
        if let Some(first) = repeated.iter().min_by_key(|example| example.place) {
            diagnostics.push(faults::repeated_examples(first.place, class, repeated.len()));
        }
    }
}
