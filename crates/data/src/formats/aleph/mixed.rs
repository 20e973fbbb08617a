//! `pos.pl` and `neg.pl` beside a program of another system. Its modes and rules are Aleph's, not those of the own
//! layout, which uses the same file names.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::Asked;
use crate::formats::folder::{content, entries, fold_folders, found, uncompressed};
use crate::formats::headless::headless_example;
use crate::formats::own::names::{BACKGROUND, MODES, NEGATIVES, POSITIVES};
use crate::gather::{DataFile, FileReader, FileReading, Files, Role, make};
use gleaner_lang::syntax::{Diagnostic, Statement};

use super::Sections;

/// Whether a folder holds examples under the own layout's file names, and a program that is not in the own layout.
pub(in crate::formats) fn is_mixed(folder: &Path) -> bool {
    let has = |name: &str| found(folder.join(name)).is_some();
    if !has(POSITIVES) && !has(NEGATIVES) || has(MODES) || !fold_folders(folder).is_empty() {
        return false;
    }
    match found(folder.join(BACKGROUND)).map(|background| content(&background)) {
        Some(background) => has_modes(&background) && has_cuts(&background),
        None => programs(folder).iter().any(|program| has_modes(&content(program))),
    }
}

/// The lines of a program without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('%').next().unwrap_or_default().trim())
}

/// Whether a program declares modes.
fn has_modes(text: &str) -> bool {
    let is_mode = |line: &str| {
        let directive = line.strip_prefix(":-").map(str::trim_start);
        directive.is_some_and(|goal| ["modeb(", "modeh(", "mode("].iter().any(|name| goal.starts_with(name)))
    };
    lines(text).any(is_mode)
}

/// Whether a rule has a cut. Rules of the own layout may have one, but seldom do; and both layouts mean the same by it.
fn has_cuts(text: &str) -> bool {
    let is_cut = |line: &str| {
        let mut goals = line.split([',', '.']).map(str::trim);
        goals.any(|goal| goal == "!" || goal.ends_with(":- !") || goal.ends_with(":-!"))
    };
    lines(text).any(is_cut)
}

/// The programs that are neither examples nor modes.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let is_program = |entry: &PathBuf| {
        let plain = uncompressed(entry);
        let name = plain.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".pl") && ![POSITIVES, NEGATIVES, MODES].contains(&name)
    };
    entries(folder).into_iter().filter(is_program).collect()
}

/// All programs are background. Without examples, the data can only be inspected.
pub(super) fn files(asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let background = programs(asked.path).into_iter().map(|path| (path, Role::Background));
    let mut files: Vec<DataFile> = background
        .map(|(path, role)| DataFile { reader: make::<Sections>, ..DataFile::new(path, role) })
        .collect();
    let modes = found(asked.path.join(MODES));
    files.extend(modes.map(|path| DataFile { reader: make::<Sections>, ..DataFile::new(path, Role::Modes) }));
    let mut missing = Vec::new();
    for (name, role, is_needed, meaning) in [
        (POSITIVES, Role::Positives, asked.needs_examples, "the positive examples"),
        (NEGATIVES, Role::Negatives, asked.needs_negatives, "the negative examples"),
    ] {
        match found(asked.path.join(name)) {
            Some(path) => files.push(DataFile { reader: make::<Examples>, ..DataFile::new(path, role) }),
            None if is_needed && !asked.is_inspection => {
                missing.push(faults::missing_file(&asked.path.join(name), meaning));
            }
            None => {}
        }
    }
    if missing.is_empty() { Ok(Files::undivided(files)) } else { Err(missing) }
}

/// Reads examples. A negative example may be written as a headless clause.
#[derive(Debug, Default)]
struct Examples;

impl FileReader for Examples {
    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let Some(goal) = headless_example(statement) else {
            // Any other headless clause is a directive.
            statement
                .body
                .iter()
                .filter(|_| statement.head.is_none())
                .for_each(|goal| reading.directive(goal));
            return statement.head.is_none();
        };
        reading.example(goal, statement.span, true, false);
        true
    }
}
