//! The rounds of boosting. [PRANKBOOST §2, Table 1]
//!
//! DIVERGENCE: where the best rule covers everything the paper would add a round that ranks nothing; here other
//! seeds are drawn, and after ten draws in vain boosting ends. Seeds are drawn without repetition while there
//! are unused positives, so that no positive waits by chance; the paper draws each round anew. Several seeds a
//! round, a share of the literals and the refit are our own, and off by default.

use std::sync::Arc;

use rand::seq::index::sample;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::saved::over_clauses;
use crate::seeds::{KeptSteps, SearchedStep, SeedDraw, SeedSearch};
use crate::shared_config::Refit;
use crate::{RunContext, SeedBottom, SetStores, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ClassWeights, ExampleId, ExampleSet, FixedSet, Pooling, StopReason, Totals};
use gleaner_engine::coverage::component::{Interrupted, cover_clause_sharing};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::search::{Funnel, RedundantClauses};
use gleaner_lang::program::Clause;
use gleaner_stats::eval::{PrCurve, Ranking};

use super::climb::{Ascent, ClimbLimits, Climbed, ClimbedRule, Engines, climb};
use super::model::{Round, Rule};
use super::weights::{BoostWeights, Objective, Step, Trail, alpha_of};
use super::{BoostConfig, BoostVariant, Hypothesis, RoundKind};

/// Boosting ends after so many draws of seeds in a row, if no draw finds a rule that is better than covering
/// everything.
const MOST_FAILED_DRAWS: usize = 10;

/// A round with its cost.
#[derive(Clone, Debug)]
pub struct GrownRound {
    /// The round.
    pub round: Round,
    /// Clauses evaluated until it was added, including those for seeds that gave no round.
    pub n_evaluated: u64,
    /// The area on tune of the rounds up to this one; known where boosting may end early.
    pub tune_area: Option<f64>,
}

/// The rounds of one run.
#[derive(Clone, Debug, Default)]
pub struct Boosting {
    /// The rounds, learnt from train.
    pub rounds: Vec<GrownRound>,
    /// The rounds learnt again from train and tune, as many as tune chose.
    pub refitted: Option<Vec<GrownRound>>,
    /// The search from each seed.
    pub searches: Vec<SeedSearch>,
    /// Seeds of rounds in which no rule was found that ranks.
    pub n_failed_draws: usize,
    /// The outer stop that came between two rounds.
    pub stop: Option<StopReason>,
    /// Why there are no more rounds; nothing where there was nothing to learn from.
    pub end: Option<BoostingEnd>,
}

/// Why boosting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoostingEnd {
    /// All rounds were made.
    Rounds,
    /// Ten draws of seeds in a row gave no rule that ranks.
    Fruitless,
    /// The area on tune did not rise any more.
    Patience,
    /// Time, memory or the user.
    Stopped,
}

impl Boosting {
    /// Where all candidates went.
    pub fn funnel(&self) -> Funnel {
        let mut total = Funnel::default();
        self.searches.iter().for_each(|seed| total.add(&seed.funnel));
        total
    }

    /// The first rounds, as many as have the highest area on tune; all of them where that was not looked at.
    pub fn best_on_tune(&self, n_rounds: usize) -> &[GrownRound] {
        let rounds = &self.rounds[..n_rounds.min(self.rounds.len())];
        let mut best = (f64::NEG_INFINITY, rounds.len());
        for (at, round) in rounds.iter().enumerate() {
            if let Some(area) = round.tune_area
                && area > best.0
            {
                best = (area, at + 1);
            }
        }
        &rounds[..best.1]
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some() || self.searches.iter().any(|seed| seed.stop.is_outer())
    }
}

/// Boosts on train, and again on train and tune where that is wanted.
pub fn boost(
    task: &Task<'_>,
    config: &BoostConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> Boosting {
    if task.train.n_positives() == 0 || task.train.n_negatives() == 0 {
        return Boosting::default();
    }
    let weights = BoostWeights::new(task.train, class_totals(task.train.totals(), config.variant));
    let mut boosting = Booster::new(task, config, context, stores, Stage::Train, weights).run();
    let chosen = boosting.best_on_tune(boosting.rounds.len());
    if config.refit == Refit::None || chosen.is_empty() || boosting.is_stopped() {
        return boosting;
    }
    let config = BoostConfig { n_rounds: chosen.len(), patience: None, ..config.clone() };
    let both: Vec<ExampleId> =
        [task.train, task.tune].iter().flat_map(|set| set.iter().map(|(_, example)| example)).collect();
    let both = Universe::new(Arc::clone(task.examples), &both);
    let capacity = CoverStore::usual_capacity(&both).min(context.cover_bytes);
    let store = Arc::new(CoverStore::with_capacity(task.worlds, &both, capacity));
    let weights = weights_of_both(task, &both, config.variant);
    let task = Task { train: &both, ..*task };
    let stores = SetStores { train: &store, ..stores };
    let again = Booster::new(&task, &config, context, stores, Stage::Refit, weights).run();
    let stopped = again.end == Some(BoostingEnd::Stopped);
    boosting.n_failed_draws += again.n_failed_draws;
    boosting.stop = again.stop;
    boosting.refitted = Some(again.rounds).filter(|rounds| !stopped && !rounds.is_empty());
    boosting.searches.extend(again.searches);
    boosting
}

/// The examples that are learnt from; names the random streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Train,
    Refit,
}

struct Booster<'a, 's> {
    task: &'a Task<'s>,
    config: &'a BoostConfig,
    context: &'a RunContext<'a>,
    stores: SetStores<'a, 's>,
    stage: Stage,
    weights: BoostWeights,
    /// The scores of the tune examples, where boosting may end early.
    tune_scores: Option<Vec<f64>>,
    n_evaluated: u64,
}

/// The result of one round's climbs, whatever weights follow from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RoundClimbs<C = Clause> {
    /// The search from each seed.
    searches: Vec<SeedSearch>,
    /// Nothing after an outer stop, or where no rule ranks.
    found: Option<FoundRound<C>>,
}

over_clauses!(RoundClimbs { in found; searches });

/// The rules of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FoundRound<C = Clause> {
    kind: RoundKind,
    /// The weighted area that they reached.
    r: f64,
    /// The points of the curve before these rules; the first is that of everything.
    curve_before: Vec<(f64, f64)>,
    /// The most general first.
    rules: Vec<Rule<C>>,
}

over_clauses!(FoundRound { in rules; kind, r, curve_before });

impl SearchedStep for RoundClimbs {
    fn searches(&self) -> &[SeedSearch] {
        &self.searches
    }
}

/// The result of the climb from one seed.
struct Attempt {
    search: SeedSearch,
    /// Nothing after an outer stop.
    climbed: Option<FromSeed>,
}

/// A climb, and the seed whose literals it is made of.
struct FromSeed {
    seed: SeedBottom,
    climbed: Climbed,
}

impl Attempt {
    fn value(&self) -> f64 {
        self.climbed.as_ref().map_or(f64::NEG_INFINITY, |from| from.climbed.trail.value())
    }
}

impl<'a, 's> Booster<'a, 's> {
    fn new(
        task: &'a Task<'s>,
        config: &'a BoostConfig,
        context: &'a RunContext<'a>,
        stores: SetStores<'a, 's>,
        stage: Stage,
        weights: BoostWeights,
    ) -> Self {
        Self {
            task,
            config,
            context,
            stores,
            stage,
            weights,
            tune_scores: config.patience.map(|_| vec![0.0; task.tune.len()]),
            n_evaluated: 0,
        }
    }

    /// All rounds.
    fn run(mut self) -> Boosting {
        let Self { task, config, context, .. } = self;
        let mut boosting = Boosting::default();
        let path: &[u64] = if self.stage == Stage::Train { &[] } else { &[1] };
        let mut seed_draw = SeedDraw::new(task, path, context.rng_seed);
        let mut n_failed_in_a_row = 0;
        // A round climbs by the weights that earlier rounds left: its number says which these are.
        let beginning = if self.stage == Stage::Train { "" } else { "refit-" };
        let mut steps = KeptSteps::new(task, context, beginning.to_owned());
        for draw in 0.. {
            boosting.end = self.end(&boosting, n_failed_in_a_row);
            if boosting.end.is_none() {
                boosting.stop = boosting.stop.or_else(|| context.budget.stop());
                boosting.end = boosting.is_stopped().then_some(BoostingEnd::Stopped);
            }
            if boosting.end.is_some() {
                break;
            }
            let seeds: Vec<ExampleId> = seed_draw.by_ref().take(config.n_round_seeds).collect();
            let round_idx = boosting.rounds.len();
            let climbs = steps.next(|| self.climbs(&seeds, draw, round_idx));
            if self.add_round(climbs, &mut boosting) {
                n_failed_in_a_row = 0;
            } else if !boosting.is_stopped() {
                n_failed_in_a_row += 1;
                boosting.n_failed_draws += seeds.len();
            }
        }
        boosting
    }

    /// Why boosting is over, if it is; outer stops aside.
    fn end(&self, boosting: &Boosting, n_failed_in_a_row: usize) -> Option<BoostingEnd> {
        let config = self.config;
        // The second stage is given as much time as the first.
        let stage = if config.variant == BoostVariant::TwoStage { config.n_first_rounds } else { 0 };
        let n_rounds = boosting.rounds.len();
        let n_since_best = n_rounds - boosting.best_on_tune(n_rounds).len().max(stage.min(n_rounds));
        if n_rounds >= config.n_rounds {
            Some(BoostingEnd::Rounds)
        } else if n_failed_in_a_row >= MOST_FAILED_DRAWS {
            Some(BoostingEnd::Fruitless)
        } else if config.patience.is_some_and(|patience| n_since_best >= patience) {
            Some(BoostingEnd::Patience)
        } else {
            None
        }
    }

    /// Climbs from some seeds, in parallel. Returns the rules of the best climb, unless it covers everything.
    fn climbs(&self, seeds: &[ExampleId], draw: usize, round_idx: usize) -> RoundClimbs {
        let kind = self.config.variant.round(round_idx, self.config.n_first_rounds);
        let first = draw * self.config.n_round_seeds;
        let attempts: Vec<Attempt> = seeds
            .par_iter()
            .enumerate()
            .map(|(at, &seed_example)| self.attempt(seed_example, first + at, kind.objective))
            .collect();
        let searches = attempts.iter().map(|attempt| attempt.search.clone()).collect();
        // After a stop, it is unknown which climb would have been the best.
        if attempts.iter().any(|attempt| attempt.climbed.is_none()) {
            return RoundClimbs { searches, found: None };
        }
        let better = |best: Attempt, next: Attempt| {
            if Trail::is_rise(next.value(), best.value()) { next } else { best }
        };
        let best = attempts.into_iter().reduce(better).and_then(|best| best.climbed);
        let best = best.filter(|best| !says_nothing(&best.climbed, self.task.train));
        RoundClimbs { searches, found: best.map(|best| self.found(&best, kind)) }
    }

    /// Adds a round of the rules that the climbs found, if they found any.
    fn add_round(&mut self, climbs: RoundClimbs, boosting: &mut Boosting) -> bool {
        self.n_evaluated += climbs.searches.iter().map(|search| search.funnel.evaluated()).sum::<u64>();
        boosting.searches.extend(climbs.searches);
        let Some(found) = climbs.found else { return false };
        let made = self.take(found).and_then(|round| {
            let tune_area = self.tune_area(&round)?;
            Ok((round, tune_area))
        });
        let (round, tune_area) = match made {
            Ok(made) => made,
            Err(stop) => {
                boosting.stop = Some(stop);
                return false;
            }
        };
        boosting.rounds.push(GrownRound { round, n_evaluated: self.n_evaluated, tune_area });
        true
    }

    /// Climbs from one seed.
    fn attempt(&self, seed_example: ExampleId, draw: usize, objective: Objective) -> Attempt {
        let Self { task, config, context, .. } = *self;
        let seed = match SeedBottom::new(task, seed_example, config.saturation, context) {
            Ok(seed) => seed,
            Err(search) => return Attempt { search: *search, climbed: None },
        };
        let space = seed.space(config.max_literals);
        let engine = || seed.engine(self.stores.train, context);
        let mut engines = Engines::new(&engine);
        let is_allowed = self.allowed(seed.bottom.literals.len(), draw);
        let limits = ClimbLimits {
            clauses: config.clauses,
            min_positives: config.min_positives,
            looks_ahead: config.lookahead > 1,
            infers: config.redundant != RedundantClauses::Evaluate,
        };
        let mut funnel = Funnel::default();
        let ascent =
            Ascent { space: &space, is_allowed: &is_allowed, limits, weights: &self.weights, objective };
        let climbed = climb(&ascent, &mut engines, &mut funnel);
        let r = climbed.as_ref().ok().map(|climbed| climbed.trail.value());
        context.monitor.seed_finished(task.run_idx, funnel.evaluated(), r);
        let stop = climbed.as_ref().map_or_else(|stop| *stop, |climbed| climbed.stop);
        let search = seed.searched(stop, funnel);
        Attempt { search, climbed: climbed.ok().map(|climbed| FromSeed { seed, climbed }) }
    }

    /// The literals that a climb may use: a random share, at least one.
    fn allowed(&self, n_literals: usize, draw: usize) -> Vec<bool> {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of fewer than 2^16 literals"
        )]
        let n_allowed = (n_literals as f64 * self.config.literal_share).ceil() as usize;
        if n_allowed >= n_literals {
            return vec![true; n_literals];
        }
        let path = [self.task.run_idx, self.stage as u64, draw as u64];
        let mut rng = stream(self.context.rng_seed, Purpose::Search, &path);
        let mut is_allowed = vec![false; n_literals];
        for position in sample(&mut rng, n_literals, n_allowed) {
            is_allowed[position] = true;
        }
        is_allowed
    }

    /// The rules of a climb that a round keeps.
    fn found(&self, FromSeed { seed, climbed }: &FromSeed, kind: RoundKind) -> FoundRound {
        let n_rules = climbed.rules.len();
        let first = if kind.hypothesis == Hypothesis::Clause { n_rules - 1 } else { 0 };
        let mut values = climbed.trail.path_values().split_off(first);
        if covers_everything(&climbed.rules[first], self.task.train) {
            // Its weights may miss the totals by rounding, which would leave the rule a share of 1e-17.
            values[0] = 0.0;
        }
        let weighted = |rule: &ClimbedRule| (rule.covered.positives.weight, rule.covered.negatives.weight);
        let rule = |(rule, value): (&ClimbedRule, &f64)| Rule {
            clause: seed.clause(&rule.candidate),
            train: rule.covered.counts(),
            weighted: weighted(rule),
            value: *value,
        };
        let rules = climbed.rules[first..].iter().zip(&values).map(rule).collect();
        let totals = self.weights.totals();
        let n_passed = match kind.objective {
            Objective::Path => first,
            Objective::Roc | Objective::Single => 0,
        };
        let passed = climbed.rules[..n_passed].iter().map(weighted);
        let curve_before = std::iter::once((totals.positives, totals.negatives)).chain(passed).collect();
        FoundRound { kind, r: climbed.trail.value(), curve_before, rules }
    }

    /// Makes a round of its rules, and moves the weights.
    fn take(&mut self, found: FoundRound) -> Result<Round, StopReason> {
        let FoundRound { kind: RoundKind { objective, hypothesis }, r, curve_before, rules } = found;
        let covers = covers_of(&rules, self.stores.train, &self.context.budget.ending())?;
        let covers: Vec<&ExampleSet> = covers.iter().collect();
        let alpha = alpha_of(r);
        let values: Vec<f64> = rules.iter().map(|rule| rule.value).collect();
        let normalisers = self.weights.update(&Step { covers: &covers, values: &values }, alpha);
        Ok(Round { objective, hypothesis, r, curve_before, alpha, normalisers, rules })
    }

    /// The area on tune with one round more, where that is wanted.
    fn tune_area(&mut self, round: &Round) -> Result<Option<f64>, StopReason> {
        let Some(scores) = self.tune_scores.as_mut() else { return Ok(None) };
        let covers = covers_of(&round.rules, self.stores.tune, &self.context.budget.ending())?;
        let covers: Vec<&ExampleSet> = covers.iter().collect();
        Step { covers: &covers, values: &round.values() }.add_to(scores, round.alpha);
        Ok(area(self.task.tune, scores))
    }
}

/// The covers of rules, found even after a stop: a stop between a climb and its covers thus loses no round.
fn covers_of(
    rules: &[Rule],
    store: &Arc<CoverStore<'_>>,
    ending: &Budget,
) -> Result<Vec<ExampleSet>, StopReason> {
    let cover = |rule: &Rule| cover_clause_sharing(store, &rule.clause, ending);
    rules.iter().map(cover).collect::<Result<_, _>>().map_err(|interrupted: Interrupted| interrupted.0)
}

/// The first weights of train and tune together. Each negative keeps the weight that it has in its own set.
fn weights_of_both(task: &Task<'_>, both: &Universe, variant: BoostVariant) -> BoostWeights {
    let (train, tune) = (task.train.totals(), task.tune.totals());
    let pooling = Pooling::of(train.negative_weight, tune.negative_weight);
    let totals = class_totals(pooling.totals(train, tune), variant);
    let beside_train = tune.negative_weight.ratio() / train.negative_weight.ratio();
    let of_tune: FixedSet<ExampleId> = task.tune.iter().map(|(_, example)| example).collect();
    let examples = task.examples;
    BoostWeights::standing_for(both, totals, |example| {
        if !examples.is_positive(example) && of_tune.contains(&example) { beside_train } else { 1.0 }
    })
}

/// RankBoost weighs both classes alike, PRankBoost as the data has them. [PRANKBOOST §2]
fn class_totals(train: Totals, variant: BoostVariant) -> ClassWeights {
    let negatives = if variant == BoostVariant::RankBoost {
        1.0
    } else {
        let weighted = train.weighted();
        weighted.negatives / weighted.positives
    };
    ClassWeights { positives: 1.0, negatives }
}

/// Whether a climb found nothing that ranks: its best rule covers everything, or gains nothing.
fn says_nothing(climbed: &Climbed, train: &Universe) -> bool {
    climbed.trail.value() <= 0.0 || covers_everything(&climbed.rules[climbed.rules.len() - 1], train)
}

fn covers_everything(rule: &ClimbedRule, train: &Universe) -> bool {
    let covered = &rule.covered;
    covered.positives.n + covered.negatives.n == train.n_positives() + train.n_negatives()
}

/// The area under the precision-recall curve of the ranking by scores; `None` where a class is missing.
fn area(universe: &Universe, scores: &[f64]) -> Option<f64> {
    let negative_weight = universe.negative_weight().ratio();
    let ranked = universe.iter().map(|(position, _)| {
        let is_positive = universe.is_positive(position);
        (scores[position], is_positive, if is_positive { 1.0 } else { negative_weight })
    });
    PrCurve::from_ranking(&Ranking::weighted(ranked).expect("scores are finite")).auc_pr()
}
