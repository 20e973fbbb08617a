//! The names of symbols while files are read: numbered in the order of reading, renumbered canonically at the end.

use std::ops::Range;

use gleaner_base::interner::Interner;
use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_engine::datalog::NumberTable;
use gleaner_lang::program::lower::Names;
use gleaner_lang::program::{Clause, Number, NumberColumn, PredicateName};
use gleaner_lang::syntax::{Span, TermKind, ast};

/// The table that finds whole numbers without their texts has at most so many entries for each constant: a few large numbers
/// among few constants make no large table.
const WHOLES_PER_CONSTANT: usize = 4;

/// Constants and predicates by provisional id.
#[derive(Debug, Default)]
pub(super) struct Provisional {
    constants: Interner,
    numbers: NumberColumn,
    /// The constants that are numbers of rows, a range for each table.
    row_names: Vec<Range<u32>>,
    /// By whole number from 0 on, one more than its constant; 0 where none is known.
    wholes: Vec<u32>,
    predicates: Vec<PredicateName>,
    predicate_ids: FixedMap<PredicateName, PredicateId>,
    /// What the predicates are that stand for aggregates, in the order of reading.
    aggregates: Vec<Clause>,
    /// Those whose rows are given.
    given_aggregates: FixedSet<PredicateId>,
}

impl Provisional {
    /// The constant with this text; `number` is its value if it is a number.
    pub(super) fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId {
        let id = match self.constants.find(text.as_bytes()) {
            Ok(known) => known,
            Err(vacancy) => {
                let id = self.constants.insert(text, vacancy);
                if let Some(number) = number {
                    self.numbers.set(id, number);
                }
                id
            }
        };
        ConstantId::from_raw(id)
    }

    /// The constant of a whole number. Keys, row numbers and counts are small, and found without their texts.
    pub(super) fn whole(&mut self, value: i64) -> ConstantId {
        let place = usize::try_from(value).ok();
        let known = place.and_then(|place| self.wholes.get(place)?.checked_sub(1));
        if let Some(known) = known {
            return ConstantId::from_raw(known);
        }
        let number = Number::Integer(value);
        let id = self.constant(&number_text(number), Some(number));
        if let Some(place) = place.filter(|&place| place <= WHOLES_PER_CONSTANT * self.constants.len()) {
            if place >= self.wholes.len() {
                self.wholes.resize(place + 1, 0);
            }
            self.wholes[place] = id.raw() + 1;
        }
        id
    }

    /// New constants that name the rows of one table by these numbers. They are no numbers, no other constant of the same text
    /// is one of them, and they are frozen in the order in which they are given.
    pub(super) fn row_names(&mut self, numbers: impl Iterator<Item = usize>) -> Range<u32> {
        let all = self.constants.push_unlisted(numbers.map(|number| number.to_string()));
        self.row_names.push(all.clone());
        all
    }

    /// The ranges of such constants, ascending.
    pub(super) fn all_row_names(&self) -> &[Range<u32>] {
        &self.row_names
    }

    /// The constant with this text, if it is known.
    #[inline]
    pub(super) fn find_constant(&self, text: &str) -> Option<ConstantId> {
        self.constants.find(text.as_bytes()).ok().map(ConstantId::from_raw)
    }

    /// The constant with this text, if it was named soon after `near` or `beside`.
    #[inline]
    pub(super) fn find_constant_near(
        &self,
        text: &str,
        near: ConstantId,
        beside: Option<ConstantId>,
    ) -> Option<ConstantId> {
        let after = |id: ConstantId| self.constants.find_near(text.as_bytes(), id.raw());
        after(near).or_else(|| after(beside?)).map(ConstantId::from_raw)
    }

    pub(super) fn constant_text(&self, id: ConstantId) -> &str {
        self.constants.text(id.raw())
    }

    pub(super) const fn constants(&self) -> &Interner {
        &self.constants
    }

    pub(super) const fn numbers(&self) -> &NumberColumn {
        &self.numbers
    }

    /// Drops the index for finding constants, once all are read.
    pub(super) fn close(&mut self) {
        self.wholes = Vec::new();
        self.constants.close();
    }

    /// Forgets the constants, once others have taken their place.
    pub(super) fn forget_constants(&mut self) {
        self.constants = Interner::default();
        self.numbers = NumberColumn::default();
    }

    pub(super) fn predicate(&mut self, name: &str, arity: usize) -> PredicateId {
        let key = PredicateName::new(name, arity);
        if let Some(&id) = self.predicate_ids.get(&key) {
            return id;
        }
        let id = PredicateId::new(self.predicates.len());
        self.predicates.push(key.clone());
        self.predicate_ids.insert(key, id);
        id
    }

    pub(super) fn find_predicate(&self, name: &PredicateName) -> Option<PredicateId> {
        self.predicate_ids.get(name).copied()
    }

    pub(super) fn predicate_name(&self, id: PredicateId) -> &PredicateName {
        &self.predicates[id.index()]
    }

    /// What the predicates are that stand for aggregates: `predicate(Groups, Value) :- aggregate_all(…, Value)`.
    pub(super) fn aggregates(&self) -> &[Clause] {
        &self.aggregates
    }

    /// Takes the rows of an aggregate as given: they are not found again from the facts.
    pub(super) fn take_as_given(&mut self, relation: PredicateId) {
        self.given_aggregates.insert(relation);
    }

    /// The aggregates whose rows are to be found from the facts.
    pub(super) fn open_aggregates(&self) -> Vec<Clause> {
        let is_open = |definition: &&Clause| !self.given_aggregates.contains(&definition.head.predicate);
        self.aggregates.iter().filter(is_open).cloned().collect()
    }

    /// What a predicate is that stands for an aggregate.
    pub(super) fn aggregate_of(&self, name: &PredicateName) -> Option<&Clause> {
        let id = self.find_predicate(name)?;
        self.aggregates.iter().find(|definition| definition.head.predicate == id)
    }

    pub(super) fn predicates(&self) -> &[PredicateName] {
        &self.predicates
    }
}

/// The text of a number as the printer writes it.
pub(super) fn number_text(number: Number) -> String {
    match number {
        Number::Integer(value) => value.to_string(),
        Number::Float(value) => ast::Term { kind: TermKind::Float(value), span: Span::default() }.to_string(),
    }
}

/// New names in files become known predicates.
impl Names for Provisional {
    fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId {
        Self::constant(self, text, number)
    }

    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.find_predicate(&PredicateName::new(name, arity))
    }

    fn is_open(&self) -> bool {
        true
    }

    fn aggregate(&mut self, name: &PredicateName, mut definition: Clause) -> Option<PredicateId> {
        let id = self.predicate(&name.name, name.arity);
        if !self.aggregates.iter().any(|known| known.head.predicate == id) {
            definition.head.predicate = id;
            self.aggregates.push(definition);
        }
        Some(id)
    }

    fn new_predicate(&mut self, name: &str, arity: usize) -> Option<PredicateId> {
        Some(self.predicate(name, arity))
    }
}

impl NumberTable for Provisional {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        self.numbers.get(constant.raw())
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        self.constant(&number_text(number), Some(number))
    }
}
