//! `gleaner rerun RUN [DATA]`: a run again, and what differs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use gleaner_lang::syntax::codes;
use tempfile::TempDir;

use crate::experiment::settings::asked::{RunCommand, each_file, files_named, in_shell};
use crate::jobs::rerun::{Rerun, not_read};
use crate::jobs::{Failure, Listener as _};

use super::arguments::{Command, CommandLine};
use super::flags::ConductFlags;
use super::output::Output;
use super::setting_flags::as_flag;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A run folder that `cv --run` or `learn --run` wrote.
    ///
    /// Each of several variants has one, in the folder of --run.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The data; without it, the path that the run was told.
    #[arg(value_name = "DATA")]
    data: Option<PathBuf>,
    /// Keep the new run in this folder.
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The run's modes, if their file has moved.
    #[arg(long, value_name = "FILE")]
    modes: Option<PathBuf>,
    /// The run's facts and rules, if they have moved.
    ///
    /// All files of the run must be named, in their order, each by this flag.
    #[arg(long, value_name = "FILE")]
    background: Vec<PathBuf>,
    /// The run's given clauses, if they have moved.
    ///
    /// Model files, files of clauses or run folders: all that the run took, each by this flag.
    #[arg(long, value_name = "FILE")]
    feature_clauses: Vec<PathBuf>,
    #[command(flatten)]
    conduct: ConductFlags,
}

/// `run` is what a command of the command line does.
pub(super) fn rerun(
    arguments: &Arguments,
    output: &Output,
    run: &dyn Fn(&Command, &Output) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Arguments { modes, background, feature_clauses, .. } = arguments;
    let files = files_named(modes.clone(), background.clone(), feature_clauses.clone());
    let job = Rerun::of(&arguments.run, arguments.data.as_deref(), files)?;
    if let Some(changed) = not_read(&job.changed_inputs()) {
        output.warn(codes::NOT_THE_SAME, &changed);
    }
    let own = TempDir::new().map_err(|error| Failure::write(&std::env::temp_dir(), &error.into()))?;
    let folder = arguments.output.clone().unwrap_or_else(|| own.path().join("run"));
    let words = words(&job, &folder);
    let shown: Vec<String> = words.iter().map(|word| in_shell(&word.to_string_lossy())).collect();
    output.note(&format!("running: {}", shown.join(" ")));
    let no_command =
        |why: &str| Failure::usage(codes::BAD_RUN, format!("the record of the run makes no command: {why}"));
    let mut command =
        CommandLine::try_parse_from(words).map_err(|error| no_command(&error.to_string()))?.command;
    match &mut command {
        Command::Cv(asked) => asked.conduct = arguments.conduct,
        Command::Learn(asked) => asked.conduct = arguments.conduct,
        _ => return Err(no_command("it is neither cv nor learn")),
    }
    run(&command, &output.of_part())?;
    let answer = job.compare(&folder).map_err(|error| Failure::write(&folder, &error.into()))?;
    output.answer(&answer)?;
    answer.failure().map_or(Ok(()), |fault| Err(Failure::fault(fault)))
}

/// The words of the command, which writes its run to `folder`.
fn words(job: &Rerun, folder: &Path) -> Vec<OsString> {
    let RunCommand { verb, settings } = job.command();
    // A path is no flag, whatever its name; `-` is standard input.
    let data = job.data.as_os_str();
    let is_flag = data != "-" && data.as_encoded_bytes().starts_with(b"-");
    let data = if is_flag { Path::new(".").join(data).into() } else { data.to_owned() };
    let mut words: Vec<OsString> = vec!["gleaner".into(), verb.into(), data];
    for (name, value) in settings {
        match value {
            // A value that begins as a flag does is one word with its own.
            Some(value) if value.starts_with('-') => words.push(as_flag(&name, Some(&value)).into()),
            value => words.extend(std::iter::once(as_flag(&name, None)).chain(value).map(OsString::from)),
        }
    }
    let files = each_file(&job.files).map(|(name, path)| (name, &**path)).chain([("run", folder)]);
    words.extend(files.flat_map(|(name, path)| [as_flag(name, None).into(), path.into()]));
    words
}
