//! `gleaner inspect DATA`: what is there, and every fault found.

use clap::ArgMatches;
use serde_json::json;

use crate::report::profile::profile;

use super::failure::Failure;
use super::output::Output;
use super::session::Session;

pub(super) fn inspect(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let session = Session::open_to_inspect(matches, output)?;
    // A problem that cannot be divided is still worth a look.
    let splits = match session.splits() {
        Ok(splits) => splits,
        Err(failure) => {
            output.report(&failure);
            Vec::new()
        }
    };
    output.text(&profile(&session.problem, &splits))?;
    let problem = &session.problem;
    let n_positives = problem.examples.n_positives();
    output.event(&json!({
        "event": "done",
        "version": 1,
        "target": problem.target().to_string(),
        "format": problem.format,
        "positives": n_positives,
        "negatives": problem.examples.len() - n_positives,
        "constants": problem.symbols.constants.len(),
        "worlds": problem.worlds.len(),
        "folds": splits.iter().map(|split| split.name.as_str()).collect::<Vec<_>>(),
        "predicates": problem.profile,
    }))
}
