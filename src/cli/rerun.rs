//! `gleaner rerun RUN [DATA]`: a run again, and what differs.

use std::path::PathBuf;

use clap::{Args, Parser};
use tempfile::TempDir;

use crate::jobs::Failure;
use crate::jobs::rerun::Rerun;

use super::arguments::{Command, CommandLine};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A run folder that `cv --run` or `learn --run` wrote.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The data; without it, the path that the run was told.
    #[arg(value_name = "DATA")]
    data: Option<PathBuf>,
    /// Keep the new run in this folder.
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// `run` is what a command of the command line does.
pub(super) fn rerun(
    arguments: &Arguments,
    output: &Output,
    run: &dyn Fn(&Command, &Output) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let job = Rerun::of(&arguments.run, arguments.data.as_deref())?;
    let changed = job.changed_inputs();
    if let Some(first) = changed.first() {
        let others = changed.len() - 1;
        let more = if others == 0 { String::new() } else { format!(", nor are {others} others") };
        output.note(&format!("warning: {first} is not the file that the run read{more}"));
    }
    let own = TempDir::new().map_err(|error| Failure::write(&std::env::temp_dir(), &error.into()))?;
    let folder = arguments.output.clone().unwrap_or_else(|| own.path().join("run"));
    let words = std::iter::once("gleaner".into()).chain(job.words(&folder));
    let command = CommandLine::try_parse_from(words)
        .map_err(|error| Failure::Usage(format!("the record of the run makes no command: {error}")))?;
    run(&command.command, &output.of_part())?;
    let answer = job.compare(&folder).map_err(|error| Failure::write(&folder, &error.into()))?;
    output.answer(&answer)?;
    answer.failure().map_or(Ok(()), |fault| Err(Failure::fault(fault)))
}
