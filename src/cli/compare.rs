//! `gleaner compare RUN RUN…`: runs over the same folds, side by side and pair by pair.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::Failure;
use crate::jobs::files::RECORD;
use crate::jobs::report::Compare;
use crate::report::comparison;

use super::conduct::limit;
use super::file_output::FileOutput;
use super::flags::{LimitFlags, TableFlags};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folders that `cv --run` wrote, or the run.json in them.
    ///
    /// Each of several variants has one, in the folder of --run.
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// A metric of the run record; may be given several times [default: means of six, pairs of auc_pr].
    #[arg(long, value_name = "NAME")]
    metric: Vec<String>,
    /// Write each metric's pairs to this file as CSV; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn compare(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    if let Some(path) = &arguments.output {
        let records =
            arguments.runs.iter().map(|run| if run.is_dir() { run.join(RECORD) } else { run.clone() });
        let records: Vec<PathBuf> = records.collect();
        FileOutput::spare(path, "-o", records.iter().map(PathBuf::as_path))?;
    }
    let file = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let output = &file.as_ref().map_or(*output, |file| file.beside(output));
    let answer = Compare { runs: arguments.runs.clone(), metrics: arguments.metric.clone() }.run()?;
    if let Some(file) = file {
        file.write_table(&comparison::csv(&answer.metrics.0), &output.with_tables(arguments.tables))?;
    }
    output.answer(&answer)
}
