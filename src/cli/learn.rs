//! `gleaner learn DATA -o MODEL`: one model.

use std::path::PathBuf;

use clap::Args;

use crate::base::Forgetful;
use crate::experiment::learn::LearnAnswer;
use crate::experiment::nothing_learnt::NothingLearnt;
use crate::experiment::reading::reading;
use crate::experiment::run::run;
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::split::whole;
use crate::experiment::without_effect::{Use, without_effect};
use crate::learn::RunContext;
use crate::report::text::stop_name;
use crate::syntax::{Diagnostic, codes};

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::file_output::FileOutput;
use super::flags::{ConductFlags, ProblemFlags, fold};
use super::folder_output::{Earlier, FolderOutput};
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, n_seeds};
use super::run_folder;
use super::session::{Session, check_settings, chosen_split, warn_of_tune};
use super::setting_flags::All;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the model to this file; - is standard output.
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Learn as run FOLD of cv does, from 1.
    ///
    /// It is tested on that fold.
    #[arg(long, value_name = "FOLD", value_parser = fold())]
    fold: Option<u32>,
    /// Count test positives that --where leaves out as false negatives.
    ///
    /// They add to P, and to the last point of curves; negatives that it leaves out stay out.
    #[arg(long, requires_all = ["restriction", "fold"])]
    count_filtered: bool,
    /// Write the run folder.
    ///
    /// It holds run.json, the model, predictions, curves.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Replace an earlier run in the folder of --run.
    #[arg(long, requires = "run")]
    overwrite: bool,
    #[command(flatten)]
    feature_clauses: FeatureClauses,
    #[command(flatten)]
    problem: ProblemFlags<All>,
    #[command(flatten)]
    conduct: ConductFlags,
}

pub(super) fn learn(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { output: path, fold, feature_clauses, conduct, .. } = arguments;
    let ProblemFlags { data, together, .. } = &arguments.problem;
    FileOutput::spare(
        path,
        "-o",
        data.files().chain(together.config.as_deref()).chain(feature_clauses.files()),
    )?;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let mut session = Session::open(&arguments.problem, output)?;
    session.problem.filtered_positives.are_counted = arguments.count_filtered;
    let budget = deadline.loaded();
    check_settings(&session.settings)?;
    let splits = if fold.is_some() { session.splits()? } else { Vec::new() };
    let split = match *fold {
        Some(fold) => chosen_split(&splits, fold)?.clone(),
        None => whole(&session.problem, &session.split_request)
            .map_err(|fault| Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())))?,
    };
    feature_clauses.check(std::iter::once(&session.settings), &arguments.problem.settings.made, output)?;
    let runs = Runs { splits: &splits, n_repeats: None };
    feature_clauses.give(&mut session, &runs, output)?;
    let file = FileOutput::check(path, "-o", output)?;
    let output = &file.beside(output);
    let place = match &arguments.run {
        Some(folder) => Some(FolderOutput::claim(folder, Earlier::Run, arguments.overwrite, output)?),
        None => None,
    };
    session.warn_of_division(if fold.is_some() { Use::Runs } else { Use::Whole }, output);
    session.warn_of_depth(output);
    for message in without_effect(&session.settings) {
        output.note(&format!("warning: {message}"));
    }
    let n_seeds = n_seeds(&session.settings).filter(|_| !feature_clauses.are_given());
    let progress = Progress::new(n_seeds, output.shows_progress());
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(1));
    let context = RunContext { budget, rng_seed, monitor: &progress, cover_bytes, keeper: &Forgetful };
    on_threads(&conduct.resources, || {
        let mut result = run(&session.problem, &session.settings, &split, &context);
        let took = progress.finish();
        if result.model.is_empty() {
            return Err(Failure::NothingLearnt(Box::new(NothingLearnt::of(
                std::slice::from_ref(&result),
                &session.settings,
            ))));
        }
        warn_of_tune(&*result.model, "", output);
        result.reading =
            reading(&session.problem, &split, &*result.model, &context.budget.ending(), cover_bytes);
        let model = run_folder::model_file(&session, &session.settings, &result).to_json();
        let mut saved = file.write_or_save("model.json", &model, output);
        if let Some(place) = place {
            let request = run_folder::request(&session, "learn", fold.map(|fold| fold as usize));
            let record =
                RunRecord::of(request, &session.settings, &session.problem, &RunResults::One(&result));
            let run = place.write_or_save(|sink| {
                run_folder::write_run("", &session, &session.settings, &result, sink)?;
                run_folder::write_records("", &record.to_json(), took, &session, sink)
            });
            saved = match (saved, run) {
                (Err(file), Err(folder)) => Err(file.and(folder)),
                (file, folder) => file.and(folder),
            };
        }
        if let Some(reason) = result.search.outer_stop() {
            output.note(&format!("stopped: {}; the model is the best so far", stop_name(reason)));
        }
        output.answer(&LearnAnswer::of(&session.problem, &result))?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
}
