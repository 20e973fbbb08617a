//! Reading: every statement of every file into provisional tables.
//!
//! A layout lists the files and the reader of each ([`reader`]). A reader passes what it finds to
//! [`reading`], which fills the tables ([`gathered`]). What only reading needs to know ends with it ([`gathering`]).

use std::path::{Path, PathBuf};

use gleaner_lang::program::FactTable;
use gleaner_lang::syntax::{Diagnostic, FileId, Sources, check_regular, check_within, unreadable};

mod built_ins;
mod control;
mod declarations;
mod examples;
mod file_control;
mod gathered;
mod gathering;
mod number_idiom;
mod reader;
mod reading;
mod statements;
pub(super) mod time_terms;
mod triple_numbers;

pub(super) use control::{Ways, clause_bodies};
pub(super) use declarations::Declarations;
pub use declarations::SetDirective;
pub use examples::{ClassRequest, Division};
pub(super) use examples::{RawExample, RawExamples, RawNumbers};
pub(super) use gathered::{Facts, fit};
pub(super) use gathered::{Gathered, Habits, Statements};
pub(super) use gathered::{HeldRule, RawRule, Rules, UniversalFact, Waiting};
pub(super) use gathering::{Gathering, VariableStyle, are_parts, division_of, part_rank};
pub(super) use number_idiom::NumberIdiom;
pub(super) use reader::{DataFile, Files};
pub(super) use reader::{FileReader, MakeReader, Program, make, read_statement, read_text, whole};
pub(super) use reading::{Class, FileReading, Role};

use crate::tables::store::Database;
use reader::Sink;

/// Reads all files.
pub(super) fn gather(files: &Files, sources: &mut Sources) -> Gathering {
    let before = sources.clone();
    let mut faulty: Vec<PathBuf> = Vec::new();
    loop {
        match gather_but(&faulty, files, sources) {
            Ok(gathering) => return gathering,
            // Part of the faulty file was taken, and nothing of it may count: read again without it.
            Err(path) => faulty.push(path),
        }
        *sources = before.clone();
    }
}

/// Reads all files. Fails with the path of a file that turns out to be no text, unless `faulty` names it.
fn gather_but(faulty: &[PathBuf], files: &Files, sources: &mut Sources) -> Result<Gathering, PathBuf> {
    let mut gathering = begun(files);
    let mut queue: Vec<DataFile> = files.files.iter().rev().cloned().collect();
    let mut imported: Vec<PathBuf> = Vec::new();
    let mut of_given_modes: Vec<FileId> = Vec::new();
    while let Some(file) = queue.pop().filter(|_| files.budget.stop().is_none()) {
        if file.role == Role::Modes {
            of_given_modes.push(sources.next_id());
        }
        let read = check_place(&file, &files.root)
            .and_then(|()| read_file(&file, faulty.contains(&file.path), &mut gathering, sources));
        let imports = match read {
            Ok(Some(imports)) => imports,
            Ok(None) => return Err(file.path),
            Err(diagnostic) => {
                gathering.gathered.messages.push(diagnostic);
                continue;
            }
        };
        for import in imports {
            let path =
                file.path.parent().map_or_else(|| import.clone().into(), |folder| folder.join(&import));
            // Different paths may name one file, and a file may import itself.
            let same = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !imported.contains(&same) {
                imported.push(same);
                let imported_by = Some(file.path.clone());
                queue.push(DataFile { path, is_named: false, imported_by, ..file.clone() });
            }
        }
    }
    if files.has_given_modes {
        gathering.gathered.statements.declarations.keep_modes_of(&of_given_modes);
    }
    Ok(gathering)
}

/// Refuses a link that leads out of the data, in a file that the user did not name, and an import from elsewhere. A layout may
/// have files in the folder above that which the user names, and a part of BoostSRL's imports from there.
fn check_place(file: &DataFile, root: &Path) -> Result<(), Diagnostic> {
    if file.is_named || file.content.is_some() {
        return Ok(());
    }
    check_regular(&file.path).map_err(|error| unreadable(&file.path, &error))?;
    let above = file.imported_by.as_deref().and_then(Path::parent).map(|folder| folder.join(".."));
    let is_link = file.path.is_symlink() || file.path.parent().is_some_and(Path::is_symlink);
    let is_own = match above {
        Some(above) => check_within(&file.path, &above).is_ok(),
        None => !is_link,
    };
    if is_own { Ok(()) } else { check_within(&file.path, root) }
}

/// Begins to read these files.
fn begun(files: &Files) -> Gathering {
    let mut begun = Gathering::default();
    let Gathered { statements, facts, messages, .. } = &mut begun.gathered;
    facts.folds = vec![FactTable::default(); files.fold_names.len()];
    statements.examples.fold_names.clone_from(&files.fold_names);
    statements.examples.division = files.division;
    statements.habits = files.habits;
    statements.declarations.query.clone_from(&files.target);
    messages.extend(files.warnings.iter().cloned());
    begun.notes.n_layout_folds = files.fold_names.len();
    begun.notes.is_scored = files.is_scored;
    begun.notes.classes_asked.clone_from(&files.classes_asked);
    begun.notes.number_asked = files.number_asked;
    begun.notes.keeps_unlabelled = files.keeps_unlabelled;
    begun.notes.budget = files.budget.clone();
    if let Some(request) = &files.database {
        begun.notes.database = Some(Database::default());
        begun.notes.database_request = request.clone();
    }
    begun
}

/// Reads one file; gives the files that it imports, or nothing if it turns out to be no text. For a known `faulty` file
/// it does not check this.
fn read_file(
    file: &DataFile,
    is_faulty: bool,
    gathering: &mut Gathering,
    sources: &mut Sources,
) -> Result<Option<Vec<String>>, Diagnostic> {
    let mut reader = (file.reader)();
    let mut reading = FileReading::new(gathering, &file.path, sources.next_id(), file.role);
    reading.fold = file.fold;
    reading.table.clone_from(&file.table);
    reading.content.clone_from(&file.content);
    reading.has_plain_facts = reader.has_plain_facts();
    reading.keywords = reader.keywords();
    let id = sources.next_id();
    let read = if reader.is_program() && !is_faulty {
        let mut sink = Sink { reader: &mut *reader, reading: &mut reading };
        sources.read(&file.path, &mut sink).map(|is_text| is_text.then(Vec::new))
    } else {
        reader.file(&file.path, sources, &mut reading).map(Some)
    };
    if let Ok(None) = read {
        return read;
    }
    let is_told = reading.tell_faults();
    if read.is_ok() {
        if !is_told {
            reading.messages.extend(sources.replacement_warning(id));
        }
        reader.finish(&mut reading);
    }
    read
}

#[cfg(test)]
mod tests;
