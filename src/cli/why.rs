//! `gleaner why DATA 'clause'`: why a clause was not learnt, and what it does.

use clap::Args;

use crate::base::ExampleId;
use crate::experiment::split::whole;
use crate::experiment::why::{Question, why};
use crate::experiment::why_answer::Naming;
use crate::learn::gleaner::GleanerConfig;
use crate::problem::clauses::{Checker, usable_predicates, widened_symbols, widened_worlds};

use super::failure::Failure;
use super::flags::{ProblemFlags, fold};
use super::output::Output;
use super::session::{Session, chosen_split};
use super::setting_flags::All;

/// The name of the clause in messages.
const CLAUSE: &str = "clause";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Count on train, tune and test of run FOLD of cv; a number from 1.
    #[arg(long, value_name = "FOLD", value_parser = fold())]
    fold: Option<u32>,
    /// Positives that are named for each literal that loses them.
    #[arg(long, value_name = "N", default_value_t = 5)]
    examples: u32,
    #[command(flatten)]
    problem: ProblemFlags<All>,
    /// A clause of the target, as 'target(A,B) :- p(A,C), q(C,B).'.
    #[arg(value_name = "CLAUSE", help_heading = None)]
    clause: String,
}

pub(super) fn answer(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let session = Session::open(&arguments.problem, output)?;
    let problem = &session.problem;
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    let asked = checker.read_one(CLAUSE, &arguments.clause)?;
    let symbols = widened_symbols(problem, checker.names());
    let worlds = widened_worlds(problem, &symbols);
    let sets = sets(&session, arguments.fold)?;
    let searched = sets.first().map_or(&[][..], |(_, ids)| ids);
    let n_positives = n_train_positives(&session, arguments.fold, searched);
    let config = GleanerConfig::of(&session.settings, n_positives);
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

/// The sets that are counted, the one that clauses are searched on first.
fn sets(session: &Session, fold: Option<u32>) -> Result<Vec<(&'static str, Vec<ExampleId>)>, Failure> {
    let Some(fold) = fold else {
        return Ok(vec![("all", session.problem.examples.ids().collect())]);
    };
    let splits = session.splits()?;
    let split = chosen_split(&splits, fold)?;
    Ok(vec![("train", split.train.clone()), ("tune", split.tune.clone()), ("test", split.test.clone())])
}

/// The positives that `learn` would search on, from which the `auto` bounds follow.
fn n_train_positives(session: &Session, fold: Option<u32>, searched: &[ExampleId]) -> usize {
    let problem = &session.problem;
    let count = |ids: &[ExampleId]| ids.iter().filter(|&&id| problem.examples.is_positive(id)).count();
    let train = match fold {
        Some(_) => None,
        None => whole(problem, &session.split_request).ok().map(|split| split.train),
    };
    count(train.as_deref().unwrap_or(searched))
}
