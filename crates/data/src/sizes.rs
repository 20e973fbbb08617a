//! The sizes of predicates, for the profile of a problem.

use gleaner_base::PredicateId;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Rows;

use super::frozen::PredicateProfile;
use super::gather::{Gathered, RawRule};
use super::provisional::Provisional;

/// The sizes of predicates before the rules run, by provisional id.
#[derive(Debug)]
pub(super) struct Given {
    /// The number of given facts.
    pub(super) n_facts: Vec<usize>,
    /// The number of distinct facts. `None` if they are the relation of the only world, to be counted there.
    n_distinct: Vec<Option<usize>>,
}

impl Given {
    pub(super) fn new(gathered: &Gathered, n_worlds: usize) -> Self {
        let mut is_derived = vec![n_worlds > 1; gathered.symbols.predicates().len()];
        for rule in &gathered.rules {
            is_derived[rule.clause.head.predicate.index()] = true;
        }
        let tables = || std::iter::once(&gathered.global).chain(&gathered.folds);
        let sum = |id: usize, count: fn(&Rows) -> usize| -> usize {
            tables().map(|table| count(table.rows(PredicateId::new(id)))).sum()
        };
        Self {
            n_facts: (0..is_derived.len()).map(|id| sum(id, Rows::len)).collect(),
            n_distinct: (0..).zip(is_derived).map(|(id, it)| it.then(|| sum(id, Rows::n_distinct))).collect(),
        }
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
            if self.n_facts[id] + n_rules[id] == 0 {
                continue;
            }
            let n_worlds = if shared[id] { 1 } else { worlds.len() };
            let rows = |world: &Background| world.relation(predicates[id]).n_rows();
            let n_tuples = worlds[..n_worlds].iter().map(rows).sum();
            profile.push(PredicateProfile {
                predicate: name.to_string(),
                n_facts: self.n_facts[id],
                n_distinct: self.n_distinct[id].unwrap_or(n_tuples),
                n_rules: n_rules[id],
                n_tuples,
            });
        }
        profile.sort_by(|left, right| left.predicate.cmp(&right.predicate));
        profile
    }
}
