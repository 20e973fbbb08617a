//! A run's model as a file holds it, with its origin.

use crate::store::ModelFile;
use crate::store::model_file::{ClassHeader, Provenance};
use gleaner_data::Problem;
use gleaner_lang::program::SaidBy;
use gleaner_lang::program::settings::Settings;

use super::class_validation::learnt_share;
use super::known_target::{known_facts, withheld};
use super::run_result::RunResult;

/// The data, settings and seed that a run was made with.
#[derive(Clone, Copy, Debug)]
pub struct RunOrigin<'a> {
    /// The problem; of many classes, that of the run's class.
    pub problem: &'a Problem,
    /// The settings.
    pub settings: &'a Settings,
    /// The seed.
    pub rng_seed: u64,
    /// The target's argument, from 0, that grouped made folds.
    pub group: Option<usize>,
    /// The restriction of the examples.
    pub restriction: Option<&'a str>,
}

/// The file of a run's model.
#[must_use]
pub fn model_file(origin: RunOrigin<'_>, run: &RunResult) -> ModelFile {
    let RunOrigin { problem, settings, rng_seed, group, restriction } = origin;
    let provenance = Provenance {
        settings,
        rng_seed,
        fold: &run.split.name,
        group: group.map(|argument| argument + 1),
        target: problem.target().to_string(),
        restriction: restriction.map(str::to_owned),
        hull_thresholds: run.hull_thresholds.clone(),
        calibration: run.calibration.clone(),
        stopped: run.search.outer_stop(),
        class: class_header(problem, run),
        known: known_facts(problem, &run.split),
        withheld: withheld(problem, &run.split),
        reading: run.reading.clone(),
    };
    ModelFile::new(&*run.model, &problem.symbols, &provenance)
}

/// The header of the class that a run learns, where there are many.
fn class_header(problem: &Problem, run: &RunResult) -> Option<ClassHeader> {
    let list = problem.classes.as_ref()?;
    let (class_argument, targets) = match &list.said_by {
        SaidBy::Argument(argument, _) => (Some(argument + 1), Vec::new()),
        SaidBy::Predicate(predicates) => {
            (None, predicates.iter().map(|&id| problem.symbols.predicate(id).to_string()).collect())
        }
    };
    Some(ClassHeader {
        own: list.own.index(),
        names: list.names.clone(),
        class_argument,
        targets,
        prior: learnt_share(run),
    })
}
