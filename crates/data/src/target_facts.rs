//! A target that is a predicate of the facts: its facts become the positive examples, and leave the background.

use crate::gather::{Gathered, Statements};
use crate::mode_terms::{Marker, ModeSide, RawMode, Subject};
use gleaner_lang::program::TargetName;

/// Makes examples of this target's facts, if it has no examples. Clauses then may not use the target, so the body modes
/// of the target go. If no mode of the head exists, the first of them gives the types of the head.
pub(super) fn take(target: &TargetName, gathered: &mut Gathered) {
    let Statements { symbols, first_facts, examples, rules, .. } = &gathered.statements;
    let predicates = symbols.predicates();
    let has_examples = examples
        .listed
        .iter()
        .chain(&examples.asked)
        .any(|example| target.is(&predicates[example.predicate.index()]));
    let mut with_facts = first_facts.keys().filter(|id| target.is(&predicates[id.index()]));
    let (Some(&only), None) = (with_facts.next(), with_facts.next()) else { return };
    if has_examples || rules.first_of(only).is_some() {
        return;
    }
    let target = Subject::from(symbols.predicate_name(only).clone());
    gathered.make_examples_of_facts(only);
    take_modes(&target, &mut gathered.statements.declarations.modes);
}

fn take_modes(target: &Subject, modes: &mut Vec<RawMode>) {
    let is_of_body = |mode: &RawMode| mode.subject == *target && mode.side == ModeSide::Body;
    let has_head = modes.iter().any(|mode| mode.subject == *target && mode.side != ModeSide::Body);
    let of_facts = modes.iter().find(|mode| is_of_body(mode)).filter(|_| !has_head);
    let head = of_facts.map(|mode| RawMode {
        side: ModeSide::Head,
        arguments: mode.arguments.iter().map(|(_, name)| (Marker::Input, name.clone())).collect(),
        ..mode.clone()
    });
    modes.retain(|mode| !is_of_body(mode));
    modes.extend(head);
}
