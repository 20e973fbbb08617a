//! The climb for one rule: from the most general one, always by the literal that raises the area most.
//! [PRANKBOOST §3]
//!
//! DIVERGENCE: a rise by less than a share of 1e-12 is rounding and none; pairs of literals are our own, and off by
//! default.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::{IntoParallelRefMutIterator, ParallelIterator};

use gleaner_base::{ClassWeights, ConstantId, FixedMap, FixedSet, StopReason, VariableId};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace};
use gleaner_engine::coverage::component::{Extreme, keep_quantiles};
use gleaner_engine::coverage::{ComponentEngine, Mass, Weighed};
use gleaner_engine::search::Funnel;
use gleaner_lang::program::{Threshold, Thresholds};

use super::weights::{BoostWeights, Objective, Trail};

/// Rules that are evaluated against one bound, and between looks at the outer stop: the engine itself looks only as it
/// visits rows.
const BLOCK: usize = 64;

/// From so many rules times examples on, all threads evaluate them: some milliseconds of work.
const LEAST_PARALLEL_CELLS: usize = 1 << 22;

/// Limits of one climb.
#[derive(Clone, Copy, Debug)]
pub struct ClimbLimits {
    /// Most clauses evaluated.
    pub clauses: u64,
    /// Fewest positives of a rule.
    pub min_positives: usize,
    /// Whether two literals are tried together where no single one gains.
    pub looks_ahead: bool,
    /// Whether a rule is left unweighed if its cover is known to be that of another of its step, or of the rule before.
    pub infers: bool,
}

/// A rule on the way.
#[derive(Clone, Debug)]
pub struct ClimbedRule {
    /// The literals of the bottom clause that it has.
    pub candidate: Candidate,
    /// The weights that it covers.
    pub covered: Weighed,
}

/// The result of a climb.
#[derive(Clone, Debug)]
pub struct Climbed {
    /// The rules from the most general to the best; each has a literal more than the one before, or two.
    pub rules: Vec<ClimbedRule>,
    /// Their area.
    pub trail: Trail,
    /// Why it ended: nothing rose any more (`SpaceExhausted`), or the limit.
    pub stop: StopReason,
}

/// The inputs of a climb.
#[derive(Clone, Copy, Debug)]
pub struct Ascent<'a> {
    /// The rules there are.
    pub space: &'a RefinementSpace<'a>,
    /// Whether it may use each literal, by position.
    pub is_allowed: &'a [bool],
    /// Its limits.
    pub limits: ClimbLimits,
    /// The weights of the examples.
    pub weights: &'a BoostWeights,
    /// The area that it maximises.
    pub objective: Objective,
}

/// The engines of one climb: a single one, or one for each of several threads once there is much to evaluate.
pub struct Engines<'a, 's> {
    engines: Vec<ComponentEngine<'s>>,
    make: &'a dyn Fn() -> ComponentEngine<'s>,
}

impl std::fmt::Debug for Engines<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engines").field("n_engines", &self.engines.len()).finish_non_exhaustive()
    }
}

impl<'a, 's> Engines<'a, 's> {
    /// One engine, as `make` makes all.
    pub fn new(make: &'a dyn Fn() -> ComponentEngine<'s>) -> Self {
        Self { engines: vec![make()], make }
    }

    fn first(&mut self) -> &mut ComponentEngine<'s> {
        &mut self.engines[0]
    }

    /// One for each thread.
    fn all(&mut self) -> &mut [ComponentEngine<'s>] {
        let n_wanted = rayon::current_num_threads();
        self.engines.resize_with(n_wanted.max(self.engines.len()), self.make);
        &mut self.engines
    }
}

/// Climbs literal by literal. Where the most general rule is better than all rules with one literal, it is the only
/// one.
///
/// An outer stop leaves nothing but the reason, as it is unknown whether the next literal was the best. `funnel` counts
/// the evaluated rules. The findings are the same for any number of threads.
///
/// # Errors
///
/// The outer stop.
pub fn climb(
    ascent: &Ascent<'_>,
    engines: &mut Engines<'_, '_>,
    funnel: &mut Funnel,
) -> Result<Climbed, StopReason> {
    let most_general = Candidate::default();
    let weights = ascent.weights.weights();
    let whole = engines.first().weigh(most_general.positions(), weights, &|_| true);
    let whole = whole.map_err(|stopped| stopped.0)?.unwrap_or_default();
    funnel.generated += 1;
    funnel.acceptable += 1;
    let trail = Trail::begin(ascent.objective, ascent.weights.totals(), weight_of(&whole));
    let rules = vec![ClimbedRule { candidate: most_general, covered: whole }];
    let mut climber = Climber { ascent, engines, funnel, trail, rules };
    let stop = climber.climb()?;
    Ok(Climbed { rules: climber.rules, trail: climber.trail, stop })
}

/// The results of evaluating a rule.
#[derive(Clone, Copy, Debug)]
struct Evaluated {
    /// The best number for its open threshold, if it has one: the threshold's position and the number.
    threshold: Option<(u16, ConstantId)>,
    /// Whether it covers enough positives.
    is_acceptable: bool,
    /// The weights that it covers; nothing where it covers too few positives. Nothing either where it covers too little
    /// weight of positives to be worth more than the bound. Its negatives, which cannot change that, are then not
    /// looked at.
    covered: Option<Weighed>,
}

struct Climber<'a, 'e, 's> {
    ascent: &'a Ascent<'a>,
    engines: &'a mut Engines<'e, 's>,
    funnel: &'a mut Funnel,
    trail: Trail,
    rules: Vec<ClimbedRule>,
}

impl Climber<'_, '_, '_> {
    /// Adds the best rule with a literal more (or two, where one gains nothing) until none is better. Returns why it
    /// ended.
    fn climb(&mut self) -> Result<StopReason, StopReason> {
        loop {
            let last = self.rules[self.rules.len() - 1].candidate.clone();
            let additions = self.additions(&last);
            let mut best = self.best_of(&additions)?;
            if best.is_none() && self.ascent.limits.looks_ahead && !self.is_at_limit() {
                let pairs = self.pairs(&last, &additions)?;
                best = self.best_of(&pairs)?;
            }
            let rises = best.is_some();
            if let Some(rule) = best {
                self.trail.push(weight_of(&rule.covered));
                self.rules.push(rule);
            }
            // The best of the literals that were tried before the limit still counts.
            if self.is_at_limit() {
                return Ok(StopReason::ClausesEvaluated);
            }
            if !rises {
                return Ok(StopReason::SpaceExhausted);
            }
        }
    }

    const fn is_at_limit(&self) -> bool {
        self.funnel.evaluated() >= self.ascent.limits.clauses
    }

    /// The rules with one literal more, of those allowed.
    fn additions(&self, rule: &Candidate) -> Vec<Candidate> {
        let mut additions = self.ascent.space.additions(rule);
        additions.retain(|candidate| candidate.positions().iter().all(|&at| self.is_allowed(at)));
        additions
    }

    fn is_allowed(&self, position: u16) -> bool {
        let thresholds = &self.ascent.space.bottom().thresholds;
        self.ascent.is_allowed[usize::from(thresholds.in_bottom(position))]
    }

    /// The rules with two literals more. The second literal needs the first, or shares a new variable with it: together
    /// they may say what neither says alone.
    ///
    /// # Errors
    ///
    /// The outer stop.
    fn pairs(&mut self, rule: &Candidate, additions: &[Candidate]) -> Result<Vec<Candidate>, StopReason> {
        let budget = self.engines.first().budget().clone();
        let space = self.ascent.space;
        let bottom = space.bottom();
        let variables = |at: u16| &bottom.at(at).variables;
        let is_open = |at: u16| bottom.open_threshold(at).is_some();
        let mut known = bottom.head_variables();
        rule.positions().iter().for_each(|&at| known.extend(variables(at)));
        let partners = Partners::new(bottom, |at| self.is_allowed(at));
        let mut pairs = Vec::new();
        for with_first in additions {
            budget.check()?;
            let is_first = |at: &&u16| rule.positions().binary_search(at).is_err();
            let Some(&first) = with_first.positions().iter().find(is_first) else { continue };
            let new = variables(first).iter().filter(|variable| !known.contains(variable));
            let mut seconds = partners.with_any(new);
            let n_open = with_first.positions().iter().filter(|&&at| is_open(at)).count();
            seconds.retain(|&at| n_open + usize::from(is_open(at)) < 2);
            if !seconds.is_empty() {
                pairs.extend(space.additions_among(with_first, seconds));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    /// The rule of the highest value above the last rule's, if there is one; the first of several.
    ///
    /// A rule's body may cover what the last rule's covers, or another's of the step. The rule then has what is known
    /// of that one: it is held against the best as if it had been weighed again
    /// ([`gleaner_engine::search::evaluations`]).
    ///
    /// A rule need not be weighed to the end if it cannot be worth more than the best before it. All threads evaluate a
    /// block of rules against the best before the block. Then each rule in turn is held against the best of those
    /// before it, so that blocks and threads change nothing.
    fn best_of(&mut self, candidates: &[Candidate]) -> Result<Option<ClimbedRule>, StopReason> {
        let n_left = self.ascent.limits.clauses.saturating_sub(self.funnel.evaluated());
        let candidates =
            &candidates[..usize::try_from(n_left).map_or(candidates.len(), |n| n.min(candidates.len()))];
        let n_cells = candidates.len() * self.ascent.weights.scores().len();
        let engines = if n_cells < LEAST_PARALLEL_CELLS {
            std::slice::from_mut(self.engines.first())
        } else {
            self.engines.all()
        };
        let mut best: Option<(Candidate, Evaluated, Weighed)> = None;
        let mut least = self.trail.value();
        let infers = self.ascent.limits.infers;
        let mut known = FixedMap::default();
        if infers {
            let last = &self.rules[self.rules.len() - 1];
            let is_acceptable = last.covered.positives.n >= self.ascent.limits.min_positives;
            let evaluated = Evaluated { threshold: None, is_acceptable, covered: Some(last.covered) };
            known.insert(without_implied(&last.candidate, &mut engines[0]), evaluated);
        }
        for block in candidates.chunks(BLOCK) {
            if let Some(reason) = engines[0].outer_stop() {
                return Err(reason);
            }
            let engine = &mut engines[0];
            let bodies: Vec<Candidate> = block
                .iter()
                .map(|rule| if infers { without_implied(rule, engine) } else { rule.clone() })
                .collect();
            let mut new: Vec<Candidate> = Vec::with_capacity(bodies.len());
            let mut met = FixedSet::default();
            new.extend(bodies.iter().filter(|&body| !known.contains_key(body) && met.insert(body)).cloned());
            let rules = BlockOfRules { ascent: self.ascent, trail: &self.trail, rules: &new, least };
            let evaluated = rules.evaluate(engines)?;
            self.funnel.inferred += (bodies.len() - new.len()) as u64;
            known.extend(new.into_iter().zip(evaluated));
            for (candidate, body) in block.iter().zip(&bodies) {
                let Some(&evaluated) = known.get(body) else { continue };
                self.funnel.generated += 1;
                if evaluated.is_acceptable {
                    self.funnel.acceptable += 1;
                } else {
                    self.funnel.below_min_positives += 1;
                }
                let Some(covered) = evaluated.covered else { continue };
                let value = self.trail.value_with(weight_of(&covered));
                if self.trail.may_rise(covered.positives.weight, least) && Trail::is_rise(value, least) {
                    least = value;
                    best = Some((candidate.clone(), evaluated, covered));
                }
            }
        }
        best.map(|best| self.fixed(best)).transpose()
    }

    /// A rule with its threshold fixed. It is weighed again, so that its sums have the bits that its cover gives.
    fn fixed(
        &mut self,
        (candidate, evaluated, covered): (Candidate, Evaluated, Weighed),
    ) -> Result<ClimbedRule, StopReason> {
        let bottom = self.ascent.space.bottom();
        let fixed = evaluated.threshold.and_then(|(open, constant)| {
            let others = candidate.positions().iter().copied().filter(|&position| position != open);
            bottom.with_threshold(&Candidate::new(others.collect()), open, constant)
        });
        let Some(candidate) = fixed else { return Ok(ClimbedRule { candidate, covered }) };
        let weights = self.ascent.weights.weights();
        let covered = self.engines.first().weigh(candidate.positions(), weights, &|_| true);
        let covered = covered.map_err(|stopped| stopped.0)?.unwrap_or_default();
        Ok(ClimbedRule { candidate, covered })
    }
}

/// The literals of a bottom clause by their variables.
struct Partners {
    by_variable: Vec<Vec<u16>>,
}

impl Partners {
    /// Those at the positions that are allowed.
    fn new(bottom: &BottomClause, is_allowed: impl Fn(u16) -> bool) -> Self {
        let mut by_variable = vec![Vec::new(); bottom.n_variables];
        for (at, literal) in (0_u16..).zip(&bottom.literals).filter(|&(at, _)| is_allowed(at)) {
            literal.variables.iter().for_each(|variable| by_variable[variable.index()].push(at));
        }
        Self { by_variable }
    }

    /// The positions of the literals that have one of these variables, ascending.
    fn with_any<'v>(&self, variables: impl Iterator<Item = &'v VariableId>) -> Vec<u16> {
        let mut all: Vec<u16> =
            variables.flat_map(|variable| &self.by_variable[variable.index()]).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The body of a rule without the literals that the rest implies: it weighs the same.
fn without_implied(rule: &Candidate, engine: &mut ComponentEngine<'_>) -> Candidate {
    Candidate::new(engine.without_implied(rule.positions()).to_vec())
}

/// Rules that are evaluated against one bound.
struct BlockOfRules<'a> {
    ascent: &'a Ascent<'a>,
    trail: &'a Trail,
    rules: &'a [Candidate],
    /// The value that a rule must exceed.
    least: f64,
}

impl BlockOfRules<'_> {
    /// Evaluates all rules, in order. One engine follows the bound as it rises; several share the rules out.
    fn evaluate(&self, engines: &mut [ComponentEngine<'_>]) -> Result<Vec<Evaluated>, StopReason> {
        if let [engine] = engines {
            return self.evaluate_in_turn(engine);
        }
        let next = AtomicUsize::new(0);
        let share = |engine: &mut ComponentEngine<'_>| -> Result<Vec<(usize, Evaluated)>, StopReason> {
            let mut share = Vec::new();
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && let Some(rule) = self.rules.get(at)
            {
                share.push((at, self.evaluate_one(engine, rule, self.least)?));
            }
            Ok(share)
        };
        let shares: Vec<_> = engines.par_iter_mut().map(share).collect::<Result<_, StopReason>>()?;
        let mut evaluated: Vec<(usize, Evaluated)> = shares.into_iter().flatten().collect();
        evaluated.sort_unstable_by_key(|&(at, _)| at);
        Ok(evaluated.into_iter().map(|(_, evaluated)| evaluated).collect())
    }

    fn evaluate_in_turn(&self, engine: &mut ComponentEngine<'_>) -> Result<Vec<Evaluated>, StopReason> {
        let mut least = self.least;
        let evaluate = |rule: &Candidate| {
            let evaluated = self.evaluate_one(engine, rule, least)?;
            let value = evaluated.covered.map_or(0.0, |covered| self.trail.value_with(weight_of(&covered)));
            if Trail::is_rise(value, least) {
                least = value;
            }
            Ok(evaluated)
        };
        self.rules.iter().map(evaluate).collect()
    }

    fn evaluate_one(
        &self,
        engine: &mut ComponentEngine<'_>,
        rule: &Candidate,
        least: f64,
    ) -> Result<Evaluated, StopReason> {
        let bottom = self.ascent.space.bottom();
        let open = rule.positions().iter().copied().find(|&at| bottom.open_threshold(at).is_some());
        if let Some(open) = open {
            return self.sweep(engine, rule, open);
        }
        let is_acceptable = Cell::new(false);
        let is_wanted = |positives: Mass| {
            is_acceptable.set(positives.n >= self.ascent.limits.min_positives);
            is_acceptable.get() && self.trail.may_rise(positives.weight, least)
        };
        let covered = engine.weigh(rule.positions(), self.ascent.weights.weights(), &is_wanted);
        let covered = covered.map_err(|stopped| stopped.0)?;
        Ok(Evaluated { threshold: None, is_acceptable: is_acceptable.get(), covered })
    }

    /// Finds the best number for the open threshold of a rule, among those that the seed passes.
    fn sweep(
        &self,
        engine: &mut ComponentEngine<'_>,
        rule: &Candidate,
        open: u16,
    ) -> Result<Evaluated, StopReason> {
        let mut best = Evaluated { threshold: None, is_acceptable: false, covered: None };
        let bottom = self.ascent.space.bottom();
        let Some(Threshold { variable, constant, is_least }) = bottom.open_threshold(open) else {
            return Ok(best);
        };
        let rest: Vec<u16> = rule.positions().iter().copied().filter(|&at| at != open).collect();
        let extreme = if is_least { Extreme::Greatest } else { Extreme::Least };
        let extremes = engine.extremes(&rest, variable, extreme).map_err(|stopped| stopped.0)?;
        let (weights, universe) = (self.ascent.weights.weights(), engine.universe());
        let weighed = |position: usize| {
            let mass = Mass { n: 1, weight: weights.at(position) };
            if universe.is_positive(position) {
                Weighed { positives: mass, ..Weighed::default() }
            } else {
                Weighed { negatives: mass, ..Weighed::default() }
            }
        };
        let mut least = f64::NEG_INFINITY;
        let is_exact = bottom.thresholds.source() == Thresholds::Exact;
        let mut sums = engine.sums_from((constant, is_exact), &extremes, weighed, Weighed::add);
        if !is_exact {
            keep_quantiles(&mut sums, |covered| covered.positives.n);
        }
        for (threshold, covered) in sums {
            let value = self.trail.value_with(weight_of(&covered));
            if covered.positives.n >= self.ascent.limits.min_positives && value > least {
                least = value;
                best = Evaluated {
                    threshold: Some((open, threshold)),
                    is_acceptable: true,
                    covered: Some(covered),
                };
            }
        }
        if let Some((_, threshold)) = &mut best.threshold {
            *threshold = engine.rounded(&extremes, *threshold);
        }
        Ok(best)
    }
}

const fn weight_of(covered: &Weighed) -> ClassWeights {
    ClassWeights { positives: covered.positives.weight, negatives: covered.negatives.weight }
}
