//! The names of a problem, frozen and numbered canonically.
//!
//! Ids follow a canonical order, not the order of the files: constants of one domain (those of columns
//! that share constants) stand together, and within it numbers by value come first, then all other
//! constants by their text. Results that follow ids are thus the same for any input order.

use std::sync::Arc;

use hashbrown::HashTable;

use crate::base::hash::hash_text;
use crate::base::{ConstantId, FixedMap, PredicateId, TypeId};

use super::number::Number;

/// All constants of a problem.
///
/// **Invariant**: ids ascend with (domain, numbers by value, then text), and so by value and text
/// alone within one column of facts or examples; texts are distinct, each printed so that it reads
/// back as the same term.
/// **Memory**: the texts once, and 28 bytes for each constant.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    text: String,
    ends: Vec<usize>,
    numbers: Vec<Option<Number>>,
    table: HashTable<ConstantId>,
}

impl Constants {
    /// Freezes provisional constants, given as text, number and domain by provisional id; returns
    /// also the canonical id of each provisional one. What numbers a domain has does not matter:
    /// domains follow their first constants, and constants without one are last.
    /// Cost: `O(n log n)` comparisons.
    #[must_use]
    pub fn freeze(
        texts: &[&str],
        numbers: &[Option<Number>],
        domains: &[Option<u32>],
    ) -> (Self, Vec<ConstantId>) {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_unstable_by(|&left, &right| match (numbers[left], numbers[right]) {
            (Some(left_number), Some(right_number)) => {
                left_number.table_order(right_number).then_with(|| texts[left].cmp(texts[right]))
            }
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => texts[left].cmp(texts[right]),
        });
        let mut ranks: FixedMap<u32, usize> = FixedMap::default();
        for domain in order.iter().filter_map(|&provisional| domains[provisional]) {
            let next = ranks.len();
            ranks.entry(domain).or_insert(next);
        }
        order.sort_by_key(|&provisional| domains[provisional].map_or(usize::MAX, |domain| ranks[&domain]));
        let mut frozen = Self::default();
        let mut canonical = vec![ConstantId::default(); texts.len()];
        for (rank, &provisional) in order.iter().enumerate() {
            canonical[provisional] = ConstantId::new(rank);
            frozen.text.push_str(texts[provisional]);
            frozen.ends.push(frozen.text.len());
            frozen.numbers.push(numbers[provisional]);
        }
        for rank in 0..texts.len() {
            let id = ConstantId::new(rank);
            let (text, ends) = (&frozen.text, &frozen.ends);
            let hash = hash_text(slice(text, ends, id));
            frozen.table.insert_unique(hash, id, |&other| hash_text(slice(text, ends, other)));
        }
        (frozen, canonical)
    }

    /// The same constants with further ones after them, which they lack; ids stay what they were.
    ///
    /// Those are constants of no fact and no example: within a column the order of ids still stands.
    /// Cost: a copy of the whole.
    #[must_use]
    pub fn widened(&self, further: &[(String, Option<Number>)]) -> Self {
        let mut widened = self.clone();
        for (text, number) in further {
            let id = ConstantId::new(widened.len());
            widened.text.push_str(text);
            widened.ends.push(widened.text.len());
            widened.numbers.push(*number);
            let (texts, ends) = (&widened.text, &widened.ends);
            let rehash = |&other: &ConstantId| hash_text(slice(texts, ends, other));
            widened.table.insert_unique(hash_text(text), id, rehash);
        }
        widened
    }

    /// How many constants there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The constant as it is written.
    #[must_use]
    pub fn text(&self, id: ConstantId) -> &str {
        slice(&self.text, &self.ends, id)
    }

    /// The constant's value, if it is a number.
    #[must_use]
    pub fn number(&self, id: ConstantId) -> Option<Number> {
        self.numbers[id.index()]
    }

    /// The constant written so, if the problem has it.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<ConstantId> {
        self.table.find(hash_text(text), |&id| self.text(id) == text).copied()
    }
}

fn slice<'text>(text: &'text str, ends: &[usize], id: ConstantId) -> &'text str {
    let start = if id.index() == 0 { 0 } else { ends[id.index() - 1] };
    &text[start..ends[id.index()]]
}

/// A predicate's name and arity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateName {
    /// Its name, without quotes.
    pub name: String,
    /// How many arguments it takes.
    pub arity: usize,
}

impl PredicateName {
    /// The predicate `name/arity`.
    #[must_use]
    pub fn new(name: impl Into<String>, arity: usize) -> Self {
        Self { name: name.into(), arity }
    }
}

impl std::fmt::Display for PredicateName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

/// Constants, predicates and types of a problem; shared by everything that is learnt from it.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The constants.
    pub constants: Constants,
    /// The predicates, ascending by name and arity.
    pub predicates: Vec<PredicateName>,
    /// The names of types, ascending.
    pub types: Vec<String>,
}

impl Symbols {
    /// The predicate with this id.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &PredicateName {
        &self.predicates[id.index()]
    }

    /// The id of `name/arity`, if the problem has it.
    #[must_use]
    pub fn find_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.predicates
            .binary_search_by(|known| (known.name.as_str(), known.arity).cmp(&(name, arity)))
            .ok()
            .map(PredicateId::new)
    }

    /// The name of a type.
    #[must_use]
    pub fn type_name(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }
}

/// Symbols behind a shared pointer: every room holds the same.
pub type SharedSymbols = Arc<Symbols>;
