//! The names of a problem, frozen and numbered canonically.
//!
//! Ids follow a canonical order, not the order of the files. Constants of one domain, which are those of columns that
//! share constants, stand together. Within a domain, numbers by value come first, then all other constants by their
//! text. Numbers of rows without a key have the order of what the rows hold. So results that follow ids are the same for any input order.
//!
//! The numbers among constants, as a column over their ids.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::syntax::quote_atom;
use gleaner_base::hash::{HashTable, hash_bytes};
use gleaner_base::interner::Interner;
use gleaner_base::{ConstantId, FixedMap, PredicateId, TypeId};

use super::aggregate::AggregateText;
use super::arithmetic::Number;
use super::threshold::RoundNumbers;

/// All constants of a problem.
///
/// **Invariant**: ids ascend with (domain, numbers by value, then text). So within one column of facts or examples they
/// ascend by value and text alone. Texts are distinct but for names of rows and copies, and each reads back as the same term.
/// **Memory**: the texts once, 8 bytes for each constant, and 8 more for each up to the last number; once a text is looked
/// for, 6 to 12 more.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    text: String,
    ends: Vec<usize>,
    /// The values of the constants that are numbers.
    numbers: NumberColumn,
    /// The constants that are numbers of rows; ascending.
    row_names: Vec<Range<u32>>,
    /// The constants that repeat the text of others; ascending.
    copies: Vec<Range<u32>>,
    rounds: Arc<RoundNumbers>,
    /// The first id of round numbers that were new, if they were added.
    first_round: Option<usize>,
    /// The ids by their texts, without names of rows and copies; made when a text is first looked for.
    by_text: OnceLock<Arc<HashTable<u32>>>,
}

/// The domain of a constant that no column holds.
pub const NO_DOMAIN: u32 = u32::MAX;

impl Constants {
    /// Freezes provisional constants, given as text, number and domain by provisional id. It also returns the canonical
    /// id of each provisional one. The numbers of domains do not matter: domains follow their first constants, and
    /// constants of [`NO_DOMAIN`] are last. `row_names` are ranges of constants that name the rows of a table without a key:
    /// they keep their order.
    ///
    /// # Panics
    ///
    /// When not every text has a domain.
    pub fn freeze(
        texts: &Interner,
        numbers: &NumberColumn,
        domains: &[u32],
        row_names: &[Range<u32>],
    ) -> (Self, Vec<ConstantId>) {
        assert_eq!(texts.len(), domains.len(), "one domain for each text");
        let order = by_domain(&by_name(texts, numbers, row_names), domains);
        let numbers_of_all = NumberColumn::with_capacity(order.len());
        let ends = Vec::with_capacity(order.len());
        let mut frozen = Self { ends, numbers: numbers_of_all, ..Self::default() };
        let mut canonical = vec![ConstantId::default(); order.len()];
        for (rank, &provisional) in order.iter().enumerate() {
            canonical[provisional as usize] = ConstantId::new(rank);
            frozen.text.push_str(texts.text(provisional));
            frozen.ends.push(frozen.text.len());
        }
        // Names of the rows of two tables may stand side by side: each table keeps a range of its own.
        let mut last_table = None;
        for (rank, &provisional) in (0_u32..).zip(&order) {
            let table = range_of(row_names, provisional);
            match frozen.row_names.last_mut().filter(|last| table == last_table && last.end == rank) {
                Some(last) if table.is_some() => last.end += 1,
                None if table.is_some() => frozen.row_names.push(rank..rank + 1),
                _ => {}
            }
            last_table = table;
        }
        frozen.text.shrink_to_fit();
        for (rank, &provisional) in (0_u32..).zip(&order) {
            if let Some(number) = numbers.get(provisional) {
                frozen.numbers.set(rank, number);
            }
        }
        (frozen, canonical)
    }

    /// The same constants, with further new ones after them; ids do not change.
    ///
    /// No fact and no example has the further constants, so the order of ids within a column still holds. Cost: a copy
    /// of all constants.
    pub fn widened(&self, further: &[(String, Option<Number>)]) -> Self {
        self.clone().and(further)
    }

    /// The same constants, and after them some numbers, ascending, that may be there already. A column that holds no
    /// other constants keeps the order of ids by that. No text is read as one of these.
    ///
    /// # Panics
    ///
    /// If there are 2^32 constants.
    pub fn with_copies(self, numbers: &[(String, Number)]) -> Self {
        let id = |at: usize| u32::try_from(at).expect("fewer than 2^32 constants");
        let first = self.len();
        let further: Vec<(String, Option<Number>)> =
            numbers.iter().map(|(text, number)| (text.clone(), Some(*number))).collect();
        let mut all = self.and(&further);
        all.copies.push(id(first)..id(all.len()));
        all
    }

    /// These constants, and further new ones after them.
    fn and(mut self, further: &[(String, Option<Number>)]) -> Self {
        self.by_text = OnceLock::new();
        for (text, number) in further {
            let id = self.len();
            self.text.push_str(text);
            self.ends.push(self.text.len());
            if let (Some(number), Ok(id)) = (*number, u32::try_from(id)) {
                self.numbers.set(id, number);
            }
        }
        self
    }

    /// The same constants, with round numbers for thresholds after them where they are new. Cost: a pass over the numbers.
    pub fn with_round_numbers(self) -> Self {
        let ids = self.numbers.ids().map(ConstantId::from_raw);
        let numbers = ids.filter_map(|id| Some((id, self.text(id), self.number(id)?)));
        let (rounds, further) = RoundNumbers::beside(numbers, self.len());
        Self { rounds: Arc::new(rounds), first_round: Some(self.len()), ..self.and(&further) }
    }

    /// A round number that may take the place of a threshold `bound` where no number lies between it and `beyond`, the
    /// nearest that does not pass. `None`: no round number lies there.
    pub fn round_between(&self, bound: Number, beyond: Number) -> Option<ConstantId> {
        self.rounds.between(bound, beyond)
    }

    /// How many constants there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many of a problem's constants its facts, examples and rules have: their ids are below this number. Those of round
    /// numbers that only thresholds may have are not.
    pub const fn n_given(&self) -> usize {
        match self.first_round {
            Some(first) => first,
            None => self.len(),
        }
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The constant as it is written.
    pub fn text(&self, id: ConstantId) -> &str {
        let start = if id.index() == 0 { 0 } else { self.ends[id.index() - 1] };
        &self.text[start..self.ends[id.index()]]
    }

    /// The constant with this text; none for the name of a row, as several may have one text. Cost: one hash; the first
    /// time, one of each constant.
    pub fn find(&self, text: &str) -> Option<ConstantId> {
        let hash = |id: &u32| hash_bytes(self.text(ConstantId::from_raw(*id)).as_bytes());
        let by_text = self.by_text.get_or_init(|| {
            let mut table = HashTable::with_capacity(self.len());
            let is_read = |id: &ConstantId| !self.is_row_name(*id) && !is_within(&self.copies, id.raw());
            let ids = (0..self.len()).map(ConstantId::new).filter(is_read);
            for id in ids.map(ConstantId::raw) {
                table.insert_unique(hash(&id), id, hash);
            }
            Arc::new(table)
        });
        let is_it = |id: &u32| self.text(ConstantId::from_raw(*id)) == text;
        by_text.find(hash_bytes(text.as_bytes()), is_it).copied().map(ConstantId::from_raw)
    }

    /// Whether the constant is the number of a row.
    fn is_row_name(&self, id: ConstantId) -> bool {
        is_within(&self.row_names, id.raw())
    }

    /// The row with this number of the table of which `other` names a row. Cost: a pass over the names of rows.
    pub fn row_name_beside(&self, other: ConstantId, text: &str) -> Option<ConstantId> {
        let of = self.row_names.iter().find(|of| of.contains(&other.raw()))?;
        of.clone().map(ConstantId::from_raw).find(|&id| self.text(id) == text)
    }

    /// The constant's value, if it is a number.
    pub fn number(&self, id: ConstantId) -> Option<Number> {
        self.numbers.get(id.raw())
    }
}

/// Whether one of these ranges has an id. They ascend.
fn is_within(ranges: &[Range<u32>], id: u32) -> bool {
    range_of(ranges, id).is_some()
}

/// The place of the range that holds an id, among ascending ranges.
fn range_of(ranges: &[Range<u32>], id: u32) -> Option<usize> {
    let after = ranges.partition_point(|of| of.end <= id);
    ranges.get(after).is_some_and(|of| of.contains(&id)).then_some(after)
}

/// Provisional ids in the order of their names: numbers by value, then other constants by text, then rows as they are.
fn by_name(texts: &Interner, numbers: &NumberColumn, row_names: &[Range<u32>]) -> Vec<u32> {
    let all = 0..u32::try_from(texts.len()).expect("an interner numbers in 32 bits");
    let mut order: Vec<u32> = Vec::with_capacity(texts.len());
    let mut of_numbers: Vec<(Number, u32)> =
        numbers.ids().filter_map(|id| Some((numbers.get(id)?, id))).collect();
    of_numbers.sort_unstable_by(|(left_number, left), (right_number, right)| {
        left_number.table_order(*right_number).then_with(|| texts.text(*left).cmp(texts.text(*right)))
    });
    order.extend(of_numbers.into_iter().map(|(_, id)| id));
    let others = all.filter(|&id| !numbers.contains(id) && !is_within(row_names, id));
    let mut others: Vec<Keyed> = others.map(|id| Keyed { head: (0, 0), id }).collect();
    sort_by_text(&mut others, 0, texts);
    order.extend(others.iter().map(|keyed| keyed.id));
    order.extend(row_names.iter().flat_map(Clone::clone));
    order
}

/// A text by eight of its bytes, and the number of bytes left from there. Nine stands for more than eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Keyed {
    head: (u64, u8),
    id: u32,
}

/// Sorts distinct texts that agree up to byte `from`, eight bytes at a time. Names share long beginnings, and whole
/// comparisons would read each name many times from distant memory.
fn sort_by_text(texts: &mut [Keyed], from: usize, interner: &Interner) {
    const WORD: usize = 8;
    for keyed in texts.iter_mut() {
        let rest = &interner.text(keyed.id).as_bytes()[from..];
        let mut word = [0; WORD];
        let n_bytes = rest.len().min(WORD);
        word[..n_bytes].copy_from_slice(&rest[..n_bytes]);
        let left = u8::try_from(rest.len().min(WORD + 1)).expect("at most nine");
        keyed.head = (u64::from_be_bytes(word), left);
    }
    texts.sort_unstable();
    // Texts that end here are distinct in their heads, shorter ones before longer ones.
    for same in texts.chunk_by_mut(|left, right| left.head == right.head).filter(|same| same.len() > 1) {
        sort_by_text(same, from + WORD, interner);
    }
}

/// The same ids, with ids of one domain together and domains in the order of their first ids.
fn by_domain(order: &[u32], domains: &[u32]) -> Vec<u32> {
    let mut ranks: FixedMap<u32, usize> = FixedMap::default();
    let mut starts: Vec<usize> = Vec::new();
    for &id in order {
        let domain = domains[id as usize];
        let next = starts.len();
        let rank = *ranks.entry(domain).or_insert(next);
        if rank == next {
            starts.push(0);
        }
        starts[rank] += 1;
    }
    let n_outside = ranks.get(&NO_DOMAIN).map_or(0, |&rank| std::mem::take(&mut starts[rank]));
    let mut at = 0;
    for start in &mut starts {
        (*start, at) = (at, at + *start);
    }
    if let Some(&rank) = ranks.get(&NO_DOMAIN) {
        starts[rank] = order.len() - n_outside;
    }
    let mut sorted = vec![0; order.len()];
    for &id in order {
        let next = &mut starts[ranks[&domains[id as usize]]];
        sorted[*next] = id;
        *next += 1;
    }
    sorted
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
    pub fn new(name: impl Into<String>, arity: usize) -> Self {
        Self { name: name.into(), arity }
    }

    /// The name as rules write it, and the number of arguments: `'My p'/2`.
    pub fn indicator(&self) -> String {
        format!("{}/{}", quote_atom(&self.name), self.arity)
    }
}

impl std::fmt::Display for PredicateName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

/// Constants, predicates and types of a problem; all models learnt from it share them.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The constants.
    pub constants: Constants,
    /// The predicates: those of the problem, ascending by name and arity, then those that only clauses have.
    pub predicates: Vec<PredicateName>,
    /// How many of them only clauses have.
    pub n_late: usize,
    /// The names of types, ascending.
    pub types: Vec<String>,
    /// The texts of predicates that stand for aggregates.
    pub aggregates: FixedMap<PredicateId, AggregateText>,
    /// Predicates whose facts come after the constants were numbered: the ids of their numbers need not ascend.
    pub unordered: BTreeSet<PredicateId>,
}

impl Symbols {
    /// The predicate with this id.
    pub fn predicate(&self, id: PredicateId) -> &PredicateName {
        &self.predicates[id.index()]
    }

    /// The id of `name/arity`, if the problem has it.
    pub fn find_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        let order = |known: &PredicateName| (known.name.as_str(), known.arity).cmp(&(name, arity));
        let (of_problem, late) = self.predicates.split_at(self.predicates.len() - self.n_late);
        let known = of_problem.binary_search_by(order).ok();
        let late = || Some(of_problem.len() + late.iter().position(|known| order(known).is_eq())?);
        known.or_else(late).map(PredicateId::new)
    }

    /// Whether a predicate stands for an aggregate.
    pub fn is_aggregate(&self, id: PredicateId) -> bool {
        self.aggregates.contains_key(&id)
    }

    /// The same symbols, with round numbers for thresholds.
    pub fn with_round_numbers(self) -> Self {
        Self { constants: self.constants.with_round_numbers(), ..self }
    }

    /// These symbols with the texts of the predicates whose names are aggregates, among some.
    pub fn with_aggregates(mut self, of: impl IntoIterator<Item = PredicateId>) -> Self {
        let text = |id: PredicateId| {
            let PredicateName { name, arity } = &self.predicates[id.index()];
            Some((id, AggregateText::of(name, *arity)?))
        };
        self.aggregates = of.into_iter().filter_map(text).collect();
        self
    }

    /// The name of a type.
    pub fn type_name(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }
}

/// Symbols behind a shared pointer: every room holds the same.
pub type SharedSymbols = Arc<Symbols>;

/// The values of the constants that are numbers, by id.
///
/// Most constants of tables are numbers, so a column takes less memory than a table by hash, and a look-up is no search.
///
/// **Memory**: 8 bytes and 2 bits for each id up to the greatest of a number.
#[derive(Clone, Debug, Default)]
pub struct NumberColumn {
    /// The bits of each integer or float; 0 for other constants.
    values: Vec<u64>,
    /// By id, a bit for each number, and one for each float.
    are_numbers: Vec<u64>,
    are_floats: Vec<u64>,
}

const BITS: usize = 64;

impl NumberColumn {
    /// A column with room for the ids below `n_ids`.
    pub fn with_capacity(n_ids: usize) -> Self {
        Self {
            values: Vec::with_capacity(n_ids),
            are_numbers: Vec::with_capacity(n_ids.div_ceil(BITS)),
            are_floats: Vec::with_capacity(n_ids.div_ceil(BITS)),
        }
    }

    /// The value of a constant that is a number. Cost: `O(1)`.
    #[inline]
    pub fn get(&self, id: u32) -> Option<Number> {
        if !self.contains(id) {
            return None;
        }
        let bits = self.values[id as usize];
        let is_float = is_set(&self.are_floats, id);
        Some(if is_float { Number::Float(f64::from_bits(bits)) } else { Number::Integer(bits.cast_signed()) })
    }

    /// Whether a constant is a number. Cost: `O(1)`.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        is_set(&self.are_numbers, id)
    }

    /// Makes a constant a number. Cost: amortised `O(1)` where ids ascend, else up to the new id.
    pub fn set(&mut self, id: u32, numbered: Number) {
        let place = id as usize;
        if place >= self.values.len() {
            self.values.resize(place + 1, 0);
            self.are_numbers.resize(place / BITS + 1, 0);
            self.are_floats.resize(place / BITS + 1, 0);
        }
        let (bits, is_float) = match numbered {
            Number::Integer(value) => (value.cast_unsigned(), false),
            Number::Float(value) => (value.to_bits(), true),
        };
        let bit = 1 << (place % BITS);
        self.values[place] = bits;
        self.are_numbers[place / BITS] |= bit;
        let floats = &mut self.are_floats[place / BITS];
        *floats = if is_float { *floats | bit } else { *floats & !bit };
    }

    /// The ids of all numbers, ascending.
    pub fn ids(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let firsts = (0_u32..).step_by(BITS);
        firsts.zip(&self.are_numbers).flat_map(|(first, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(first + bit)
            })
        })
    }
}

#[inline]
fn is_set(words: &[u64], id: u32) -> bool {
    words.get(id as usize / BITS).is_some_and(|word| word >> (id as usize % BITS) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;
    use std::collections::BTreeMap;

    use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

    use gleaner_base::ConstantId;
    use gleaner_base::interner::Interner;

    use super::super::{Number, NumberColumn};
    use super::{Constants, NO_DOMAIN};

    fn constants() -> impl Strategy<Value = BTreeMap<String, u32>> {
        let text = "[ab\u{0}]{0,9}|abcdefgh[ab]{0,9}|é{0,9}|-?[0-9]{1,2}";
        let domain = prop::sample::select(vec![0, 1, 2, NO_DOMAIN]);
        prop::collection::btree_map(text, domain, 0..60)
    }

    fn number(text: &str) -> Option<Number> {
        text.parse().ok().map(Number::Integer)
    }

    /// The canonical order of names, by the documentation of `Constants`.
    fn by_name(left: &str, right: &str) -> Ordering {
        match (number(left), number(right)) {
            (Some(one), Some(other)) => one.table_order(other).then_with(|| left.cmp(right)),
            (one, other) => one.is_none().cmp(&other.is_none()).then_with(|| left.cmp(right)),
        }
    }

    proptest! {
        #[test]
        fn constants_stand_by_domain_and_name(
            constants in constants(),
            order in prop::collection::vec(0..u32::MAX, 60),
        ) {
            let mut read: Vec<(&String, &u32)> = constants.iter().collect();
            // Any order of reading gives the same order at the end.
            let mut keys: Vec<(u32, usize)> = order.into_iter().zip(0..read.len()).collect();
            keys.sort_unstable();
            read = keys.into_iter().map(|(_, at)| read[at]).collect();
            let mut interner = Interner::default();
            let mut numbers = NumberColumn::default();
            for (text, _) in &read {
                let id = interner.intern(text);
                if let Some(number) = number(text) {
                    numbers.set(id, number);
                }
            }
            let domains: Vec<u32> = read.iter().map(|(_, domain)| **domain).collect();
            let (frozen, canonical) = Constants::freeze(&interner, &numbers, &domains, &[]);

            let mut sorted: Vec<&String> = constants.keys().collect();
            sorted.sort_by(|left, right| by_name(left, right));
            let first = |domain: u32| match domain {
                NO_DOMAIN => usize::MAX,
                domain => sorted.iter().position(|text| constants[*text] == domain).unwrap(),
            };
            let places: Vec<usize> = sorted.iter().map(|text| first(constants[*text])).collect();
            let mut expected: Vec<(usize, usize)> = places.into_iter().zip(0..sorted.len()).collect();
            expected.sort_unstable();
            let texts: Vec<&str> = (0..frozen.len()).map(|id| frozen.text(ConstantId::new(id))).collect();
            prop_assert_eq!(&texts, &expected.iter().map(|&(_, at)| sorted[at].as_str()).collect::<Vec<_>>());
            for (provisional, (text, _)) in read.iter().enumerate() {
                prop_assert_eq!(frozen.text(canonical[provisional]), text.as_str());
                prop_assert_eq!(frozen.number(canonical[provisional]), number(text));
            }
        }
    }

    fn numbered() -> impl Strategy<Value = Number> {
        prop_oneof![
            any::<i64>().prop_map(Number::Integer),
            any::<f64>().prop_filter("numbers of data", |value| !value.is_nan()).prop_map(Number::Float),
        ]
    }

    proptest! {
        /// The plain twin is a map.
        #[test]
        fn a_column_is_a_map(given in prop::collection::vec((0..300_u32, numbered()), 0..60)) {
            let mut column = NumberColumn::with_capacity(10);
            let mut known: BTreeMap<u32, Number> = BTreeMap::new();
            for (id, numbered) in given {
                column.set(id, numbered);
                known.insert(id, numbered);
            }
            for id in 0..400 {
                prop_assert_eq!(column.get(id), known.get(&id).copied());
                prop_assert_eq!(column.contains(id), known.contains_key(&id));
            }
            prop_assert_eq!(column.ids().collect::<Vec<_>>(), known.into_keys().collect::<Vec<_>>());
        }
    }
}
