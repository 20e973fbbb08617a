//! Prolog's tests of the kind of a term (`number/1` and similar ones), as relations over the known constants.
//!
//! When a clause is evaluated, all its variables have values: `nonvar` and `ground` hold of all constants, `var` of
//! none. Numbers that rules compute by `is` are not among the constants, and pass no test.

use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_lang::program::{FactTable, Number};

use super::gather::Gathered;
use super::provisional::Provisional;

/// A test of a constant.
#[derive(Clone, Copy, Debug)]
enum TypeTest {
    Number,
    Integer,
    Float,
    Atom,
    Atomic,
    Any,
    None,
}

fn type_test(name: &str) -> Option<TypeTest> {
    Some(match name {
        "number" => TypeTest::Number,
        "integer" => TypeTest::Integer,
        "float" => TypeTest::Float,
        "atom" => TypeTest::Atom,
        "atomic" => TypeTest::Atomic,
        "nonvar" | "ground" => TypeTest::Any,
        "var" => TypeTest::None,
        _ => return None,
    })
}

/// Adds the tests that only modes name.
pub(super) fn name_those_of_modes(gathered: &mut Gathered) {
    for mode in &gathered.modes {
        let name = mode.subject.predicate();
        if let Some(name) = name.filter(|name| name.arity == 1 && type_test(&name.name).is_some()) {
            gathered.symbols.predicate(&name.name, 1);
        }
    }
}

/// The predicates of tests that rules or modes use, without those `defined` by the data.
pub(super) fn type_tests(gathered: &Gathered, defined: &FixedSet<PredicateId>) -> Vec<PredicateId> {
    let named = gathered.symbols.predicates().iter().enumerate();
    let tests = named.filter(|(_, name)| name.arity == 1 && type_test(&name.name).is_some());
    let has_examples = |id: PredicateId| gathered.examples.iter().any(|example| example.predicate == id);
    let ids = tests.map(|(id, _)| PredicateId::new(id));
    ids.filter(|id| !defined.contains(id) && !has_examples(*id)).collect()
}

/// Puts the constants that pass each test into the tables. **Cost**: `O(constants)` for each test.
pub(super) fn fill(tests: &[PredicateId], tables: &mut [FactTable], gathered: &Gathered) {
    for &id in tests {
        let Some(test) = type_test(&gathered.symbols.predicate_name(id).name) else { continue };
        let constants = (0..gathered.symbols.constants().len()).map(ConstantId::new);
        let passing: Vec<ConstantId> =
            constants.filter(|&constant| passes(test, constant, &gathered.symbols)).collect();
        for table in &mut *tables {
            passing.iter().for_each(|&constant| table.rows_mut(id).push(&[constant]));
        }
    }
}

fn passes(test: TypeTest, constant: ConstantId, symbols: &Provisional) -> bool {
    let number = symbols.numbers().get(&constant.raw());
    let text = symbols.constant_text(constant);
    let is_atom = || {
        number.is_none()
            && (text.starts_with('\'') && text.ends_with('\'')
                || text.chars().all(|c| c == '_' || c.is_alphanumeric()))
    };
    match test {
        TypeTest::Number => number.is_some(),
        TypeTest::Integer => matches!(number, Some(Number::Integer(_))),
        TypeTest::Float => matches!(number, Some(Number::Float(_))),
        TypeTest::Atom => is_atom(),
        TypeTest::Atomic => number.is_some() || is_atom() || text.starts_with('"'),
        TypeTest::Any => true,
        TypeTest::None => false,
    }
}
