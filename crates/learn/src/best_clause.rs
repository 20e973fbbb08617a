//! The best clause alone: a baseline that a person can read at a glance.
//!
//! It searches clauses from seed examples, as Gleaner does. Each seed keeps its best clauses by F1 on train. Among
//! these clauses the model takes the one with the highest F1 on tune. It calls positive what that clause covers.
//!
//! The model: one clause.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::model::scoring;
use crate::prolog::{Formula, Program};
use crate::record::{OwnRecord, SearchRecord};
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::saved::{Checked, Contradiction, OverClauses, check_counts, check_weight, over_clauses};
use crate::seeds::{SearchedStep, draw_seeds, kept_or_searched};
use crate::shared_config::SEEDS;
use crate::shown::{Column, Explanation, Extent, Noun, Part, Row, Summary, Table, metric};
use crate::{Covers, Model, RunContext, Saved, Scoring, SeedBottom, SeedSearch, SetStores, Task};
use gleaner_base::{Budget, Counts, ExampleId, NegativeWeight, Totals};
use gleaner_engine::bias::{Candidate, SaturationConfig};
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::{
    ClauseScore, Evaluated, Evaluations, MAX_LITERALS, Observer, Score, SearchConfig, SearchLimits,
};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{Group, Setting, Settings, settings};
use gleaner_lang::program::{Clause, Symbols};

settings! {
    /// Settings of the best clause.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BestClauseConfig {
        /// Clauses of each seed that tune chooses from.
        pub n_finalists: usize = Setting::within("finalists", 1..=10_000, "10")
            .unit("clauses")
            .help(
                "Clauses that each seed keeps, the best by F1 on train; ⁅learner=best-clause⁆ takes the best of all \
                 on tune",
            )
            .source("our own"),
        /// Seed examples searched from.
        pub n_seeds: usize = &SEEDS,
        /// Limits of each seed's search.
        pub limits: SearchLimits = Group,
        /// The search.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// Most literals of a clause, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Whether the clause is reduced.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
    }
}

/// The one clause of highest F1 on tune.
#[derive(Clone, Copy, Debug)]
pub struct BestClause;

impl Learner for BestClause {
    type Config = BestClauseConfig;
    type Found = Vec<SeedFinalists>;
    type Part = ();
    type Own = BestClauseRecord;
    type Saved = BestClauseModel<String>;

    const NAMES: &'static [LearnerName] =
        &[LearnerName { name: "best-clause", help: "the one clause of highest F1 on tune, a baseline" }];

    /// What the clause covers scores higher.
    fn keeps_order(_settings: &Settings) -> Result<(), Disorder> {
        Ok(())
    }

    fn same_search(left: &BestClauseConfig, right: &BestClauseConfig) -> bool {
        *left == BestClauseConfig { reduce_clauses: left.reduce_clauses, ..right.clone() }
    }

    fn search(
        task: &Task<'_>,
        config: &BestClauseConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Vec<SeedFinalists> {
        search(task, config, context, stores.train)
    }

    fn record(found: &Vec<SeedFinalists>) -> SearchRecord {
        let finalists = found.iter().map(|seed| seed.finalists.len()).sum();
        let searches = found.iter().map(|seed| seed.search.clone()).collect();
        SearchRecord::new(searches, None, BestClauseRecord { finalists })
    }

    fn points(_config: &BestClauseConfig, found: &Vec<SeedFinalists>) -> Vec<CurvePoint<()>> {
        let n_evaluated = found.iter().map(|seed| seed.search.funnel.evaluated()).sum();
        vec![CurvePoint { name: WHOLE.to_owned(), n_evaluated, part: () }]
    }

    fn fit(
        config: &BestClauseConfig,
        found: &Vec<SeedFinalists>,
        (): &(),
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let mut model = choose(found, fitting)?;
        fitting.reduce(config.reduce_clauses, model.clause.iter_mut())?;
        Ok(Learnt::new(model))
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct BestClauseRecord {
    /// Clauses that tune chose from.
    finalists: usize,
}

impl OwnRecord for BestClauseRecord {
    fn lines(&self) -> String {
        format!("{} clauses for tune to choose from\n", self.finalists)
    }
}

/// A clause that tune may choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finalist<C = Clause> {
    /// The clause, canonical.
    pub clause: C,
    /// Its counts on train.
    pub train: Counts,
}

over_clauses!(Finalist { clause; train });

/// The result of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedFinalists<C = Clause> {
    /// The record of the search.
    pub search: SeedSearch,
    /// Its best clauses, the best first.
    finalists: Vec<Finalist<C>>,
}

over_clauses!(SeedFinalists { in finalists; search });

impl SearchedStep for SeedFinalists {
    fn searches(&self) -> &[SeedSearch] {
        std::slice::from_ref(&self.search)
    }
}

/// Searches from all seeds, in parallel; the store is that of train.
fn search(
    task: &Task<'_>,
    config: &BestClauseConfig,
    context: &RunContext<'_>,
    store: &Arc<CoverStore<'_>>,
) -> Vec<SeedFinalists> {
    let seeds = draw_seeds(task, config.n_seeds, &[], context.rng_seed);
    let search = |(seed_idx, seed): (usize, ExampleId)| {
        kept_or_searched(seed_idx, task, context, || {
            search_seed(task, config, context, store, seed_idx, seed)
        })
    };
    seeds.into_par_iter().enumerate().map(search).collect()
}

fn search_seed(
    task: &Task<'_>,
    config: &BestClauseConfig,
    context: &RunContext<'_>,
    store: &Arc<CoverStore<'_>>,
    seed_idx: usize,
    seed: ExampleId,
) -> SeedFinalists {
    let bottom = match SeedBottom::new(task, seed, config.saturation, context) {
        Ok(bottom) => bottom,
        Err(search) => return SeedFinalists { search: *search, finalists: Vec::new() },
    };
    let space = bottom.space(config.max_literals);
    let mut engine = bottom.engine(store, context);
    let mut keeper = BestKeeper { best: Vec::new(), n_most: config.n_finalists, totals: task.train.totals() };
    let evaluations = Evaluations::new(&space, &mut engine, task.train, config.limits.clone(), &mut keeper);
    let strategy = config.search.strategy(None);
    let search = bottom.search(&*strategy, evaluations, &[task.run_idx, seed_idx as u64], context);
    let best_score = keeper.best.first().map(|best| best.f1);
    context.monitor.seed_finished(task.run_idx, search.funnel.evaluated(), best_score);
    let finalist = |kept: &Kept| Finalist { clause: bottom.clause(&kept.candidate), train: kept.counts };
    SeedFinalists { search, finalists: keeper.best.iter().map(finalist).collect() }
}

/// A candidate that is among the best.
#[derive(Debug)]
struct Kept {
    f1: f64,
    counts: Counts,
    candidate: Candidate,
}

/// Keeps the best clauses by F1; of equal counts only one, as such clauses mostly cover the same.
struct BestKeeper {
    /// The best first.
    best: Vec<Kept>,
    n_most: usize,
    totals: Totals,
}

impl BestKeeper {
    /// Less is better: higher F1, shorter, canonically first.
    fn order(f1: f64, candidate: &Candidate, kept: &Kept) -> Ordering {
        kept.f1
            .total_cmp(&f1)
            .then_with(|| candidate.n_literals().cmp(&kept.candidate.n_literals()))
            .then_with(|| candidate.cmp(&kept.candidate))
    }
}

impl Observer for BestKeeper {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        let Some(f1) = Score::F1.of(evaluated.counts, self.totals, evaluated.candidate.n_literals()) else {
            return false;
        };
        let place =
            self.best.partition_point(|kept| Self::order(f1, evaluated.candidate, kept) == Ordering::Greater);
        let is_beaten = |kept: &Kept| kept.counts == evaluated.counts;
        if place >= self.n_most || self.best[..place].iter().any(is_beaten) {
            return false;
        }
        let later_twin = self.best[place..].iter().position(is_beaten);
        if let Some(at) = later_twin {
            self.best.remove(place + at);
        }
        let candidate = evaluated.candidate.clone();
        self.best.insert(place, Kept { f1, counts: evaluated.counts, candidate });
        self.best.truncate(self.n_most);
        true
    }
}

const RULES: &str = "\
% The score is 1.0 for what the clause covers, else 0.0.
gleaner_score_of(Example, Score) :-
    ( gleaner_covers(1, Example) -> Score = 1.0 ; Score = 0.0 ).

";

/// The clause with the highest F1 on tune. If no clause covers a tune positive, F1 on train decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestClauseModel<C = Clause> {
    /// Positives and negatives of the tune set.
    pub n_tune: [usize; 2],
    /// How many negatives each of tune stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The clause.
    pub clause: Option<C>,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

impl<C> OverClauses for BestClauseModel<C> {
    type Clause = C;
    type Over<D> = BestClauseModel<D>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m C)) {
        self.clause.iter().for_each(visit);
    }

    fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> BestClauseModel<D> {
        let Self { n_tune, negative_weight, ref clause, train, tune } = *self;
        BestClauseModel { n_tune, negative_weight, clause: clause.as_ref().map(map), train, tune }
    }
}

/// The finalist with the highest F1 on tune. Ties go to the higher F1 on train, then to the first in canonical order.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the finalists' covers were known.
fn choose(found: &[SeedFinalists], fitting: &Fitting<'_>) -> Result<BestClauseModel, Interrupted> {
    let (train, tune) = (fitting.train.universe().totals(), fitting.tune.universe().totals());
    let all = found.iter().flat_map(|seed| &seed.finalists);
    let distinct: BTreeMap<&Clause, &Finalist> = all.map(|finalist| (&finalist.clause, finalist)).collect();
    let clauses: Vec<&Clause> = distinct.keys().copied().collect();
    let mut counts: Vec<Counts> = Vec::with_capacity(clauses.len());
    fitting.tune.visit(&clauses, fitting.budget, |_, covers| {
        counts.extend(covers.iter().map(|cover| fitting.tune.universe().counts(cover)));
    })?;
    let f1 = |counts: Counts, totals: Totals| Score::F1.of(counts, totals, 0).filter(|f1| *f1 > 0.0);
    let mut best: Option<((f64, f64), &Finalist, Counts)> = None;
    for (finalist, counts) in distinct.into_values().zip(counts) {
        let Some(on_train) = f1(finalist.train, train) else { continue };
        // Where none covers a positive of tune, train decides.
        let on_tune = f1(counts, tune).unwrap_or(0.0);
        if best.is_none_or(|(least, ..)| (on_tune, on_train) > least) {
            best = Some(((on_tune, on_train), finalist, counts));
        }
    }
    Ok(BestClauseModel {
        n_tune: tune.numbers(),
        negative_weight: tune.negative_weight,
        clause: best.map(|(_, finalist, _)| finalist.clause.clone()),
        train: best.map_or(Counts::NONE, |(_, finalist, _)| finalist.train),
        tune: best.map_or(Counts::NONE, |(.., counts)| counts),
    })
}

impl BestClauseModel {
    /// 1 for the examples that the clause covers, else 0.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        covers.visit(&self.clauses(), budget, |_, found| {
            found.iter().flat_map(|cover| cover.iter()).for_each(|position| scores[position] = 1.0);
        })?;
        Ok(scores)
    }
}

impl Model for BestClauseModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.clause.iter().collect()
    }

    fn is_empty(&self) -> bool {
        self.clause.is_none()
    }

    fn covers_tune(&self) -> bool {
        self.tune != Counts::NONE
    }

    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        Ok(scoring(covers.universe(), scores, Some(1.0), |score| score))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let score = self.scores(covers, budget)?[position];
        let is_covered = score > 0.0;
        let part = |clause: &Clause| {
            let (cells, fields, share) = (Vec::new(), Map::new(), Some(1.0));
            Part { cells, clause: clause.clone(), covers: true, share, amount: None, fields, way: Vec::new() }
                .with_counts(self.train)
        };
        let text = if is_covered {
            ": positive,\nthe clause covers it\n"
        } else {
            ": negative,\nthe clause does not cover it\n"
        };
        Ok(Explanation {
            score,
            greatest: Some(1.0),
            least: Some(1.0),
            decision: is_covered,
            confidence: score,
            text: text.to_owned(),
            tables: Vec::new(),
            columns: Column::several(&[("tp", 6), ("fp", 7)]),
            clause_title: "clause",
            parts: self.clause.iter().filter(|_| is_covered).map(part).collect(),
            noun: Noun::CLAUSES,
            further: Map::new(),
        })
    }

    fn summary(&self, symbols: &Symbols, _extent: Extent) -> Summary {
        let [n_positives, n_negatives] = self.n_tune;
        let head = format!(
            "one clause: tune precision {}, tune recall {}\n",
            metric(self.tune.precision(self.negative_weight)),
            metric(self.tune.recall(Totals {
                n_positives,
                n_negatives,
                negative_weight: self.negative_weight
            }))
        );
        let row = |clause: &Clause| Row::of_clause(Vec::new(), self.train, clause, symbols);
        let table = Table {
            lead: "\nthe clause (train TP, FP):\n".to_owned(),
            columns: Column::COUNTS.to_vec(),
            rows: self.clause.iter().map(row).collect(),
            ..Table::default()
        };
        Summary { head, tables: vec![table] }
    }

    fn prolog(&self) -> Option<Program<'_>> {
        let mut program = Program::default();
        let numbers = program.numbers(&self.clause);
        program.scoring.score = Some(Formula::sum(0.0, numbers.into_iter().map(|clause| (clause, 1.0))));
        program.rules(RULES);
        program.decide_by_score(Some(1.0));
        Some(program)
    }

    fn theory(&self) -> Result<Vec<&Clause>, String> {
        Ok(self.clauses())
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(self.map(&mut |clause| clause_text(clause, symbols)))
    }
}

impl Checked for BestClauseModel<String> {
    type Head = IgnoredAny;

    fn check(&self) -> Result<(), Contradiction> {
        check_weight(self.negative_weight)?;
        check_counts(self.clause.iter().map(|_| self.train))
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::{Counts, NegativeWeight, Totals};
    use gleaner_engine::bias::Candidate;
    use gleaner_engine::search::{Evaluated, Observer};

    use super::{BestKeeper, Kept};

    const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 40, negative_weight: NegativeWeight::ONE };

    fn kept(n_most: usize, offered: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut keeper = BestKeeper { best: Vec::new(), n_most, totals: TOTALS };
        for (n_evaluated, &(true_positives, false_positives)) in (1..).zip(offered) {
            keeper.observe(&Evaluated {
                candidate: &Candidate::default(),
                counts: Counts { true_positives, false_positives },
                score: None,
                n_evaluated,
                start: 0,
            });
        }
        let counts = |kept: &Kept| (kept.counts.true_positives, kept.counts.false_positives);
        keeper.best.iter().map(counts).collect()
    }

    /// F1 is 2 TP / (TP + FP + 10): .46, .60, .18, .71 and .33.
    #[test]
    fn the_best_by_f1_are_kept_in_order() {
        let offered = [(3, 0), (6, 4), (1, 0), (10, 8), (2, 0), (6, 4)];
        assert_eq!(kept(3, &offered), [(10, 8), (6, 4), (3, 0)]);
        assert_eq!(kept(1, &offered), [(10, 8)]);
        assert_eq!(kept(9, &offered), [(10, 8), (6, 4), (3, 0), (2, 0), (1, 0)]);
    }
}
