//! Whole numbers among the objects of triples: numbers, or names of entities.
//!
//! An entity may be called `12`. So digits are names, unless the triples say that they are values: a relation has
//! numbers alone as objects, these are no subjects, they are objects of no relation that also has names, and what has
//! them is not called by digits itself.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::FactTable;

use super::gathered::Gathered;
use crate::provisional::{Provisional, number_text};
use crate::texts::number_texts::cell_number;
use crate::texts::unquoted;

/// Puts numbers in the place of names in the relations that have values. The target's triples are examples, whose
/// arguments are entities.
///
/// **Cost**: a pass over the facts; where a relation has numbers alone, two more.
pub(crate) fn take_numbers(relations: &FixedSet<PredicateId>, gathered: &mut Gathered) {
    let mut relations: Vec<PredicateId> = relations.iter().copied().collect();
    relations.sort_unstable();
    let symbols = &gathered.statements.symbols;
    let tables = || gathered.facts.tables();
    let mut kinds = Kinds { symbols, known: FixedMap::default() };
    let mut of_numbers: Vec<PredicateId> = Vec::new();
    for &relation in &relations {
        let mut rows = tables().flat_map(|table| table.rows(relation).iter()).peekable();
        let has_rows = rows.peek().is_some();
        let mut has_named_subject = false;
        let are_numbers = rows.all(|row| {
            has_named_subject |= kinds.of(row[0]) == Kind::Word;
            matches!(kinds.of(row[1]), Kind::Digits | Kind::Number)
        });
        if has_rows && are_numbers && has_named_subject {
            of_numbers.push(relation);
        }
    }
    if of_numbers.is_empty() {
        return;
    }
    let mut entities: FixedSet<ConstantId> = FixedSet::default();
    for &relation in &relations {
        let is_of_numbers = of_numbers.contains(&relation);
        for row in tables().flat_map(|table| table.rows(relation).iter()) {
            entities.insert(row[0]);
            entities.extend((!is_of_numbers).then_some(row[1]));
        }
    }
    let examples = &gathered.statements.examples;
    for example in &examples.listed {
        entities.extend(examples.rows.rows(example.predicate).row(example.row).iter().copied());
    }
    // What one relation takes for an entity, no other takes for a number.
    loop {
        let n_before = of_numbers.len();
        of_numbers.retain(|&relation| {
            let objects = || tables().flat_map(|table| table.rows(relation).iter()).map(|row| row[1]);
            let is_kept = !objects().any(|object| entities.contains(&object));
            if !is_kept {
                entities.extend(objects());
            }
            is_kept
        });
        if of_numbers.len() == n_before {
            break;
        }
    }
    let symbols = &mut gathered.statements.symbols;
    for relation in of_numbers {
        for table in std::iter::once(&mut gathered.facts.global).chain(&mut gathered.facts.folds) {
            number_objects(table, relation, symbols);
        }
    }
}

/// Puts numbers in the place of the objects of a relation.
fn number_objects(table: &mut FactTable, relation: PredicateId, symbols: &mut Provisional) {
    let rows = table.take_rows(relation);
    for row in rows.iter() {
        let number = cell_number(unquoted(symbols.constants().text(row[1].raw())));
        let object = number.map_or(row[1], |number| symbols.constant(&number_text(number), Some(number)));
        table.rows_mut(relation).push(&[row[0], object]);
    }
}

/// What a constant is by its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// A whole number that is taken for a name.
    Digits,
    /// Digits that are no number, as `007`.
    Code,
    Number,
}

struct Kinds<'s> {
    symbols: &'s Provisional,
    known: FixedMap<ConstantId, Kind>,
}

impl Kinds<'_> {
    fn of(&mut self, constant: ConstantId) -> Kind {
        *self.known.entry(constant).or_insert_with(|| {
            if self.symbols.numbers().contains(constant.raw()) {
                return Kind::Number;
            }
            let text = unquoted(self.symbols.constants().text(constant.raw()));
            match cell_number(text) {
                Some(_) => Kind::Digits,
                None if text.bytes().all(|byte| byte.is_ascii_digit()) => Kind::Code,
                None => Kind::Word,
            }
        })
    }
}
