//! Which files of a folder are tables, in one notation or another: they may lie side by side.

use std::path::Path;

use super::csv::table;
use super::folder::{entries, found, has_ending};
use super::json_lines::lines;
use crate::gather::{DataFile, Files, MakeReader, Role};

/// How the names of tables end.
pub(super) const CSV: &str = "csv";

/// How the names of files of lines of JSON end.
pub(super) const JSON_LINES: &str = "jsonl";

/// Whether a folder holds a file whose name ends so.
pub(super) fn holds(folder: &Path, ending: &str) -> bool {
    entries(folder).iter().any(|entry| has_ending(entry, ending))
}

/// Whether a folder holds tables.
pub(super) fn holds_tables(folder: &Path) -> bool {
    holds(folder, CSV) || holds(folder, JSON_LINES)
}

fn reader(path: &Path) -> Option<MakeReader> {
    if has_ending(path, CSV) {
        return Some(table::reader);
    }
    has_ending(path, JSON_LINES).then_some(lines::reader)
}

/// `background.pl` and `modes.pl`, which need not be there, then all tables and lines, ascending by name.
pub(super) fn files(folder: &Path) -> Files {
    let program = |name: &str, role| found(folder.join(name)).map(|file| DataFile::new(file, role));
    let programs = [program("background.pl", Role::Background), program("modes.pl", Role::Modes)];
    let tables = entries(folder).into_iter().filter_map(|entry| {
        let reader = reader(&entry)?;
        Some(DataFile::read_by(entry, reader))
    });
    Files::undivided(programs.into_iter().flatten().chain(tables).collect())
}
