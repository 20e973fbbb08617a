//! `gleaner learn DATA`: one model, printed, and with `-o MODEL` kept.

use std::path::PathBuf;

use clap::Args;

use crate::experiment::Split;
use crate::experiment::class_answer::part_name;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::learn::LearnAnswer;
use crate::experiment::nothing_learnt::NothingLearnt;
use crate::experiment::reading::reading;
use crate::experiment::run::{run, run_problems};
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::run_result::RunResult;
use crate::experiment::split::whole;
use crate::experiment::without_effect::{Use, without_effect};
use crate::report::Answer;
use crate::report::answer::{done, event};
use crate::report::text::stop_name;
use crate::store::{ClassModels, ModelFile};
use gleaner_base::Forgetful;
use gleaner_data::{Problem, folder_name};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::RunContext;
use gleaner_learn::shown::Extent;

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::file_output::FileOutput;
use super::flags::{ConductFlags, FoldChoice, ProblemFlags, TableFlags};
use super::folder_output::{Earlier, FolderOutput};
use super::links;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, Took, n_seeds};
use super::run_folder;
use super::session::{
    Session, check_calibration, check_settings, check_target_in_body, chosen_position, warn_of_tune,
};
use super::setting_flags::All;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the model to this file; - is standard output.
    ///
    /// Without it the model is printed and not kept.
    #[arg(long, short, value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Print all clauses or trees, with their counts.
    #[arg(long)]
    all: bool,
    /// Learn as run FOLD of cv does; a number from 1, or a name.
    ///
    /// It is tested on that fold.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
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
    tables: TableFlags,
    #[command(flatten)]
    conduct: ConductFlags,
}

/// What a model of many classes is learnt from, and where it goes.
struct LearnClasses<'a> {
    session: &'a Session,
    split: &'a Split,
    context: &'a RunContext<'a>,
    file: &'a FileOutput,
    place: Option<FolderOutput>,
    extent: Extent,
}

/// A model for each class, in one file.
fn learn_classes(
    learning: LearnClasses<'_>,
    number: Option<usize>,
    progress: &Progress,
    output: &Output,
) -> Result<(), Failure> {
    let LearnClasses { session, split, context, file, place, extent } = learning;
    let sessions = session.of_classes();
    let problems: Vec<Problem> = sessions.iter().map(|session| session.problem.clone()).collect();
    let mut results = run_problems(&problems, &session.settings, split, context);
    let took = progress.finish();
    if results.iter().all(|result| result.model.is_empty()) {
        return Err(Failure::NothingLearnt(Box::new(NothingLearnt::of(&results, &session.settings))));
    }
    let mut models = Vec::with_capacity(results.len());
    for (session, result) in sessions.iter().zip(&mut results) {
        let ending = context.budget.ending();
        result.reading = reading(&session.problem, split, &*result.model, &ending, context.cover_bytes);
        models.push(run_folder::model_file(session, &session.settings, result));
        warn_of_tune(&*result.model, &format!("class {}: ", class_name(session)), output);
    }
    let texts: Vec<String> = models.iter().map(ModelFile::to_json).collect();
    let all = ClassModels { models }.to_json();
    let below = |session: &Session| format!("{}/", folder_name(&part_name("", class_name(session))));
    let saved = match place {
        None => file.write_or_save("model.json", &all, output),
        Some(place) => {
            let paths = sessions.iter().map(|session| format!("{}model.json", below(session)));
            let models = paths.zip(texts.iter().map(String::as_str));
            let write_run = || {
                place.write_or_save(|sink| {
                    for (session, result) in sessions.iter().zip(&results) {
                        let below = below(session);
                        run_folder::write_run(&below, session, &session.settings, result, sink)?;
                        let request = run_folder::request(session, "learn", number);
                        let outcome = RunResults::One(result);
                        let record = RunRecord::of(request, &session.settings, &session.problem, &outcome);
                        run_folder::write_records(&below, &record.to_json(), took, session, sink)?;
                    }
                    Ok(())
                })
            };
            file.write_beside_run(&all, place.target(), models, write_run, output)
        }
    };
    for (session, result) in sessions.iter().zip(&results) {
        if let Some(reason) = result.search.outer_stop() {
            let class = class_name(session);
            output
                .say(&format!("stopped: class {class}, {}; its model is the best so far", stop_name(reason)));
        }
        output.text(&format!("== class {}\n\n", class_name(session)))?;
        let answer = LearnAnswer::of(&session.problem, result, extent);
        output.text(&format!("{}\n", answer.text()))?;
        output.event(&event("class", &answer))?;
    }
    output.event(&done(&ProblemSummary::of(&session.problem)))?;
    saved
}

/// The class that a session is of.
fn class_name(session: &Session) -> &str {
    session.problem.classes.as_ref().map_or("", |list| list.name(list.own))
}

pub(super) fn learn(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { output: path, fold, conduct, .. } = arguments;
    if links::are_asked(&arguments.problem) {
        let others = [("--fold", fold.is_some()), ("--run", arguments.run.is_some())];
        links::refuse(&others)?;
        return links::learn(path.as_deref(), &arguments.problem, conduct, output);
    }
    learn_target(arguments, &output.with_tables(arguments.tables))
}

/// The examples that a model is learnt from.
struct LearntFrom {
    /// The runs of cross-validation, where one of them is asked for.
    splits: Vec<Split>,
    split: Split,
    /// The number of that run, from 1.
    number: Option<usize>,
}

impl LearntFrom {
    /// All examples, or those of the run of a fold.
    fn of(session: &Session, fold: Option<&FoldChoice>) -> Result<Self, Failure> {
        let Some(fold) = fold else {
            let split = whole(&session.problem, &session.split_request).map_err(|fault| {
                Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string()))
            })?;
            return Ok(Self { splits: Vec::new(), split, number: None });
        };
        let splits = session.splits()?;
        let at = chosen_position(&splits, fold)?;
        Ok(Self { split: splits[at].clone(), splits, number: Some(at + 1) })
    }
}

fn learn_target(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { output: path, fold, feature_clauses, conduct, .. } = arguments;
    let ProblemFlags { data, together, .. } = &arguments.problem;
    if let Some(path) = path {
        let files = data.files().chain(together.config.as_deref()).chain(feature_clauses.files());
        FileOutput::spare(path, "-o", files)?;
    }
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let mut session = Session::open_to_learn(&arguments.problem, output)?;
    session.problem.filtered_positives.are_counted = arguments.count_filtered;
    let budget = deadline.loaded();
    check_settings(&session.settings)?;
    check_calibration(&session.problem, &session.settings)?;
    check_target_in_body(&session.problem, &session.settings)?;
    let LearntFrom { splits, split, number } = LearntFrom::of(&session, fold.as_ref())?;
    feature_clauses.check(std::iter::once(&session.settings), &arguments.problem.settings.made, output)?;
    session.warn_of_new_entities(std::slice::from_ref(&split), output);
    let runs = Runs { splits: &splits, n_repeats: None };
    feature_clauses.give(&mut session, &runs, output)?;
    let file = FileOutput::check_or_none(path.as_deref(), "-o", output)?;
    let output = &file.beside(output);
    let place = match &arguments.run {
        Some(folder) => Some(FolderOutput::claim(folder, Earlier::Run, arguments.overwrite, output)?),
        None => None,
    };
    session.warn_of_division(if fold.is_some() { Use::Runs } else { Use::Whole }, output);
    session.warn_of_depth(output);
    session.advise_constants(output);
    for message in without_effect(&session.settings) {
        output.note(&format!("warning: {message}"));
    }
    let extent = if arguments.all { Extent::Whole } else { Extent::Short };
    let n_seeds = n_seeds(&session.settings).filter(|_| !feature_clauses.are_given());
    let progress = Progress::new(n_seeds, output.shows_progress());
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(1));
    let context = RunContext { budget, rng_seed, monitor: &progress, cover_bytes, keeper: &Forgetful };
    if session.problem.classes.is_some() {
        let learning =
            LearnClasses { session: &session, split: &split, context: &context, file: &file, place, extent };
        return on_threads(&conduct.resources, || learn_classes(learning, number, &progress, output));
    }
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
        let places = Places { file: &file, run: place.as_ref() };
        let saved = places.write(&session, &result, number, took, output);
        if let Some(reason) = result.search.outer_stop() {
            output.say(&format!("stopped: {}; the model is the best so far", stop_name(reason)));
        }
        output.answer(&LearnAnswer::of(&session.problem, &result, extent))?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
}

/// Where a model and its run folder go.
struct Places<'a> {
    file: &'a FileOutput,
    run: Option<&'a FolderOutput>,
}

impl Places<'_> {
    /// Writes the model, and the run folder first, which holds it too.
    fn write(
        &self,
        session: &Session,
        result: &RunResult,
        number: Option<usize>,
        took: Took,
        output: &Output,
    ) -> Result<(), Failure> {
        let model = run_folder::model_file(session, &session.settings, result).to_json();
        let Some(place) = self.run else { return self.file.write_or_save("model.json", &model, output) };
        let request = run_folder::request(session, "learn", number);
        let record = RunRecord::of(request, &session.settings, &session.problem, &RunResults::One(result));
        let write_run = || {
            place.write_or_save(|sink| {
                run_folder::write_run("", session, &session.settings, result, sink)?;
                run_folder::write_records("", &record.to_json(), took, session, sink)
            })
        };
        let models = [("model.json".to_owned(), &*model)];
        self.file.write_beside_run(&model, place.target(), models, write_run, output)
    }
}
