//! `gleaner cv DATA`: cross-validation.

use std::path::PathBuf;

use clap::ArgMatches;

use crate::experiment::{CrossValidation, cross_validate};
use crate::learn::Conduct;
use crate::problem::encoded_name;
use crate::report::{run_record, text};
use crate::search::Funnel;

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::Progress;
use super::run_folder::{self, check_no_remains, check_writable};
use super::session::Session;

pub(super) fn cv(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let memory = MemoryCap::watch(matches)?;
    let session = Session::open(matches, output)?;
    let splits = session.splits()?;
    let headline = format!("{}; {} folds\n", text::problem_line(&session.problem), splits.len());
    let folder = matches.get_one::<PathBuf>("run");
    if let Some(folder) = folder {
        let tables = ["run.json", "timing.json", "metrics.csv", "learning_curve.csv"];
        let modes = session.problem.proposed_modes.as_ref().map(|_| "modes.pl");
        let folds: Vec<String> = splits.iter().map(|split| encoded_name(&split.name)).collect();
        check_no_remains(folder, folds.iter().map(String::as_str).chain(tables).chain(modes))?;
        check_writable(&folder.join("run.json"))?;
    }
    match output.text(&headline) {
        // Nobody reads, but the run folder is still wanted.
        Err(Failure::ClosedPipe) if folder.is_some() => {}
        said => said?,
    }
    let budget = budget(matches, &memory);
    let n_seeds = session.settings.integer("seeds").unwrap_or(0) * splits.len() as u64;
    let progress = Progress::new(n_seeds, output.shows_progress());
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(splits.len()));
    let conduct = Conduct { budget: &budget, rng_seed, monitor: &progress, cover_bytes };
    on_threads(matches, || {
        let validation = cross_validate(&session.problem, &session.settings, &splits, &conduct);
        let (seconds, n_evaluated) = progress.finish();
        if let Some(folder) = folder {
            for run in &validation.runs {
                run_folder::write_run(&folder.join(encoded_name(&run.split.name)), &session, run)?;
            }
            run_folder::write_validation(folder, &validation)?;
            let request = run_folder::request(&session, "cv", None);
            let record = run_record::record(
                &request,
                &session.settings,
                &session.problem,
                &validation.runs,
                Some(&validation),
            );
            run_folder::write_records(folder, &record, seconds, n_evaluated, &session)?;
        }
        report(&session, &validation, output, (seconds, n_evaluated))
    })
}

fn report(
    session: &Session,
    validation: &CrossValidation,
    output: &Output,
    (seconds, n_evaluated): (f64, u64),
) -> Result<(), Failure> {
    let mut funnel = Funnel::default();
    validation.runs.iter().for_each(|run| funnel.add(&run.search.funnel));
    if validation.runs.iter().all(|run| run.model.decisions.is_empty()) {
        let stop = validation.runs.iter().find_map(|run| run.search.outer_stop());
        let seeds = validation.runs.iter().flat_map(|run| run.search.seeds.iter().cloned()).collect();
        return Err(Failure::NothingLearnt(funnel, seeds, stop));
    }
    let mut summary = format!("\n{}", text::fold_table(validation));
    let n_unsearched = validation.runs.iter().filter(|run| !run.was_searched).count();
    if n_unsearched > 0 {
        summary.push_str(&format!(
            "{n_unsearched} of {} folds were not searched before the stop: the means leave them out\n",
            validation.runs.len()
        ));
    }
    let curve = text::learning_curve(validation);
    if !curve.is_empty() {
        summary.push_str(&format!("\n{curve}"));
    }
    output.text(&summary)?;
    for run in &validation.runs {
        output.event(&run_record::run_event("run", run))?;
        for (reason, n_seeds) in &run.search.stops {
            if reason.is_outer() {
                output.note(&format!(
                    "{}: {n_seeds} seeds ended early: {}",
                    run.split.name,
                    text::stop_name(*reason)
                ));
            }
        }
    }
    output.note(&format!("{n_evaluated} clauses evaluated in {seconds:.1} s"));
    output.event(&run_record::done_event(&session.problem, validation))
}
