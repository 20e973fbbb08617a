//! Why test examples have their scores: those that a reader asks about first, the highest scores and the worst mistakes.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_base::{Budget, ExampleId};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_learn::explanation::Part;
use gleaner_learn::{Explanation, Model};

use super::alike::{Alike, CoverTable, One, nearest_to_threshold};
use super::explain::{Binding, binding};
use super::run_result::ScoredExample;
use super::what_if::{Effort, WhatIf, what_if};

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
    /// The number of all such parts.
    Reasons,
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
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reason => "reason",
            Self::Reasons => "reasons",
            Self::NegativeWithout => "negative_without",
            Self::Alike => "alike",
            Self::Differing => "differing",
            Self::OnlyThis => "only_this",
            Self::OnlyAlike => "only_alike",
        }
    }
}

/// The value by which examples are ranked: the probability, or without one the score.
fn value(example: &ScoredExample) -> f64 {
    example.probability.unwrap_or(example.score)
}

/// The examples of `scored` that are explained: the highest values, then the worst mistakes of each class. Of equal ones the
/// first.
fn chosen(problem: &Problem, scored: &[ScoredExample]) -> Vec<ExampleId> {
    let examples = &problem.examples;
    let best = |keeps: &dyn Fn(ExampleId) -> bool, sign: f64, most: usize| {
        let mut kept: Vec<&ScoredExample> = scored.iter().filter(|of| keeps(of.example)).collect();
        kept.sort_by(|one, other| (sign * value(other)).total_cmp(&(sign * value(one))));
        kept.into_iter().take(most).map(|of| of.example).collect::<Vec<ExampleId>>()
    };
    let is_of =
        |class: bool| move |id: ExampleId| examples.is_labelled(id) && examples.is_positive(id) == class;
    let lists = [
        best(&is_of(false), 1.0, MOST_MISTAKES),
        best(&is_of(true), -1.0, MOST_MISTAKES),
        best(&|_| true, 1.0, MOST_HIGHEST),
    ];
    let mut known = BTreeSet::new();
    lists.into_iter().flatten().filter(|&id| known.insert(id)).collect()
}

/// Why the highest scores and the worst mistakes have their scores. None where the budget ends first.
///
/// **Cost**: the covers of the model's clauses on some 2,000 examples, three proofs for each that is explained, and what
/// `what_if` costs, for all together.
#[must_use]
pub fn reasons(
    problem: &Problem,
    model: &dyn Model,
    scored: &[ScoredExample],
    budget: &Budget,
) -> Vec<Reasons> {
    let asked = chosen(problem, scored);
    found(problem, model, scored, &asked, budget).unwrap_or_default()
}

fn found(
    problem: &Problem,
    model: &dyn Model,
    scored: &[ScoredExample],
    asked: &[ExampleId],
    budget: &Budget,
) -> Result<Vec<Reasons>, Interrupted> {
    let decided: BTreeMap<ExampleId, bool> = scored.iter().map(|of| (of.example, of.decision)).collect();
    let by_score: Vec<(ExampleId, f64, bool)> =
        scored.iter().map(|of| (of.example, of.score, of.decision)).collect();
    let others = [false, true].map(|decision| nearest_to_threshold(&by_score, decision));
    let all: BTreeSet<ExampleId> = asked.iter().chain(others.iter().flatten()).copied().collect();
    let all: Vec<ExampleId> = all.into_iter().collect();
    let table = CoverTable::of(problem, model, &problem.examples, &all, budget)?;
    let otherwise = |id: &ExampleId| &others[usize::from(!decided.get(id).copied().unwrap_or(false))];
    let nearest: Vec<Option<(ExampleId, usize)>> =
        asked.iter().map(|id| table.nearest(*id, &table, otherwise(id))).collect();
    let needed: BTreeSet<ExampleId> =
        asked.iter().copied().chain(nearest.iter().flatten().map(|&(id, _)| id)).collect();
    let needed: Vec<ExampleId> = needed.into_iter().collect();
    let explained: BTreeMap<ExampleId, Explanation> = needed
        .par_iter()
        .map(|&id| Ok((id, table.explanation(&problem.worlds, model, id, budget)?)))
        .collect::<Result<_, Interrupted>>()?;
    let one = |id: ExampleId| One { table: &table, id, explanation: &explained[&id] };
    let mut effort = Effort::for_many();
    let reasons = |(&id, nearest): (&ExampleId, Option<(ExampleId, usize)>)| {
        budget.check().map_err(Interrupted)?;
        let own = &explained[&id];
        let bound = |part: &Part| {
            let values = part.covers.then(|| binding(problem, &problem.examples, id, &part.clause)).flatten();
            (part.clone(), values)
        };
        Ok(Reasons {
            example: id,
            parts: own.parts.iter().take(MOST_PARTS).map(bound).collect(),
            n_parts: own.parts.len(),
            what_if: what_if(problem, model, &table, id, &mut effort),
            alike: nearest.map(|(other, n)| one(id).told_from(one(other), n)),
        })
    };
    asked.iter().zip(nearest).map(reasons).collect()
}
