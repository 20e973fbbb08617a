//! What if: facts without which a model would decide otherwise about an example.
//!
//! The facts are those that proofs of the model's clauses use. Single facts are tried first, then pairs; else facts are
//! taken away one by one, the one first that lowers the score most, and those that turn out not to be needed are put back.
//! Each answer was tried: without these facts the model decides otherwise, and with any one of them put back it does not.
//! Facts that rules derive count as facts, and aggregates are left as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::{Budget, ConstantId, ExampleId, PredicateId};
use gleaner_data::Problem;
use gleaner_engine::coverage::witness::witness;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_engine::datalog::background::value_of;
use gleaner_lang::program::{Clause, Examples, Literal};
use gleaner_learn::{Covers, Explanation, Model};

/// Rows and tests after which the search for a proof gives up.
const MOST_STEPS: u64 = 200_000;
/// Worlds in which the model is asked: below a second for most models.
const MOST_TRIALS: usize = 400;
/// Rows of a relation that is made anew for each trial.
const MOST_ROWS: usize = 1_000_000;
/// Facts that are taken away; more tell nobody anything.
const MOST_FACTS: usize = 8;

/// A fact: its predicate and its arguments.
pub type Fact = (PredicateId, Vec<ConstantId>);

/// Facts without which the decision turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf {
    /// The facts, ascending. With any one of them put back the decision stays.
    pub facts: Vec<Fact>,
    /// Whether no smaller set of facts of the proofs turns it.
    pub is_least: bool,
}

/// Facts without which the model would not call the example positive; `None` where it does not, or no such facts were
/// found.
///
/// **Cost**: the model's covers on one example in at most 400 worlds, each with the relations of the facts made anew.
#[must_use]
pub fn what_if(
    problem: &Problem,
    model: &dyn Model,
    examples: &Arc<Examples>,
    id: ExampleId,
) -> Option<WhatIf> {
    let mut trials = Trials { problem, model, examples, id, n_left: MOST_TRIALS };
    let whole = trials.explained(&BTreeSet::new())?;
    if !whole.decision {
        return None;
    }
    let facts = trials.facts(&whole, &BTreeSet::new());
    for fact in &facts {
        let removed = BTreeSet::from([fact.clone()]);
        if !trials.explained(&removed)?.decision {
            return Some(WhatIf { facts: removed.into_iter().collect(), is_least: true });
        }
    }
    let pairs = facts.len() * facts.len().saturating_sub(1) / 2;
    let tries_pairs = pairs <= MOST_TRIALS / 2;
    if tries_pairs {
        for (at, first) in facts.iter().enumerate() {
            for second in &facts[at + 1..] {
                let removed = BTreeSet::from([first.clone(), second.clone()]);
                if !trials.explained(&removed)?.decision {
                    return Some(WhatIf { facts: removed.into_iter().collect(), is_least: true });
                }
            }
        }
    }
    trials.one_by_one()
}

struct Trials<'a> {
    problem: &'a Problem,
    model: &'a dyn Model,
    examples: &'a Arc<Examples>,
    id: ExampleId,
    n_left: usize,
}

impl Trials<'_> {
    /// The explanation of the example without these facts; `None` if there were trials enough.
    fn explained(&mut self, removed: &BTreeSet<Fact>) -> Option<Explanation> {
        self.n_left = self.n_left.checked_sub(1)?;
        let mut worlds = self.problem.worlds.clone();
        let own = self.examples.world(self.id).index();
        worlds[own] = without(&worlds[own], removed);
        let universe = Universe::new(Arc::clone(self.examples), &[self.id]);
        let covers = Covers::new(&worlds, &universe, CoverStore::usual_capacity(&universe));
        let (position, _) = universe.iter().next()?;
        self.model.explain(&covers, position, &Budget::unlimited()).ok()
    }

    /// The facts of one proof of each part that covers the example, without these facts.
    fn facts(&self, explanation: &Explanation, removed: &BTreeSet<Fact>) -> Vec<Fact> {
        let world = &self.problem.worlds[self.examples.world(self.id).index()];
        let world = without(world, removed);
        let covering = explanation.parts.iter().filter(|part| part.covers);
        let facts = covering.flat_map(|part| self.facts_of(&world, &part.clause));
        facts.collect::<BTreeSet<Fact>>().into_iter().collect()
    }

    fn facts_of(&self, world: &Background, clause: &Clause) -> Vec<Fact> {
        let Some(values) = witness(world, clause, self.examples.arguments(self.id), MOST_STEPS) else {
            return Vec::new();
        };
        let symbols = &self.problem.symbols;
        let fact = |literal: &Literal| -> Option<Fact> {
            let atom = literal.positive_atom()?;
            let is_removable =
                !symbols.is_aggregate(atom.predicate) && world.relation(atom.predicate).n_rows() <= MOST_ROWS;
            let bound: Vec<Option<ConstantId>> =
                atom.arguments.iter().map(|&term| value_of(term, &values)).collect();
            let row = is_removable.then(|| world.matching_rows(atom.predicate, &bound).next()).flatten()?;
            let relation = world.relation(atom.predicate);
            let tuple = (0..relation.arity()).map(|column| relation.value(row, column)).collect();
            Some((atom.predicate, tuple))
        };
        clause.body.iter().filter_map(fact).collect()
    }

    /// Takes facts away until the decision turns, and puts back those that are not needed.
    fn one_by_one(&mut self) -> Option<WhatIf> {
        let mut removed: BTreeSet<Fact> = BTreeSet::new();
        let mut now = self.explained(&removed)?;
        while now.decision {
            let mut best: Option<(Explanation, Fact)> = None;
            for fact in self.facts(&now, &removed) {
                let mut more = removed.clone();
                more.insert(fact.clone());
                let found = self.explained(&more)?;
                if best.as_ref().is_none_or(|(best, _)| found.score < best.score) {
                    best = Some((found, fact));
                }
            }
            let (found, fact) = best?;
            removed.insert(fact);
            now = found;
            if removed.len() > MOST_FACTS {
                return None;
            }
        }
        for fact in removed.clone() {
            let mut fewer = removed.clone();
            fewer.remove(&fact);
            if !self.explained(&fewer)?.decision {
                removed = fewer;
            }
        }
        Some(WhatIf { facts: removed.into_iter().collect(), is_least: false })
    }
}

/// The facts of a world but these.
fn without(world: &Background, removed: &BTreeSet<Fact>) -> Background {
    let mut by_predicate: BTreeMap<PredicateId, Vec<&[ConstantId]>> = BTreeMap::new();
    for (predicate, tuple) in removed {
        by_predicate.entry(*predicate).or_default().push(tuple);
    }
    let mut world = world.clone();
    for (predicate, tuples) in by_predicate {
        let relation = world.relation(predicate);
        let is_removed = |row: usize| {
            tuples
                .iter()
                .any(|tuple| (0..tuple.len()).all(|column| relation.value(row, column) == tuple[column]))
        };
        let removed: BTreeSet<usize> = (0..relation.n_rows()).filter(|&row| is_removed(row)).collect();
        world = world.with_rows(predicate, |row| !removed.contains(&row));
    }
    world
}
