//! The example that is most like another one for a model, but that the model decides otherwise about.
//!
//! Two examples are alike for a model if the same of its clauses cover both. So the difference of two examples is the
//! number of clauses that cover only one of them. Those that no clause covers together are not called alike: of a short theory
//! any other example would do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, FixedMap};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, Examples};
use gleaner_learn::{Covers, Explanation, Model};

/// Examples of the other decision among which the one that is most alike is looked for.
pub(crate) const MOST_OTHERS: usize = 1000;
/// Examples that are scored to find these.
const MOST_LISTED: usize = 100_000;

/// The example that is most alike, and what tells the two apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// The example that is decided otherwise.
    pub example: ExampleId,
    /// The number of clauses that cover only one of the two.
    pub n_differing: usize,
    /// The clause that speaks most for the asked example, among those that cover only this one.
    pub only_asked: Option<Clause>,
    /// The clause that speaks most for the other example, among those that cover only that one.
    pub only_other: Option<Clause>,
}

/// Which of a model's clauses cover some examples.
pub(crate) struct CoverTable<'m> {
    /// The distinct clauses with their columns.
    columns: FixedMap<&'m Clause, usize>,
    /// A bit for each column, by example.
    rows: BTreeMap<ExampleId, Vec<u64>>,
    examples: Arc<Examples>,
}

impl<'m> CoverTable<'m> {
    /// **Cost**: the covers of the model's clauses on the examples.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(crate) fn of(
        problem: &Problem,
        model: &'m dyn Model,
        examples: &Arc<Examples>,
        ids: &[ExampleId],
        budget: &Budget,
    ) -> Result<Self, Interrupted> {
        let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
        let columns: FixedMap<&Clause, usize> = distinct.iter().copied().zip(0..).collect();
        let distinct: Vec<&Clause> = distinct.into_iter().collect();
        let universe = Universe::new(Arc::clone(examples), ids);
        let covers = Covers::new(problem.worlds(), &universe, CoverStore::usual_capacity(&universe));
        let mut rows = vec![vec![0; distinct.len().div_ceil(64)]; universe.len()];
        covers.visit(&distinct, budget, |first, block| {
            for (column, cover) in (first..).zip(block) {
                cover.iter().for_each(|position| rows[position][column / 64] |= 1_u64 << (column % 64));
            }
        })?;
        let named = universe.iter().map(|(position, id)| (id, std::mem::take(&mut rows[position])));
        Ok(Self { columns, rows: named.collect(), examples: Arc::clone(examples) })
    }

    /// The examples that the table's are of.
    pub(crate) const fn examples(&self) -> &Arc<Examples> {
        &self.examples
    }

    /// Whether a clause covers an example; `None` of those that the table is not of.
    pub(crate) fn covers(&self, clause: &Clause, example: ExampleId) -> Option<bool> {
        let column = self.columns.get(clause).copied()?;
        let row = self.rows.get(&example)?;
        Some(row[column / 64] >> (column % 64) & 1 == 1)
    }

    /// The explanation of one of the examples. **Cost**: nothing is evaluated.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(crate) fn explanation(
        &self,
        worlds: &[Background],
        model: &dyn Model,
        id: ExampleId,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let known = |clause: &Clause| self.covers(clause, id);
        let universe = Universe::new(Arc::clone(&self.examples), &[id]);
        let covers = Covers::new(worlds, &universe, CoverStore::usual_capacity(&universe)).knowing(&known);
        model.explain(&covers, 0, budget)
    }

    /// The example among these of another table of the model that differs least from `asked`, with the difference; of several
    /// the first. Without a clause that covers both, two examples are not alike.
    pub(crate) fn nearest(
        &self,
        asked: ExampleId,
        table: &Self,
        others: &[ExampleId],
    ) -> Option<(ExampleId, usize)> {
        let row = self.rows.get(&asked)?;
        let difference = |id: &ExampleId| {
            let other = table.rows.get(id)?;
            let words = || row.iter().zip(other);
            let has_common = words().any(|(one, other)| one & other != 0);
            let n: u32 = words().map(|(one, other)| (one ^ other).count_ones()).sum();
            has_common.then_some((*id, n as usize))
        };
        others.iter().filter_map(difference).min_by_key(|&(_, n)| n)
    }
}

/// An example of a table, with its explanation.
#[derive(Clone, Copy)]
pub(crate) struct One<'t> {
    pub(crate) table: &'t CoverTable<'t>,
    pub(crate) id: ExampleId,
    pub(crate) explanation: &'t Explanation,
}

impl One<'_> {
    /// What tells this example from another one, `n_differing` clauses apart.
    pub(crate) fn told_from(self, other: One<'_>, n_differing: usize) -> Alike {
        let is_only = |clause: &Clause, one: One<'_>, other: One<'_>| {
            one.table.covers(clause, one.id) == Some(true)
                && other.table.covers(clause, other.id) == Some(false)
        };
        let heaviest = |one: One<'_>, other: One<'_>| {
            let mut clauses = one.explanation.parts.iter().map(|part| &part.clause);
            clauses.find(|clause| is_only(clause, one, other)).cloned()
        };
        Alike {
            example: other.id,
            n_differing,
            only_asked: heaviest(self, other),
            only_other: heaviest(other, self),
        }
    }
}

/// The scored examples of one decision that are nearest to the threshold.
pub(crate) fn nearest_to_threshold(scored: &[(ExampleId, f64, bool)], decision: bool) -> Vec<ExampleId> {
    let sign = if decision { 1.0 } else { -1.0 };
    let mut of_it: Vec<(ExampleId, f64)> =
        scored.iter().filter(|of| of.2 == decision).map(|&(id, score, _)| (id, sign * score)).collect();
    of_it.sort_by(|one, other| one.1.total_cmp(&other.1));
    of_it.into_iter().take(MOST_OTHERS).map(|(id, _)| id).collect()
}

/// The listed example that is most like one for the model, but that the model decides otherwise about; of more than 100,000
/// those that come first are looked at. `None` where there is none.
///
/// **Cost**: the covers of the model's clauses on the listed examples.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(crate) fn most_alike(
    problem: &Problem,
    model: &dyn Model,
    asked: One<'_>,
    listed: &[ExampleId],
    budget: &Budget,
) -> Result<Option<Alike>, Interrupted> {
    let listed = &listed[..listed.len().min(MOST_LISTED)];
    let universe = Universe::new(Arc::clone(problem.examples()), listed);
    let covers = Covers::new(problem.worlds(), &universe, CoverStore::usual_capacity(&universe));
    let scoring = model.score(&covers, budget)?;
    let scored = |(position, id): (usize, ExampleId)| {
        (id, scoring.scores[position], scoring.decided.contains(position))
    };
    let mut scored: Vec<(ExampleId, f64, bool)> = universe.iter().map(scored).collect();
    scored.sort_by_key(|of| of.0);
    let others = nearest_to_threshold(&scored, !asked.explanation.decision);
    let table = CoverTable::of(problem, model, problem.examples(), &others, budget)?;
    let Some((id, n_differing)) = asked.table.nearest(asked.id, &table, &others) else { return Ok(None) };
    let explanation = table.explanation(problem.worlds(), model, id, budget)?;
    let other = One { table: &table, id, explanation: &explanation };
    Ok(Some(asked.told_from(other, n_differing)))
}
