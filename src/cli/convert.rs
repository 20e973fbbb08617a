//! `gleaner convert DATA -o DIR --to FORMAT`: what was read, in another layout.

use std::path::PathBuf;

use clap::ArgMatches;

use crate::experiment::catalog;
use crate::problem::Format;
use crate::problem::convert::{Converted, convert as converted};
use crate::report::files::ConvertAnswer;
use crate::store::write_new_folder;
use crate::syntax::Sources;

use super::failure::Failure;
use super::output::Output;
use super::run_folder::check_no_remains;
use super::session::load_request;

pub(super) fn convert(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let request = load_request(matches)?;
    let made = [
        (request.restriction.is_some(), "--where", ""),
        (request.negatives.is_some(), "--negatives", ""),
        (
            request.propose_modes,
            "--propose-modes",
            "; `gleaner inspect --propose-modes` writes modes for --modes",
        ),
    ];
    if let Some((_, flag, hint)) = made.iter().find(|(is_given, _, _)| *is_given) {
        let why = "has no effect here: what is written is what was read, before rules are run";
        return Err(Failure::Usage(format!("{flag} {why}{hint}")));
    }
    let to = matches.get_one::<String>("to").and_then(|name| Format::named(name)).unwrap_or(Format::Own);
    let folder = matches.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    // What was left there would be read with it.
    check_no_remains(&folder, [])?;
    let mut sources = Sources::new();
    let Converted { files, warnings } = match converted(&request, to, catalog(), &mut sources) {
        Ok(converted) => converted,
        Err(diagnostics) => return Err(Failure::Data(diagnostics, sources)),
    };
    output.warnings(&warnings, &sources);
    write_new_folder(&folder, files.iter().map(|file| (&*file.path, file.text.as_bytes())))
        .map_err(|error| Failure::write(&folder, &error))?;
    output.answer(&ConvertAnswer::new(to, &files))
}
