//! `gleaner mine DATA -o QUERIES`: the queries that enough examples satisfy.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::jobs::features::Mine;
use crate::jobs::{Failure, Means, Session};
use crate::report::answer::{done, event};
use crate::report::mine::{clauses, csv, lines};
use crate::report::text::stop_name;

use super::conduct::{Conduct, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{ConductFlags, ProblemFlags, SetFlags, TableFlags};
use super::opening::opening;
use super::output::Output;
use super::progress::MiningProgress;
use super::setting_flags::Mining;
use super::values::whole_of;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    problem: ProblemFlags<Mining>,
    /// Write the queries to this file; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The format; by default CSV if the file's name ends in .csv, else clauses.
    #[arg(long = "as", value_name = "FORMAT")]
    form: Option<Form>,
    /// Write only the K queries that best tell each class from the rest.
    #[arg(long, value_name = "K", value_parser = whole_of::<usize>(1..))]
    best: Option<usize>,
    #[command(flatten)]
    set: SetFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    conduct: ConductFlags,
}

/// How queries are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A clause on each line, with what it covers in a comment.
    Clauses,
    /// A row for each query.
    Csv,
}

pub(super) fn mine(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let path = &arguments.output;
    let is_csv = path.extension().is_some_and(|end| end == "csv");
    let form = arguments.form.unwrap_or(if is_csv { Form::Csv } else { Form::Clauses });
    FileOutput::spare(path, "-o", arguments.problem.data.files())?;
    let file = FileOutput::check(path, "-o", output)?;
    let conduct = Conduct::begin(&arguments.conduct, output)?;
    let output = &file.beside(output);
    let job = Mine { set: arguments.set.chosen(), best: arguments.best };
    let opening = opening(&arguments.problem, output)?;
    let sparing = Sparing::of(Some(path), "-o", output);
    on_threads(&arguments.conduct.resources, || {
        let ready =
            job.ready(Session::load(opening, &sparing)?, Means { listener: output, limits: &conduct })?;
        let progress = MiningProgress::new(output.shows_progress());
        let answer = ready.run(&|level| progress.show(level));
        let rate = progress.finish();
        let text = match form {
            Form::Clauses => clauses(&answer),
            Form::Csv => output.with_tables(arguments.tables).table(&csv(&answer)).into_owned(),
        };
        file.write_or_save("queries", &text, output)?;
        output.note(&format!("{}; {rate}", lines(&answer)));
        if let Some(reason) = answer.stop {
            let stopped = format!("stopped: {}; the queries found so far are written", stop_reason(reason));
            if reason.is_outer() {
                output.say(&stopped);
            } else {
                output.note(&stopped);
            }
        }
        answer.queries.iter().try_for_each(|query| output.event(&event("query", query)))?;
        output.event(&done(&answer))
    })
}

/// Why mining stopped, in words.
fn stop_reason(reason: gleaner_base::StopReason) -> &'static str {
    match reason {
        gleaner_base::StopReason::ClausesEvaluated => "--candidates were tried",
        other => stop_name(other),
    }
}
