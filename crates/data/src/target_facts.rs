//! A target that is a predicate of the facts: its facts become the positive examples, and leave the background.

use super::gather::Gathered;
use super::mode_terms::{Marker, ModeSide, RawMode, Subject};
use gleaner_lang::program::TargetName;

/// Makes examples of this target's facts, if it has no examples. Clauses then may not use the target, so the body modes
/// of the target go. If no mode of the head exists, the first of them gives the types of the head.
pub(super) fn take(target: &TargetName, gathered: &mut Gathered) {
    let predicates = gathered.symbols.predicates();
    let has_examples = gathered
        .examples
        .iter()
        .chain(&gathered.asked)
        .any(|example| target.is(&predicates[example.predicate.index()]));
    let mut with_facts = gathered.first_facts.keys().filter(|id| target.is(&predicates[id.index()]));
    let (Some(&only), None) = (with_facts.next(), with_facts.next()) else { return };
    let is_derived = gathered.rules.iter().any(|rule| rule.clause.head.predicate == only);
    if has_examples || is_derived {
        return;
    }
    gathered.make_examples_of_facts(only);
    let target = Subject::from(gathered.symbols.predicate_name(only).clone());
    take_modes(&target, gathered);
}

fn take_modes(target: &Subject, gathered: &mut Gathered) {
    let is_of_body = |mode: &RawMode| mode.subject == *target && mode.side == ModeSide::Body;
    let has_head = gathered.modes.iter().any(|mode| mode.subject == *target && mode.side != ModeSide::Body);
    let of_facts = gathered.modes.iter().find(|mode| is_of_body(mode)).filter(|_| !has_head);
    let head = of_facts.map(|mode| RawMode {
        side: ModeSide::Head,
        arguments: mode.arguments.iter().map(|(_, name)| (Marker::Input, name.clone())).collect(),
        ..mode.clone()
    });
    gathered.modes.retain(|mode| !is_of_body(mode));
    gathered.modes.extend(head);
}
