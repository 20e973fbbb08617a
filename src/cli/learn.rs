//! `gleaner learn DATA -o MODEL`: one model.

use std::path::PathBuf;

use clap::ArgMatches;

use crate::experiment::config::without_effect;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::run::{RunResult, run};
use crate::experiment::split::whole;
use crate::learn::RunContext;
use crate::report::{model_text, run_record, text};
use crate::store::write_whole;
use crate::syntax::{Diagnostic, codes};

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, n_seeds};
use super::run_folder::{self, check_writable};
use super::session::{Session, chosen_split};

pub(super) fn learn(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let memory = MemoryCap::watch(matches)?;
    let session = Session::open(matches, output)?;
    let fold = matches.get_one::<u32>("fold").copied();
    let split = match fold {
        Some(fold) => chosen_split(&session.splits()?, fold)?.clone(),
        None => whole(&session.problem, &session.split_request)
            .map_err(|fault| Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())))?,
    };
    let path = matches.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    check_writable(&path)?;
    if let Some(folder) = matches.get_one::<PathBuf>("run") {
        check_writable(&folder.join("run.json"))?;
    }
    for message in without_effect(&session.settings) {
        output.note(&format!("warning: {message}"));
    }
    let budget = budget(matches, &memory);
    let n_seeds = n_seeds(&session.settings);
    let progress = Progress::new(n_seeds, output.shows_progress());
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(1));
    let context = RunContext { budget: &budget, rng_seed, monitor: &progress, cover_bytes };
    on_threads(matches, || {
        let result = run(&session.problem, &session.settings, &split, &context);
        let took = progress.finish();
        if result.model.is_empty() {
            let stop = result.search.outer_stop();
            return Err(Failure::NothingLearnt(result.search.funnel, result.search.seeds, stop));
        }
        let model = run_folder::model_file(&session, &session.settings, &result).to_json();
        write_whole(&path, model.as_bytes()).map_err(|error| Failure::write(&path, &error))?;
        if let Some(folder) = matches.get_one::<PathBuf>("run") {
            run_folder::write_run(folder, &session, &session.settings, &result)?;
            let request = run_folder::request(&session, "learn", fold.map(|fold| fold as usize));
            let runs = std::slice::from_ref(&result);
            let record = run_record::record(&request, &session.settings, &session.problem, runs, None);
            run_folder::write_records(folder, &record, took, &session)?;
        }
        report(&session, &result, output)
    })
}

fn report(session: &Session, result: &RunResult, output: &Output) -> Result<(), Failure> {
    let mut summary = text::problem_line(&ProblemSummary::of(&session.problem));
    summary.push('\n');
    summary.push_str(&text::search_lines(&result.search));
    summary.push_str(&model_text::model(&result.model, &session.problem.symbols));
    if !result.scored.is_empty() {
        summary.push_str(&format!(
            "\non the test set {}:\n{}",
            result.split.name,
            text::metric_lines(result)
        ));
    }
    output.text(&summary)?;
    output.event(&run_record::learnt_event(&session.problem, result))
}
