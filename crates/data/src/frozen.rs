//! Clauses that a user gives as features.
//!
//! The sizes of predicates, for the profile of a problem.

use std::collections::BTreeMap;

use rayon::prelude::*;

use gleaner_base::{FixedMap, PredicateId};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, Rows};
use gleaner_lang::syntax::Place;

use crate::gather::{Facts, RawRule};
use crate::provisional::Provisional;

/// The size of one predicate, for the profile.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PredicateProfile {
    /// `name/arity`.
    pub predicate: String,
    /// The number of facts that the files give.
    pub n_facts: usize,
    /// The number of distinct facts among them, counted for each world alone.
    pub n_distinct: usize,
    /// The number of rules that define the predicate.
    pub n_rules: usize,
    /// The number of tuples after the rules, over all worlds.
    pub n_tuples: usize,
}

/// Clauses that a learner uses as features, in place of clauses that it would find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenClauses {
    /// The clauses of every run.
    pub of_all: Vec<Clause>,
    /// The clauses of single runs, by the name of the run's fold and its repetition, from 0.
    pub of_runs: BTreeMap<(String, usize), Vec<Clause>>,
}

impl GivenClauses {
    /// The clauses of a run, ascending, each once: results do not depend on the order in which they are written.
    pub fn of_run(&self, fold: &str, repeat: usize) -> Vec<Clause> {
        let own = self.of_runs.get(&(fold.to_owned(), repeat)).into_iter().flatten();
        let mut clauses: Vec<Clause> = self.of_all.iter().chain(own).cloned().collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }
}

/// The given facts and rules of predicates before the rules run, by provisional id.
#[derive(Debug)]
pub(super) struct Given {
    /// The number of given facts.
    pub(super) n_facts: Vec<usize>,
    /// The number of distinct facts. `None` if they are the relation of the only world, to be counted there.
    n_distinct: Vec<Option<usize>>,
    /// The place of the first rule of each predicate with rules.
    pub(super) first_rules: FixedMap<PredicateId, Place>,
}

impl Given {
    /// Where facts have a time, no world has all of them.
    pub(super) fn new(rules: &[RawRule], facts: &Facts, n_predicates: usize, are_timed: bool) -> Self {
        let mut first_rules = FixedMap::default();
        for rule in rules {
            first_rules.entry(rule.clause.head.predicate).or_insert(rule.place);
        }
        let sum = |id: PredicateId, count: fn(&Rows) -> usize| -> usize {
            facts.tables().map(|table| count(table.rows(id))).sum()
        };
        let ids = (0..n_predicates).map(PredicateId::new);
        let is_counted = |id: &PredicateId| are_timed || facts.are_in_folds() || first_rules.contains_key(id);
        let n_facts = ids.map(|id| sum(id, Rows::len)).collect();
        let ids = (0..n_predicates).into_par_iter().map(PredicateId::new);
        let n_distinct = ids.map(|id| is_counted(&id).then(|| sum(id, Rows::n_distinct))).collect();
        Self { n_facts, n_distinct, first_rules }
    }

    pub(super) fn profile(
        &self,
        provisional: &Provisional,
        rules: &[RawRule],
        worlds: &[Background],
        predicates: &[PredicateId],
        shared: &[bool],
    ) -> Vec<PredicateProfile> {
        let mut n_rules = vec![0; self.n_facts.len()];
        rules.iter().for_each(|rule| n_rules[rule.clause.head.predicate.index()] += 1);
        let mut profile: Vec<PredicateProfile> = Vec::new();
        for (id, name) in provisional.predicates().iter().enumerate() {
            // Aggregates that were proposed came after the count.
            let Some(&n_facts) = self.n_facts.get(id).filter(|&&n| n + n_rules[id] > 0) else { continue };
            let n_worlds = if shared[id] { worlds.len().min(1) } else { worlds.len() };
            let rows = |world: &Background| world.relation(predicates[id]).n_rows();
            let n_tuples = worlds[..n_worlds].iter().map(rows).sum();
            profile.push(PredicateProfile {
                predicate: name.to_string(),
                n_facts,
                n_distinct: self.n_distinct[id].unwrap_or(n_tuples),
                n_rules: n_rules[id],
                n_tuples,
            });
        }
        profile.sort_by(|left, right| left.predicate.cmp(&right.predicate));
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::GivenClauses;
    use gleaner_base::PredicateId;
    use gleaner_lang::program::{Atom, Clause};

    fn clause(n_variables: usize) -> Clause {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        Clause { head, body: Vec::new(), n_variables }
    }

    #[test]
    fn a_run_has_those_of_all_and_its_own() {
        let given = GivenClauses {
            of_all: vec![clause(3), clause(1)],
            of_runs: [(("fold1".to_owned(), 1), vec![clause(2), clause(3)])].into(),
        };
        assert_eq!(given.of_run("fold1", 1), [clause(1), clause(2), clause(3)]);
        assert_eq!(given.of_run("fold1", 0), [clause(1), clause(3)]);
        assert_eq!(given.of_run("fold2", 1), [clause(1), clause(3)]);
    }
}
