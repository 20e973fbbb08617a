//! `gleaner report RUN…`: a run as one HTML page, or the comparison of several.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::Failure;
use crate::jobs::files::RECORD;
use crate::jobs::report::Report;

use super::conduct::limit;
use super::file_output::FileOutput;
use super::flags::LimitFlags;
use super::output::Output;
use super::setting_flags::as_flag;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folders that `cv --run` or `learn --run` wrote, or the run.json in them; several are compared.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Write the page to this file; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn report(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    for run in &arguments.runs {
        FileOutput::spare(&arguments.output, "-o", [run.join(RECORD).as_path(), run])?;
    }
    let file = FileOutput::check(&arguments.output, "-o", output)?;
    let page = Report { runs: arguments.runs.clone() }.run(as_flag)?;
    file.write(&page, output)
}
