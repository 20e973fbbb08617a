//! `gleaner inspect DATA`: what is there, and every fault found.

use clap::ArgMatches;
use serde_json::json;

use crate::report::profile::profile;

use crate::syntax::Diagnostic;

use super::failure::Failure;
use super::output::Output;
use super::session::Session;

pub(super) fn inspect(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let session = Session::open_to_inspect(matches, output)?;
    let problem = &session.problem;
    if let Some(modes) = problem.proposed_modes.as_ref().filter(|_| matches.get_flag("propose-modes")) {
        output.text(modes)?;
        return output.event(&json!({ "event": "done", "version": 1, "modes": modes }));
    }
    let n_positives = problem.examples.n_positives();
    let splits = match session.splits() {
        Ok(splits) => splits,
        // That a class has no examples was said; else a problem that cannot be divided is worth a look.
        Err(_) if n_positives == 0 || n_positives == problem.examples.len() => Vec::new(),
        Err(Failure::Data(faults, sources)) => {
            let told: Vec<Diagnostic> = faults
                .into_iter()
                .map(|fault| fault.into_warning("it can be looked at all the same"))
                .collect();
            output.warnings(&told, &sources);
            Vec::new()
        }
        Err(failure) => return Err(failure),
    };
    output.text(&profile(problem, &splits))?;
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
