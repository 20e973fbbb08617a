//! `gleaner why DATA 'clause'`: why a clause was not learnt, and what it does.

use clap::Args;

use crate::experiment::catalog;
use crate::experiment::split::{SetExamples, SplitSettings, undivided, whole};
use crate::experiment::why::{Question, why};
use crate::experiment::why_answer::Naming;
use crate::experiment::without_effect::Use;
use gleaner_base::ExampleId;
use gleaner_data::clauses::{Checker, usable_predicates, widened_symbols, widened_worlds};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::{CLAUSES, MAX_LITERALS, SearchLimits};
use gleaner_lang::program::settings::{DataSummary, Declaration, LEARNER, SettingGroup};
use gleaner_learn::gleaner::GleanerConfig;
use gleaner_learn::shared_config::MIN_TUNE_POSITIVES;

use super::deadline::limit;
use super::failure::Failure;
use super::flags::{FoldChoice, LimitFlags, ProblemFlags};
use super::output::Output;
use super::session::{Session, chosen_split, warn_of_others};
use super::setting_flags::All;
use super::values::whole_of;

/// The name of the clause in messages.
const CLAUSE: &str = "clause";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Count on train, tune and test of run FOLD of cv; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Positives that are named for each literal that loses them.
    #[arg(long, value_name = "N", value_parser = whole_of::<u32>(..), default_value_t = 5)]
    examples: u32,
    #[command(flatten)]
    problem: ProblemFlags<All>,
    /// A clause of the target, as 'target(A,B) :- p(A,C), q(C,B).'.
    #[arg(value_name = "CLAUSE", help_heading = None)]
    clause: String,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn answer(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let session = Session::open(&arguments.problem, output)?.of_two_classes("why")?;
    session.warn_of_division(if arguments.fold.is_some() { Use::Runs } else { Use::Whole }, output);
    let read: Vec<&str> = read_here().into_iter().map(|setting| setting.about().name).collect();
    warn_of_others("why", &arguments.problem.settings.made, |name| read.contains(&name), output);
    let problem = &session.problem;
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    let asked = checker.read_one(CLAUSE, &arguments.clause)?;
    let symbols = widened_symbols(problem, checker.names());
    let worlds = widened_worlds(problem, &symbols);
    let sets = sets(&session, arguments.fold.as_ref())?;
    let searched = sets.first().map_or(&[][..], |(_, set)| &set.ids);
    let data = DataSummary {
        n_train_positives: n_train_positives(&session, arguments.fold.is_some(), searched),
        callable_depth: problem.modes.callable_depth(),
        has_negated_modes: problem.modes.has_negated(),
    };
    let config = GleanerConfig::of(&session.settings, data);
    let question = Question {
        problem,
        symbols: &symbols,
        worlds: &worlds,
        clause: &asked.read.clause,
        config: &config,
        sets: &sets,
    };
    let found = why(&question);
    let n_examples = arguments.examples as usize;
    let sources = &session.sources;
    let naming = Naming {
        problem,
        symbols: &symbols,
        sources,
        config: &config,
        asked: &asked,
        found: &found,
        n_examples,
    };
    output.answer(&naming.answer())
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

/// The sets that are counted, the one that clauses are searched on first.
fn sets(session: &Session, fold: Option<&FoldChoice>) -> Result<Vec<(&'static str, SetExamples)>, Failure> {
    let Some(fold) = fold else {
        return Ok(vec![("all", undivided(&session.problem, session.rng_seed))]);
    };
    let splits = session.splits()?;
    let split = chosen_split(&splits, fold)?;
    Ok(["train", "tune", "test"].into_iter().zip(split.sets()).collect())
}

/// The positives that `learn` would search on, from which the `auto` bounds follow.
fn n_train_positives(session: &Session, has_fold: bool, searched: &[ExampleId]) -> usize {
    let problem = &session.problem;
    let count = |ids: &[ExampleId]| ids.iter().filter(|&&id| problem.examples.is_positive(id)).count();
    let train =
        if has_fold { None } else { whole(problem, &session.split_request).ok().map(|split| split.train) };
    count(train.as_deref().unwrap_or(searched))
}
