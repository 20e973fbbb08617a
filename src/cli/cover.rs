//! `gleaner cover DATA CLAUSES`: what each clause of a file covers.

mod rows;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::experiment::cover::{CoverAnswer, Covering, Listed};
use crate::report::answer::done;
use crate::report::text::stop_name;
use gleaner_data::clauses::{Checker, ClauseReader, usable_predicates};
use gleaner_engine::coverage::CoverStore;

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{ProblemFlags, ResourceFlags};
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::ClauseProgress;
use super::session::Session;
use super::set_flags::SetFlags;
use super::setting_flags::Dividing;
use super::values::parse_time;
use rows::Rows;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the CSV to this file instead; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// List the covered examples too, in a column of their own.
    #[arg(long, value_name = "WHICH")]
    examples: Option<Listed>,
    #[command(flatten)]
    set: SetFlags,
    #[command(flatten)]
    problem: ProblemFlags<Dividing>,
    /// A file of clauses of the target, or - for standard input.
    #[arg(value_name = "CLAUSES", help_heading = None)]
    clauses: PathBuf,
    #[command(flatten)]
    resources: ResourceFlags,
    /// Stop after this time, as 90s, 10m or 2h; the rows written so far stay.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
}

impl ValueEnum for Listed {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::All, Self::Positives, Self::Negatives]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::All => "all",
            Self::Positives => "positives",
            Self::Negatives => "negatives",
        }))
    }
}

pub(super) fn cover(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        let read = arguments.problem.data.files().chain([&*arguments.clauses]);
        FileOutput::spare(path, "-o", read)?;
    }
    let file = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let memory = MemoryCap::watch(&arguments.resources)?;
    let deadline = Deadline::begin(arguments.time, &memory, output);
    let session = Session::open(&arguments.problem, output)?.of_two_classes("cover")?;
    let budget = deadline.loaded();
    arguments.set.warn(&session, output);
    let chosen = arguments.set.chosen(&session)?;
    let listed = arguments.examples;
    let most_bytes = memory.loaded(1);
    on_threads(&arguments.resources, || {
        let problem = &session.problem;
        let universe = chosen.universe(&problem.examples);
        let cover_bytes = CoverStore::usual_capacity(&universe).min(most_bytes);
        let rows = Rows::begin(output, file.as_ref(), listed.is_some())?;
        let covering = Covering { problem, universe: &universe, listed, budget, cover_bytes };
        run(&covering, &arguments.clauses, rows, output)
    })
}

/// Reads, evaluates and writes, block by block.
fn run(covering: &Covering<'_>, path: &Path, mut rows: Rows<'_>, output: &Output) -> Result<(), Failure> {
    let usable = usable_predicates(covering.problem);
    let mut reader = ClauseReader::open(path, Checker::new(covering.problem, &usable))?;
    let progress = ClauseProgress::new(reader.progress().1, output.shows_progress());
    let stop = covering.run(&mut reader, &mut |found, n_bytes| {
        rows.write(found)?;
        progress.show(rows.n_written(), n_bytes);
        Ok::<(), Failure>(())
    })?;
    let n_clauses = rows.finish()?;
    let rate = progress.finish(n_clauses);
    match stop {
        None => output.note(&format!("{n_clauses} clauses evaluated, {rate}")),
        Some(reason) => output.say(&format!(
            "{n_clauses} clauses evaluated, {rate}; {}: the clauses after these were not",
            stop_name(reason)
        )),
    }
    let universe = covering.universe;
    let (positives, negatives) = (universe.n_positives(), universe.n_negatives());
    output.event(&done(&CoverAnswer { positives, negatives, clauses: n_clauses, stop }))
}
