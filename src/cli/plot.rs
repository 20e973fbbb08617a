//! `gleaner plot RUN… --figure NAME`: a figure of a run, or of several, as SVG, with its numbers as CSV beside it.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::Failure;
use crate::jobs::files::RECORD;
use crate::jobs::report::{FigureName, Plot};
use gleaner_lang::syntax::codes;

use super::conduct::limit;
use super::file_output::FileOutput;
use super::flags::LimitFlags;
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folders that `cv --run` or `learn --run` wrote, or the run.json in them: one; several for pr, learning, labels, wins.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The figure.
    #[arg(long, value_enum, value_name = "NAME")]
    figure: FigureName,
    /// Write the figure to this file, and its numbers to the same name with .csv; - is standard output, for the figure alone.
    #[arg(long, short, value_name = "FILE.svg")]
    output: PathBuf,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn plot(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let is_standard = arguments.output.as_os_str() == "-";
    let numbers = Some(arguments.output.with_extension("csv")).filter(|_| !is_standard);
    if numbers.as_ref() == Some(&arguments.output) {
        let message = "-o names the SVG file: the numbers go to the same name with .csv";
        return Err(Failure::usage(codes::SETTING_VALUE, message));
    }
    for path in [&arguments.output].into_iter().chain(&numbers) {
        for run in &arguments.runs {
            FileOutput::spare(path, "-o", [run.join(RECORD).as_path(), run])?;
        }
    }
    let svg = FileOutput::check(&arguments.output, "-o", output)?;
    let csv = FileOutput::check_or_none(numbers.as_deref(), "-o", output)?;
    let figure = Plot { runs: arguments.runs.clone(), figure: arguments.figure }.run()?;
    svg.write_with(&figure.chart.draw().svg, (&csv, &figure.csv()), output)
}
