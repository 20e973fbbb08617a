//! Why test examples have their scores: those that a reader asks about first, the highest scores and the worst mistakes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_base::{Budget, ExampleId};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Literal};
use gleaner_learn::shown::{Part, WayTest};
use gleaner_learn::{Explanation, Model};

use crate::experiment::runs::result::ScoredExample;
use crate::experiment::scoring::alike::{Alike, CoverTable, One, nearest_to_threshold};
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
