//! `gleaner cv DATA`: cross-validation, of one learner or of several on the same folds.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::jobs::variants::variants;
use crate::jobs::{
    CrossValidate, CrossValidated, Failure, Limits as _, Made, Means, RunPlace, Session, VariantsAsked,
};

use super::conduct::{Conduct, on_threads};
use super::flags::{ConductFlags, CountingFlags, FeatureClauseFlags, ProblemFlags, TableFlags};
use super::links;
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
    /// How often a long search is kept for --resume.
    ///
    /// A kill loses at most this much work of an unfinished fold: 90s, 10m or 2h, say. Results do not depend on it.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1m", requires = "run")]
    keep_every: Duration,
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
    tables: TableFlags,
    #[command(flatten)]
    pub(super) conduct: ConductFlags,
}

pub(super) fn cv(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    if links::are_asked(&arguments.problem) {
        let VariantFlags { vary, variant } = &arguments.variants;
        links::refuse(&[
            ("--resume", arguments.resume),
            ("--vary", !vary.is_empty()),
            ("--variant", !variant.is_empty()),
            ("--repeats", arguments.repeats > 1),
            ("--feature-clauses", arguments.feature_clauses.files().next().is_some()),
            ("--group", arguments.problem.split.group.is_some()),
        ])?;
        let run = arguments.run.as_deref().map(|folder| (folder, arguments.overwrite));
        let output = &output.with_tables(arguments.tables);
        return links::cross_validate(run, &arguments.problem, &arguments.conduct, output);
    }
    cross_validate(arguments, &output.with_tables(arguments.tables))
}

fn cross_validate(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { run, resume, overwrite, keep_every, problem, .. } = arguments;
    let made = &problem.settings.made;
    let conduct = Conduct::begin(&arguments.conduct, output)?;
    let place = |path: &PathBuf| RunPlace {
        path: path.clone(),
        resume: *resume,
        overwrite: *overwrite,
        keep_every: *keep_every,
    };
    let opening = opening_to_learn(problem)?;
    on_threads(&arguments.conduct.resources, || {
        let session = Session::load_to_learn(opening, output)?;
        conduct.lift();
        let job = CrossValidate {
            count_filtered: arguments.counting.count_filtered,
            variants: variants(&arguments.variants.asked(made), &session.settings)?,
            feature_clauses: arguments.feature_clauses.given(made),
            n_repeats: arguments.repeats as usize,
            place: run.as_ref().map(place),
        };
        let means = Means { listener: output, limits: &conduct };
        let Some(CrossValidated { validated, took, saved }) = job.run(session, means)? else {
            return Ok(());
        };
        output.items(validated.output())?;
        let answer = validated.answer();
        if !answer.document.is_empty() {
            output.document(&answer.document)?;
        }
        output.note(&took.line());
        let stops = validated.stop_lines();
        if !stops.is_empty() {
            output.say(stops.trim_end());
        }
        answer.events.iter().try_for_each(|event| output.event(event))?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
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
