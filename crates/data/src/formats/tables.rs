//! Folders of tables; tables of several notations may lie side by side.

use std::path::Path;

use super::file_format::Asked;
use super::folder::{entries, found, has_ending};
use crate::gather::{DataFile, Files, Role};

/// Whether a folder holds a file whose name ends so.
pub(super) fn holds(folder: &Path, ending: &str) -> bool {
    entries(folder).iter().any(|entry| has_ending(entry, ending))
}

/// `background.pl` and `modes.pl`, if they exist, then the tables of all notations, ascending by name.
pub(super) fn files(asked: &Asked<'_>) -> Files {
    let folder = asked.path;
    let program = |name: &str, role| found(folder.join(name)).map(|file| DataFile::new(file, role));
    let programs = [program("background.pl", Role::Background), program("modes.pl", Role::Modes)];
    let tables = entries(folder).into_iter().filter_map(|entry| {
        let reader = (asked.reader_of_tables)(&entry)?;
        Some(DataFile::read_by(entry, reader))
    });
    Files::undivided(programs.into_iter().flatten().chain(tables).collect())
}
