//! Reading: every statement of every file into provisional tables.
//!
//! A layout lists the files and the reader of each ([`reader`]). A reader passes what it finds to
//! [`reading`], which fills the tables ([`gathered`]). What only reading needs to know ends with it ([`gathering`]).

mod built_ins;
mod control;
mod declarations;
mod file_control;
mod gathered;
mod gathering;
mod reader;
mod reading;
mod statements;
pub(super) mod time_terms;

use std::path::{Path, PathBuf};

use crate::tables::store::Database;
use gleaner_lang::program::FactTable;
use gleaner_lang::syntax::{Diagnostic, FileId, Sources, check_regular, check_within, unreadable};

use reader::Sink;

pub(super) use built_ins::NumberIdiom;
pub(super) use control::{Ways, clause_bodies};
pub use declarations::{ClassRequest, Division, SetDirective};
pub(super) use declarations::{Declarations, RawExample, RawExamples, RawNumbers};
pub(super) use gathered::{
    Facts, Gathered, Habits, HeldRule, RawRule, Rules, Statements, UniversalFact, Waiting, fit,
};
pub(super) use gathering::{Gathering, VariableStyle, are_parts, division_of, part_rank};
pub(super) use reader::{
    DataFile, FileReader, Files, MakeReader, Program, make, read_statement, read_text, whole,
};
pub(super) use reading::{Class, FileReading, Role};

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
mod tests {
    use proptest::prelude::{Just, Strategy, prop, prop_assert_eq, prop_oneof, proptest};

    use gleaner_lang::syntax::{ProgramSink, Sources, read_program, read_statements};

    use super::gathering::Gathering;
    use super::reader::{Program, Sink};
    use super::reading::{FileReading, Role};

    /// All data gathered from a text, by the fast way or by the reader alone.
    fn gathered(text: &str, role: Role, is_fast: bool) -> String {
        let mut sources = Sources::new();
        let mut gathering = Gathering::default();
        let mut reading = FileReading::new(&mut gathering, "a.pl".as_ref(), sources.next_id(), role);
        let mut sink = Sink { reader: &mut Program, reading: &mut reading };
        if is_fast {
            read_program(text, &mut sink);
        } else {
            let faults = read_statements(text, &mut |statement| sink.statement(&statement, 0));
            faults.iter().for_each(|fault| sink.fault(fault, 0));
        }
        reading.tell_faults();
        sources.add("a.pl", text);
        gathering.gathered.fit_tables();
        format!("{gathering:#?}")
    }

    fn texts() -> impl Strategy<Value = String> {
        let argument = prop_oneof![
            "[a-c][0-9]{0,2}",
            "[A-Z]",
            "-?[0-9]{1,3}(\\.[0-9]{1,2})?",
            "'[a-cA '-]{0,3}'",
            prop::sample::select(vec![
                "is", "'is'", "f(a)", "[a]", "#a", "+t", "-t", "é", "\"a\"", "a = b", "a:b", "!", "'\\n'"
            ])
            .prop_map(str::to_owned),
        ];
        let end = prop_oneof![20 => Just(".\n"), 1 => Just(" :- q(X).\n"), 1 => Just(". "), 1 => Just("= b.\n"), 1 => Just(".")];
        let fact = ("[pq]", prop::collection::vec(argument, 1..4), end)
            .prop_map(|(name, arguments, end)| format!("{name}({}){end}", arguments.join(",")));
        prop::collection::vec(fact, 0..12).prop_map(|facts| facts.concat())
    }

    proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(1_000))]

        /// Both ways give the same constants, predicates, facts, rules, examples and messages, numbers included. A fact
        /// that the fast way begins and abandons leaves no trace.
        #[test]
        fn the_fast_way_gathers_what_the_reader_gathers(
            text in texts(),
            role in prop::sample::select(vec![Role::Background, Role::Modes, Role::Positives]),
        ) {
            prop_assert_eq!(gathered(&text, role, true), gathered(&text, role, false));
        }
    }
}
