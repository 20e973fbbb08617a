//! Headless clauses (`:- active(d38).`): negative examples in files for Progol, Golem and similar systems.

use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::{Statement, Term};

/// The names of headless clauses that are directives, not negative examples.
const DIRECTIVES: [&str; 14] = [
    "modeh",
    "modeb",
    "mode",
    "determination",
    "set",
    "aleph_set",
    "discontiguous",
    "dynamic",
    "multifile",
    "style_check",
    "if",
    "endif",
    "use_module",
    "commutative",
];

/// The atom of a headless clause that is a negative example.
pub(super) fn headless_example<'t, 's>(statement: &'t Statement<'s>) -> Option<&'t Term<'s>> {
    let ([goal], None) = (&*statement.body, &statement.head) else { return None };
    let (name, _) = atom_parts(goal)?;
    (!DIRECTIVES.contains(&name)).then_some(goal)
}
