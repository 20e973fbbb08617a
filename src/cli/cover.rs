//! `gleaner cover DATA CLAUSES`: what each clause of a file covers.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use gleaner_base::StopReason;
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::clauses::cover::{CoveredClause, Listed};
use crate::jobs::cover::Cover;
use crate::jobs::{Failure, Means, Session};
use crate::report::answer::done;
use crate::report::clause_table;
use crate::report::text::stop_name;
use crate::store::WholeFile;

use super::conduct::{Conduct, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{ConductFlags, ProblemFlags, ResourceFlags, SetFlags};
use super::opening::opening;
use super::output::Output;
use super::progress::ClauseProgress;
use super::setting_flags::Dividing;
use super::values::parse_time;

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
    let Arguments { examples, .. } = arguments;
    if let Some(path) = &arguments.output {
        let read = arguments.problem.data.files().chain([&*arguments.clauses]);
        FileOutput::spare(path, "-o", read)?;
    }
    let file = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let flags = ConductFlags { resources: arguments.resources, time: arguments.time };
    let conduct = Conduct::begin(&flags, output)?;
    let job = Cover { clauses: arguments.clauses.clone(), set: arguments.set.chosen(), listed: *examples };
    let opening = opening(&arguments.problem, output)?;
    let sparing = Sparing::of(arguments.output.as_deref(), "-o", output);
    on_threads(&arguments.resources, || {
        let ready =
            job.ready(Session::load(opening, &sparing)?, Means { listener: output, limits: &conduct })?;
        let mut rows = Rows::begin(output, file.as_ref(), examples.is_some())?;
        let progress = ClauseProgress::new(output.shows_progress());
        let answer = ready.run(&mut |found, n_bytes, of_bytes| {
            rows.write(found)?;
            progress.show(rows.n_written(), n_bytes, of_bytes);
            Ok(())
        })?;
        let n_clauses = rows.finish()?;
        let rate = progress.finish(n_clauses);
        match answer.stop {
            None => output.note(&format!("{n_clauses} clauses evaluated, {rate}")),
            Some(reason) => output.say(&format!(
                "{n_clauses} clauses evaluated, {rate}; {}: the later clauses were not evaluated",
                stop_name(reason)
            )),
        }
        output.event(&done(&answer))?;
        // A script must not take the rows for all rows.
        if answer.stop == Some(StopReason::MemoryLimit) {
            return Err(Failure::fault(lost_rows(n_clauses)));
        }
        Ok(())
    })
}

/// That clauses were not evaluated because memory was short.
fn lost_rows(n_clauses: u64) -> Diagnostic {
    let message = format!("--memory is too small for all clauses: only the first {n_clauses} have rows");
    Diagnostic::error(codes::MEMORY_LIMIT, message)
        .with_help("raise --memory, or give the later clauses in a file of their own")
}

/// Rows as they are written.
#[derive(Debug)]
struct Rows<'o> {
    output: &'o Output,
    file: Option<WholeFile>,
    has_examples: bool,
    /// Whether the header is still to come: it waits for the first row, so that a fault of the first
    /// clauses leaves nothing behind.
    wants_header: bool,
    n_written: u64,
    /// Nobody reads the events, but the file is still wanted.
    is_deaf: bool,
}

impl<'o> Rows<'o> {
    /// No rows yet, for a file or standard output.
    fn begin(output: &'o Output, file: Option<&FileOutput>, has_examples: bool) -> Result<Self, Failure> {
        let file = file.map(FileOutput::begin).transpose()?.flatten();
        Ok(Self { output, file, has_examples, wants_header: true, n_written: 0, is_deaf: false })
    }

    /// How many rows were written.
    const fn n_written(&self) -> u64 {
        self.n_written
    }

    /// Writes the rows of some clauses, and their events.
    fn write(&mut self, clauses: &[CoveredClause]) -> Result<(), Failure> {
        if self.file.is_some() || !self.output.is_json() {
            let header =
                if self.wants_header { clause_table::header(self.has_examples) } else { String::new() };
            self.wants_header = false;
            self.table(&(header + &clause_table::rows(clauses)))?;
        }
        if self.output.is_json() && !self.is_deaf {
            let events: String =
                clauses.iter().map(|clause| format!("{}\n", clause_table::clause_event(clause))).collect();
            match self.output.data(&events) {
                Err(Failure::ClosedPipe) if self.file.is_some() => self.is_deaf = true,
                said => said?,
            }
        }
        self.n_written += clauses.len() as u64;
        Ok(())
    }

    fn table(&mut self, text: &str) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return self.output.data(text) };
        let written = file.write(text.as_bytes());
        written.map_err(|error| Failure::write(file.path(), &error))
    }

    /// Ends the table; how many rows it has.
    fn finish(mut self) -> Result<u64, Failure> {
        if self.wants_header {
            self.write(&[])?;
        }
        if let Some(file) = self.file {
            let path = file.path().to_owned();
            file.finish().map_err(|error| Failure::write(&path, &error))?;
        }
        Ok(self.n_written)
    }
}
