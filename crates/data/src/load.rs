//! Loading: from files to a problem.

use gleaner_lang::syntax::{Diagnostic, Severity, Sources, codes};

use crate::build::{build, read};
use crate::faults;
use crate::frozen::Loaded;
use crate::recognise::{database_format, recognise, wide_tables, with_lenient_format};
use crate::request::LoadRequest;

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
    let format = request.format.unwrap_or_else(|| database_format(&request.path));
    let asked = LoadRequest { format: Some(format), ..request.clone() };
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
    let (format, files) = recognise(request, false)?;
    let gathered = read(&files, sources);
    let built = build(&request.of_build(), format, &files, gathered);
    built.map_err(|faults| with_lenient_format(faults, format, &request.path, request.format))
}
