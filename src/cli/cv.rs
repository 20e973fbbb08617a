//! `gleaner cv DATA`: cross-validation, of one learner or of several on the same folds.

mod compared;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;

use crate::experiment::config::without_effect;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::{CrossValidation, Split, cross_validate_variants};
use crate::learn::RunContext;
use crate::problem::encoded_name;
use crate::program::settings::Settings;
use crate::report::{run_record, text};
use crate::search::Funnel;

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, Took, n_seeds};
use super::run_folder::{self, check_no_remains, check_writable};
use super::session::Session;
use super::variants::{Variant, variants};

use compared::Compared;

pub(super) fn cv(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let memory = MemoryCap::watch(matches)?;
    let session = Session::open(matches, output)?;
    let splits = session.splits()?;
    let variants = variants(matches, &session.settings)?;
    let n_repeats = matches.get_one::<u32>("repeats").map_or(1, |&repeats| repeats as usize);
    let folder = matches.get_one::<PathBuf>("run");
    if let Some(folder) = folder {
        check_folder(folder, &session, &variants, (&splits, n_repeats))?;
    }
    if variants.len() > 1 && matches.get_one::<Duration>("time").is_some() {
        output
            .note("warning: variants are searched one after another: --time may leave nothing for the last");
    }
    for message in
        variants.iter().flat_map(|variant| without_effect(&variant.settings)).collect::<BTreeSet<_>>()
    {
        output.note(&format!("warning: {message}"));
    }
    let headline =
        format!("{}; {} folds\n", text::problem_line(&ProblemSummary::of(&session.problem)), splits.len());
    match output.text(&headline) {
        // Nobody reads, but the run folder is still wanted.
        Err(Failure::ClosedPipe) if folder.is_some() => {}
        said => said?,
    }
    let budget = budget(matches, &memory);
    let n_runs = (splits.len() * n_repeats) as u64;
    // Variants may share their search: then nobody knows how many seeds there will be.
    let n_seeds = n_seeds(&session.settings).filter(|_| variants.len() == 1).map(|seeds| seeds * n_runs);
    let progress = Progress::new(n_seeds, output.shows_progress());
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(splits.len()));
    let context = RunContext { budget: &budget, rng_seed, monitor: &progress, cover_bytes };
    on_threads(matches, || {
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let validations = cross_validate_variants(&session.problem, &settings, &splits, n_repeats, &context);
        let took = progress.finish();
        if let Some(folder) = folder {
            for (variant, validation) in variants.iter().zip(&validations) {
                write_folder(
                    &variant_folder(folder, variant),
                    &session,
                    &variant.settings,
                    validation,
                    took,
                )?;
            }
        }
        if validations.iter().all(|validation| validation.runs.iter().all(|run| run.model.is_empty())) {
            return Err(nothing_learnt(&validations[0]));
        }
        for (variant, validation) in variants.iter().zip(&validations) {
            if !variant.name.is_empty() {
                output.text(&format!("\n== {}\n", variant.name))?;
            }
            report(variant, validation, output)?;
        }
        let compared = Compared::of(&variants, &validations);
        if variants.len() > 1 {
            if let Some(folder) = folder {
                compared.write(folder)?;
            }
            output.text(&compared.text())?;
        }
        output.note(&took.line());
        output.event(&compared.done_event(&session))
    })
}

/// Where a variant's run folder is: a folder of its own where there are several.
fn variant_folder(folder: &Path, variant: &Variant) -> PathBuf {
    if variant.name.is_empty() { folder.to_owned() } else { folder.join(encoded_name(&variant.name)) }
}

/// Says before the work begins that its result could not be written, or would be mixed with another's.
fn check_folder(
    folder: &Path,
    session: &Session,
    variants: &[Variant],
    (splits, n_repeats): (&[Split], usize),
) -> Result<(), Failure> {
    if variants.len() > 1 {
        let names: Vec<String> = variants.iter().map(|variant| encoded_name(&variant.name)).collect();
        check_no_remains(folder, names.iter().map(String::as_str).chain(compared::FILES))?;
    }
    let tables = ["run.json", "timing.json", "metrics.csv", "learning_curve.csv"];
    let modes = session.problem.proposed_modes.as_ref().map(|_| "modes.pl");
    let name = |split: &Split, repeat: usize| match repeat {
        0 => encoded_name(&split.name),
        repeat => encoded_name(&format!("{}-{}", split.name, repeat + 1)),
    };
    let runs: Vec<String> =
        (0..n_repeats).flat_map(|repeat| splits.iter().map(move |split| name(split, repeat))).collect();
    if let Some(twice) = runs.iter().enumerate().find(|(at, run)| runs[..*at].contains(run)) {
        let message = format!("--repeats: the fold {} has the name of another's repetition", twice.1);
        return Err(Failure::Usage(message));
    }
    for variant in variants {
        let folder = variant_folder(folder, variant);
        check_no_remains(&folder, runs.iter().map(String::as_str).chain(tables).chain(modes))?;
        check_writable(&folder.join("run.json"))?;
    }
    Ok(())
}

fn write_folder(
    folder: &Path,
    session: &Session,
    settings: &Settings,
    validation: &CrossValidation,
    took: Took,
) -> Result<(), Failure> {
    for run in &validation.runs {
        run_folder::write_run(&folder.join(encoded_name(&run.name())), session, settings, run)?;
    }
    run_folder::write_validation(folder, validation)?;
    let request = run_folder::request(session, "cv", None);
    let record = run_record::record(&request, settings, &session.problem, &validation.runs, Some(validation));
    run_folder::write_records(folder, &record, took, session)
}

fn nothing_learnt(validation: &CrossValidation) -> Failure {
    let mut funnel = Funnel::default();
    validation.runs.iter().for_each(|run| funnel.add(&run.search.funnel));
    let stop = validation.runs.iter().find_map(|run| run.search.outer_stop());
    let seeds = validation.runs.iter().flat_map(|run| run.search.seeds.iter().cloned()).collect();
    Failure::NothingLearnt(funnel, seeds, stop)
}

fn report(variant: &Variant, validation: &CrossValidation, output: &Output) -> Result<(), Failure> {
    let mut summary = format!("\n{}", text::fold_table(validation));
    let n_unsearched = validation.runs.iter().filter(|run| !run.was_searched).count();
    if n_unsearched > 0 {
        summary.push_str(&format!(
            "{n_unsearched} of {} folds were not searched before the stop: the means leave them out\n",
            validation.runs.len()
        ));
    }
    let searches: Vec<_> = validation.runs.iter().map(|run| &run.search).collect();
    summary.push_str(&text::theories_line(&searches));
    // Beside other variants what one cost is of interest, even where it is all there is to say.
    let n_least = if variant.name.is_empty() { 2 } else { 1 };
    if validation.learning_curve.len() >= n_least {
        let curve = text::learning_curve(validation);
        summary.push_str(&format!("\n{curve}"));
    }
    output.text(&summary)?;
    for run in &validation.runs {
        let mut event = run_record::run_event("run", run);
        if !variant.name.is_empty() {
            event["variant"] = serde_json::json!(variant.name);
        }
        output.event(&event)?;
        for (reason, n_seeds) in &run.search.stops {
            if reason.is_outer() {
                let (name, reason) = (run.name(), text::stop_name(*reason));
                output.note(&format!("{name}: {n_seeds} seeds ended early: {reason}"));
            }
        }
    }
    Ok(())
}
