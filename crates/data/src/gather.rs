//! Reading: every statement of every file into provisional tables.
//!
//! A layout lists the files and the reader of each ([`files`], [`reader`]). A reader passes what it finds to
//! [`reading`], which fills the tables ([`gathered`]).

use std::path::PathBuf;

use gleaner_lang::program::FactTable;
use gleaner_lang::syntax::{Diagnostic, FileId, Sources, check_regular, unreadable};

use gleaner_lang::program::TargetName;

mod control;
mod files;
mod gathered;
mod number_idiom;
mod reader;
mod reading;
mod statements;

pub(super) use files::{DataFile, Files};
pub use gathered::{Division, SetDirective};
pub(super) use gathered::{
    Gathered, Habits, HeldRule, RawClasses, RawExample, RawRule, UniversalFact, VariableStyle,
};
pub(super) use number_idiom::NumberIdiom;
pub(super) use reader::{FileReader, MakeReader, Program, make, read_statement, read_text, whole};
pub(super) use reading::{Class, FileReading, Role};
pub(super) use statements::{name_and_arity, plain_text};

use reader::Sink;

/// Reads all files; `target` is the requested target.
pub(super) fn gather(target: Option<&TargetName>, files: &Files, sources: &mut Sources) -> Gathered {
    let before = sources.clone();
    let mut faulty: Vec<PathBuf> = Vec::new();
    loop {
        match gather_but(&faulty, target, files, sources) {
            Ok(gathered) => return gathered,
            // Part of the faulty file was taken, and nothing of it may count: read again without it.
            Err(path) => faulty.push(path),
        }
        *sources = before.clone();
    }
}

/// Reads all files. Fails with the path of a file that turns out to be no text, unless `faulty` names it.
fn gather_but(
    faulty: &[PathBuf],
    target: Option<&TargetName>,
    files: &Files,
    sources: &mut Sources,
) -> Result<Gathered, PathBuf> {
    let mut gathered = Gathered {
        folds: vec![FactTable::default(); files.fold_names.len()],
        fold_names: files.fold_names.clone(),
        division: files.division,
        habits: files.habits,
        is_scored: files.is_scored,
        classes_asked: files.classes_asked.clone(),
        query: target.cloned(),
        ..Gathered::default()
    };
    gathered.diagnostics.extend(files.warnings.iter().cloned());
    let mut queue: Vec<DataFile> = files.files.iter().rev().cloned().collect();
    let mut imported: Vec<PathBuf> = Vec::new();
    let mut of_given_modes: Vec<FileId> = Vec::new();
    while let Some(file) = queue.pop() {
        if file.role == Role::Modes {
            of_given_modes.push(sources.next_id());
        }
        let imports = match read_file(&file, faulty.contains(&file.path), &mut gathered, sources) {
            Ok(Some(imports)) => imports,
            Ok(None) => return Err(file.path),
            Err(diagnostic) => {
                gathered.diagnostics.push(diagnostic);
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
                queue.push(DataFile { path, is_named: false, ..file.clone() });
            }
        }
    }
    if files.has_given_modes {
        gathered.keep_modes_of(&of_given_modes);
    }
    gathered.finish(files.fold_names.len());
    Ok(gathered)
}

/// Reads one file; gives the files that it imports, or nothing if it turns out to be no text. For a known `faulty` file
/// it does not check this.
fn read_file(
    file: &DataFile,
    is_faulty: bool,
    gathered: &mut Gathered,
    sources: &mut Sources,
) -> Result<Option<Vec<String>>, Diagnostic> {
    if !file.is_named {
        check_regular(&file.path).map_err(|error| unreadable(&file.path, &error))?;
    }
    let mut reader = (file.reader)();
    let mut reading = FileReading::new(gathered, &file.path, sources.next_id(), file.role, file.fold);
    reading.set_has_plain_facts(reader.has_plain_facts());
    reading.set_keywords(reader.keywords());
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
            reading.tell_all(sources.replacement_warning(id));
        }
        reader.finish(&mut reading);
    }
    read
}

#[cfg(test)]
mod tests;
