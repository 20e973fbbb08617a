//! Sections of examples within a program.

use crate::gather::{FileReader, FileReading, Role};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::{Statement, Term};

/// A program whose directives may begin and end sections of examples.
#[derive(Debug, Default)]
pub(super) struct Sections;

impl FileReader for Sections {
    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let role = section(statement);
        reading.role = role.unwrap_or(reading.role);
        role.is_some()
    }

    fn directive(&mut self, goal: &Term<'_>, _reading: &mut FileReading<'_>) -> bool {
        matches!(atom_parts(goal), Some(("aleph", [])))
    }
}

/// The role of the statements after a directive that begins or ends a section.
fn section(statement: &Statement<'_>) -> Option<Role> {
    let ([goal], None) = (&*statement.body, &statement.head) else { return None };
    match atom_parts(goal)? {
        ("begin_in_pos", []) => Some(Role::Positives),
        ("begin_in_neg", []) => Some(Role::Negatives),
        ("begin_bg" | "end_bg" | "end_in_pos" | "end_in_neg", []) => Some(Role::Background),
        _ => None,
    }
}
