//! From gathered data to a problem: the stages in their order. Each is a type that is made of the one before.
//!
//! Loading: from files to a problem.
//!
//! The second stage of loading: no statement waits for others.
//!
//! A target that is a predicate of the facts: its facts become the positive examples, and leave the background.
//!
//! Leaves out rules of other systems that are outside the language, and rules with cuts, with everything that depends on them.
//!
//! A predicate with some rules missing would silently be true too seldom, and its negation too often. So all its rules,
//! all rules that use it, and its modes are left out; its facts are only counted.

use std::collections::BTreeMap;

use crate::declare::{complete, declare};
use crate::derive::derive;
use crate::formats::Format;
use crate::freeze::freeze;
use crate::gather::{Files, Gathered, Gathering, gather};
use crate::problem::Loaded;
use crate::recognise::{database_format, recognise, wide_tables, with_lenient_format};
use crate::request::{BuildRequest, LoadRequest};
use crate::stated::Stated;
use crate::{database, faults, lint};
use gleaner_base::{Budget, FixedMap};
use gleaner_lang::syntax::{Code, Diagnostic, Place, Severity, Sources, codes};

/// Reads all files.
pub(super) fn read(files: &Files, sources: &mut Sources) -> Gathered {
    finished(gather(files, sources))
}

/// Ends reading: the tables of a database become facts.
pub(super) fn finished(mut gathering: Gathering) -> Gathered {
    let Gathering { gathered, notes } = &mut gathering;
    if let Some(tables) = &mut notes.database {
        database::settle(tables, &notes.database_request, &notes.given_schema, gathered);
    }
    gathering.finish()
}

/// Checks the gathered data, runs the rules and freezes the problem. Messages refer to `files`, the files of the data.
pub(super) fn build(
    request: &BuildRequest<'_>,
    format: Format,
    files: &Files,
    gathered: Gathered,
) -> Result<Loaded, Vec<Diagnostic>> {
    go_on(request.budget)?;
    let stated = Stated::for_target(&request.target, gathered);
    let mut declared = declare(request, files, stated)?;
    let mut warnings = declared.take_warnings();
    let derived = derive(declared, request.max_derived_facts, &mut warnings);
    let completed = derived.and_then(|mut derived| {
        go_on(request.budget).map_err(|mut faults| faults.remove(0))?;
        warnings.extend(lint::lint(&derived));
        let made = complete(request, &mut derived, &mut warnings)?;
        Ok((derived, made))
    });
    let (derived, made) = match completed {
        Ok(completed) => completed,
        Err(fault) => {
            warnings.push(fault);
            return Err(warnings);
        }
    };
    go_on(request.budget)?;
    let symbols = &derived.statements.symbols;
    let first_facts: BTreeMap<String, Place> = derived
        .statements
        .first_facts
        .iter()
        .map(|(&id, &place)| (symbols.predicate_name(id).to_string(), place))
        .collect();
    let (problem, selection) = freeze(request, format, derived, made);
    warnings.extend(lint::repeated_facts(problem.profile(), &first_facts));
    Ok(Loaded { problem, selection, warnings: grouped(warnings) })
}

/// The fault that the budget ended before the data were read, if it did.
fn go_on(budget: &Budget) -> Result<(), Vec<Diagnostic>> {
    budget.check().map_err(|reason| vec![faults::stopped(reason)])
}

/// Joins the warnings that say the same of several places into one.
fn grouped(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut places: FixedMap<(Code, String), usize> = FixedMap::default();
    let mut grouped: Vec<(Diagnostic, usize)> = Vec::new();
    for diagnostic in diagnostics {
        let is_warning = diagnostic.severity() == Severity::Warning;
        let key = (diagnostic.code(), diagnostic.message().to_owned());
        match places.get(&key).filter(|_| is_warning) {
            Some(&place) => grouped[place].1 += 1,
            None => {
                places.insert(key, grouped.len());
                grouped.push((diagnostic, 0_usize));
            }
        }
    }
    let with_count = |(diagnostic, n_more): (Diagnostic, usize)| match n_more {
        0 => diagnostic,
        1 => diagnostic.with_help("and once more"),
        _ => diagnostic.with_help(format!("and {n_more} times more")),
    };
    grouped.into_iter().map(with_count).collect()
}

/// The schema of a database as a file: what its own says, and what is proposed of the rest, with the evidence. Beside it
/// stand the messages; the database needs no labels. None if the data are in another layout.
///
/// # Errors
///
/// Every fault of the files that was found.
pub fn schema_of(
    request: &LoadRequest,
    sources: &mut Sources,
) -> Result<(Option<String>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let of_path = || request.tables.is_none().then(|| database_format(&request.path));
    let asked = LoadRequest { format: request.format.or_else(of_path), ..request.clone() };
    sources.hold(&request.texts);
    let (_, files) = recognise(&asked, true)?;
    let gathered = read(&files, sources);
    let mut found = gathered.messages.into_vec();
    found.retain(|told| told.code() != codes::NO_LABEL_COLUMN || request.label.is_some());
    match found.iter().any(|told| told.severity() == Severity::Error) {
        true => Err(found),
        false => Ok((gathered.statements.schema, found)),
    }
}

/// Loads a problem; adds the files that it reads to `sources`, for messages.
///
/// A folder of tables that nothing asks to be read as facts, with a table of several attributes, is read as a database
/// where keys join all tables: each column is a relation then, and an empty cell is no fact.
///
/// # Errors
///
/// Every fault of the files that was found, with the warnings beside them.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    if let Some(asked) = wide_tables(request) {
        let mut read = sources.clone();
        let loaded = load_as_asked(&asked, &mut read);
        let is_whole = |told: &Diagnostic| told.code() != codes::TABLE_ALONE;
        if let Ok(mut loaded) = loaded
            && loaded.warnings.iter().all(is_whole)
        {
            *sources = read;
            loaded.warnings.push(faults::facts_as_tables(&request.path));
            return Ok(loaded);
        }
    }
    load_as_asked(request, sources)
}

fn load_as_asked(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    sources.hold(&request.texts);
    let (format, files) = recognise(request, false)?;
    let gathering = gather(&files, sources);
    go_on(&request.budget)?;
    let gathered = finished(gathering);
    let built = build(&request.of_build(), format, &files, gathered);
    built.map_err(|faults| with_lenient_format(faults, format, &request.path, request.format))
}
