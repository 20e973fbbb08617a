//! The predicates with facts or rules, and suggestions among them for misspelt names.

use gleaner_base::{FixedSet, PredicateId};
use gleaner_lang::program::spelling::Spelling;
use gleaner_lang::program::{Clause, Literal, PredicateName};

use crate::gather::{RawRule, Statements};
use crate::provisional::Provisional;
use crate::rule_graph::{body_predicates, is_of_train};
use crate::type_predicates::type_tests;

/// The predicates with facts or rules.
pub(super) fn defined_predicates(statements: &Statements) -> FixedSet<PredicateId> {
    let of_rules = statements.rules.list.iter().map(|rule| rule.clause.head.predicate);
    statements.first_facts.keys().copied().chain(of_rules).collect()
}

/// The predicates that rules, modes and clauses may use: those with facts or rules, and Prolog's type tests.
pub(super) fn askable_predicates(statements: &Statements) -> FixedSet<PredicateId> {
    let mut askable = defined_predicates(statements);
    askable.extend(type_tests(statements, &askable));
    askable
}

/// The predicates with facts or rules, by name.
#[derive(Debug)]
pub(super) struct Defined<'g> {
    symbols: &'g Provisional,
    ids: FixedSet<PredicateId>,
    /// Made at the first question: most data have no fault.
    spelling: Option<Spelling<'g>>,
}

impl<'g> Defined<'g> {
    pub(super) fn of(statements: &'g Statements) -> Self {
        Self::with(askable_predicates(statements), &statements.symbols)
    }

    /// Uses these ids, which were found before further predicates were named.
    pub(super) const fn with(ids: FixedSet<PredicateId>, symbols: &'g Provisional) -> Self {
        Self { symbols, ids, spelling: None }
    }

    pub(super) fn name(&self, predicate: PredicateId) -> &'g PredicateName {
        self.symbols.predicate_name(predicate)
    }

    /// The predicates whose facts a mode of this predicate needs: itself, or those of an aggregate's goal.
    pub(super) fn asked_by<'n>(&self, name: &'n PredicateName) -> Vec<&'n PredicateName>
    where
        'g: 'n,
    {
        match self.symbols.aggregate_of(name) {
            None => vec![name],
            Some(definition) => {
                let atoms = definition.body.iter().flat_map(Literal::atoms);
                atoms.map(|atom| self.symbols.predicate_name(atom.predicate)).collect()
            }
        }
    }

    pub(super) fn has(&self, predicate: PredicateId) -> bool {
        let is_aggregate = |definition: &Clause| definition.head.predicate == predicate;
        self.ids.contains(&predicate) || self.symbols.aggregates().iter().any(is_aggregate)
    }

    pub(super) fn has_name(&self, name: &PredicateName) -> bool {
        self.symbols.find_predicate(name).is_some_and(|id| self.has(id))
    }

    /// The defined predicate that a misspelt one may mean, for the first hundred questions.
    pub(super) fn meant(&mut self, misspelt: &PredicateName) -> Option<String> {
        let names = || self.ids.iter().map(|&id| self.symbols.predicate_name(id));
        let spelling = self.spelling.get_or_insert_with(|| Spelling::new(names()));
        spelling.meant(misspelt).map(ToString::to_string)
    }
}

/// The predicates in rule bodies that have neither facts nor rules, each with the first rule that calls it.
pub(super) fn undefined(statements: &Statements) -> Vec<(&RawRule, PredicateId)> {
    let defined = Defined::of(statements);
    let mut reported: FixedSet<PredicateId> = FixedSet::default();
    let mut found = Vec::new();
    for rule in &statements.rules.list {
        for predicate in body_predicates(&rule.clause) {
            // The examples of a run are no facts of the data.
            let is_known =
                defined.has(predicate) || is_of_train(statements.symbols.predicate_name(predicate));
            if !is_known && reported.insert(predicate) {
                found.push((rule, predicate));
            }
        }
    }
    found
}
