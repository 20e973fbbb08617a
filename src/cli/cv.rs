//! `gleaner cv DATA`: cross-validation, of one learner or of several on the same folds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};

use crate::base::Forgetful;
use crate::experiment::config::without_effect;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::nothing_learnt::NothingLearnt;
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::side_by_side::{CvAnswer, CvResults, SideBySide, VariantName};
use crate::experiment::{CrossValidation, Split, cross_validate_variants};
use crate::learn::RunContext;
use crate::problem::encoded_name;
use crate::program::settings::Settings;
use crate::report::cv::{run_event, variant_text};
use crate::report::{Answer, chosen, comparison, text};

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::flags::{ConductFlags, ProblemFlags};
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, Took, n_seeds};
use super::run_folder::{self, check_no_remains, check_writable};
use super::session::Session;
use super::setting_flags::SeveralLearners;
use super::variants::{Variant, VariantFlags, variants};

/// The tables beside the variants' folders.
const COMPARISON: &str = "comparison.csv";
const CHOSEN: &str = "chosen.csv";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the run folder: run.json, models, predictions, curves.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    #[command(flatten)]
    variants: VariantFlags,
    /// Repeat every fold so often, with other random streams.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000), default_value_t = 1)]
    repeats: u32,
    #[command(flatten)]
    problem: ProblemFlags<SeveralLearners>,
    #[command(flatten)]
    conduct: ConductFlags,
}

pub(super) fn cv(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let conduct = &arguments.conduct;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let session = Session::open(&arguments.problem, output)?;
    let splits = session.splits()?;
    let variants = variants(&arguments.variants, &arguments.problem.settings.made, &session.settings)?;
    let n_repeats = arguments.repeats as usize;
    let folder = arguments.run.as_deref();
    if let Some(folder) = folder {
        check_folder(
            folder,
            &variants,
            &run_names(&splits, n_repeats),
            session.problem.proposed_modes.is_some(),
        )?;
    }
    if variants.len() > 1 && conduct.time.is_some() {
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
    let budget = budget(conduct.time, &memory);
    let n_runs = (splits.len() * n_repeats) as u64;
    // Variants may share their search: then nobody knows how many seeds there will be.
    let n_seeds = n_seeds(&session.settings).filter(|_| variants.len() == 1).map(|seeds| seeds * n_runs);
    let progress = Progress::new(n_seeds, output.shows_progress());
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(splits.len()));
    let context =
        RunContext { budget: &budget, rng_seed, monitor: &progress, cover_bytes, keeper: &Forgetful };
    on_threads(&conduct.resources, || {
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
            return Err(Failure::NothingLearnt(NothingLearnt::of(&validations[0].runs)));
        }
        let names: Vec<VariantName> = variants.iter().map(name).collect();
        for (name, validation) in names.iter().zip(&validations) {
            report(name, validation, output)?;
        }
        let answer = CvAnswer::of(&session.problem, &names, &validations);
        if let (Some(folder), CvResults::Several(several)) = (folder, &answer.results) {
            write_comparison(folder, several, &names, &validations)?;
        }
        let text = answer.text();
        if !text.is_empty() {
            output.text(&text)?;
        }
        output.note(&took.line());
        output.events(&answer)
    })
}

fn name(variant: &Variant) -> VariantName {
    VariantName { name: variant.name.clone(), short_name: variant.short_name.clone() }
}

/// The tables of the comparison.
fn write_comparison(
    folder: &Path,
    several: &SideBySide,
    names: &[VariantName],
    validations: &[CrossValidation],
) -> Result<(), Failure> {
    run_folder::write(&folder.join(COMPARISON), &comparison::csv(&several.comparison.0))?;
    let Some(chosen) = &several.chosen_on_tune else { return Ok(()) };
    run_folder::write(&folder.join(CHOSEN), &chosen::csv(chosen, names, validations))
}

/// Where a variant's run folder is: a folder of its own where there are several.
fn variant_folder(folder: &Path, variant: &Variant) -> PathBuf {
    if variant.name.is_empty() { folder.to_owned() } else { folder.join(encoded_name(&variant.name)) }
}

/// The folders of the runs within a variant's.
fn run_names(splits: &[Split], n_repeats: usize) -> Vec<String> {
    let name = |split: &Split, repeat: usize| match repeat {
        0 => encoded_name(&split.name),
        repeat => encoded_name(&format!("{}-{}", split.name, repeat + 1)),
    };
    (0..n_repeats).flat_map(|repeat| splits.iter().map(move |split| name(split, repeat))).collect()
}

/// Says before the work begins that its result could not be written, or would be mixed with another's.
fn check_folder(
    folder: &Path,
    variants: &[Variant],
    runs: &[String],
    has_modes: bool,
) -> Result<(), Failure> {
    if variants.len() > 1 {
        let names: Vec<String> = variants.iter().map(|variant| encoded_name(&variant.name)).collect();
        check_no_remains(folder, names.iter().map(String::as_str).chain([COMPARISON, CHOSEN]))?;
    }
    if let Some(twice) = runs.iter().enumerate().find(|(at, run)| runs[..*at].contains(run)) {
        let message = format!("--repeats: the fold {} has the name of another's repetition", twice.1);
        return Err(Failure::Usage(message));
    }
    let tables = ["run.json", "timing.json", "metrics.csv", "learning_curve.csv"];
    let modes = has_modes.then_some("modes.pl");
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
    let record = RunRecord::of(request, settings, &session.problem, &RunResults::All(validation));
    run_folder::write_records(folder, &record.to_json(), took, session)
}

fn report(name: &VariantName, validation: &CrossValidation, output: &Output) -> Result<(), Failure> {
    if !name.name.is_empty() {
        output.text(&format!("\n== {}\n", name.name))?;
    }
    output.text(&variant_text(name, validation))?;
    for run in &validation.runs {
        if output.is_json() {
            output.event(&run_event(name, run))?;
        }
        for (reason, n_seeds) in &run.search.stops {
            if reason.is_outer() {
                let (name, reason) = (run.name(), text::stop_name(*reason));
                output.note(&format!("{name}: {n_seeds} seeds ended early: {reason}"));
            }
        }
    }
    Ok(())
}
