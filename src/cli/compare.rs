//! `gleaner compare RUN RUN…`: runs over the same folds, side by side and pair by pair.

mod names;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::experiment::compare::{compare_runs, known_metrics};
use crate::experiment::run_record::{NamedRun, RunRecord};
use crate::report::comparison;
use gleaner_lang::syntax::Sources;

use super::deadline::limit;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::finished_run::{RECORD, read_run, record_place};
use super::flags::{LimitFlags, TableFlags};
use super::output::Output;

use names::shortest_names;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folders that `cv --run` wrote, or the run.json in them.
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
    let file = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let output = &file.as_ref().map_or(*output, |file| file.beside(output));
    let runs = read_runs(&arguments.runs)?;
    let asked = asked_metrics(&runs, &arguments.metric)?;
    let answer = compare_runs(&runs, asked).map_err(|faults| Failure::Data(faults, Sources::new()))?;
    if let Some(file) = file {
        file.write_table(&comparison::csv(&answer.metrics.0), &output.with_tables(arguments.tables))?;
    }
    output.answer(&answer)
}

/// The records of all runs, named.
fn read_runs(paths: &[PathBuf]) -> Result<Vec<NamedRun>, Failure> {
    let mut places: Vec<PathBuf> = Vec::new();
    for path in paths {
        let place = record_place(path)?;
        if places.contains(&place) {
            return Err(Failure::Usage(format!(
                "{} is given twice: a run is compared with others",
                path.display()
            )));
        }
        places.push(place);
    }
    let files = paths.iter().zip(&places).map(|(path, place)| read_run(path, place));
    let files = files.collect::<Result<Vec<RunRecord>, Failure>>()?;
    let folders: Vec<PathBuf> = places.iter().map(|place| folder_of(place)).collect();
    let named = shortest_names(&folders).into_iter().zip(files);
    Ok(named.map(|(name, record)| NamedRun { name, record }).collect())
}

/// What a run is named by: its folder, or the record where that has a name of its own.
fn folder_of(place: &Path) -> PathBuf {
    let folder = place.parent().filter(|_| place.file_name().is_some_and(|name| name == RECORD));
    folder.unwrap_or(place).to_owned()
}

/// The metrics asked for, each once; one that no run has is wrong usage.
fn asked_metrics(runs: &[NamedRun], asked: &[String]) -> Result<Vec<String>, Failure> {
    let known = known_metrics(runs);
    let mut wanted: Vec<String> = Vec::new();
    for name in asked {
        if !known.contains(&name.as_str()) {
            return Err(Failure::Usage(format!(
                "--metric {name}: no run has it\nhelp: there are {}",
                known.join(", ")
            )));
        }
        if !wanted.contains(name) {
            wanted.push(name.clone());
        }
    }
    Ok(wanted)
}
