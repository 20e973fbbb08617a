//! `gleaner learn DATA`: one model, printed, and with `-o MODEL` kept.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::{Earlier, Failure, FoldChoice, FolderOutput, Learn, LearntModel, Means, ToLearn};
use gleaner_learn::shown::Extent;

use super::conduct::{Conduct, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{ConductFlags, FeatureClauseFlags, ProblemFlags, TableFlags};
use super::opening::opening_to_learn;
use super::output::Output;
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
    /// They add to P, and to the last point of curves; negatives that --where leaves out stay out.
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
    feature_clauses: FeatureClauseFlags,
    #[command(flatten)]
    problem: ProblemFlags<All>,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    pub(super) conduct: ConductFlags,
}

pub(super) fn learn(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let output = &output.with_tables(arguments.tables);
    let Arguments { output: path, feature_clauses, problem, .. } = arguments;
    if let Some(path) = path {
        let beside = problem.together.config.as_deref();
        let files = problem.data.files().chain(beside).chain(feature_clauses.files());
        FileOutput::spare(path, "-o", files)?;
    }
    let conduct = Conduct::begin(&arguments.conduct, output)?;
    let job = Learn {
        fold: arguments.fold.clone(),
        count_filtered: arguments.count_filtered,
        feature_clauses: feature_clauses.given(&problem.settings.made),
        counts_clauses: arguments.run.is_some(),
    };
    let opening = opening_to_learn(problem, ("learn", arguments.fold.is_some()), output)?;
    on_threads(&arguments.conduct.resources, || {
        let data = ToLearn::load(opening, &Sparing::of(path.as_deref(), "-o", output))?;
        let ready = job.ready(data, Means { listener: output, limits: &conduct })?;
        let file = FileOutput::check_or_none(path.as_deref(), "-o", output)?;
        let folder = match &arguments.run {
            Some(folder) => Some(FolderOutput::claim(folder, Earlier::Run, arguments.overwrite, output)?),
            None => None,
        };
        let found = ready.run()?;
        let output = &file.beside(output);
        let saved = save(&found, &file, folder.as_ref(), output);
        let extent = if arguments.all { Extent::Whole } else { Extent::Short };
        output.items(found.learnt.output(extent))?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
}

/// Writes the model, and the run folder first, which holds it too.
fn save(
    LearntModel { learnt, took }: &LearntModel,
    file: &FileOutput,
    folder: Option<&FolderOutput<'_>>,
    output: &Output,
) -> Result<(), Failure> {
    let model = learnt.model().to_json();
    let Some(folder) = folder else { return file.write_or_save("model.json", &model, output) };
    let models = learnt.run_models();
    let models = models.iter().map(|(path, text)| (path.clone(), text.as_str()));
    let write_run = || folder.write_or_save(|sink| learnt.write(*took, sink));
    file.write_beside_run(&model, folder.target(), models, write_run, output)
}
