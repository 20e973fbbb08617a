//! The modes that can be called within the depth of bottom clauses.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::PredicateId;
use gleaner_data::{PredicateProfile, Problem};
use gleaner_engine::bias::SaturationConfig;
use gleaner_lang::program::display::mode_declaration;
use gleaner_lang::program::settings::{DataSummary, Settings};

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
