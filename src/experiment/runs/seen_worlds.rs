//! The facts that the examples of some sets see, where examples have cut-offs.
//!
//! Each cut-off is a world with all facts before it, and most of these are of entities that none of its examples leads
//! to. A search looks at worlds as a whole, so it gets small ones.

use std::borrow::Cow;
use std::sync::Arc;

use gleaner_base::ExampleId;
use gleaner_data::Problem;
use gleaner_engine::coverage::Universe;
use gleaner_engine::datalog::Background;
use gleaner_engine::mining::extensions::reached_worlds;
use gleaner_lang::program::mode::ArgumentMode;

/// The worlds for clauses over these sets. Without cut-offs they are all worlds, as they are. With cut-offs, worlds
/// without an example of the sets are empty. If `are_of_modes`, all clauses are within the modes; the other worlds then
/// have only the facts that such clauses meet from their examples, which changes no cover.
pub(crate) fn seen_worlds<'p>(
    problem: &'p Problem,
    sets: &[&Universe],
    are_of_modes: bool,
) -> Cow<'p, [Background]> {
    let examples: Vec<ExampleId> = sets.iter().flat_map(|set| set.iter().map(|(_, id)| id)).collect();
    let mut worlds = problem.worlds_seen_by(examples.iter().copied());
    if let Cow::Owned(worlds) = &mut worlds
        && are_of_modes
        && have_inputs(problem)
        // Of a database each world has only such facts from the beginning.
        && problem.schema().is_none()
    {
        let universe = Universe::new(Arc::clone(problem.examples()), &examples);
        let reached = reached_worlds(worlds, problem.modes(), &universe, usize::MAX);
        let mut seen: Vec<usize> = examples.iter().map(|&id| problem.examples().world(id).index()).collect();
        seen.sort_unstable();
        seen.dedup();
        for (world, reached) in seen.into_iter().zip(reached) {
            worlds[world] = reached;
        }
    }
    worlds
}

/// Whether each literal of the modes takes something that its clause knows already. Else literals meet facts that no
/// example leads to.
fn have_inputs(problem: &Problem) -> bool {
    let relations = problem.modes().body.iter().filter(|mode| mode.subject.predicate().is_some());
    let is_input = |argument: &ArgumentMode| matches!(argument, ArgumentMode::Input(_));
    relations.map(|mode| &mode.arguments).all(|arguments| arguments.iter().any(is_input))
}
