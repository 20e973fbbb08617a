//! The clauses of a network: searched for from one seed after another, and kept if they raise the network's score.
//!
//! DIVERGENCE: the sources refine clauses from a seed's bottom clause (SAYU) or from the modes alone (nFOIL, kFOIL). Here
//! all three take a seed's bottom clause, drawn without repetition while there are unused positives. So where nothing
//! is found nFOIL and kFOIL go on with the next seed, where their papers end; they end after `--seeds` seeds as SAYU.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::saved::OverClauses;
use crate::seeds::{KeptSteps, SearchedStep, SeedSearch, draw_seeds};
use crate::{RunContext, SeedBottom, SetStores, Task};
use gleaner_base::{Counts, ExampleId, ExampleSet, StopReason};
use gleaner_engine::bias::Candidate;
use gleaner_engine::coverage::ComponentEngine;
use gleaner_engine::coverage::component::{Interrupted, cover_clause_sharing};
use gleaner_engine::search::{Evaluated, Evaluations, Observer};
use gleaner_lang::program::Clause;

use super::grouping::NetworkForm;
use super::judge::{ClauseCovers, Judge};
use super::{Adoption, Guide, SayuConfig};

/// A clause of the network, as it was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownFeature {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub train: Counts,
    /// The network's score with it.
    pub value: f64,
    /// Clauses evaluated until it was kept, including those for seeds without a clause.
    pub n_evaluated: u64,
}

/// The clauses of a network, in the order kept.
#[derive(Clone, Debug, Default)]
pub struct GrownNetwork {
    /// The clauses.
    pub features: Vec<GrownFeature>,
    /// The network's score without clauses.
    pub empty_value: f64,
    /// The search from each seed.
    pub searches: Vec<SeedSearch>,
    /// Clauses evaluated.
    pub n_evaluated: u64,
    /// The outer stop that came between two seeds.
    pub stop: Option<StopReason>,
}

/// The result of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SeedFeature<C = Clause> {
    /// The record of the search.
    search: SeedSearch,
    /// The clause that is kept.
    found: Option<C>,
}

impl<C> OverClauses for SeedFeature<C> {
    type Clause = C;
    type Over<D> = SeedFeature<D>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m C)) {
        self.found.iter().for_each(visit);
    }

    fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> SeedFeature<D> {
        SeedFeature { search: self.search.clone(), found: self.found.as_ref().map(map) }
    }
}

impl SearchedStep for SeedFeature {
    fn searches(&self) -> &[SeedSearch] {
        std::slice::from_ref(&self.search)
    }
}

impl SayuConfig {
    /// How its networks are fitted.
    pub const fn form(&self) -> NetworkForm {
        NetworkForm { kind: self.network, smoothing: self.smoothing.pseudo_counts(), cost: self.cost }
    }

    /// The least score of a network that may take the place of one with this score.
    fn least(&self, value: f64) -> f64 {
        value + self.least_rise * value.abs()
    }
}

/// Grows a network: searches from one seed after another until the seeds, the wanted clauses or the budget end.
pub fn grow(
    task: &Task<'_>,
    config: &SayuConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> GrownNetwork {
    let mut grown = GrownNetwork::default();
    if task.train.n_positives() == 0 || task.train.n_negatives() == 0 {
        return grown;
    }
    let grower = Grower { task, config, context, stores };
    let mut judge = Judge::new(config.form(), config.score, task.train, task.tune);
    grown.empty_value = judge.value();
    // A seed is searched for the rise that the clauses before it leave: its number says which these are.
    let mut steps = KeptSteps::new(task, context, String::new());
    for (at, seed) in draw_seeds(task, config.n_seeds, &[], context.rng_seed).into_iter().enumerate() {
        if config.max_clauses.is_some_and(|most| grown.features.len() >= most) {
            break;
        }
        grown.stop = grown.stop.or_else(|| context.budget.stop());
        if grown.stop.is_some() {
            break;
        }
        let SeedFeature { search, found } = steps.next(|| grower.search(seed, at, &mut judge));
        grown.n_evaluated += search.funnel.evaluated();
        grown.searches.push(search);
        let Some(clause) = found else { continue };
        match grower.add(clause, &mut judge, grown.n_evaluated) {
            Ok(feature) => grown.features.push(feature),
            Err(Interrupted(stop)) => grown.stop = Some(stop),
        }
    }
    grown
}

struct Grower<'a, 's> {
    task: &'a Task<'s>,
    config: &'a SayuConfig,
    context: &'a RunContext<'a>,
    stores: SetStores<'a, 's>,
}

impl Grower<'_, '_> {
    /// Searches from one seed for a clause that raises the score.
    fn search(&self, seed_example: ExampleId, seed_idx: usize, judge: &mut Judge) -> SeedFeature {
        let Self { task, config, context, stores } = self;
        let seed = match SeedBottom::new(task, seed_example, config.saturation, context) {
            Ok(seed) => seed,
            Err(search) => return SeedFeature { search: *search, found: None },
        };
        let space = seed.space(config.max_literals);
        let mut engine = seed.engine(stores.train, context);
        let mut adopter = Adopter {
            least: config.least(judge.value()),
            judge,
            train: seed.engine(stores.train, context),
            tune: seed.engine(stores.tune, context),
            config,
            best: None,
        };
        let evaluations =
            Evaluations::new(&space, &mut engine, task.train, config.limits.clone(), &mut adopter);
        let path = [task.run_idx, seed_idx as u64];
        let search = seed.search(&*config.search.strategy(None), evaluations, &path, context);
        let best = adopter.best.as_ref();
        context.monitor.seed_finished(task.run_idx, search.funnel.evaluated(), best.map(|best| best.value));
        SeedFeature { search, found: best.map(|best| seed.clause(&best.candidate)) }
    }

    /// Adds a clause to the network, even after an outer stop.
    fn add(&self, clause: Clause, judge: &mut Judge, n_evaluated: u64) -> Result<GrownFeature, Interrupted> {
        let budget = self.context.budget.ending();
        let covers = ClauseCovers {
            train: cover_clause_sharing(self.stores.train, &clause, &budget)?,
            tune: cover_clause_sharing(self.stores.tune, &clause, &budget)?,
        };
        judge.add(&covers);
        let train = self.task.train.counts(&covers.train);
        Ok(GrownFeature { clause, train, value: judge.value(), n_evaluated })
    }
}

/// A clause that raises the score enough.
struct Best {
    value: f64,
    true_positives: usize,
    candidate: Candidate,
}

/// Keeps the clause that the network takes.
struct Adopter<'j, 'e> {
    judge: &'j mut Judge,
    /// The least that the network must score with it.
    least: f64,
    train: ComponentEngine<'e>,
    tune: ComponentEngine<'e>,
    config: &'j SayuConfig,
    best: Option<Best>,
}

impl Adopter<'_, '_> {
    /// The network's score with a clause; `None` where it is no higher than without it, or a stop came first.
    fn judged(&mut self, candidate: &Candidate, train: Counts) -> Option<f64> {
        // After a stop nothing more is judged; the search itself ends soon.
        self.judge_covers(candidate, train).ok().flatten()
    }

    fn judge_covers(&mut self, candidate: &Candidate, train: Counts) -> Result<Option<f64>, Interrupted> {
        let literals = candidate.positions();
        let tune = if self.judge.looks_at_tune() {
            let Some(counts) = self.tune.count(literals, 0)? else { return Ok(None) };
            if !self.judge.may_rise(train, counts) {
                return Ok(None);
            }
            self.tune.cover(literals)?
        } else {
            ExampleSet::empty(0)
        };
        let covers = ClauseCovers { train: self.train.cover(literals)?, tune };
        Ok(Some(self.judge.value_with(&covers)))
    }

    /// Better is greater: higher value, more positives, shorter, canonically first.
    fn rank(value: f64, evaluated: &Evaluated<'_>, best: &Best) -> Ordering {
        value
            .total_cmp(&best.value)
            .then(evaluated.counts.true_positives.cmp(&best.true_positives))
            .then_with(|| best.candidate.n_literals().cmp(&evaluated.candidate.n_literals()))
            .then_with(|| best.candidate.cmp(evaluated.candidate))
    }

    fn covers_enough_of_tune(&mut self, candidate: &Candidate) -> bool {
        let least = self.config.min_tune_positives;
        least == 0 || matches!(self.tune.count(candidate.positions(), least), Ok(Some(_)))
    }
}

impl Observer for Adopter<'_, '_> {
    fn value(&mut self, candidate: &Candidate, counts: Counts, score: Option<f64>) -> Option<f64> {
        match self.config.guide {
            Guide::Score => score,
            Guide::Network => self.judged(candidate, counts),
        }
    }

    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        let value = match self.config.guide {
            Guide::Score => self.judged(evaluated.candidate, evaluated.counts),
            Guide::Network => evaluated.score,
        };
        let rises = |value: &f64| *value >= self.least && *value > self.judge.value();
        let Some(value) = value.filter(rises) else { return false };
        if self.best.as_ref().is_some_and(|best| Self::rank(value, evaluated, best).is_le()) {
            return false;
        }
        if !self.covers_enough_of_tune(evaluated.candidate) {
            return false;
        }
        let (candidate, true_positives) = (evaluated.candidate.clone(), evaluated.counts.true_positives);
        self.best = Some(Best { value, true_positives, candidate });
        true
    }

    fn is_satisfied(&self) -> bool {
        self.config.adoption == Adoption::Eager && self.best.is_some()
    }
}
