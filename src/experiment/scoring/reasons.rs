//! Why test examples have their scores: those that a reader asks about first, the highest scores and the worst mistakes.
//!
//! The example that is most like another one for a model, but that the model decides otherwise about.
//!
//! Two examples are alike for a model if the same of its clauses cover both. So the difference of two examples is the
//! number of clauses that cover only one of them. Those that no clause covers together are not called alike: of a short theory
//! any other example would do.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, FixedMap};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, Examples, Literal};
use gleaner_learn::shown::{Part, WayTest};
use gleaner_learn::{Covers, Explanation, Model};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::experiment::runs::result::ScoredExample;
use crate::experiment::scoring::explain::{Binding, binding};
use crate::experiment::scoring::what_if::{Effort, WhatIf, what_if};

/// Examples of the highest scores, and mistakes of each class, that are explained.
pub const MOST_HIGHEST: usize = 100;
/// The same of the negatives of the highest scores, and of the positives of the lowest.
pub const MOST_MISTAKES: usize = 20;
/// The most parts of the model that an explanation lists.
const MOST_PARTS: usize = 3;

/// Why one example has its score.
#[derive(Clone, Debug)]
pub struct Reasons {
    /// The example.
    pub example: ExampleId,
    /// The first parts that speak for it, with values of their variables where these were found.
    pub parts: Vec<(Part, Option<Binding>)>,
    /// The parts that speak for it in all.
    pub n_parts: usize,
    /// Its way down each tree; none of models without trees.
    pub ways: Vec<Vec<WayTest>>,
    /// Its score.
    pub score: f64,
    /// Facts without which it would not be called positive.
    pub what_if: Option<WhatIf>,
    /// The example that is most alike, but decided otherwise.
    pub alike: Option<Alike>,
}

/// What a row of the table of reasons tells of its example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A part of the model that speaks for it, with its share of the score.
    Reason,
    /// A sentence with the arguments marked, where the data are of a text.
    Sentence,
    /// The number of all such parts.
    Reasons,
    /// What tests of the same columns or relations add over all trees; without a text, the rest of the score.
    Sum,
    /// A fact; without all of these it would be called negative.
    NegativeWithout,
    /// The example that is most alike but called otherwise.
    Alike,
    /// The number of clauses that cover only one of the two.
    Differing,
    /// A clause that covers only this one.
    OnlyThis,
    /// A clause that covers only the other one.
    OnlyAlike,
}

impl Kind {
    /// Its name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reason => "reason",
            Self::Sentence => "sentence",
            Self::Reasons => "reasons",
            Self::Sum => "sum",
            Self::NegativeWithout => "negative_without",
            Self::Alike => "alike",
            Self::Differing => "differing",
            Self::OnlyThis => "only_this",
            Self::OnlyAlike => "only_alike",
        }
    }
}

/// The examples that a reader asks about, as positions in `ranked`: the highest values, negatives of the highest, and
/// positives of the lowest. Of equal ones the first. `ranked` has each example's probability, or without one its score, and its
/// label.
pub(crate) fn lists(ranked: &[(f64, Option<bool>)]) -> [Vec<usize>; 3] {
    let best = |keeps: &dyn Fn(Option<bool>) -> bool, sign: f64, most: usize| {
        let mut kept: Vec<usize> = (0..ranked.len()).filter(|&at| keeps(ranked[at].1)).collect();
        kept.sort_by(|&one, &other| (sign * ranked[other].0).total_cmp(&(sign * ranked[one].0)));
        kept.truncate(most);
        kept
    };
    [
        best(&|_| true, 1.0, MOST_HIGHEST),
        best(&|label| label == Some(false), 1.0, MOST_MISTAKES),
        best(&|label| label == Some(true), -1.0, MOST_MISTAKES),
    ]
}

/// The examples of `scored` that are explained: the worst mistakes of each class, then the highest values.
fn chosen(problem: &Problem, scored: &[ScoredExample]) -> Vec<ExampleId> {
    let examples = problem.examples();
    let ranked = |of: &ScoredExample| {
        let label = examples.is_labelled(of.example).then(|| examples.is_positive(of.example));
        (of.probability.unwrap_or(of.score), label)
    };
    let [highest, negatives, positives] = lists(&scored.iter().map(ranked).collect::<Vec<_>>());
    let mut known = BTreeSet::new();
    let listed = [negatives, positives, highest].into_iter().flatten().map(|at| scored[at].example);
    listed.filter(|&id| known.insert(id)).collect()
}

/// Why the highest scores and the worst mistakes have their scores. None where the budget ends first.
///
/// **Cost**: the covers of the model's clauses on some 2,000 examples, three proofs for each that is explained, and what
/// `what_if` costs, for all together.
pub fn reasons(
    problem: &Problem,
    model: &dyn Model,
    scored: &[ScoredExample],
    budget: &Budget,
) -> Vec<Reasons> {
    let asked = chosen(problem, scored);
    let decided: BTreeMap<ExampleId, bool> = scored.iter().map(|of| (of.example, of.decision)).collect();
    let by_score: Vec<(ExampleId, f64, bool)> =
        scored.iter().map(|of| (of.example, of.score, of.decision)).collect();
    let others = [false, true].map(|decision| nearest_to_threshold(&by_score, decision));
    let otherwise = |id| others[usize::from(!decided.get(&id).copied().unwrap_or(false))].as_slice();
    let asked = Asked { ids: &asked, otherwise: &otherwise, finds_facts: true };
    asked.reasons(problem, model, budget).unwrap_or_default()
}

/// The examples that a model's scores of are explained.
pub(crate) struct Asked<'a> {
    pub(crate) ids: &'a [ExampleId],
    /// The examples among which the one that is most like another one is looked for.
    pub(crate) otherwise: &'a dyn Fn(ExampleId) -> &'a [ExampleId],
    /// Whether facts are looked for without which the decision turns.
    pub(crate) finds_facts: bool,
}

impl Asked<'_> {
    /// The reasons, in the order of the examples.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(crate) fn reasons(
        &self,
        problem: &Problem,
        model: &dyn Model,
        budget: &Budget,
    ) -> Result<Vec<Reasons>, Interrupted> {
        let Self { ids, otherwise, finds_facts } = *self;
        let others = ids.iter().flat_map(|&id| otherwise(id));
        let all: BTreeSet<ExampleId> = ids.iter().chain(others).copied().collect();
        let all: Vec<ExampleId> = all.into_iter().collect();
        let table = CoverTable::of(problem, model, problem.examples(), &all, budget)?;
        let nearest = |&id: &ExampleId| {
            let others: Vec<ExampleId> = otherwise(id).iter().copied().filter(|&other| other != id).collect();
            table.nearest(id, &table, &others)
        };
        let nearest: Vec<Option<(ExampleId, usize)>> = ids.iter().map(nearest).collect();
        let needed: BTreeSet<ExampleId> =
            ids.iter().copied().chain(nearest.iter().flatten().map(|&(id, _)| id)).collect();
        let needed: Vec<ExampleId> = needed.into_iter().collect();
        let explained: BTreeMap<ExampleId, Explanation> = needed
            .par_iter()
            .map(|&id| Ok((id, table.explanation(problem.worlds(), model, id, budget)?)))
            .collect::<Result<_, Interrupted>>()?;
        let one = |id: ExampleId| One { table: &table, id, explanation: &explained[&id] };
        let mut effort = Effort::for_many();
        let reasons = |(&id, nearest): (&ExampleId, Option<(ExampleId, usize)>)| {
            budget.check().map_err(Interrupted)?;
            let own = &explained[&id];
            let bound = |part: &Part| {
                let values =
                    part.covers.then(|| binding(problem, problem.examples(), id, &part.clause)).flatten();
                (part.clone(), values)
            };
            let facts = || what_if(problem, model, &table, id, &mut effort);
            let parts = together(&own.parts);
            Ok(Reasons {
                example: id,
                parts: parts.iter().take(MOST_PARTS).map(bound).collect(),
                n_parts: parts.len(),
                ways: own.parts.iter().map(|part| part.way.clone()).filter(|way| !way.is_empty()).collect(),
                score: own.score,
                what_if: finds_facts.then(facts).flatten(),
                alike: nearest.map(|(other, n)| one(id).told_from(one(other), n)),
            })
        };
        ids.iter().zip(nearest).map(reasons).collect()
    }
}

/// The tests that were failed on the way of a part.
fn failed(part: &Part) -> Vec<&[Literal]> {
    part.way.iter().filter(|test| !test.passed).map(|test| test.literals.as_slice()).collect()
}

/// The parts, where those that say the same of the same clause, and failed the same tests, are one that adds their sum; the greatest amounts first. Parts
/// without amounts stay as they are.
fn together(parts: &[Part]) -> Vec<Part> {
    if parts.iter().any(|part| part.amount.is_none()) {
        return parts.to_vec();
    }
    let mut known: BTreeMap<(&Clause, bool, Vec<&[Literal]>), Part> = BTreeMap::new();
    for part in parts {
        match known.entry((&part.clause, part.covers, failed(part))) {
            Entry::Vacant(entry) => {
                entry.insert(part.clone());
            }
            Entry::Occupied(mut entry) => {
                let first = entry.get_mut();
                first.amount = first.amount.zip(part.amount).map(|(one, other)| one + other);
            }
        }
    }
    let mut parts: Vec<Part> = known.into_values().collect();
    let size = |part: &Part| part.amount.map_or(0.0, f64::abs);
    parts.sort_by(|one, other| size(other).total_cmp(&size(one)));
    parts
}

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
