//! From gathered data to a problem: the stages in their order. Each is a type that is made of the one before.

use std::collections::BTreeMap;

use gleaner_base::FixedMap;
use gleaner_lang::syntax::{Code, Diagnostic, Place, Severity, Sources};

use crate::complete::complete;
use crate::database;
use crate::declare::declare;
use crate::derive::derive;
use crate::formats::Format;
use crate::freeze::freeze;
use crate::frozen::Loaded;
use crate::gather::{Files, Gathered, Gathering, gather};
use crate::lint;
use crate::request::BuildRequest;
use crate::stated::Stated;

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
    let stated = Stated::for_target(&request.target, gathered);
    let mut declared = declare(request, files, stated)?;
    let mut warnings = declared.take_warnings();
    let derived = derive(declared, request.max_derived_facts, &mut warnings);
    let completed = derived.and_then(|mut derived| {
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
    let symbols = &derived.statements.symbols;
    let first_facts: BTreeMap<String, Place> = derived
        .statements
        .first_facts
        .iter()
        .map(|(&id, &place)| (symbols.predicate_name(id).to_string(), place))
        .collect();
    let problem = freeze(request, format, derived, made);
    warnings.extend(lint::repeated_facts(&problem.profile, &first_facts));
    Ok(Loaded { problem, warnings: grouped(warnings) })
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
