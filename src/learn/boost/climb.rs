//! The climb for one rule: from the most general one, always by the literal that raises the area most.
//! [PRANKBOOST §3]
//!
//! DIVERGENCE: a rise by less than a share of 1e-12 is rounding and none; pairs of literals are our own, and off by
//! default.

use std::cell::Cell;

use crate::base::{ExampleWeights, StopReason, VariableId};
use crate::bias::{Candidate, RefinementSpace};
use crate::coverage::{ComponentEngine, Mass, Weighed};
use crate::search::Funnel;

use super::objective::{Objective, Trail};

/// Rules evaluated between looks at the outer stop, as the engine itself looks only as it visits rows.
const EVALUATIONS_BETWEEN_LOOKS: usize = 64;

/// Limits of one climb.
#[derive(Clone, Copy, Debug)]
pub struct ClimbLimits {
    /// Most clauses evaluated.
    pub clauses: u64,
    /// Fewest positives of a rule.
    pub min_positives: usize,
    /// Whether two literals are tried together where no single one gains.
    pub looks_ahead: bool,
}

/// A rule on the way.
#[derive(Clone, Debug)]
pub struct ClimbedRule {
    /// Which literals of the bottom clause.
    pub candidate: Candidate,
    /// What it covers.
    pub covered: Weighed,
}

/// What a climb found.
#[derive(Clone, Debug)]
pub struct Climbed {
    /// The rules from the most general to the best; each has a literal more than the one before, or two.
    pub rules: Vec<ClimbedRule>,
    /// Their area.
    pub trail: Trail,
    /// Why it ended: nothing rose any more (`SpaceExhausted`), or the limit.
    pub stop: StopReason,
}

/// Climbs by the literals that `is_allowed` names by position; where the most general rule is better than all with
/// one literal, it is the only one.
///
/// An outer stop leaves nothing but the reason: whether the next literal was the best is not known. `funnel`
/// counts what was evaluated.
///
/// # Errors
///
/// The outer stop.
pub fn climb(
    space: &RefinementSpace<'_>,
    engine: &mut ComponentEngine<'_>,
    (weights, totals): (&ExampleWeights, (f64, f64)),
    objective: Objective,
    (limits, is_allowed): (ClimbLimits, &[bool]),
    funnel: &mut Funnel,
) -> Result<Climbed, StopReason> {
    let most_general = Candidate::default();
    let whole = engine.weigh(most_general.positions(), weights, &|_| true).map_err(|stopped| stopped.0)?;
    let whole = whole.unwrap_or_default();
    funnel.generated += 1;
    funnel.acceptable += 1;
    let trail = Trail::begin(objective, totals, weight_of(&whole));
    let rules = vec![ClimbedRule { candidate: most_general, covered: whole }];
    let mut climber = Climber { space, engine, weights, limits, is_allowed, funnel, trail, rules };
    let stop = climber.climb()?;
    Ok(Climbed { rules: climber.rules, trail: climber.trail, stop })
}

struct Climber<'a, 'e, 's> {
    space: &'a RefinementSpace<'s>,
    engine: &'a mut ComponentEngine<'e>,
    weights: &'a ExampleWeights,
    limits: ClimbLimits,
    is_allowed: &'a [bool],
    funnel: &'a mut Funnel,
    trail: Trail,
    rules: Vec<ClimbedRule>,
}

impl Climber<'_, '_, '_> {
    /// Adds the best rule with a literal more (or two, where one gains nothing) until none is better; why it ended.
    fn climb(&mut self) -> Result<StopReason, StopReason> {
        loop {
            let last = self.rules[self.rules.len() - 1].candidate.clone();
            let additions = self.additions(&last);
            let mut best = self.best_of(&additions)?;
            if best.is_none() && self.limits.looks_ahead && !self.is_at_limit() {
                let pairs = self.pairs(&last, &additions);
                best = self.best_of(&pairs)?;
            }
            let rises = best.is_some();
            if let Some(rule) = best {
                self.trail.push(weight_of(&rule.covered));
                self.rules.push(rule);
            }
            // What was best of the literals that were tried before the limit still counts.
            if self.is_at_limit() {
                return Ok(StopReason::ClausesEvaluated);
            }
            if !rises {
                return Ok(StopReason::SpaceExhausted);
            }
        }
    }

    const fn is_at_limit(&self) -> bool {
        self.funnel.evaluated() >= self.limits.clauses
    }

    /// The rules with one literal more, of those allowed.
    fn additions(&self, rule: &Candidate) -> Vec<Candidate> {
        let mut additions = self.space.additions(rule);
        additions
            .retain(|candidate| candidate.positions().iter().all(|&at| self.is_allowed[usize::from(at)]));
        additions
    }

    /// The rules with two literals more of which the second needs the first, or shares a variable with it that is
    /// new: together they may say what neither says alone.
    fn pairs(&self, rule: &Candidate, additions: &[Candidate]) -> Vec<Candidate> {
        let bottom = self.space.bottom();
        let variables = |at: u16| &bottom.literals[usize::from(at)].variables;
        let mut known = bottom.head_variables();
        rule.positions().iter().for_each(|&at| known.extend(variables(at)));
        let mut pairs = Vec::new();
        for first in additions {
            let new: Vec<VariableId> = first
                .positions()
                .iter()
                .flat_map(|&at| variables(at))
                .copied()
                .filter(|variable| !known.contains(variable))
                .collect();
            let shares = |pair: &Candidate| {
                let second = pair.positions().iter().filter(|at| !first.positions().contains(at));
                second.flat_map(|&at| variables(at)).any(|variable| new.contains(variable))
            };
            pairs.extend(self.additions(first).into_iter().filter(shares));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The rule of the highest value above the last one's, if there is one; the first of several.
    fn best_of(&mut self, candidates: &[Candidate]) -> Result<Option<ClimbedRule>, StopReason> {
        let mut best: Option<ClimbedRule> = None;
        let mut least = self.trail.value();
        for (at, candidate) in candidates.iter().enumerate() {
            if self.is_at_limit() {
                break;
            }
            if at.is_multiple_of(EVALUATIONS_BETWEEN_LOOKS)
                && let Some(reason) = self.engine.outer_stop()
            {
                return Err(reason);
            }
            let Some(covered) = self.evaluate(candidate, least)? else { continue };
            let value = self.trail.value_with(weight_of(&covered));
            if Trail::is_rise(value, least) {
                least = value;
                best = Some(ClimbedRule { candidate: candidate.clone(), covered });
            }
        }
        Ok(best)
    }

    /// What a rule covers; nothing where it has too few positives, or too little weight of them to be worth more
    /// than `least` whatever its negatives are: these are then not looked at.
    fn evaluate(&mut self, candidate: &Candidate, least: f64) -> Result<Option<Weighed>, StopReason> {
        let has_enough = Cell::new(false);
        let is_wanted = |positives: Mass| {
            has_enough.set(positives.n >= self.limits.min_positives);
            has_enough.get() && self.trail.may_rise(positives.weight, least)
        };
        let covered = self.engine.weigh(candidate.positions(), self.weights, &is_wanted);
        let covered = covered.map_err(|stopped| stopped.0)?;
        self.funnel.generated += 1;
        if has_enough.get() {
            self.funnel.acceptable += 1;
        } else {
            self.funnel.below_min_positives += 1;
        }
        Ok(covered)
    }
}

const fn weight_of(covered: &Weighed) -> (f64, f64) {
    (covered.positives.weight, covered.negatives.weight)
}
