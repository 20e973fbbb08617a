//! `gleaner cv DATA`: cross-validation, of one learner or of several on the same folds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use serde_json::{Value as Json, json};

use crate::experiment::comparison::of_repetitions;
use crate::experiment::config::without_effect;
use crate::experiment::{CrossValidation, RunResult, Split, compare_variants, cross_validate_variants};
use crate::learn::Conduct;
use crate::problem::encoded_name;
use crate::program::settings::Settings;
use crate::report::comparison::{self, ComparedMetric};
use crate::report::{run_record, text};
use crate::search::Funnel;
use crate::store::write_whole;

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, Took, n_seeds};
use super::run_folder::{self, check_no_remains, check_writable};
use super::session::Session;
use super::variants::{Variant, variants};

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
    let headline = format!("{}; {} folds\n", text::problem_line(&session.problem), splits.len());
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
    let conduct = Conduct { budget: &budget, rng_seed, monitor: &progress, cover_bytes };
    on_threads(matches, || {
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let validations = cross_validate_variants(&session.problem, &settings, &splits, n_repeats, &conduct);
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
        let compared = compared(&variants, &validations, splits.len());
        if variants.len() > 1 {
            if let Some(path) = folder.map(|folder| folder.join("comparison.csv")) {
                let table = comparison::csv(&compared);
                write_whole(&path, table.as_bytes()).map_err(|error| Failure::write(&path, &error))?;
            }
            output.text(&comparison_text(&variants, &compared))?;
        }
        output.note(&took.line());
        output.event(&done_event(&session, &variants, &validations, &compared))
    })
}

/// The metrics that are compared, as `compare` does; the first, the area, pair by pair in the text.
const COMPARED: [&str; 6] = ["auc_pr", "auc_pr_score", "auc_roc", "average_precision", "best_f1", "f1"];

/// The variants' metrics fold by fold; repetitions of a fold share its examples and are one value, their
/// mean.
fn compared(variants: &[Variant], validations: &[CrossValidation], n_folds: usize) -> Vec<ComparedMetric> {
    let of_metric = |&name: &&str| {
        let value = |run: &RunResult| {
            run.metrics.named().iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value)
        };
        let of_fold = |validation: &CrossValidation, fold: usize| {
            let repeats = validation.runs.iter().skip(fold).step_by(n_folds);
            of_repetitions(&repeats.map(value).collect::<Vec<_>>())
        };
        let values: Vec<(String, Vec<Option<f64>>)> = variants
            .iter()
            .zip(validations)
            .map(|(variant, validation)| {
                let values = (0..n_folds).map(|fold| of_fold(validation, fold)).collect();
                (variant.short_name.clone(), values)
            })
            .collect();
        ComparedMetric { name: name.to_owned(), comparison: compare_variants(&values) }
    };
    COMPARED.iter().map(of_metric).collect()
}

/// The variants side by side, and pair by pair in the area.
fn comparison_text(variants: &[Variant], compared: &[ComparedMetric]) -> String {
    let mut text = String::from("\n== all, on the same folds\n");
    for (position, variant) in variants.iter().enumerate() {
        text.push_str(&format!("{:>3} {}\n", position + 1, variant.name));
    }
    let area = &compared[0];
    text.push_str(&format!("\n{}\n{}", comparison::mean_table(compared), comparison::pair_table(area)));
    if variants.len() > 3 {
        text.push_str(&format!("\n{}", comparison::win_matrix(area)));
    }
    text.push_str(comparison::pair_notes());
    text
}

/// What the last event has for each of several variants.
const OF_VARIANT: [&str; 3] = ["metrics", "tune_metrics", "learning_curve"];

/// The last event: of several variants each one's results under its name.
fn done_event(
    session: &Session,
    variants: &[Variant],
    validations: &[CrossValidation],
    compared: &[ComparedMetric],
) -> Json {
    let of = |validation: &CrossValidation| run_record::done_event(&session.problem, validation);
    let mut done = of(&validations[0]);
    if variants.len() > 1 {
        let mut results = Vec::with_capacity(variants.len());
        for (variant, validation) in variants.iter().zip(validations) {
            let mut result = of(validation);
            let mut own = json!({ "name": variant.name, "short_name": variant.short_name });
            OF_VARIANT.iter().for_each(|part| own[part] = result[part].take());
            results.push(own);
        }
        if let Some(done) = done.as_object_mut() {
            done.retain(|part, _| !OF_VARIANT.contains(&part.as_str()));
        }
        done["variants"] = Json::Array(results);
        done["comparison"] = comparison::metrics_json(compared);
    }
    done
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
        check_no_remains(folder, names.iter().map(String::as_str).chain(["comparison.csv"]))?;
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
