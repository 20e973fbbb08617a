//! The ids of names.
//!
//! While a problem is read, all names get ids; a clause that comes later must use the present ids. The tables of a
//! problem that is being read answer with new ids. [`Widened`] answers from frozen symbols. Constants that these lack
//! get the next ids, so that no earlier id changes, and so do aggregates.

use gleaner_base::{ConstantId, FixedMap, PredicateId};

use super::arithmetic::Number;
use super::clause::Clause;
use super::rows::Rows;
use super::symbols::{PredicateName, Symbols};

/// The ids of names.
pub trait Names {
    /// The constant with this text; `number` is its value if it is a number.
    fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId;

    /// The predicate `name/arity`, if clauses may use it already.
    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId>;

    /// Whether clauses may use predicates that are not known yet.
    fn is_open(&self) -> bool {
        false
    }

    /// The predicate of the aggregate with this name, if modes declare it.
    fn known_aggregate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        let _ = (name, arity);
        None
    }

    /// Whether constants of an aggregate may be groups of a relation that modes declare.
    fn has_constants_as_groups(&self) -> bool {
        false
    }

    /// The predicate of an aggregate: `definition` says what it is. `None` where these names have no room for it.
    fn aggregate(&mut self, name: &PredicateName, definition: Clause) -> Option<PredicateId> {
        let _ = (name, definition);
        None
    }

    /// The predicate `name/arity`, known from now on where names are open.
    fn new_predicate(&mut self, name: &str, arity: usize) -> Option<PredicateId> {
        self.known_predicate(name, arity)
    }
}

/// Frozen symbols with further constants after theirs.
#[derive(Debug)]
pub struct Widened<'s> {
    symbols: &'s Symbols,
    is_usable: &'s [bool],
    further: Vec<(String, Option<Number>)>,
    ids: FixedMap<String, ConstantId>,
    late: Vec<LateRelation>,
    /// Whether constants of aggregates may be groups of declared relations.
    has_constants_as_groups: bool,
}

/// The relation of an aggregate that only clauses have.
#[derive(Clone, Debug)]
pub struct LateRelation {
    /// Its name.
    pub name: PredicateName,
    /// What it is: `relation(Groups, Value) :- aggregate_all(…, Value)`.
    pub definition: Clause,
    /// Its rows in each world, once they were found.
    pub rows: Vec<Rows>,
}

impl<'s> Widened<'s> {
    /// The symbols without further constants. `is_usable` tells, by predicate id, which predicates clauses may use.
    pub fn new(symbols: &'s Symbols, is_usable: &'s [bool]) -> Self {
        Self {
            symbols,
            is_usable,
            further: Vec::new(),
            ids: FixedMap::default(),
            late: Vec::new(),
            has_constants_as_groups: true,
        }
    }

    /// The constants that the symbols lack, in the order of their ids.
    pub fn further(&self) -> &[(String, Option<Number>)] {
        &self.further
    }

    /// The relations that the symbols lack; their ids follow those of the symbols' predicates.
    pub fn late(&self) -> &[LateRelation] {
        &self.late
    }

    /// Says whether constants of aggregates may be groups of relations that modes declare, as they are at first. Such a
    /// relation has rows for the constants of its domain alone.
    pub const fn take_constants_as_groups(&mut self, are_taken: bool) {
        self.has_constants_as_groups = are_taken;
    }

    /// Takes the rows of a late relation, by its position.
    pub fn set_late_rows(&mut self, position: usize, rows: Vec<Rows>) {
        self.late[position].rows = rows;
    }

    /// Forgets the further constants and the late relations; their ids become invalid.
    pub fn forget(&mut self) {
        self.late.clear();
        self.further.clear();
        self.ids.clear();
    }
}

impl Names for Widened<'_> {
    fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId {
        if let Some(known) = self.symbols.constants.find(text) {
            return known;
        }
        let next = ConstantId::new(self.symbols.constants.len() + self.further.len());
        *self.ids.entry_ref(text).or_insert_with(|| {
            self.further.push((text.to_owned(), number));
            next
        })
    }

    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.symbols.find_predicate(name, arity).filter(|id| self.is_usable[id.index()])
    }

    fn has_constants_as_groups(&self) -> bool {
        self.has_constants_as_groups
    }

    fn known_aggregate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.symbols.find_predicate(name, arity).filter(|&id| self.symbols.is_aggregate(id))
    }

    fn aggregate(&mut self, name: &PredicateName, mut definition: Clause) -> Option<PredicateId> {
        if let Some(known) = self.known_aggregate(&name.name, name.arity) {
            return Some(known);
        }
        let known = self.late.iter().position(|late| late.name == *name);
        let position = known.unwrap_or(self.late.len());
        let id = PredicateId::new(self.symbols.predicates.len() + position);
        if known.is_none() {
            definition.head.predicate = id;
            self.late.push(LateRelation { name: name.clone(), definition, rows: Vec::new() });
        }
        Some(id)
    }
}
