//! Whether modes with constants, proposed from the data, reach more than given modes without: a measured estimate.
//!
//! The modes that can be called within the depth of bottom clauses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gleaner_base::{Budget, ConstantId, ExampleId, FixedSet, Forgetful, PredicateId, TypeId};
use gleaner_data::{FEW_CONSTANTS, FEW_SHARED_CONSTANTS, LoadRequest, PredicateProfile, Problem};
use gleaner_engine::bias::SaturationConfig;
use gleaner_lang::program::display::mode_declaration;
use gleaner_lang::program::mode::ArgumentMode;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::Sources;
use gleaner_learn::{RunContext, Silent};
use serde::Serialize;

use crate::experiment::loading::load::load;
use crate::experiment::runs::cross_validation::cross_validate;
use crate::experiment::runs::split::{SplitRequest, splits};

/// Most positives and negatives of the sample, evenly spread.
const SAMPLE: [usize; 2] = [200, 600];

/// Fewest examples of each class: areas over fewer mean nothing.
const FEWEST: usize = 20;

/// Most runs that are averaged.
const MOST_RUNS: usize = 3;

/// The searches of the estimate: of short clauses, from small bottom clauses.
const SETTINGS: [(&str, &str); 5] = [
    ("learner", "gleaner"),
    ("seeds", "8"),
    ("clauses", "300"),
    ("max-literals", "6"),
    ("max-bottom-literals", "200"),
];

/// The mean test areas under the precision-recall curve of short searches on a sample of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModesEstimate {
    /// With the given modes.
    pub given: f64,
    /// With those proposed from the data.
    pub proposed: f64,
}

impl ModesEstimate {
    /// Estimates both, where the given modes have no constant and proposed ones have some. `None` where they need not
    /// be compared, or cannot be, as for data from a FIFO.
    ///
    /// **Cost**: another loading, and with both kinds of modes 300 clauses of at most 6 literals for each of 8 seeds, in at most
    /// 3 runs.
    pub fn of(problem: &Problem, request: &LoadRequest, asked: Asked<'_>) -> Option<Self> {
        if !are_without_constants(problem) || !can_be_read_again(request) {
            return None;
        }
        // Before the data are loaded again: few examples need no estimate.
        let given = sampled(problem)?;
        let request = LoadRequest { propose_modes: true, ..request.clone() };
        let proposed = load(&request, &mut Sources::new()).ok()?.problem;
        if !has_constants(&proposed) {
            return None;
        }
        Some(Self { given: area(&given, asked)?, proposed: area(&sampled(&proposed)?, asked)? })
    }
}

/// Whether modes were given and none of them has a constant.
fn are_without_constants(problem: &Problem) -> bool {
    problem.proposed_modes().is_none() && !problem.modes().body.is_empty() && !has_constants(problem)
}

/// Advice on where `inspect` has an estimate that may show more than the given modes reach. It needs modes without
/// constants, an output with few values, and enough examples.
///
/// **Cost**: a pass over the facts of each mode that has outputs.
pub fn advice(problem: &Problem) -> Option<&'static str> {
    let is_due = are_without_constants(problem) && has_few_values(problem) && sampled(problem).is_some();
    is_due.then_some(
        "no mode has a constant, though some arguments have few values; `gleaner inspect` estimates whether modes with \
         constants (⁅propose-modes⁆) reach more",
    )
}

/// Whether an output of a mode has so few values that proposed modes would name them. The limit is lower for a type
/// that an input or the head has, too.
fn has_few_values(problem: &Problem) -> bool {
    let inputs =
        problem.modes().body.iter().flat_map(|mode| &mode.arguments).filter_map(|argument| match argument {
            ArgumentMode::Input(of_type) => Some(*of_type),
            ArgumentMode::Output(_) | ArgumentMode::Constant(_) => None,
        });
    let of_head = problem.modes().head.arguments.iter().map(|argument| argument.type_id());
    let followed: BTreeSet<TypeId> = inputs.chain(of_head).collect();
    problem.modes().body.iter().any(|mode| {
        let Some(&predicate) = mode.subject.relation() else { return false };
        mode.arguments.iter().enumerate().any(|(column, argument)| {
            let &ArgumentMode::Output(of_type) = argument else { return false };
            let most = if followed.contains(&of_type) { FEW_SHARED_CONSTANTS } else { FEW_CONSTANTS };
            let values: FixedSet<ConstantId> = problem
                .worlds()
                .iter()
                .flat_map(|world| world.relation(predicate).column(column))
                .copied()
                .collect();
            (2..=most).contains(&(values.len() as u64))
        })
    })
}

/// Whether all that the user named is in memory, a folder or a regular file: a FIFO or standard input is read once.
fn can_be_read_again(request: &LoadRequest) -> bool {
    let given = request.modes.iter().chain(&request.examples).chain(&request.background);
    let path = request.tables.is_none().then_some(&request.path);
    let is_held = |path: &Path| request.texts.iter().any(|(name, _)| name == path);
    let is_file = |path: &Path| path.metadata().is_ok_and(|known| known.is_file() || known.is_dir());
    given.chain(path).all(|path| is_held(path) || is_file(path))
}

/// How searches are to run.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The settings of the data and the user.
    pub settings: &'a Settings,
    /// How examples are divided.
    pub split: SplitRequest,
    /// Outer stops: a search cut short gives no estimate.
    pub budget: &'a Budget,
}

fn has_constants(problem: &Problem) -> bool {
    let mut arguments = problem.modes().body.iter().flat_map(|mode| &mode.arguments);
    arguments.any(|argument| matches!(argument, ArgumentMode::Constant(_)))
}

/// The mean area of short searches; `None` if they were stopped, or learnt nothing.
fn area(problem: &Problem, asked: Asked<'_>) -> Option<f64> {
    let mut settings = asked.settings.clone();
    for (name, value) in SETTINGS {
        settings.set(name, value).ok()?;
    }
    let mut splits = splits(problem, &asked.split).ok()?;
    splits.truncate(MOST_RUNS);
    let context = RunContext {
        budget: asked.budget,
        rng_seed: asked.split.rng_seed,
        monitor: &Silent,
        cover_bytes: usize::MAX,
        keeper: &Forgetful,
    };
    let found = cross_validate(problem, &settings, &splits, 1, &context);
    if found.runs.iter().any(|run| run.search.outer_stop().is_some()) {
        return None;
    }
    found.summaries.mean("auc_pr")
}

/// The problem with few examples of each class; `None` where a class has too few.
fn sampled(problem: &Problem) -> Option<Problem> {
    let examples = problem.examples();
    let mut is_kept = vec![false; examples.len()];
    for (is_positive, most) in [true, false].into_iter().zip(SAMPLE) {
        let is_of = |id: &ExampleId| examples.is_labelled(*id) && examples.is_positive(*id) == is_positive;
        let ids: Vec<ExampleId> = examples.ids().filter(is_of).collect();
        if ids.len() < FEWEST {
            return None;
        }
        ids.iter().step_by(ids.len().div_ceil(most)).for_each(|id| is_kept[id.index()] = true);
    }
    Some(problem.with_examples(examples.filtered(|id| is_kept[id.index()])))
}

/// The modes of a problem and the depth of its bottom clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledModes {
    /// Rounds of saturation.
    pub depth: u32,
    /// For each body mode, in order, the round in which it can first be called; `None` where it never can.
    pub first_rounds: Vec<Option<u32>>,
}

impl CalledModes {
    /// The modes of a problem, with the depth that the settings ask for.
    pub fn of(problem: &Problem, settings: &Settings) -> Self {
        let callable_depth = problem.modes().callable_depth();
        let has_negated_modes = problem.modes().has_negated();
        let data = DataSummary { callable_depth, has_negated_modes, ..DataSummary::default() };
        let SaturationConfig { depth, .. } = SaturationConfig::of(settings, data);
        Self { depth, first_rounds: problem.modes().first_rounds() }
    }

    /// A sentence about the modes that need more rounds than this depth, with the remedy; `None` without such modes.
    pub fn message(&self, problem: &Problem) -> Option<String> {
        let later = |&(_, round): &(usize, u32)| round > self.depth;
        let rounds = self.first_rounds.iter().enumerate();
        let late: Vec<(usize, u32)> =
            rounds.filter_map(|(mode_idx, round)| Some((mode_idx, (*round)?))).filter(later).collect();
        let (first, needed) = *late.first()?;
        let mode = mode_declaration(&problem.modes().body[first], problem.symbols());
        let most = late.iter().map(|(_, round)| *round).max()?;
        let depth = self.depth;
        Some(match late.len() {
            1 => format!("⁅depth={depth}⁆ never calls the mode {mode}: give ⁅depth={needed}⁆"),
            n => format!("⁅depth={depth}⁆ never calls {n} modes, such as {mode}: give ⁅depth={most}⁆"),
        })
    }

    /// A sentence about facts that no clause can reach from an example, as no mode of their predicates can ever be
    /// called. `None` where there are no such facts. For given modes, loading already reports each.
    pub fn unreached_message(&self, problem: &Problem) -> Option<String> {
        problem.proposed_modes()?;
        let mut is_called: BTreeMap<PredicateId, bool> = BTreeMap::new();
        for (mode, round) in problem.modes().body.iter().zip(&self.first_rounds) {
            if let Some(&predicate) = mode.subject.relation() {
                *is_called.entry(predicate).or_default() |= round.is_some();
            }
        }
        let unreached: BTreeSet<String> = (is_called.iter())
            .filter(|(_, is_called)| !**is_called)
            .map(|(&predicate, _)| problem.symbols().predicate(predicate).to_string())
            .collect();
        let n_facts = |profile: &PredicateProfile| profile.n_tuples;
        let all: usize = problem.profile().iter().map(n_facts).sum();
        let of_unreached = problem.profile().iter().filter(|profile| unreached.contains(&profile.predicate));
        let n_unreached: usize = of_unreached.map(n_facts).sum();
        let first = unreached.first().filter(|_| n_unreached > 0)?;
        let what = match unreached.len() {
            1 => first.clone(),
            n => format!("{first} and {} more", n - 1),
        };
        Some(format!(
            "nothing leads from an example to {n_unreached} of {all} facts, those of {what}: `gleaner inspect` shows which"
        ))
    }
}
