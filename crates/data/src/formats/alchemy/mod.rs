//! Alchemy's folders: evidence (`.db`), declarations (`.mln`).

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::{entries, has_ending, stem_name};
use crate::gather::{DataFile, FileReading, Files, Habits, MakeReader, whole};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::Diagnostic;

mod text;

use text::{GroundAtom, OddLine, ground_atoms};

/// Alchemy's layout.
#[derive(Debug)]
pub(super) struct Alchemy;

impl FileFormat for Alchemy {
    fn about(&self) -> About {
        About {
            name: "alchemy",
            files_in_words: "*.db",
            habits: Habits { is_foreign: true, has_positives_among_facts: true, ..Habits::default() },
            clue: Clue::Endings,
        }
    }

    /// A file of evidence, or a folder with one.
    fn is_recognised(&self, path: &Path) -> bool {
        if path.is_dir() { !ending(path, "db").is_empty() } else { has_ending(path, "db") }
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, "db").then_some(|| whole(read_evidence))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked.path).map(Some)
    }
}

/// Reads ground atoms, true or false.
fn read_evidence(text: &str, reading: &mut FileReading<'_>) {
    for line in ground_atoms(text) {
        match line {
            Ok(atom) => take_atom(&atom, reading),
            Err(OddLine(span)) => {
                let accepted = "a ground atom, as `Follows(A1,A2)` or `!Follows(A1,A3)`";
                reading.tell(faults::odd_line(reading.place_in_file(span), accepted));
            }
        }
    }
}

/// Takes an atom. A false atom is a negative example of the target; false atoms of other predicates say nothing new.
fn take_atom(atom: &GroundAtom<'_>, reading: &mut FileReading<'_>) {
    let place = reading.place_in_file(atom.span);
    let is_query =
        || reading.statements.declarations.is_query(&PredicateName::new(atom.name, atom.arguments.len()));
    if atom.is_false && !is_query() {
        return reading.notes.false_facts.add(place);
    }
    let row: Vec<_> = atom.arguments.iter().map(|cell| reading.cell(cell)).collect();
    let fold = reading.fold;
    if atom.is_false {
        reading.example_row(atom.name, &row, false, fold, place);
    } else {
        reading.fact_row(atom.name, &row, fold, place);
    }
}

/// Reads the atoms of a query; the first one names the target.
fn read_query(text: &str, reading: &mut FileReading<'_>) {
    for atom in ground_atoms(text).flatten() {
        reading.name_target(|| PredicateName::new(atom.name, atom.arguments.len()).into());
    }
}

/// Reads types of arguments; formulas are left out.
fn read_declarations(text: &str, reading: &mut FileReading<'_>) {
    let read = text::declarations(text);
    for (predicate, types, span) in read.predicates {
        let place = reading.place_in_file(span);
        reading.statements.declarations.declared_types.push((predicate, types, place));
    }
    if let Some(&first) = read.formulas.first() {
        reading.tell(faults::ignored_formulas(reading.place_in_file(first), read.formulas.len()));
    }
}

fn ending(path: &Path, ending: &str) -> Vec<PathBuf> {
    entries(path).into_iter().filter(|entry| has_ending(entry, ending)).collect()
}

/// Finds the files. Several files of evidence are folds, each with facts of its own. A file whose name contains `query`
/// is a query.
fn files(path: &Path) -> Result<Files, Vec<Diagnostic>> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    let is_query = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("query"))
    };
    let databases = if path.is_dir() { ending(path, "db") } else { vec![path.to_path_buf()] };
    let (queries, evidence): (Vec<PathBuf>, Vec<PathBuf>) = databases.into_iter().partition(is_query);
    if evidence.is_empty() {
        return Err(vec![faults::missing_file(&folder.join("*.db"), "the evidence")]);
    }
    let mut files: Vec<DataFile> = ending(folder, "mln")
        .into_iter()
        .map(|file| DataFile::read_by(file, || whole(read_declarations)))
        .collect();
    files.extend(queries.into_iter().map(|file| DataFile::read_by(file, || whole(read_query))));
    let mut fold_names = Vec::new();
    for file in &evidence {
        let fold = (evidence.len() > 1).then_some(fold_names.len());
        if fold.is_some() {
            fold_names.push(stem_name(file));
        }
        files.push(DataFile::read_by(file.clone(), || whole(read_evidence)).in_fold(fold));
    }
    Ok(Files::in_folds(files, fold_names))
}
