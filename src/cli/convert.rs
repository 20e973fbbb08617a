//! `gleaner convert DATA -o DIR --to FORMAT`: what was read, in another layout.

use std::path::PathBuf;

use clap::Args;

use crate::experiment::catalog;
use crate::report::files::ConvertAnswer;
use gleaner_data::convert::{Converted, convert as converted};
use gleaner_data::{ClassRequest, Format};
use gleaner_lang::syntax::Sources;

use super::deadline::limit;
use super::failure::Failure;
use super::flags::{DEFAULT_SEED, DataFlags, LimitFlags, layout};
use super::folder_output::{Earlier, FolderOutput};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder to write: a new or an empty one.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Replace earlier files of the same names in the folder.
    #[arg(long)]
    overwrite: bool,
    /// The layout to write.
    #[arg(long, value_name = "FORMAT", value_parser = layout(Format::written()))]
    to: Format,
    #[command(flatten)]
    data: DataFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn convert(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let request = arguments.data.request(DEFAULT_SEED);
    let made = [
        (request.restriction.is_some(), "--where", ""),
        (request.negatives.is_some(), "--negatives", ""),
        (arguments.data.reading.negatives_test.is_some(), "--negatives-test", ""),
        (request.classes != ClassRequest::default(), "--class-argument, or several targets,", ""),
        (request.max_derived_facts.is_some(), "--max-derived-facts", ""),
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
    let (folder, to) = (&arguments.output, arguments.to);
    let mut sources = Sources::new();
    let Converted { files, warnings } = match converted(&request, to, catalog(), &mut sources) {
        Ok(converted) => converted,
        Err(diagnostics) => return Err(Failure::Data(diagnostics, sources)),
    };
    output.warnings(&warnings, &sources);
    // What was left there would be read with it.
    let written = files.iter().map(|file| file.path.clone()).collect();
    let place = FolderOutput::claim(folder, Earlier::Problem(written), arguments.overwrite, output)?;
    place.write(|sink| files.iter().try_for_each(|file| sink(&file.path, &file.text)))?;
    output.answer(&ConvertAnswer::new(to, &files))
}
