//! The model: theories, how they score, and the threshold that decides.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::contradiction::{Contradiction, check_counts};
use crate::decision::ChosenThreshold;
use crate::learner::Fitting;
use crate::ranked::Ranker;
use crate::saved::{Checked, CountedClause, OverClauses, over_clauses};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::config::CoveringConfig;
use super::grow::{GrownPart, Growth, LearntClause};
use super::weights::{Scorer, Weighing};

/// One theory whose clauses score, or an ensemble of theories that vote. The threshold is never the score of uncovered
/// examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveringModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// How examples are scored.
    pub scorer: Scorer,
    /// The theories, their clauses in the order they were added.
    pub theories: Vec<Vec<CountedClause<C>>>,
}

over_clauses!(CoveringModel { in theories; decision, scorer });

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
    let member = |learnt: &LearntClause| CountedClause {
        clause: learnt.clause.clone(),
        train: learnt.train,
        tune: Counts::NONE,
    };
    let theories = growth.theories.iter().take(part.n_theories);
    let mut model = CoveringModel {
        theories: theories
            .map(|theory| theory.clauses.iter().take(part.n_clauses).map(member).collect())
            .collect(),
        scorer: Scorer::Theories,
        decision: ChosenThreshold::none(tune.universe().totals()),
    };
    model.count_on_tune(tune, budget)?;
    // A theory that covers nothing of tune can be weighed on train alone, which flatters.
    let judged = if model.reaches_tune() || model.is_blank() { tune } else { train };
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
        for (at, clause) in self.all_clauses().into_iter().enumerate() {
            distinct.entry(clause).or_default().push(at);
        }
        distinct
    }

    fn count_on_tune(&mut self, tune: &Covers<'_>, budget: &Budget) -> Result<(), Interrupted> {
        let mut counts = vec![Counts::NONE; self.all_clauses().len()];
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
    pub(super) fn clause_covers(
        &self,
        covers: &Covers<'_>,
        budget: &Budget,
    ) -> Result<Vec<ExampleSet>, Interrupted> {
        let mut found = vec![ExampleSet::empty(0); self.all_clauses().len()];
        self.visit(covers, budget, |at, cover| found[at] = cover.clone())?;
        Ok(found)
    }

    /// The cover of each theory: the examples that any of its clauses covers.
    pub(super) fn theory_covers(
        &self,
        covers: &Covers<'_>,
        budget: &Budget,
    ) -> Result<Vec<ExampleSet>, Interrupted> {
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
}

impl Checked for CoveringModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let n_clauses = self.theories.iter().map(Vec::len).sum::<usize>();
        if self.scorer.n_clauses().is_some_and(|fitted| fitted != n_clauses) {
            return Err(Contradiction("its scorer was fitted to other clauses"));
        }
        if !self.scorer.is_sound() {
            return Err(Contradiction("its scorer cannot score"));
        }
        self.decision.check("its scorer cannot score")?;
        check_counts(self.theories.iter().flatten().map(|member| member.train))
    }
}
