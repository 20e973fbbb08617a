//! The search: from each seed example the best clauses by F1 on train.

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::kept_steps::{SearchedStep, kept_or_searched};
use crate::saved::over_clauses;
use crate::seeds::draw_seeds;
use crate::{RunContext, SeedBottom, SeedSearch, Task};
use gleaner_base::{Counts, ExampleId, Totals};
use gleaner_engine::bias::Candidate;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::search::ClauseScore;
use gleaner_engine::search::{Evaluated, Evaluations, Observer, Score};
use gleaner_lang::program::Clause;

use super::config::BestClauseConfig;

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
    pub finalists: Vec<Finalist<C>>,
}

over_clauses!(SeedFinalists { in finalists; search });

impl SearchedStep for SeedFinalists {
    fn searches(&self) -> &[SeedSearch] {
        std::slice::from_ref(&self.search)
    }
}

/// Searches from all seeds, in parallel; the store is that of train.
pub(super) fn search(
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

#[cfg(test)]
mod tests {
    use super::{BestKeeper, Kept};
    use gleaner_base::{Counts, NegativeWeight, Totals};
    use gleaner_engine::bias::Candidate;
    use gleaner_engine::search::{Evaluated, Observer};

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
