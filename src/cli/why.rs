//! `gleaner why DATA 'clause'`: why a clause was not learnt, and what it does.

use clap::Args;
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::{CLAUSES, MAX_LITERALS, SearchLimits};
use gleaner_lang::program::settings::{Declaration, LEARNER, SettingGroup};
use gleaner_learn::shared_config::MIN_TUNE_POSITIVES;

use crate::experiment::catalog;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::without_effect::Use;
use crate::jobs::explain::Why;
use crate::jobs::session::warn_of_others;
use crate::jobs::{Failure, FoldChoice, Session};

use super::conduct::{limit, on_threads};
use super::flags::{LimitFlags, ProblemFlags, ResourceFlags, TimeFlag};
use super::opening::opening;
use super::output::Output;
use super::setting_flags::All;
use super::values::whole_of;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Count on train, tune and test of run FOLD of cv; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Name this many of the positives that each literal loses.
    #[arg(long, value_name = "N", value_parser = whole_of::<u32>(..), default_value_t = 5)]
    examples: u32,
    #[command(flatten)]
    problem: ProblemFlags<All>,
    /// A clause of the target, as 'target(A,B) :- p(A,C), q(C,B).'.
    #[arg(value_name = "CLAUSE", help_heading = None)]
    clause: String,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn answer(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { resources, time, .. } = arguments;
    limit(LimitFlags { memory: resources.memory, time: *time }, output)?;
    on_threads(resources, || asked(arguments, output))
}

fn asked(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let session = Session::load(opening(&arguments.problem, output)?, output)?.of_two_classes("why")?;
    session.warn_of_division(if arguments.fold.is_some() { Use::Runs } else { Use::Whole }, output);
    let read: Vec<&str> = read_here().into_iter().map(|setting| setting.about().name).collect();
    warn_of_others("why", &arguments.problem.settings.made, |name| read.contains(&name), output);
    let job = Why {
        clause: arguments.clause.clone(),
        fold: arguments.fold.clone(),
        n_examples: arguments.examples as usize,
    };
    output.answer(&job.run(&session)?)
}

/// The settings that a clause is judged by; of a learner its own defaults.
fn read_here() -> Vec<&'static dyn Declaration> {
    let mut read = SaturationConfig::declarations();
    read.extend(
        SearchLimits::declarations()
            .into_iter()
            .filter(|setting| setting.about().name != CLAUSES.about().name),
    );
    read.extend(SplitSettings::declarations());
    let single: [&'static dyn Declaration; 2] = [&MAX_LITERALS, &MIN_TUNE_POSITIVES];
    read.extend(single);
    read.extend(catalog().find(LEARNER));
    read
}
