//! The sizes of predicates, for the profile of a problem.

use rayon::prelude::*;

use gleaner_base::{FixedMap, PredicateId};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Rows;
use gleaner_lang::syntax::Place;

use crate::frozen::PredicateProfile;
use crate::gather::{Facts, RawRule};
use crate::provisional::Provisional;

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
    /// Of facts with a time, no world has all.
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
