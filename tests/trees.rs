//! Relational trees: against an obvious twin, the tests of a node by enumeration, and what must hold of every run.

mod missing;
mod proposals;
mod runs;
mod sweeps;
mod twin;

use std::path::PathBuf;

use gleaner::experiment::{default_settings, load};
use gleaner_base::{Budget, ExampleId};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::DataSummary;
use gleaner_lang::syntax::Sources;
use gleaner_learn::trees::TreeConfig;
use gleaner_learn::{RunContext, Task};

use crate::support::task::{Conditions, Stores, on_sets};

fn problem(path: PathBuf) -> Problem {
    let request = LoadRequest { path, ..LoadRequest::default() };
    let loaded = load(&request, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the problem loads").problem
}

fn config(learner: &str, further: &[(&str, &str)]) -> TreeConfig {
    let mut settings = default_settings();
    for (name, value) in [("learner", learner)].iter().chain(further) {
        settings.set(name, value).expect("a setting");
    }
    TreeConfig::of(&settings, DataSummary::default())
}

/// Some folds for train and one for tune.
fn on_folds<R>(
    problem: &Problem,
    folds: [&[&str]; 2],
    rng_seed: u64,
    test: impl FnOnce(&Task<'_>, &RunContext<'_>, &Stores<'_>) -> R,
) -> R {
    let sets: [Vec<ExampleId>; 2] = folds.map(|wanted| {
        let is_in = |id: &ExampleId| {
            problem.examples().fold(*id).is_none_or(|fold| wanted.contains(&problem.fold_name(fold)))
        };
        problem.examples().ids().filter(is_in).collect()
    });
    on_sets(problem, &sets, Conditions { rng_seed, budget: &Budget::unlimited() }, test)
}
