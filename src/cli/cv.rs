//! `gleaner cv DATA`: cross-validation, of one learner or of several on the same folds.

use std::env::current_dir;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use gleaner_lang::syntax::codes;

use crate::experiment::settings::asked::in_shell;
use crate::jobs::plan::{Plan, PlannedCommand, UnitsAsked, WorkAnswer};
use crate::jobs::variants::variants;
use crate::jobs::{
    CrossValidate, CrossValidated, Failure, Limits as _, Listener, Made, Means, RunPlace, ToLearn, Told,
    VariantsAsked,
};

use super::conduct::{Conduct, on_threads};
use super::flags::{ConductFlags, CountingFlags, FeatureClauseFlags, ProblemFlags, TableFlags};
use super::opening::opening_to_learn;
use super::output::Output;
use super::setting_flags::SeveralLearners;
use super::values::{parse_time, whole_of};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the run folder.
    ///
    /// It holds run.json, models, predictions, curves.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Go on with a run that did not end.
    ///
    /// DIR.partial keeps what a killed or stopped run finished.
    #[arg(long, requires = "run", conflicts_with = "overwrite")]
    resume: bool,
    /// Replace an earlier run, or begin one anew.
    ///
    /// The earlier run is in the folder of --run; it may be finished or not.
    #[arg(long, requires = "run")]
    overwrite: bool,
    /// How often finished seeds or rounds are kept for --resume.
    ///
    /// A kill loses the seeds or rounds at work, and of those that each search finished the last TIME: 90s, 10m or 2h, say. A
    /// stop by time, memory or Ctrl-C loses only those at work. Results do not depend on it.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1m", requires = "run")]
    keep_every: Duration,
    /// Plan the runs for other processes, and do none.
    ///
    /// PLAN is a new folder. `gleaner work PLAN` does runs of it, in any number of processes, and `gleaner gather PLAN`
    /// prints and writes what cv would. Standard output has the names of all runs.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["run", "time"])]
    plan: Option<PathBuf>,
    /// The words of the command.
    #[arg(skip)]
    pub(super) words: Vec<OsString>,
    #[command(flatten)]
    variants: VariantFlags,
    #[command(flatten)]
    feature_clauses: FeatureClauseFlags,
    /// Repeat every fold N times.
    ///
    /// Each time uses other random streams.
    #[arg(long, value_name = "N", value_parser = whole_of::<u32>(1..=10_000), default_value_t = 1)]
    repeats: u32,
    #[command(flatten)]
    counting: CountingFlags,
    #[command(flatten)]
    problem: ProblemFlags<SeveralLearners>,
    #[command(flatten)]
    pub(super) tables: TableFlags,
    #[command(flatten)]
    pub(super) conduct: ConductFlags,
}

pub(super) fn cv(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    if let Some(folder) = &arguments.plan {
        return plan(arguments, folder, output);
    }
    let place = arguments.run.as_ref().map(|path| RunPlace {
        path: path.clone(),
        resume: arguments.resume,
        overwrite: arguments.overwrite,
        keep_every: arguments.keep_every,
    });
    cross_validate(arguments, place, None, output)
}

/// Runs all folds; those of a plan are taken from there.
pub(super) fn cross_validate(
    arguments: &Arguments,
    place: Option<RunPlace>,
    plan: Option<&Plan>,
    output: &Output,
) -> Result<(), Failure> {
    let output = &output.with_tables(arguments.tables);
    let conduct = Conduct::begin(&arguments.conduct, output)?;
    with_job(arguments, plan, (&conduct, output), |job, data, means| {
        let job = CrossValidate { place, plan: plan.cloned(), ..job };
        let Some(CrossValidated { validated, took, saved }) = job.run(data, means)? else {
            return Ok(());
        };
        output.items(validated.output())?;
        let answer = validated.answer();
        if !answer.document.is_empty() {
            output.document(&answer.document)?;
        }
        validated.work_line(took).iter().for_each(|line| output.note(line));
        let stops = validated.stop_lines();
        if !stops.is_empty() {
            output.say(stops.trim_end());
        }
        answer.events.iter().try_for_each(|event| output.event(event))?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
}

/// Loads the data, which may be those of a plan, and lets `act` do what it will with the cross-validation.
fn with_job<T: Send>(
    arguments: &Arguments,
    plan: Option<&Plan>,
    (conduct, output): (&Conduct, &Output),
    act: impl FnOnce(CrossValidate, ToLearn, Means<'_>) -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let Arguments { problem, .. } = arguments;
    let made = &problem.settings.made;
    let of_plan = |failure: Failure| match plan {
        Some(plan) => plan.not_read(failure),
        None => failure,
    };
    let told = Told(output);
    let listener: &dyn Listener = if plan.is_some() { &told } else { output };
    let opening = opening_to_learn(problem, ("cv", true), listener).map_err(of_plan)?;
    on_threads(&arguments.conduct.resources, || {
        let data = ToLearn::load(opening, listener).map_err(of_plan)?;
        conduct.lift();
        let job = CrossValidate {
            count_filtered: arguments.counting.count_filtered,
            variants: variants(&arguments.variants.asked(made), data.settings()).map_err(of_plan)?,
            feature_clauses: arguments.feature_clauses.given(made),
            n_repeats: arguments.repeats as usize,
            place: None,
            plan: None,
        };
        act(job, data, Means { listener: output, limits: conduct })
    })
}

/// Writes the plan, with the command as it was given.
fn plan(arguments: &Arguments, folder: &Path, output: &Output) -> Result<(), Failure> {
    let is_once =
        |path: &&Path| !path.is_file() && !path.is_dir() && (path.exists() || path == &Path::new("-"));
    if let Some(path) = arguments.paths().find(is_once) {
        let message = format!("--plan needs files that can be read again, and {} is none", path.display());
        return Err(Failure::usage(codes::SETTINGS_APART, message));
    }
    let words = arguments.words.iter().skip(1).map(|word| word.to_str().map(str::to_owned));
    let no_place = |error: &dyn Display| {
        Failure::usage(codes::SETTINGS_APART, format!("--plan: the command cannot be kept: {error}"))
    };
    let words: Vec<String> = words.collect::<Option<_>>().ok_or_else(|| no_place(&"it is not UTF-8"))?;
    let command = PlannedCommand { words, folder: current_dir().map_err(|error| no_place(&error))? };
    let conduct = Conduct::begin(&arguments.conduct, output)?;
    let answer = with_job(arguments, None, (&conduct, output), |job, data, means| {
        job.plan(data, (folder, &command), means)
    })?;
    output.answer(&answer)?;
    let path = in_shell(&folder.to_string_lossy());
    output.note(&format!(
        "{} runs are planned: `gleaner work {path}` does them,\nthen `gleaner gather {path}` prints the results",
        answer.n_runs
    ));
    Ok(())
}

/// Does runs of a plan. A time limit ends the work as Ctrl-C does: a run has no share of it.
pub(super) fn work(
    arguments: &Arguments,
    of_plan: (&Plan, &UnitsAsked),
    keep_every: Duration,
    output: &Output,
) -> Result<WorkAnswer, Failure> {
    let limit = arguments.conduct.time;
    let conduct = Conduct::begin(&ConductFlags { time: None, ..arguments.conduct }, output)?;
    conduct.end_search_after(limit);
    with_job(arguments, Some(of_plan.0), (&conduct, output), |job, data, means| {
        job.work(data, of_plan, keep_every, means)
    })
}

impl Arguments {
    /// The files that it reads.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let reading = &self.problem.data.reading;
        let beside = reading.modes.iter().chain(&reading.background).chain(&self.problem.together.config);
        let beside = beside.map(PathBuf::as_path).chain(self.feature_clauses.files());
        std::iter::once(&*self.problem.data.path).chain(beside)
    }

    /// Reads the files as a command does that runs in this folder. Where that is this one, names of files stay as they are.
    pub(super) fn read_from(&mut self, folder: &Path) {
        if current_dir().is_ok_and(|here| here == folder) {
            return;
        }
        let reading = &mut self.problem.data.reading;
        let beside = reading.modes.iter_mut().chain(&mut reading.background);
        let beside = beside.chain(&mut self.problem.together.config).chain(self.feature_clauses.files_mut());
        for path in std::iter::once(&mut self.problem.data.path).chain(beside) {
            *path = folder.join(&*path);
        }
    }
}

/// The flags that ask for variants.
#[derive(Clone, Debug, Args)]
pub(super) struct VariantFlags {
    /// Compare values of a setting: score=f1,laplace.
    ///
    /// All variants are learnt from and tested on the same folds.
    #[arg(long, value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// Compare settings: learner=aleph,seeds=20.
    ///
    /// Each --variant is compared with the others, as learner=aleph,min-precision=0.1 with learner=gleaner.
    #[arg(long, value_name = "SETTINGS")]
    variant: Vec<String>,
}

impl VariantFlags {
    /// What is asked, beside the settings that are made for all.
    pub(super) fn asked(&self, made: &[Made]) -> VariantsAsked {
        VariantsAsked { vary: self.vary.clone(), variant: self.variant.clone(), made: made.to_vec() }
    }
}
