//! The predicates with facts or rules, and suggestions among them for misspelt names.

use gleaner_base::{FixedSet, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::spelling::Spelling;

use super::gather::Gathered;
use super::type_predicates::type_tests;

/// The predicates with facts or rules.
pub(super) fn defined_predicates(gathered: &Gathered) -> FixedSet<PredicateId> {
    let of_rules = gathered.rules.iter().map(|rule| rule.clause.head.predicate);
    gathered.first_facts.keys().copied().chain(of_rules).collect()
}

/// The predicates that rules, modes and clauses may use: those with facts or rules, and Prolog's type tests.
pub(super) fn askable_predicates(gathered: &Gathered) -> FixedSet<PredicateId> {
    let mut askable = defined_predicates(gathered);
    askable.extend(type_tests(gathered, &askable));
    askable
}

/// The predicates with facts or rules, by name.
#[derive(Debug)]
pub(super) struct Defined<'g> {
    gathered: &'g Gathered,
    ids: FixedSet<PredicateId>,
    /// Made at the first question: most data have no fault.
    spelling: Option<Spelling<'g>>,
}

impl<'g> Defined<'g> {
    pub(super) fn of(gathered: &'g Gathered) -> Self {
        Self::with(askable_predicates(gathered), gathered)
    }

    /// Uses these ids, which were found before further predicates were named.
    pub(super) const fn with(ids: FixedSet<PredicateId>, gathered: &'g Gathered) -> Self {
        Self { gathered, ids, spelling: None }
    }

    pub(super) fn name(&self, predicate: PredicateId) -> &'g PredicateName {
        self.gathered.symbols.predicate_name(predicate)
    }

    pub(super) fn has(&self, predicate: PredicateId) -> bool {
        self.ids.contains(&predicate)
    }

    pub(super) fn has_name(&self, name: &PredicateName) -> bool {
        self.gathered.symbols.find_predicate(name).is_some_and(|id| self.has(id))
    }

    /// The defined predicate that a misspelt one may mean, for the first hundred questions.
    pub(super) fn meant(&mut self, misspelt: &PredicateName) -> Option<String> {
        let names = || self.ids.iter().map(|&id| self.gathered.symbols.predicate_name(id));
        let spelling = self.spelling.get_or_insert_with(|| Spelling::new(names()));
        spelling.meant(misspelt).map(ToString::to_string)
    }
}
