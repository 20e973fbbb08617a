//! The model: one clause.

use std::collections::BTreeMap;

use crate::learner::Fitting;
use crate::{Covers, Model};
use gleaner_base::{Budget, Counts, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::ClauseScore;
use gleaner_engine::search::Score;
use gleaner_lang::program::Clause;

use super::search::{Finalist, SeedFinalists};

/// The clause with the highest F1 on tune. If no clause covers a tune positive, F1 on train decides.
#[derive(Clone, Debug, PartialEq)]
pub struct BestClauseModel {
    /// The clause with its counts on train.
    pub best: Option<Finalist>,
    /// Its counts on tune.
    pub counts: Counts,
    /// How many examples the tune set holds.
    pub tune: Totals,
}

/// The finalist with the highest F1 on tune. Ties go to the higher F1 on train, then to the first in canonical order.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the finalists' covers were known.
pub(super) fn choose(found: &[SeedFinalists], fitting: &Fitting<'_>) -> Result<BestClauseModel, Interrupted> {
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
    let counts = best.map_or(Counts::NONE, |(_, _, counts)| counts);
    Ok(BestClauseModel { best: best.map(|(_, finalist, _)| finalist.clone()), counts, tune })
}

impl BestClauseModel {
    /// 1 for the examples that the clause covers, else 0.
    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        covers.visit(&self.clauses(), budget, |_, found| {
            found.iter().flat_map(|cover| cover.iter()).for_each(|position| scores[position] = 1.0);
        })?;
        Ok(scores)
    }
}
