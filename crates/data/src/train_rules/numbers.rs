//! Numbers that rules about train examples compute.

use gleaner_base::{ConstantId, FixedMap};
use gleaner_engine::datalog::NumberTable;
use gleaner_lang::program::{Number, Symbols};

use crate::provisional::number_text;

/// The numbers of a problem, with those that rules compute after all constants.
///
/// **Cost**: it hashes the problem's numbers once; a copy is a copy of the new ones.
#[derive(Clone, Debug)]
pub struct NewNumbers<'s> {
    symbols: &'s Symbols,
    known: std::sync::Arc<FixedMap<String, ConstantId>>,
    new: Vec<(String, Option<Number>)>,
    ids: FixedMap<String, ConstantId>,
}

impl<'s> NewNumbers<'s> {
    /// The numbers of these symbols.
    pub fn of(symbols: &'s Symbols) -> Self {
        let constants = &symbols.constants;
        let numbers = (0..constants.len()).map(ConstantId::new).filter(|&id| constants.number(id).is_some());
        let known = numbers.map(|id| (constants.text(id).to_owned(), id)).collect();
        Self { symbols, known: std::sync::Arc::new(known), new: Vec::new(), ids: FixedMap::default() }
    }

    /// These numbers, and new ones with the ids that follow; there must be no new ones before.
    pub(super) fn and(mut self, new: &[(String, Option<Number>)]) -> Self {
        for (text, number) in new {
            let id = ConstantId::new(self.symbols.constants.len() + self.new.len());
            self.ids.insert(text.clone(), id);
            self.new.push((text.clone(), *number));
        }
        self
    }

    /// The numbers that the symbols lack.
    pub fn new_numbers(&self) -> &[(String, Option<Number>)] {
        &self.new
    }
}

impl NumberTable for NewNumbers<'_> {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        match constant.index().checked_sub(self.symbols.constants.len()) {
            None => self.symbols.constants.number(constant),
            Some(new) => self.new[new].1,
        }
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        let text = number_text(number);
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let next = ConstantId::new(self.symbols.constants.len() + self.new.len());
        *self.ids.entry_ref(text.as_str()).or_insert_with(|| {
            self.new.push((text.clone(), Some(number)));
            next
        })
    }
}
