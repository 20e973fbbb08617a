//! What if: facts without which a model would decide otherwise about an example.
//!
//! The facts are those that proofs of the model's clauses use, one proof of each clause. Single facts are tried first, then
//! pairs if there are few. Otherwise facts are taken away one by one, the one first whose proofs speak most for the example,
//! and those that turn out not to be needed are put back. Each answer was tried: without these facts the model decides
//! otherwise, and with any one of them put back it does not. Facts that rules derive count as facts, and aggregates are left
//! as they are.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gleaner_base::{Budget, ConstantId, ExampleId, PredicateId};
use gleaner_data::Problem;
use gleaner_engine::coverage::reference::{Absent, Searched, witness_without};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_engine::datalog::background::value_of;
use gleaner_lang::program::{Clause, Literal};
use gleaner_learn::{Covers, Explanation, Model};

use crate::experiment::scoring::reasons::CoverTable;

/// Rows and tests after which the search for one proof gives up.
const MOST_STEPS: u64 = 20_000;
/// Rows and tests of all trials for one example together: a second or two.
const MOST_STEPS_OF_ONE: u64 = 10_000_000;
/// The same for many examples together, and for each of them.
const MOST_STEPS_OF_MANY: u64 = 2_000_000;
const MOST_STEPS_OF_EACH: u64 = 200_000;
/// Facts that are tried by themselves, and facts that are tried in pairs.
const MOST_SINGLE: usize = 100;
const MOST_PAIRED: usize = 15;
/// The most facts that are taken away before some are put back, and the most in an answer: a longer list helps nobody.
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

/// What trials may still cost, in rows and tests of proofs; a clause of the model whose cover is known counts as one.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    steps: u64,
    steps_of_each: u64,
}

impl Effort {
    /// For one example.
    pub const fn for_one() -> Self {
        Self { steps: MOST_STEPS_OF_ONE, steps_of_each: MOST_STEPS_OF_ONE }
    }

    /// For many examples together.
    pub const fn for_many() -> Self {
        Self { steps: MOST_STEPS_OF_MANY, steps_of_each: MOST_STEPS_OF_EACH }
    }
}

/// Facts without which the model would not call the example positive; `None` where it does not, or no such facts were
/// found.
///
/// **Cost**: in each of some hundred trials at most, a proof of each clause that the trial concerns; the steps are taken from
/// the effort.
pub(crate) fn what_if(
    problem: &Problem,
    model: &dyn Model,
    covered: &CoverTable<'_>,
    id: ExampleId,
    effort: &mut Effort,
) -> Option<WhatIf> {
    let allowed = effort.steps.min(effort.steps_of_each);
    let mut trials = Trials { problem, model, covered, id, steps_left: allowed };
    let found = trials.found(allowed);
    effort.steps -= allowed - trials.steps_left;
    found
}

struct Trials<'a> {
    problem: &'a Problem,
    model: &'a dyn Model,
    /// What the model's clauses cover in the world as it is.
    covered: &'a CoverTable<'a>,
    id: ExampleId,
    /// Rows and tests that proofs may still take.
    steps_left: u64,
}

impl<'a> Trials<'a> {
    /// The facts of least number that were found, with half of the steps that are allowed for single facts and pairs.
    fn found(&mut self, allowed: u64) -> Option<WhatIf> {
        let explanation = self.explained(&Absent::new())?;
        if !explanation.decision {
            return None;
        }
        let facts = self.facts(&explanation, &Absent::new());
        let mut n_known = 0;
        for fact in facts.iter().take(MOST_SINGLE) {
            // The other half is for taking facts away one by one.
            if self.steps_left < allowed / 2 {
                break;
            }
            let without = Absent::from([fact.clone()]);
            match self.turns(&without) {
                Some(true) => return Some(told(without, true)),
                Some(false) => n_known += 1,
                None => {}
            }
        }
        let is_paired = n_known == facts.len() && n_known <= MOST_PAIRED;
        for (at, first) in facts.iter().enumerate().filter(|_| is_paired) {
            for second in &facts[at + 1..] {
                let without = Absent::from([first.clone(), second.clone()]);
                if self.turns(&without) == Some(true) {
                    return Some(told(without, true));
                }
            }
        }
        self.one_by_one(explanation)
    }

    /// The world of the example.
    fn world(&self) -> &'a Background {
        &self.problem.worlds()[self.covered.examples().world(self.id).index()]
    }

    /// The explanation of the example without some facts.
    fn explained(&mut self, without: &Absent) -> Option<Explanation> {
        let model = self.model;
        self.with_covers(without, |covers| model.explain(covers, 0, &Budget::unlimited()).ok())
    }

    /// Whether the example is called negative without some facts; `None` where that is not known within the steps.
    fn turns(&mut self, without: &Absent) -> Option<bool> {
        let model = self.model;
        let scoring = self.with_covers(without, |covers| model.score(covers, &Budget::unlimited()).ok());
        scoring.map(|scoring| !scoring.decided.contains(0))
    }

    /// What is found with the covers on the example without some facts; `None` where a cover is not known within the steps.
    fn with_covers<T>(&mut self, without: &Absent, find: impl FnOnce(&Covers<'_>) -> Option<T>) -> Option<T> {
        if self.steps_left == 0 {
            return None;
        }
        let universe = Universe::new(Arc::clone(self.covered.examples()), &[self.id]);
        let (n_steps, is_all_known) = (AtomicU64::new(0), AtomicBool::new(true));
        let known = |clause: &Clause| {
            let (covers, n) = self.covers(clause, without);
            n_steps.fetch_add(n, Ordering::Relaxed);
            is_all_known.fetch_and(covers.is_some(), Ordering::Relaxed);
            Some(covers.unwrap_or(false))
        };
        let store = CoverStore::usual_capacity(&universe);
        let found = find(&Covers::new(self.problem.worlds(), &universe, store).knowing(&known));
        self.steps_left = self.steps_left.saturating_sub(n_steps.into_inner());
        found.filter(|_| is_all_known.into_inner())
    }

    /// Whether a clause covers the example without some facts, and the steps that it took to know. It does as before if it does
    /// not name their predicates, and what asks for no absence of them gains nothing.
    fn covers(&self, clause: &Clause, without: &Absent) -> (Option<bool>, u64) {
        let before = self.covered.covers(clause, self.id);
        let is_changed = |predicate: PredicateId| without.iter().any(|(of, _)| *of == predicate);
        let stays = |literal: &Literal| match literal {
            Literal::Positive(atom) => before == Some(false) || !is_changed(atom.predicate),
            Literal::Comparison(_) => true,
            Literal::Negative(_) | Literal::Aggregate(_) => {
                !literal.atoms().any(|atom| is_changed(atom.predicate))
            }
        };
        if before.is_some() && clause.body.iter().all(stays) {
            return (before, 1);
        }
        let searched = self.proof(clause, without);
        (searched.proof.map(|proof| proof.is_some()), 1 + searched.n_steps)
    }

    fn proof(&self, clause: &Clause, without: &Absent) -> Searched {
        let arguments = self.covered.examples().arguments(self.id);
        witness_without(self.world(), without, clause, arguments, MOST_STEPS)
    }

    /// The facts of one proof of each part that covers the example without some facts: those first whose parts have the
    /// greatest share of the score.
    fn facts(&mut self, explanation: &Explanation, without: &Absent) -> Vec<Fact> {
        let mut weights: BTreeMap<Fact, f64> = BTreeMap::new();
        for part in explanation.parts.iter().filter(|part| part.covers) {
            let searched = self.proof(&part.clause, without);
            self.steps_left = self.steps_left.saturating_sub(searched.n_steps);
            let Some(Some(values)) = searched.proof else { continue };
            for fact in self.facts_of(&part.clause, &values, without) {
                *weights.entry(fact).or_default() += part.share.unwrap_or(1.0);
            }
        }
        let mut facts: Vec<(Fact, f64)> = weights.into_iter().collect();
        facts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        facts.into_iter().map(|(fact, _)| fact).collect()
    }

    /// The facts of a proof.
    fn facts_of(&self, clause: &Clause, values: &[Option<ConstantId>], without: &Absent) -> Vec<Fact> {
        let world = self.world();
        let fact = |literal: &Literal| -> Option<Fact> {
            let atom = literal.positive_atom()?;
            if self.problem.symbols().is_aggregate(atom.predicate) {
                return None;
            }
            let bound: Vec<Option<ConstantId>> =
                atom.arguments.iter().map(|&term| value_of(term, values)).collect();
            let relation = world.relation(atom.predicate);
            let tuple = |row: usize| -> Vec<ConstantId> {
                (0..relation.arity()).map(|column| relation.value(row, column)).collect()
            };
            let mut rows = world.matching_rows(atom.predicate, &bound);
            let fact = rows.next().map(|row| (atom.predicate, tuple(row)));
            debug_assert!(
                fact.as_ref().is_none_or(|fact| !without.contains(fact)),
                "a proof uses no absent fact"
            );
            fact
        };
        clause.body.iter().filter_map(fact).collect()
    }

    /// Takes facts away until the decision turns, and puts back those that are not needed.
    fn one_by_one(&mut self, whole: Explanation) -> Option<WhatIf> {
        let (mut now, mut without) = (whole, Absent::new());
        while now.decision && without.len() < MOST_TAKEN {
            let next = self.facts(&now, &without).into_iter().next()?;
            without.insert(next);
            now = self.explained(&without)?;
        }
        if now.decision {
            return None;
        }
        // A fact that is put back may make another one needless, where clauses ask for the absence of facts.
        loop {
            let before = without.clone();
            for fact in &before {
                without.remove(fact);
                if !self.turns(&without)? {
                    without.insert(fact.clone());
                }
            }
            if without == before {
                break;
            }
        }
        (without.len() <= MOST_TOLD).then(|| told(without, false))
    }
}

fn told(without: Absent, is_least: bool) -> WhatIf {
    WhatIf { facts: without.into_iter().collect(), is_least }
}
