//! Loading a problem and applying its restriction.

use std::sync::Arc;

use crate::base::{Budget, ExampleId};
use crate::coverage::Universe;
use crate::coverage::component::cover_clause;
use crate::problem::faults::bad_clause;
use crate::problem::{LoadRequest, Loaded, Problem};
use crate::program::Clause;
use crate::syntax::{Diagnostic, Sources};

/// Loads a problem and keeps the examples for which the request's restriction holds.
///
/// # Errors
///
/// Every fault of the files; a restriction that leaves a class without examples.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let mut loaded = crate::problem::load(request, sources)?;
    if let Some(restriction) = loaded.problem.restriction.clone() {
        restrict(&mut loaded.problem, &restriction, request)?;
    }
    Ok(loaded)
}

fn restrict(
    problem: &mut Problem,
    restriction: &Clause,
    request: &LoadRequest,
) -> Result<(), Vec<Diagnostic>> {
    let text = request.restriction.as_deref().unwrap_or_default();
    let all: Vec<ExampleId> = problem.examples.ids().collect();
    let universe = Universe::new(Arc::clone(&problem.examples), &all);
    let covered = cover_clause(&problem.worlds, restriction, &universe, &Budget::unlimited())
        .expect("an unlimited budget never interrupts");
    let mut kept = vec![false; problem.examples.len()];
    for (position, id) in universe.iter() {
        kept[id.index()] = covered.contains(position);
    }
    let examples = problem.examples.filtered(|id| kept[id.index()]);
    let n_positives = examples.n_positives();
    if request.is_scoring && !examples.is_empty() {
        problem.examples = Arc::new(examples);
        return Ok(());
    }
    let faults: Vec<Diagnostic> = [(n_positives, "positive"), (examples.len() - n_positives, "negative")]
        .into_iter()
        .filter(|(n_left, _)| *n_left == 0)
        .map(|(_, class)| bad_clause(text, &format!("no {class} example satisfies it")))
        .collect();
    problem.examples = Arc::new(examples);
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
