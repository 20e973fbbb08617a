//! `gleaner mine DATA -o QUERIES`: the queries that enough examples satisfy.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::experiment::mine::MineAnswer;
use crate::report::answer::{done, event};
use crate::report::mine::{clauses, csv, lines};
use crate::report::text::stop_name;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::mining::MiningConfig;
use gleaner_engine::mining::levels::{Ground, mine as mine_queries};
use gleaner_lang::program::object_identity::ObjectIdentity;
use gleaner_lang::program::settings::{DataSummary, LEARNER};
use gleaner_learn::registry::learner_named;

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{ConductFlags, ProblemFlags, TableFlags};
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::MiningProgress;
use super::session::Session;
use super::set_flags::SetFlags;
use super::setting_flags::Mining;
use super::values::whole_of;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    problem: ProblemFlags<Mining>,
    /// Write the queries to this file; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// How they are written; by default CSV where the file's name ends in .csv, else clauses.
    #[arg(long = "as", value_name = "FORMAT")]
    form: Option<Form>,
    /// Write only the K queries of each class that tell most of it.
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

/// The learner whose defaults mining has.
const MLYNX: &str = "mlynx";

pub(super) fn mine(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let path = &arguments.output;
    let is_csv = path.extension().is_some_and(|end| end == "csv");
    let form = arguments.form.unwrap_or(if is_csv { Form::Csv } else { Form::Clauses });
    FileOutput::spare(path, "-o", arguments.problem.data.files())?;
    let file = FileOutput::check(path, "-o", output)?;
    let conduct = &arguments.conduct;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let output = &file.beside(output);
    let mut session = Session::open(&arguments.problem, output)?;
    let budget = deadline.loaded();
    arguments.set.warn(&session, output);
    let chosen = arguments.set.chosen(&session)?;
    debug_assert!(learner_named(MLYNX).is_some(), "there is such a learner");
    session.settings.set(LEARNER, MLYNX).expect("it is a learner");
    let config = MiningConfig::of(&session.settings, DataSummary::default());
    if config.object_identity == ObjectIdentity::Proposed {
        output.note("warning: --object-identity proposed has no effect on mined queries");
    }
    let most_bytes = memory.loaded(1);
    on_threads(&conduct.resources, || {
        let problem = &session.problem;
        let universe = chosen.universe(&problem.examples);
        let capacity = CoverStore::usual_capacity(&universe).min(most_bytes);
        let store = Arc::new(CoverStore::with_capacity(&problem.worlds, &universe, capacity));
        let classes = problem.classes.as_ref().map(|list| universe.class_sets(list.len()));
        let ground = Ground {
            worlds: &problem.worlds,
            modes: &problem.modes,
            store: &store,
            classes: classes.as_deref(),
        };
        let progress = MiningProgress::new(output.shows_progress());
        let mined = mine_queries(ground, &config, budget, &|level| progress.show(level));
        let rate = progress.finish();
        let answer = MineAnswer::of(problem, &mined, &universe, arguments.best);
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
