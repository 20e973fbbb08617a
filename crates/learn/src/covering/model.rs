//! The model: theories, how they score, and the threshold that decides.

use std::collections::BTreeMap;

use crate::learner::Fitting;
use crate::{Covers, Model};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, Counts, ExampleSet, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::config::CoveringConfig;
use super::grow::{GrownPart, Growth};
use super::weights::{Scorer, Weighing};

/// A clause of a theory.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

/// One theory whose clauses score, or an ensemble of theories that vote.
#[derive(Clone, Debug, PartialEq)]
pub struct CoveringModel {
    /// The theories, their clauses in the order they were added.
    pub theories: Vec<Vec<Member>>,
    /// How examples are scored.
    pub scorer: Scorer,
    /// The least score that is called positive, with its counts on tune; never the score of uncovered examples. `None`
    /// where nothing was learnt.
    pub threshold: Option<(f64, Counts)>,
    /// The number of examples that chose the threshold.
    pub chosen_on: Totals,
}

/// The model of a part of a growth; the scorer from tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    growth: &Growth,
    part: GrownPart,
    config: &CoveringConfig,
    fitting: &Fitting<'_>,
) -> Result<CoveringModel, Interrupted> {
    let Fitting { train, tune, budget, stream: path, .. } = *fitting;
    let nothing = Counts::NONE;
    let mut model = CoveringModel {
        theories: growth
            .theories
            .iter()
            .take(part.n_theories)
            .map(|theory| {
                let clauses = theory.clauses.iter().take(part.n_clauses);
                clauses
                    .map(|learnt| Member {
                        clause: learnt.clause.clone(),
                        train: learnt.train,
                        tune: nothing,
                    })
                    .collect()
            })
            .collect(),
        scorer: Scorer::Theories,
        threshold: None,
        chosen_on: tune.universe().totals(),
    };
    model.count_on_tune(tune, budget)?;
    // A theory that covers nothing of tune can be weighed on train alone, which flatters.
    let judged = if model.covers_tune() || model.is_empty() { tune } else { train };
    let universe = judged.universe();
    if !config.is_ensemble {
        let covers = model.clause_covers(judged, budget)?;
        let mut rng = stream(path.rng_seed, Purpose::Weights, &[path.run_idx]);
        let weighing = Weighing {
            weights: config.weights,
            smoothing: config.smoothing.pseudo_counts(),
            ranked_list_m: config.ranked_list_m,
        };
        model.scorer = Scorer::fit(weighing, universe.classes(), &covers, &mut rng);
    }
    Ok(model)
}

impl CoveringModel {
    /// Each distinct clause with its numbers, in order over all theories.
    fn distinct(&self) -> BTreeMap<&Clause, Vec<usize>> {
        let mut distinct: BTreeMap<&Clause, Vec<usize>> = BTreeMap::new();
        for (at, clause) in self.clauses().into_iter().enumerate() {
            distinct.entry(clause).or_default().push(at);
        }
        distinct
    }

    fn count_on_tune(&mut self, tune: &Covers<'_>, budget: &Budget) -> Result<(), Interrupted> {
        let mut counts = vec![Counts::NONE; self.clauses().len()];
        self.visit(tune, budget, |at, cover| {
            counts[at] = tune.universe().counts(cover);
        })?;
        self.theories.iter_mut().flatten().zip(counts).for_each(|(member, counts)| member.tune = counts);
        Ok(())
    }

    /// Calls `visit` with the number of each clause, over all theories, and its cover; equal clauses are
    /// evaluated once.
    pub(super) fn visit(
        &self,
        covers: &Covers<'_>,
        budget: &Budget,
        mut visit: impl FnMut(usize, &ExampleSet),
    ) -> Result<(), Interrupted> {
        let distinct = self.distinct();
        let clauses: Vec<&Clause> = distinct.keys().copied().collect();
        let places: Vec<&Vec<usize>> = distinct.values().collect();
        covers.visit(&clauses, budget, |first, block| {
            for (cover, places) in block.iter().zip(&places[first..]) {
                places.iter().for_each(|&at| visit(at, cover));
            }
        })
    }

    /// The covers of all clauses, in order.
    fn clause_covers(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<ExampleSet>, Interrupted> {
        let mut found = vec![ExampleSet::empty(0); self.clauses().len()];
        self.visit(covers, budget, |at, cover| found[at] = cover.clone())?;
        Ok(found)
    }

    /// The cover of each theory: the examples that any of its clauses covers.
    fn theory_covers(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<ExampleSet>, Interrupted> {
        let theory_of: Vec<usize> = self
            .theories
            .iter()
            .enumerate()
            .flat_map(|(theory_idx, theory)| theory.iter().map(move |_| theory_idx))
            .collect();
        let mut found = vec![ExampleSet::empty(covers.universe().len()); self.theories.len()];
        self.visit(covers, budget, |at, cover| found[theory_of[at]].union_with(cover))?;
        Ok(found)
    }

    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let sets = match self.scorer {
            Scorer::Theories => self.theory_covers(covers, budget)?,
            _ => self.clause_covers(covers, budget)?,
        };
        let mut scores = self.scorer.scores(covers.universe().len(), &sets);
        if self.scorer == Scorer::Theories {
            #[expect(clippy::cast_precision_loss, reason = "numbers of theories are far below 2^53")]
            let n_theories = self.theories.len().max(1) as f64;
            scores.iter_mut().for_each(|score| *score /= n_theories);
        }
        Ok(scores)
    }
}
