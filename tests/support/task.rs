//! What a learner is given, of any examples of a problem.

use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, Forgetful};
use gleaner_data::Problem;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_learn::{RunContext, SetStores, Silent, Task};

/// The stores of train and tune.
pub(crate) type Stores<'a> = [Arc<CoverStore<'a>>; 2];

/// The same as learners take them.
pub(crate) fn set_stores<'a, 's>(stores: &'a Stores<'s>) -> SetStores<'a, 's> {
    SetStores { train: &stores[0], tune: &stores[1] }
}

/// Every fold but the last two for train, the last for tune.
pub(crate) fn sets(problem: &Problem) -> [Vec<ExampleId>; 2] {
    let last = problem.fold_names().len() - 1;
    let of = |wanted: &dyn Fn(usize) -> bool| {
        let is_in = |id: &ExampleId| problem.examples().fold(*id).is_some_and(|fold| wanted(fold.index()));
        problem.examples().ids().filter(is_in).collect()
    };
    [of(&|fold| fold + 1 < last), of(&|fold| fold == last)]
}

/// What random streams flow from, and what stops the work.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'b> {
    pub(crate) rng_seed: u64,
    pub(crate) budget: &'b Budget,
}

/// Calls `test` with a task whose train and tune are these examples.
pub(crate) fn on_sets<R>(
    problem: &Problem,
    sets: &[Vec<ExampleId>; 2],
    conditions: Conditions<'_>,
    test: impl FnOnce(&Task<'_>, &RunContext<'_>, &Stores<'_>) -> R,
) -> R {
    let [train, tune] = [0, 1].map(|set| Universe::new(Arc::clone(problem.examples()), &sets[set]));
    let task = Task {
        labels: problem.labels(),
        worlds: problem.worlds(),
        modes: problem.modes(),
        examples: problem.examples(),
        train: &train,
        tune: &tune,
        run_idx: 0,
        given: None,
    };
    let Conditions { rng_seed, budget } = conditions;
    let context = RunContext { budget, rng_seed, monitor: &Silent, cover_bytes: 1 << 24, keeper: &Forgetful };
    let stores = [&train, &tune].map(|universe| Arc::new(CoverStore::new(problem.worlds(), universe)));
    test(&task, &context, &stores)
}
