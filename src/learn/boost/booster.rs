//! The rounds of boosting. [PRANKBOOST §2, Table 1]

use std::sync::Arc;

use crate::base::{Budget, ExampleId, ExampleSet, StopReason};
use crate::bias::{BottomClause, RefinementSpace, saturate};
use crate::coverage::component::cover_clause_sharing;
use crate::coverage::{ComponentEngine, CoverStore, Universe};
use crate::eval::{OperatingPoints, PrCurve};
use crate::learn::ranked::curve_on;
use crate::learn::seeds::{NetworkWork, SeedSearch, draw_seeds};
use crate::learn::{Conduct, Task};
use crate::program::{Literal, canonical};
use crate::search::Funnel;

use super::climb::{ClimbLimits, Climbed, ClimbedRule, climb};
use super::config::{BoostConfig, BoostVariant, Hypothesis};
use super::model::{Round, Rule};
use super::objective::Objective;
use super::weights::{BoostWeights, Step, alpha_of};

/// Boosting ends after so many seeds in a row whose climb found nothing better than to cover everything.
const MOST_FRUITLESS_SEEDS: usize = 10;

/// A round with what it cost.
#[derive(Clone, Debug)]
pub struct GrownRound {
    /// The round.
    pub round: Round,
    /// Clauses evaluated until it was added, those for fruitless seeds included.
    pub n_evaluated: u64,
    /// The area on tune of the rounds up to this one; known where boosting may end early.
    pub tune_area: Option<f64>,
}

/// The rounds of one run.
#[derive(Clone, Debug, Default)]
pub struct Boosting {
    /// The rounds.
    pub rounds: Vec<GrownRound>,
    /// What was searched from each seed.
    pub searches: Vec<SeedSearch>,
    /// Seeds from which nothing was found that ranks.
    pub n_fruitless: usize,
    /// The outer stop that came between two seeds.
    pub stop: Option<StopReason>,
}

impl Boosting {
    /// Where all candidates went.
    #[must_use]
    pub fn funnel(&self) -> Funnel {
        let mut total = Funnel::default();
        self.searches.iter().for_each(|seed| total.add(&seed.funnel));
        total
    }

    /// Of the first rounds, as many as have the highest area on tune; all of them where that was not looked at.
    #[must_use]
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

    /// Rounds since the highest area on tune.
    fn n_since_best(&self) -> usize {
        self.rounds.len() - self.best_on_tune(self.rounds.len()).len()
    }
}

/// Boosts on train; the stores are those of train and tune.
#[must_use]
pub fn boost(
    task: &Task<'_>,
    config: &BoostConfig,
    conduct: &Conduct<'_>,
    stores: (&Arc<CoverStore<'_>>, &Arc<CoverStore<'_>>),
) -> Boosting {
    let mut boosting = Boosting::default();
    if task.train.n_positives() == 0 || task.train.n_negatives() == 0 {
        return boosting;
    }
    let mut booster = Booster::new(task, config, conduct, stores);
    let n_draws = config.n_rounds.saturating_mul(MOST_FRUITLESS_SEEDS);
    let mut n_fruitless_in_a_row = 0;
    for seed in draw_seeds(task, n_draws, &[], conduct.rng_seed) {
        let is_over = boosting.rounds.len() >= config.n_rounds
            || n_fruitless_in_a_row >= MOST_FRUITLESS_SEEDS
            || config.patience.is_some_and(|patience| boosting.n_since_best() >= patience);
        if is_over {
            break;
        }
        boosting.stop = conduct.budget.stop();
        if boosting.stop.is_some() {
            break;
        }
        if booster.add_round(seed, &mut boosting) {
            n_fruitless_in_a_row = 0;
        } else {
            n_fruitless_in_a_row += 1;
            boosting.n_fruitless += 1;
        }
    }
    boosting
}

struct Booster<'a, 's> {
    task: &'a Task<'s>,
    config: &'a BoostConfig,
    conduct: &'a Conduct<'a>,
    stores: (&'a Arc<CoverStore<'s>>, &'a Arc<CoverStore<'s>>),
    weights: BoostWeights,
    /// Of the tune examples, where boosting may end early.
    tune_scores: Option<Vec<f64>>,
    n_evaluated: u64,
}

impl<'a, 's> Booster<'a, 's> {
    fn new(
        task: &'a Task<'s>,
        config: &'a BoostConfig,
        conduct: &'a Conduct<'a>,
        stores: (&'a Arc<CoverStore<'s>>, &'a Arc<CoverStore<'s>>),
    ) -> Self {
        Self {
            task,
            config,
            conduct,
            stores,
            weights: BoostWeights::new(task.train, class_totals(task.train, config.variant)),
            tune_scores: config.patience.map(|_| vec![0.0; task.tune.len()]),
            n_evaluated: 0,
        }
    }

    /// Searches from one seed, and adds a round unless the best rule covers everything.
    fn add_round(&mut self, seed_example: ExampleId, boosting: &mut Boosting) -> bool {
        let Self { task, config, .. } = *self;
        let (objective, hypothesis) = config.variant.round(boosting.rounds.len(), config.n_first_rounds);
        let background = &task.worlds[task.examples.world(seed_example).index()];
        let bottom = saturate(background, task.modes, task.examples, seed_example, config.saturation);
        let space = RefinementSpace::new(&bottom, config.max_literals);
        let mut engine = self.engine(&bottom);
        let limits = ClimbLimits { clauses: config.clauses, min_positives: config.min_positives };
        let mut funnel = Funnel::default();
        let weights = (self.weights.weights(), self.weights.totals());
        let climbed = climb(&space, &mut engine, weights, objective, limits, &mut funnel);
        self.n_evaluated += funnel.evaluated();
        let r = climbed.as_ref().ok().map(|climbed| climbed.trail.value());
        self.conduct.monitor.seed_finished(task.run_idx, funnel.evaluated(), r);
        boosting.searches.push(SeedSearch {
            seed_example,
            n_bottom_literals: bottom.literals.len(),
            cuts: bottom.cuts.clone(),
            stop: climbed.as_ref().map_or_else(|stop| *stop, |climbed| climbed.stop),
            funnel,
            networks: NetworkWork::default(),
        });
        let Ok(climbed) = climbed else { return false };
        if says_nothing(&climbed, task.train) {
            return false;
        }
        let round = self.take(&climbed, hypothesis, objective, &mut engine, &bottom);
        let tune_area = self.tune_area(&round);
        boosting.rounds.push(GrownRound { round, n_evaluated: self.n_evaluated, tune_area });
        true
    }

    fn engine(&self, bottom: &BottomClause) -> ComponentEngine<'s> {
        let literals: Vec<Literal> = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
        ComponentEngine::sharing(self.stores.0, bottom.head.clone(), literals, self.conduct.budget.clone())
    }

    /// Makes a round of a climb, and moves the weights.
    fn take(
        &mut self,
        climbed: &Climbed,
        hypothesis: Hypothesis,
        objective: Objective,
        engine: &mut ComponentEngine<'_>,
        bottom: &BottomClause,
    ) -> Round {
        // A stop between the climb and its covers must not lose the round.
        engine.lift_budget();
        let n_rules = climbed.rules.len();
        let first = if hypothesis == Hypothesis::Clause { n_rules - 1 } else { 0 };
        let rules = &climbed.rules[first..];
        let values = climbed.trail.path_values().split_off(first);
        let covers: Vec<ExampleSet> = rules
            .iter()
            .map(|rule| engine.cover(rule.candidate.positions()).expect("no budget is left to interrupt"))
            .collect();
        let covers: Vec<&ExampleSet> = covers.iter().collect();
        let r = climbed.trail.value();
        let alpha = alpha_of(r);
        let normalisers = self.weights.update(&Step { covers: &covers, values: &values }, alpha);
        let rule = |(rule, value): (&ClimbedRule, f64)| Rule {
            clause: canonical(&bottom.clause(rule.candidate.positions())),
            train: rule.covered.counts(),
            weighted: (rule.covered.positives.weight, rule.covered.negatives.weight),
            value,
        };
        Round {
            objective,
            hypothesis,
            r,
            alpha,
            normalisers,
            rules: rules.iter().zip(values.iter().copied()).map(rule).collect(),
        }
    }

    /// The area on tune with one round more, where that is wanted.
    fn tune_area(&mut self, round: &Round) -> Option<f64> {
        let scores = self.tune_scores.as_mut()?;
        let unlimited = Budget::unlimited();
        let covers: Vec<ExampleSet> = round
            .rules
            .iter()
            .map(|rule| cover_clause_sharing(self.stores.1, &rule.clause, &unlimited))
            .collect::<Result<_, _>>()
            .expect("no budget is there to interrupt");
        let covers: Vec<&ExampleSet> = covers.iter().collect();
        Step { covers: &covers, values: &round.values() }.add_to(scores, round.alpha);
        area(self.task.tune, scores)
    }
}

/// RankBoost weighs both classes alike, PRankBoost as the data has them. [PRANKBOOST §2]
#[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
fn class_totals(train: &Universe, variant: BoostVariant) -> (f64, f64) {
    match variant {
        BoostVariant::RankBoost => (1.0, 1.0),
        _ => {
            let n_negatives = train.n_negatives() as f64 * train.negative_weight().ratio();
            (1.0, n_negatives / train.n_positives() as f64)
        }
    }
}

/// Whether a climb found nothing that ranks: its best rule covers everything, or gains nothing.
fn says_nothing(climbed: &Climbed, train: &Universe) -> bool {
    let best = &climbed.rules[climbed.rules.len() - 1].covered;
    climbed.trail.value() <= 0.0
        || best.positives.n + best.negatives.n == train.n_positives() + train.n_negatives()
}

/// The area under the precision-recall curve of scores; `None` where a class is missing.
#[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
fn area(universe: &Universe, scores: &[f64]) -> Option<f64> {
    let weight = universe.negative_weight().ratio();
    let points: Vec<(f64, f64)> = curve_on(universe, scores)
        .iter()
        .map(|(_, counts)| (counts.true_positives as f64, counts.false_positives as f64 * weight))
        .collect();
    let (n_positives, n_negatives) = (universe.n_positives() as f64, universe.n_negatives() as f64 * weight);
    let points = OperatingPoints::from_classifiers(&points, n_positives, n_negatives).ok()?;
    PrCurve::new(points).auc_pr()
}
