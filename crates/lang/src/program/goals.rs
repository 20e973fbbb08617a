//! Terms as goals: atoms, conjunctions, aggregates.

use super::aggregate::NAME as AGGREGATE;
use crate::syntax::TermKind;
use crate::syntax::ast::Term as Syntax;

/// The name and arguments of an atom's syntax; `None` for a term that is no atom.
pub fn atom_parts<'t, 's>(term: &'t Syntax<'s>) -> Option<(&'t str, &'t [Syntax<'s>])> {
    match &term.kind {
        TermKind::Atom(name) => Some((name, &[])),
        TermKind::Compound(name, arguments) => Some((name, arguments)),
        _ => None,
    }
}

/// Whether a literal of this name and arguments is an aggregate. A user's relation may have the name, too: an aggregate
/// is known by its operator.
pub fn is_aggregate(name: &str, arguments: &[Syntax<'_>]) -> bool {
    let [operator, _, _] = arguments else { return false };
    let is_operator =
        |name: &str| matches!(name, "count" | "sum" | "min" | "max" | "avg" | "last" | "bag" | "set");
    name == AGGREGATE && atom_parts(operator).is_some_and(|(name, _)| is_operator(name))
}

/// The goals of a conjunction in parentheses, in order.
pub(super) fn conjuncts<'t, 's>(goal: &'t Syntax<'s>) -> Vec<&'t Syntax<'s>> {
    let (mut goals, mut open) = (Vec::new(), vec![goal]);
    while let Some(goal) = open.pop() {
        match atom_parts(goal) {
            Some((",", [left, right])) => open.extend([right, left]),
            _ => goals.push(goal),
        }
    }
    goals
}
