//! `gleaner why DATA 'clause'`: why a clause was not learnt, and what it does.

use clap::ArgMatches;

use crate::base::ExampleId;
use crate::experiment::split::whole;
use crate::experiment::why::{Question, why};
use crate::experiment::why_answer::Naming;
use crate::learn::gleaner::GleanerConfig;
use crate::problem::clauses::{Checker, usable_predicates, widened_symbols, widened_worlds};

use super::failure::Failure;
use super::output::Output;
use super::session::{Session, chosen_split};

/// The name of the clause in messages.
const CLAUSE: &str = "clause";

pub(super) fn answer(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let session = Session::open(matches, output)?;
    let problem = &session.problem;
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    let given = matches.get_one::<String>("clause").map_or("", String::as_str);
    let asked = checker.read_one(CLAUSE, given)?;
    let symbols = widened_symbols(problem, checker.names());
    let worlds = widened_worlds(problem, &symbols);
    let sets = sets(&session, matches)?;
    let config = GleanerConfig::of(&session.settings, n_train_positives(&session, &sets));
    let question = Question {
        problem,
        symbols: &symbols,
        worlds: &worlds,
        clause: &asked.read.clause,
        config: &config,
        sets: &sets,
    };
    let found = why(&question);
    let n_examples = matches.get_one::<u32>("examples").map_or(0, |&n| n as usize);
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
fn sets(session: &Session, matches: &ArgMatches) -> Result<Vec<(&'static str, Vec<ExampleId>)>, Failure> {
    let Some(&fold) = matches.get_one::<u32>("fold") else {
        return Ok(vec![("all", session.problem.examples.ids().collect())]);
    };
    let splits = session.splits()?;
    let split = chosen_split(&splits, fold)?;
    Ok(vec![("train", split.train.clone()), ("tune", split.tune.clone()), ("test", split.test.clone())])
}

/// The positives that `learn` would search on, from which the `auto` bounds follow.
fn n_train_positives(session: &Session, sets: &[(&'static str, Vec<ExampleId>)]) -> usize {
    let problem = &session.problem;
    let count = |ids: &[ExampleId]| ids.iter().filter(|&&id| problem.examples.is_positive(id)).count();
    match sets {
        [("all", ids)] => {
            whole(problem, &session.split_request).map_or_else(|_| count(ids), |split| count(&split.train))
        }
        _ => sets.first().map_or(0, |(_, ids)| count(ids)),
    }
}
