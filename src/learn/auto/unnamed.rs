//! Whether clauses could name constants, but no mode lets them.

use std::collections::BTreeSet;

use crate::base::ConstantId;
use crate::datalog::Background;
use crate::program::mode::{ArgumentMode, ModeSubject, Modes};

/// Most distinct values of an output that a clause would name.
const FEW_CONSTANTS: usize = 30;

/// Whether no mode has a constant, and an output of some has few values, at least two. Classes are not looked at.
///
/// **Cost**: a pass over the facts of each mode that has outputs.
pub(super) fn leaves_values_unnamed(modes: &Modes, worlds: &[Background]) -> bool {
    let mut arguments = modes.body.iter().flat_map(|mode| &mode.arguments);
    if arguments.any(|argument| matches!(argument, ArgumentMode::Constant(_))) {
        return false;
    }
    modes.body.iter().any(|mode| {
        let ModeSubject::Relation(predicate) = mode.subject else { return false };
        mode.arguments.iter().enumerate().any(|(column, argument)| {
            let is_output = matches!(argument, ArgumentMode::Output(_));
            is_output && has_few(worlds.iter().flat_map(|world| world.relation(predicate).column(column)))
        })
    })
}

fn has_few<'a>(values: impl Iterator<Item = &'a ConstantId>) -> bool {
    let mut distinct = BTreeSet::new();
    for &value in values {
        distinct.insert(value);
        if distinct.len() > FEW_CONSTANTS {
            return false;
        }
    }
    distinct.len() > 1
}
