//! The climb for one rule: from the most general one, always by the literal that raises the area most.
//! [PRANKBOOST §3]

use std::cell::Cell;

use crate::base::{ExampleWeights, StopReason};
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
    /// The rules from the most general to the best; each has a literal more than the one before.
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
    let mut trail = Trail::begin(objective, totals, weight_of(&whole));
    let mut rules = vec![ClimbedRule { candidate: most_general, covered: whole }];
    loop {
        let last = &rules[rules.len() - 1].candidate;
        let mut best: Option<(f64, ClimbedRule)> = None;
        let mut additions = space.additions(last);
        additions.retain(|candidate| candidate.positions().iter().all(|&at| is_allowed[usize::from(at)]));
        for (at, candidate) in additions.into_iter().enumerate() {
            if funnel.evaluated() >= limits.clauses {
                return Ok(ended(rules, trail, best, StopReason::ClausesEvaluated));
            }
            if at.is_multiple_of(EVALUATIONS_BETWEEN_LOOKS)
                && let Some(reason) = engine.outer_stop()
            {
                return Err(reason);
            }
            let least = best.as_ref().map_or(trail.value(), |(value, _)| *value);
            let covered =
                evaluate(engine, &candidate, weights, (&trail, least), limits.min_positives, funnel)?;
            let Some(covered) = covered else { continue };
            let value = trail.value_with(weight_of(&covered));
            if Trail::is_rise(value, least) {
                best = Some((value, ClimbedRule { candidate, covered }));
            }
        }
        let Some((_, rule)) = best else {
            return Ok(Climbed { rules, trail, stop: StopReason::SpaceExhausted });
        };
        trail.push(weight_of(&rule.covered));
        rules.push(rule);
    }
}

/// The climb at its limit: what was best of the literals that were tried still counts.
fn ended(
    mut rules: Vec<ClimbedRule>,
    mut trail: Trail,
    best: Option<(f64, ClimbedRule)>,
    stop: StopReason,
) -> Climbed {
    if let Some((_, rule)) = best {
        trail.push(weight_of(&rule.covered));
        rules.push(rule);
    }
    Climbed { rules, trail, stop }
}

/// What a rule covers; nothing where it has too few positives, or too little weight of them to be worth more than
/// `least` whatever its negatives are: these are then not looked at.
fn evaluate(
    engine: &mut ComponentEngine<'_>,
    candidate: &Candidate,
    weights: &ExampleWeights,
    (trail, least): (&Trail, f64),
    min_positives: usize,
    funnel: &mut Funnel,
) -> Result<Option<Weighed>, StopReason> {
    let has_enough = Cell::new(false);
    let is_wanted = |positives: Mass| {
        has_enough.set(positives.n >= min_positives);
        has_enough.get() && trail.may_rise(positives.weight, least)
    };
    let covered = engine.weigh(candidate.positions(), weights, &is_wanted).map_err(|stopped| stopped.0)?;
    funnel.generated += 1;
    if has_enough.get() {
        funnel.acceptable += 1;
    } else {
        funnel.below_min_positives += 1;
    }
    Ok(covered)
}

const fn weight_of(covered: &Weighed) -> (f64, f64) {
    (covered.positives.weight, covered.negatives.weight)
}
