//! Prolog's tests of the kind of a term (`number/1` and similar ones), as relations over the known constants.
//!
//! When a clause is evaluated, all its variables have values: `nonvar` and `ground` hold of all constants, `var` of
//! none. Numbers that rules compute by `is` are not among the constants, and pass no test.

use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_engine::datalog::NumberTable;
use gleaner_lang::program::{FactTable, Number};

use crate::asked::held_constants;
use crate::gather::Statements;
use crate::mode_terms::RawMode;
use crate::provisional::Provisional;

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
