//! Names while files are read: numbered as they come, renumbered canonically at the end.

use bumpalo::Bump;

use crate::base::interner::Interner;
use crate::base::{ConstantId, FixedMap, PredicateId};
use crate::datalog::NumberTable;
use crate::program::{Number, PredicateName};
use crate::syntax::{Span, TermKind, ast};

/// Constants and predicates by provisional id.
#[derive(Debug)]
pub(super) struct Provisional<'arena> {
    constants: Interner<'arena>,
    numbers: Vec<Option<Number>>,
    predicates: Vec<PredicateName>,
    predicate_ids: FixedMap<PredicateName, PredicateId>,
}

impl<'arena> Provisional<'arena> {
    pub(super) fn new(arena: &'arena Bump) -> Self {
        Self {
            constants: Interner::new(arena),
            numbers: Vec::new(),
            predicates: Vec::new(),
            predicate_ids: FixedMap::default(),
        }
    }

    /// The constant that is written so; `number` is its value if it is one.
    pub(super) fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId {
        let id = self.constants.intern(text);
        if self.numbers.len() == id as usize {
            self.numbers.push(number);
        }
        ConstantId::from_raw(id)
    }

    pub(super) fn constant_text(&self, id: ConstantId) -> &'arena str {
        self.constants.text(id.raw())
    }

    pub(super) fn texts(&self) -> &[&'arena str] {
        self.constants.texts()
    }

    pub(super) fn numbers(&self) -> &[Option<Number>] {
        &self.numbers
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

impl NumberTable for Provisional<'_> {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        self.numbers[constant.index()]
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        self.constant(&number_text(number), Some(number))
    }
}
