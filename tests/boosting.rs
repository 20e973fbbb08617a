//! Boosting: against values worked out elsewhere, an obvious twin, and what must hold of every run.

mod by_hand;
mod figures;
mod files;
mod properties;
mod stops;
mod twin;

use std::path::PathBuf;

use gleaner::experiment::{default_settings, load};
use gleaner_base::{Budget, ExampleId};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::Sources;
use gleaner_learn::boost::{BoostConfig, Boosting, boost};
use gleaner_learn::{RunContext, Task};

use crate::support::fixture;
use crate::support::task::{Conditions, Stores, on_sets, set_stores};

const LEARNERS: [&str; 7] =
    ["rankboost", "prankboost-clause", "prankboost-path", "mix1", "mix2", "mix3", "two-stage"];

fn loaded(request: &LoadRequest) -> Problem {
    let loaded = load(request, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the problem loads").problem
}

fn problem(path: PathBuf) -> Problem {
    loaded(&LoadRequest { path, ..LoadRequest::default() })
}

fn settings(learner: &str, further: &[(&str, &str)]) -> Settings {
    let mut settings = default_settings();
    for (name, value) in [("learner", learner)].iter().chain(further) {
        settings.set(name, value).expect("a setting");
    }
    settings
}

/// Climbs as in the paper, unless `further` says otherwise: one seed, all literals, one literal at a time.
fn config(learner: &str, further: &[(&str, &str)]) -> BoostConfig {
    let of_paper = [("round-seeds", "1"), ("literal-share", "1"), ("lookahead", "1")];
    BoostConfig::of(&settings(learner, &[&of_paper[..], further].concat()), DataSummary::default())
}

/// What a run is given: a problem, its train and tune examples, a seed and a budget.
struct Ground {
    problem: Problem,
    sets: [Vec<ExampleId>; 2],
    rng_seed: u64,
    budget: Budget,
}

impl Ground {
    /// All examples are both train and tune.
    fn whole(problem: Problem, rng_seed: u64) -> Self {
        let all: Vec<ExampleId> = problem.examples().ids().collect();
        Self { sets: [all.clone(), all], problem, rng_seed, budget: Budget::unlimited() }
    }

    /// Some folds are train, others tune.
    fn of_folds(problem: Problem, folds: [&[&str]; 2], rng_seed: u64) -> Self {
        let sets = folds.map(|wanted| {
            let fold = |id: ExampleId| problem.examples().fold(id).map(|fold| problem.fold_name(fold));
            let is_in = |id: &ExampleId| fold(*id).is_some_and(|fold| wanted.contains(&fold));
            problem.examples().ids().filter(is_in).collect()
        });
        Self { sets, problem, rng_seed, budget: Budget::unlimited() }
    }

    fn on<R>(&self, test: impl FnOnce(&Task<'_>, &RunContext<'_>, &Stores<'_>) -> R) -> R {
        let conditions = Conditions { rng_seed: self.rng_seed, budget: &self.budget };
        on_sets(&self.problem, &self.sets, conditions, test)
    }

    fn boost(&self, config: &BoostConfig) -> Boosting {
        self.on(|task, context, stores| boost(task, config, context, set_stores(stores)))
    }
}

/// Two folds of the university to learn from, and one to choose on.
fn university(rng_seed: u64) -> Ground {
    Ground::of_folds(problem(fixture("university")), [&["fold1", "fold3"], &["fold4"]], rng_seed)
}

fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}
