//! The predicates with facts or rules, and suggestions among them for misspelt names.
//!
//! Prolog's tests of the kind of a term (`number/1` and similar ones), as relations over the known constants.
//!
//! When a clause is evaluated, all its variables have values: `nonvar` and `ground` hold of all constants, `var` of
//! none. Numbers that rules compute by `is` are not among the constants, and pass no test.

use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_engine::datalog::NumberTable;
use gleaner_lang::program::names::Spelling;
use gleaner_lang::program::{Clause, FactTable, Literal, Number, PredicateName};

use crate::asked::held_constants;
use crate::gather::{RawRule, Statements};
use crate::mode_terms::RawMode;
use crate::provisional::Provisional;
use crate::rule_graph::{body_predicates, is_of_train};

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

/// A test of a constant, by its text and its value if it is a number.
type TypeTest = fn(&str, Option<Number>) -> bool;

fn type_test(name: &str) -> Option<TypeTest> {
    Some(match name {
        "number" => |_, number| number.is_some(),
        "integer" => |_, number| matches!(number, Some(Number::Integer(_))),
        "float" => |_, number| matches!(number, Some(Number::Float(_))),
        "atom" => |text, number| number.is_none() && is_atom(text),
        "atomic" => |text, number| number.is_some() || is_atom(text) || text.starts_with('"'),
        "nonvar" | "ground" => |_, _| true,
        "var" => |_, _| false,
        _ => return None,
    })
}

fn is_atom(text: &str) -> bool {
    text.starts_with('\'') && text.ends_with('\'') || text.chars().all(|c| c == '_' || c.is_alphanumeric())
}

/// Adds the tests that only modes name.
pub(super) fn name_those_of_modes(modes: &[RawMode], symbols: &mut Provisional) {
    for mode in modes {
        let name = mode.subject.predicate();
        if let Some(name) = name.filter(|name| name.arity == 1 && type_test(&name.name).is_some()) {
            symbols.predicate(&name.name, 1);
        }
    }
}

/// The predicates of tests that rules or modes use, without those `defined` by the data.
pub(super) fn type_tests(statements: &Statements, defined: &FixedSet<PredicateId>) -> Vec<PredicateId> {
    let named = statements.symbols.predicates().iter().enumerate();
    let tests = named.filter(|(_, name)| name.arity == 1 && type_test(&name.name).is_some());
    let ids = tests.map(|(id, _)| PredicateId::new(id));
    ids.filter(|id| !defined.contains(id) && statements.examples.of(*id).next().is_none()).collect()
}

/// Puts those constants of a table that pass each test into the table. **Cost**: `O(values)` if there is a test.
pub(super) fn fill_with_own(tests: &[PredicateId], table: &mut FactTable, symbols: &Provisional) {
    if tests.is_empty() {
        return;
    }
    let held = held_constants(table, symbols.constants().len());
    for &id in tests {
        let Some(test) = type_test(&symbols.predicate_name(id).name) else { continue };
        let constants = (0..held.len()).filter(|&id| held[id]).map(ConstantId::new);
        let passing = constants.filter(|&id| test(symbols.constant_text(id), symbols.number(id)));
        passing.for_each(|constant| table.rows_mut(id).push(&[constant]));
    }
}

/// Puts the constants that pass each test into the tables. **Cost**: `O(constants)` for each test.
pub(super) fn fill(tests: &[PredicateId], tables: &mut [FactTable], symbols: &Provisional) {
    for &id in tests {
        let Some(test) = type_test(&symbols.predicate_name(id).name) else { continue };
        let constants = (0..symbols.constants().len()).map(ConstantId::new);
        let passing: Vec<ConstantId> =
            constants.filter(|&id| test(symbols.constant_text(id), symbols.number(id))).collect();
        for table in &mut *tables {
            passing.iter().for_each(|&constant| table.rows_mut(id).push(&[constant]));
        }
    }
}
