//! What if: facts without which a model would decide otherwise about an example.
//!
//! The facts are those that proofs of the model's clauses use, one proof of each clause. Single facts are tried first, then
//! pairs if there are few. Otherwise facts are taken away one by one, the one first whose proofs speak most for the example,
//! and those that turn out not to be needed are put back. Each answer was tried: without these facts the model decides
//! otherwise, and with any one of them put back it does not. Facts that rules derive count as facts, and aggregates are left
//! as they are.

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
/// Rows of relations that are made anew in all trials together: a second or two.
const MOST_ROWS: usize = 10_000_000;
/// Facts that are tried by themselves, and facts that are tried in pairs.
const MOST_SINGLE: usize = 100;
const MOST_PAIRED: usize = 15;
/// Facts that are taken away before some are put back, and facts that are told: more tell nobody anything.
const MOST_TAKEN: usize = 30;
const MOST_TOLD: usize = 8;

/// A fact: its predicate and its arguments.
pub type Fact = (PredicateId, Vec<ConstantId>);

/// Facts without which the decision turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf {
    /// The facts, ascending. With any one of them put back the decision stays.
    pub facts: Vec<Fact>,
    /// Whether no smaller set of the facts that were found in proofs turns it.
    pub is_least: bool,
}

/// Facts without which the model would not call the example positive; `None` where it does not, or no such facts were
/// found.
///
/// **Cost**: the model's covers on one example in some hundred worlds at most. In each the relation of one fact is made
/// anew, of ten million rows together.
#[must_use]
pub fn what_if(
    problem: &Problem,
    model: &dyn Model,
    examples: &Arc<Examples>,
    id: ExampleId,
) -> Option<WhatIf> {
    let mut trials = Trials { problem, model, examples, id, rows_left: MOST_ROWS };
    let whole = Without { facts: BTreeSet::new(), world: trials.world().clone() };
    let explanation = trials.explained(&whole)?;
    if !explanation.decision {
        return None;
    }
    let facts = trials.facts(&explanation, &whole);
    let is_paired = facts.len() <= MOST_PAIRED;
    let mut single = Vec::new();
    for fact in facts.iter().take(MOST_SINGLE) {
        // Half of the rows are for taking facts away one by one.
        if trials.rows_left < MOST_ROWS / 2 {
            break;
        }
        let without = trials.changed(&whole, fact)?;
        if trials.turns(&without)? {
            return Some(without.told(true));
        }
        if is_paired {
            single.push(without);
        }
    }
    for (at, first) in single.iter().enumerate().filter(|_| single.len() == facts.len()) {
        for second in &facts[at + 1..] {
            let without = trials.changed(first, second)?;
            if trials.turns(&without)? {
                return Some(without.told(true));
            }
        }
    }
    trials.one_by_one(explanation, whole)
}

/// The world of an example without some facts.
#[derive(Clone)]
struct Without {
    facts: BTreeSet<Fact>,
    world: Background,
}

impl Without {
    fn told(self, is_least: bool) -> WhatIf {
        WhatIf { facts: self.facts.into_iter().collect(), is_least }
    }
}

struct Trials<'a> {
    problem: &'a Problem,
    model: &'a dyn Model,
    examples: &'a Arc<Examples>,
    id: ExampleId,
    /// Rows that may still be made anew.
    rows_left: usize,
}

impl<'a> Trials<'a> {
    /// The world of the example.
    fn world(&self) -> &'a Background {
        &self.problem.worlds[self.examples.world(self.id).index()]
    }

    /// The world without this fact, too, or with it put back; `None` if too many rows were made already.
    fn changed(&mut self, before: &Without, fact: &Fact) -> Option<Without> {
        let mut facts = before.facts.clone();
        if !facts.remove(fact) {
            facts.insert(fact.clone());
        }
        let (whole, predicate) = (self.world(), fact.0);
        let relation = whole.relation(predicate);
        self.rows_left = self.rows_left.checked_sub(relation.n_rows())?;
        let tuples: Vec<&Vec<ConstantId>> =
            facts.iter().filter(|(of, _)| *of == predicate).map(|(_, tuple)| tuple).collect();
        let is_kept = |row: usize| {
            let is_row = |tuple: &&Vec<ConstantId>| {
                tuple.iter().enumerate().all(|(column, &value)| relation.value(row, column) == value)
            };
            !tuples.iter().any(is_row)
        };
        let world = before.world.with_rows_of(whole, predicate, is_kept);
        Some(Without { facts, world })
    }

    /// The explanation of the example in this world.
    fn explained(&self, without: &Without) -> Option<Explanation> {
        let mut worlds = self.problem.worlds.clone();
        worlds[self.examples.world(self.id).index()] = without.world.clone();
        let universe = Universe::new(Arc::clone(self.examples), &[self.id]);
        let covers = Covers::new(&worlds, &universe, CoverStore::usual_capacity(&universe));
        let (position, _) = universe.iter().next()?;
        self.model.explain(&covers, position, &Budget::unlimited()).ok()
    }

    /// Whether the example is called negative in this world.
    fn turns(&self, without: &Without) -> Option<bool> {
        Some(!self.explained(without)?.decision)
    }

    /// The facts of one proof of each part that covers the example in this world: those first whose parts have the
    /// greatest share of the score.
    fn facts(&self, explanation: &Explanation, without: &Without) -> Vec<Fact> {
        let mut weights: BTreeMap<Fact, f64> = BTreeMap::new();
        for part in explanation.parts.iter().filter(|part| part.covers) {
            for fact in self.facts_of(&without.world, &part.clause) {
                *weights.entry(fact).or_default() += part.share.unwrap_or(1.0);
            }
        }
        let mut facts: Vec<(Fact, f64)> = weights.into_iter().collect();
        facts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        facts.into_iter().map(|(fact, _)| fact).collect()
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
    fn one_by_one(&mut self, whole: Explanation, without: Without) -> Option<WhatIf> {
        let (mut now, mut without) = (whole, without);
        while now.decision && without.facts.len() < MOST_TAKEN {
            let next = self.facts(&now, &without).into_iter().next()?;
            without = self.changed(&without, &next)?;
            now = self.explained(&without)?;
        }
        if now.decision {
            return None;
        }
        // A fact that is put back may make another one needless, where clauses ask for the absence of facts.
        loop {
            let before = without.facts.clone();
            for fact in &before {
                let fewer = self.changed(&without, fact)?;
                if self.turns(&fewer)? {
                    without = fewer;
                }
            }
            if without.facts == before {
                break;
            }
        }
        (without.facts.len() <= MOST_TOLD).then(|| without.told(false))
    }
}
