//! The ids of names.
//!
//! While a problem is read, all names get ids; a clause that comes later must use the present ids. The tables of a
//! problem that is being read answer with new ids. [`Widened`] answers from frozen symbols. Constants that these lack
//! get the next ids, so that no earlier id changes, and so do aggregates.
//!
//! The name meant by a misspelt one, among very many names: [`nearest`](super::settings::nearest) says the same, but
//! slower.

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

/// An index of names, to look up those near a misspelt one.
///
/// A change of one letter changes the length by at most one, and the set of letters by at most one lost and one new
/// letter. So only few names need a comparison letter by letter.
#[derive(Debug)]
pub struct NameIndex<'n> {
    /// The names, ascending by length, then by name; no name twice.
    entries: Vec<Entry<'n>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<'n> {
    n_chars: usize,
    name: &'n str,
    letters: u64,
}

impl<'n> Entry<'n> {
    fn of(name: &'n str) -> Self {
        let letters = name.chars().fold(0, |letters, c| letters | 1 << kind(c));
        Self { n_chars: name.chars().count(), name, letters }
    }

    /// A lower bound on the number of changes that turn one name into the other.
    fn least_distance(&self, other: &Self) -> usize {
        let only = |left: u64, right: u64| (left & !right).count_ones() as usize;
        let letters = only(self.letters, other.letters).max(only(other.letters, self.letters));
        letters.max(self.n_chars.abs_diff(other.n_chars))
    }
}

/// The bit of a letter; all rare letters share one bit.
const fn kind(c: char) -> u32 {
    match c {
        'a'..='z' => c as u32 - 'a' as u32,
        'A'..='Z' => c as u32 - 'A' as u32 + 26,
        '0'..='9' => c as u32 - '0' as u32 + 52,
        '_' => 62,
        _ => 63,
    }
}

impl<'n> NameIndex<'n> {
    /// **Cost**: `O(n log n)`.
    pub fn new(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut entries: Vec<Entry<'n>> = names.into_iter().map(Entry::of).collect();
        entries.sort_unstable();
        entries.dedup();
        Self { entries }
    }

    /// The name nearest to this one, if one is near: at most a third of its letters changed. Of equally near names, the
    /// first by name.
    ///
    /// **Cost**: a few operations for each name that is about as long, and a comparison for each of the same letters.
    pub fn nearest(&self, name: &str) -> Option<&'n str> {
        let wanted = Entry::of(name);
        let most = wanted.n_chars.max(3) / 3;
        let mut best: Option<(usize, &'n str)> = None;
        // The lengths nearest to the name's length come first: names found there rule out most others.
        for difference in 0..=most {
            let shorter = wanted.n_chars.checked_sub(difference);
            let longer = (difference > 0).then_some(wanted.n_chars + difference);
            for n_chars in shorter.into_iter().chain(longer) {
                for entry in self.of_length(n_chars) {
                    let least = wanted.least_distance(entry);
                    let is_worse = best.is_some_and(|best| (least, entry.name) >= best);
                    if least <= most && !is_worse {
                        let distance = strsim::osa_distance(name, entry.name);
                        if distance <= most && best.is_none_or(|best| (distance, entry.name) < best) {
                            best = Some((distance, entry.name));
                        }
                    }
                }
            }
            if best.is_some_and(|(distance, _)| distance <= difference) {
                break;
            }
        }
        best.map(|(_, name)| name)
    }

    fn of_length(&self, n_chars: usize) -> &[Entry<'n>] {
        let start = self.entries.partition_point(|entry| entry.n_chars < n_chars);
        let n_such = self.entries[start..].partition_point(|entry| entry.n_chars == n_chars);
        &self.entries[start..start + n_such]
    }
}

/// The most hints for one problem: nobody reads more, and data with so many faults have other faults than misspelt
/// names.
const MOST_HINTS: usize = 100;

/// The predicates that a user may mean by misspelt ones.
#[derive(Debug)]
pub struct Spelling<'p> {
    /// The predicates, ascending by name, then by arity.
    predicates: Vec<&'p PredicateName>,
    names: NameIndex<'p>,
    n_left: usize,
}

impl<'p> Spelling<'p> {
    /// The index of these predicates. **Cost**: `O(n log n)`.
    pub fn new(predicates: impl IntoIterator<Item = &'p PredicateName>) -> Self {
        let mut predicates: Vec<&PredicateName> = predicates.into_iter().collect();
        predicates.sort_unstable();
        let names = NameIndex::new(predicates.iter().map(|predicate| predicate.name.as_str()));
        Self { predicates, names, n_left: MOST_HINTS }
    }

    /// The predicate with the nearest name, for the first hundred calls. The same name with another arity is the
    /// nearest.
    pub fn meant(&mut self, misspelt: &PredicateName) -> Option<&'p PredicateName> {
        self.n_left = self.n_left.checked_sub(1)?;
        let of_name = |name: &str| {
            let start = self.predicates.partition_point(|known| known.name.as_str() < name);
            let same = self.predicates[start..].iter().take_while(|known| known.name == name);
            same.min_by_key(|known| known.arity.abs_diff(misspelt.arity)).copied()
        };
        of_name(&misspelt.name).or_else(|| self.names.nearest(&misspelt.name).and_then(of_name))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, proptest};

    use crate::program::PredicateName;
    use crate::program::settings::nearest;

    use super::{MOST_HINTS, NameIndex, Spelling};

    proptest! {
        #[test]
        fn the_index_says_what_looking_at_all_names_says(
            known in prop::collection::vec("[ab_Zé0-2]{0,9}", 0..30),
            wanted in "[ab_Zé0-2]{0,9}",
        ) {
            let index = NameIndex::new(known.iter().map(String::as_str));
            assert_eq!(index.nearest(&wanted), nearest(&wanted, known.iter().map(String::as_str)));
        }
    }

    #[test]
    fn the_nearest_arity_of_a_name_and_only_a_hundred_hints() {
        let known = [("p", 1), ("p", 4), ("parent", 2), ("patent", 2)]
            .map(|(name, arity)| PredicateName::new(name, arity));
        let mut spelling = Spelling::new(&known);
        let mut meant =
            |name, arity| spelling.meant(&PredicateName::new(name, arity)).map(ToString::to_string);
        assert_eq!(meant("p", 3).as_deref(), Some("p/4"));
        assert_eq!(meant("parnt", 7).as_deref(), Some("parent/2"));
        assert_eq!(meant("mother", 2), None);
        for _ in 3..MOST_HINTS {
            assert!(meant("paren", 2).is_some());
        }
        assert_eq!(meant("paren", 2), None);
    }
}
