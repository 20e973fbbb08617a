//! Finds the layout of a path, and the role of each file.

use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{Diagnostic, Severity, codes};

use crate::formats::{
    Asked, COMPRESSED, Clue, Format, has_wide_table, names, names_key, native_duckdb, tables,
};
use crate::gather::{ClassRequest, DataFile, Files, Role};
use crate::request::{Aggregates, LoadPurpose, LoadRequest};
use crate::tables::DatabaseRequest;
use crate::{asked, faults};

/// Finds the layout of the request's path, by `format` or by the content of the folder, and its files; of tables in memory
/// the request says the layout. For `only_schema` the tables of a database need no examples.
pub(super) fn recognise(
    request: &LoadRequest,
    only_schema: bool,
) -> Result<(Format, Files), Vec<Diagnostic>> {
    let (format, mut files) = match &request.tables {
        Some(tables) => {
            let format = request.format.unwrap_or(Format::Tables);
            (format, tables::memory_files(tables, format, !request.texts.is_empty())?)
        }
        None => at_path(request, only_schema)?,
    };
    let layout = format.layout();
    files.habits = layout.about().habits;
    match &mut files.database {
        Some(asked) => *asked = of_database(request, only_schema),
        None if request.cut_off.is_some() => return Err(vec![faults::cut_off_of_no_database(format.name())]),
        None if !request.frozen.is_empty() => return Err(vec![faults::frozen_of_no_database(format.name())]),
        None if request.meanings.is_some() => return Err(vec![faults::schema_of_no_database(format.name())]),
        None => {}
    }
    // What is said first counts.
    files.files.splice(0..0, request.meanings.iter().map(|text| tables::schema(text)));
    files.target.clone_from(&request.target);
    files.is_scored = request.purpose == LoadPurpose::Score;
    files.classes_asked = request.classes.clone();
    files.number_asked = request.number;
    files.keeps_unlabelled = request.keeps_unlabelled();
    files.budget = request.budget.clone();
    let given =
        |path: &Path, role, reader| DataFile { reader, ..DataFile::new(path.to_owned(), role).named() };
    if let Some(modes) = &request.modes {
        files.files.retain(|file| file.role != Role::Modes);
        files.files.push(given(modes, Role::Modes, layout.modes()));
        files.has_given_modes = true;
    }
    let program = |path: &Path| Format::reader_of_facts(path).unwrap_or_else(|| layout.program());
    let background = |path: &PathBuf| given(path, Role::Background, program(path));
    files.files.extend(request.background.iter().map(background));
    // Read these last: they are no part of the layout.
    files
        .files
        .extend(request.examples.iter().map(|path| DataFile::read_by(path.clone(), asked::reader).named()));
    Ok((format, files))
}

/// The layout of the request's path, and its files.
fn at_path(request: &LoadRequest, only_schema: bool) -> Result<(Format, Files), Vec<Diagnostic>> {
    let path = &*request.path;
    if !path.exists() && !Format::ALL.iter().any(|format| format.layout().is_prefix(path)) {
        return Err(vec![faults::no_such_path(path)]);
    }
    // The name of such a file may end as that of a file in another layout does.
    if path.is_file() && native_duckdb(path).is_some() {
        return Err(vec![in_no_layout(path, None)]);
    }
    let of_label = request.is_of_database().then(|| database_format(path));
    let Some(format) = request.format.or(of_label).or_else(|| recognise_format(path)) else {
        let mut problems = Format::ALL.iter().map(|format| format.layout().problems(path));
        return Err(vec![match problems.find(|problems| problems.len() > 1) {
            Some(problems) => faults::several_problems(path, &problems),
            None => in_no_layout(path, None),
        }]);
    };
    let layout = format.layout();
    let problems = layout.problems(path);
    if problems.len() > 1 {
        return Err(vec![faults::several_problems(path, &problems)]);
    }
    let has_classes = request.classes != ClassRequest::default();
    let has_numbers = request.number.is_some();
    // Files need not list negatives that are made.
    let is_scored = request.purpose == LoadPurpose::Score;
    let needs_negatives = request.negatives.is_none() && !is_scored && !has_classes && !has_numbers;
    // The source of classes may be a predicate of the facts, and that of numbers one that is named.
    let takes_facts = request.target.is_some() && (request.negatives.is_some() || has_numbers);
    let asked = Asked {
        path,
        is_inspection: request.purpose == LoadPurpose::Inspect,
        needs_background: request.background.is_empty(),
        needs_negatives,
        needs_examples: !is_scored && !has_classes && !takes_facts,
        has_numbers,
        needs_no_labels: only_schema,
        label: request.label.as_ref(),
        reader_of_tables: Format::reader_of_tables,
    };
    let not_in_it = || vec![in_no_layout(path, Some(format))];
    let mut files = layout
        .files(&asked)
        .map_err(|missing| with_other_format(missing, format, path, request.format))?
        .ok_or_else(not_in_it)?;
    files.root = path.to_owned();
    for file in &mut files.files {
        file.is_named = file.path == path;
    }
    files.warnings.extend(twice(&files.files));
    if is_open(request, format, &files.files) {
        files.warnings.push(faults::tables_as_facts(path, format.name()));
    }
    Ok((format, files))
}

/// What is asked of a database.
fn of_database(request: &LoadRequest, only_schema: bool) -> DatabaseRequest {
    let is_frozen_for_model = request.frozen.is_empty();
    let frozen = if is_frozen_for_model { &request.frozen_for_model } else { &request.frozen };
    DatabaseRequest {
        label: request.label.clone(),
        is_scored: request.purpose == LoadPurpose::Score,
        keeps_unlabelled: request.keeps_unlabelled(),
        takes_numbers: request.number.is_some(),
        takes_classes: request.classes.argument.is_some(),
        only_schema,
        has_modes: request.modes.is_some(),
        frozen: frozen.clone(),
        is_frozen_for_model,
        split: request.split.clone(),
        cut_off: request.cut_off.clone(),
        schema: request.schema.clone(),
        group: request.group.clone(),
    }
}

/// The fault of data in no layout, or not in the one that is asked for.
fn in_no_layout(path: &Path, format: Option<Format>) -> Diagnostic {
    if let Some(file) = native_duckdb(path) {
        return faults::native_duckdb(&file);
    }
    let below = if format.is_none() { folders_in_a_layout(path) } else { Vec::new() };
    faults::unknown_layout(path, format.map(Format::name), &below, &files_in_words())
}

/// Whether a folder of tables, taken as tables of facts, may be a database as well: nothing asks for facts, and a table
/// has a column that is called as a key is.
fn is_open(request: &LoadRequest, format: Format, files: &[DataFile]) -> bool {
    may_be_database(request)
        && request.path.is_dir()
        && format.layout().about().clue == Clue::Tables
        && files.iter().all(|file| file.role == Role::Mixed)
        && files.iter().any(|file| names_key(&file.path))
}

/// Whether a request neither says how tables are read nor names what only one reading has.
fn may_be_database(request: &LoadRequest) -> bool {
    request.tables.is_none()
        && request.format.is_none()
        && request.target.is_none()
        && request.modes.is_none()
        && request.background.is_empty()
}

/// The request for a folder of tables, or for one, as a database, if it says nothing of how they are read and a table has
/// several attributes. One relation of so many arguments could hardly be learnt from. Models know their relations already.
pub(super) fn wide_tables(request: &LoadRequest) -> Option<LoadRequest> {
    let asks_for_facts = !may_be_database(request)
        || request.purpose == LoadPurpose::Score
        || !request.predicates.is_empty()
        || request.is_of_database()
        || request.propose_modes
        || request.aggregates == Some(Aggregates::Propose)
        || request.negatives.is_some()
        || request.number.is_some()
        || request.target_in_body.is_some()
        || request.classes != ClassRequest::default();
    let path = &request.path;
    let is_wide = || recognise_format(path) == Some(Format::Csv) && has_wide_table(path);
    (!asks_for_facts && is_wide()).then(|| LoadRequest { format: Some(Format::Tables), ..request.clone() })
}

/// Warns if a folder has both a file `NAME` and its compressed form `NAME.gz`: only the first is read.
fn twice(files: &[DataFile]) -> Vec<Diagnostic> {
    let compressed = |file: &DataFile| {
        let mut path = file.path.clone().into_os_string();
        path.push(COMPRESSED);
        Some(PathBuf::from(path)).filter(|path| path.exists())
    };
    let warning = |file: &DataFile| compressed(file).map(|path| faults::read_uncompressed(&file.path, &path));
    files.iter().filter_map(warning).collect()
}

/// The layout of a database at the path: that which the path shows, else a folder of tables.
pub(super) fn database_format(path: &Path) -> Format {
    let mut databases = Format::ALL.iter().copied().filter(|format| format.habits().is_database);
    databases.find(|format| format.shows_in(path)).unwrap_or(Format::Tables)
}

/// The layout with the surest clue that the path shows.
fn recognise_format(path: &Path) -> Option<Format> {
    let mut formats = Format::ALL.to_vec();
    formats.sort_by_key(|format| format.layout().about().clue);
    formats.into_iter().find(|format| format.shows_in(path))
}

/// If the recognised layout lacks files and the user named no layout, adds a help that names a layout with all its
/// files.
fn with_other_format(
    missing: Vec<Diagnostic>,
    format: Format,
    path: &Path,
    named: Option<Format>,
) -> Vec<Diagnostic> {
    let is_other = |other: &&Format| {
        **other != format && other.layout().about().clue != Clue::Graphs && other.shows_in(path)
    };
    let other = Format::ALL.iter().find(is_other).filter(|_| named.is_none());
    let Some(other) = other else { return missing };
    let help = format!("⁅format={}⁆ reads the data in that layout", other.name());
    let mut missing = missing.into_iter();
    let last = missing.next_back().map(|fault| fault.with_help(help));
    missing.chain(last).collect()
}

/// Adds a help to the fault of a rule outside the language. If the examples lie as in the layout that leaves such rules
/// out, the help names that layout.
pub(super) fn with_lenient_format(
    mut faults: Vec<Diagnostic>,
    format: Format,
    path: &Path,
    named: Option<Format>,
) -> Vec<Diagnostic> {
    let is_own = format == Format::Own && named.is_none();
    let lies_so = is_own && [names::POSITIVES, names::NEGATIVES].iter().all(|name| path.join(name).exists());
    let outside =
        |fault: &Diagnostic| fault.code() == codes::UNSUPPORTED && fault.severity() == Severity::Error;
    if let Some(at) = faults.iter().position(outside).filter(|_| lies_so) {
        let fault = faults.remove(at).with_help(
            "if the rules are another system's, ⁅format=aleph⁆ leaves out those that are outside the language",
        );
        faults.insert(at, fault);
    }
    faults
}

/// The folders inside this one that are in a known layout, ascending by name.
fn folders_in_a_layout(path: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|entry| entry.is_dir() && recognise_format(entry).is_some())
        .collect();
    folders.sort();
    folders
}

/// The files of all layouts in words: a line for ours, one for layouts that list their examples, and one for the
/// others.
fn files_in_words() -> [String; 3] {
    let line = |is_of_line: fn(Format) -> bool| {
        let formats = Format::ALL.iter().copied().filter(|&format| is_of_line(format));
        let words =
            formats.map(|format| format!("{}: {}", format.name(), format.layout().about().files_in_words));
        words.collect::<Vec<_>>().join("; ")
    };
    [
        line(|format| !format.habits().is_foreign),
        line(|format| format.habits().is_foreign && !format.habits().has_positives_among_facts),
        line(|format| format.habits().has_positives_among_facts),
    ]
}
