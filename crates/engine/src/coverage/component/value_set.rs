//! Sets of constants: the values of one variable that make a part true in one world.
//!
//! What each world has, kept once for worlds that follow each other with the same relations.
//!
//! Examples with many cut-offs have a world for each; but most relations have no time, and are the same in all.
//!
//! Atoms as links between values, and the words of values that links give.

use std::borrow::Cow;
use std::ops::Index;
use std::sync::Arc;

use crate::datalog::Background;
use crate::relation::{LinkHead, LinkWord, Links};
use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::{Atom, Term};

/// A set of constants.
///
/// **Memory**: 4 bytes a value, or a bit for each id between the least and the greatest, whichever is
/// less.
#[derive(Clone, Debug)]
pub(super) enum ValueSet {
    /// Ascending ids.
    Sparse(Box<[u32]>),
    /// Bits from the word that holds the least id on, and how many are set.
    Dense { first_word: usize, words: Box<[u64]>, len: usize },
}

impl ValueSet {
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Sparse(values) => values.len(),
            Self::Dense { len, .. } => *len,
        }
    }

    pub(super) fn contains(&self, value: ConstantId) -> bool {
        let id = value.raw();
        match self {
            Self::Sparse(values) => values.binary_search(&id).is_ok(),
            Self::Dense { first_word, words, .. } => (id as usize / 64)
                .checked_sub(*first_word)
                .and_then(|word| words.get(word))
                .is_some_and(|word| word >> (id % 64) & 1 == 1),
        }
    }

    /// The set whose bits these are, from bit `first_word * 64` on.
    pub(super) fn from_words(first_word: usize, words: &[u64]) -> Self {
        let Some(low) = words.iter().position(|&word| word != 0) else { return Self::Sparse(Box::default()) };
        let high = words.iter().rposition(|&word| word != 0).unwrap_or(low);
        let words = &words[low..=high];
        let len = words.iter().map(|word| word.count_ones() as usize).sum();
        let dense = Self::Dense { first_word: first_word + low, words: words.into(), len };
        if len * 4 >= dense.n_bytes() {
            return dense;
        }
        let mut values = Vec::with_capacity(len);
        dense.all(|value| {
            values.push(value.raw());
            true
        });
        Self::Sparse(values.into_boxed_slice())
    }

    /// The set as bits: the first word's number and the words.
    pub(super) fn to_words(&self) -> (usize, Cow<'_, [u64]>) {
        match self {
            Self::Dense { first_word, words, .. } => (*first_word, Cow::Borrowed(words)),
            Self::Sparse(values) => {
                let (Some(low), Some(high)) = (values.first(), values.last()) else {
                    return (0, Cow::Borrowed(&[]));
                };
                let first_word = *low as usize / 64;
                let mut words = vec![0; *high as usize / 64 + 1 - first_word];
                for &id in values {
                    words[id as usize / 64 - first_word] |= 1 << (id % 64);
                }
                (first_word, Cow::Owned(words))
            }
        }
    }

    /// Those of 64 neighbouring constants that are in the set.
    pub(super) fn word(&self, word: usize) -> u64 {
        match self {
            Self::Dense { first_word, words, .. } => {
                words.get(word.wrapping_sub(*first_word)).copied().unwrap_or(0)
            }
            Self::Sparse(values) => {
                let start = values.partition_point(|&id| (id as usize) < word * 64);
                let ids = values[start..].iter().take_while(|&&id| id as usize / 64 == word);
                ids.fold(0, |bits, id| bits | 1 << (id % 64))
            }
        }
    }

    /// The values that are in both sets.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Sparse(values), set) | (set, Self::Sparse(values)) => Self::Sparse(
                values.iter().copied().filter(|&id| set.contains(ConstantId::new(id as usize))).collect(),
            ),
            (
                Self::Dense { first_word: left_first, words: left, .. },
                Self::Dense { first_word: right_first, words: right, .. },
            ) => {
                let first_word = *left_first.max(right_first);
                let both = left
                    .iter()
                    .skip(first_word - left_first)
                    .zip(right.iter().skip(first_word - right_first));
                let words: Box<[u64]> = both.map(|(left, right)| left & right).collect();
                let len = words.iter().map(|word| word.count_ones() as usize).sum();
                Self::Dense { first_word, words, len }
            }
        }
    }

    /// Calls `visit` for each value, ascending, until it returns false.
    pub(super) fn all(&self, mut visit: impl FnMut(ConstantId) -> bool) -> bool {
        match self {
            Self::Sparse(values) => values.iter().all(|&id| visit(ConstantId::new(id as usize))),
            Self::Dense { first_word, words, .. } => words.iter().enumerate().all(|(word_idx, &word)| {
                let mut rest = word;
                while rest != 0 {
                    let id = (first_word + word_idx) * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if !visit(ConstantId::new(id)) {
                        return false;
                    }
                }
                true
            }),
        }
    }

    pub(super) const fn n_bytes(&self) -> usize {
        match self {
            Self::Sparse(values) => values.len() * 4,
            Self::Dense { words, .. } => words.len() * 8,
        }
    }
}

/// Values as they are gathered, in any order and with repetitions; empty again after `take`.
#[derive(Debug, Default)]
pub(super) struct ValueCollector {
    words: Vec<u64>,
    /// The words that may hold a bit.
    used: Option<(usize, usize)>,
}

impl ValueCollector {
    pub(super) fn contains(&self, value: ConstantId) -> bool {
        let id = value.raw();
        self.words.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, value: ConstantId) {
        let (word, bit) = (value.raw() as usize / 64, value.raw() % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
        self.used = Some(self.used.map_or((word, word), |(low, high)| (low.min(word), high.max(word))));
    }

    /// Takes the gathered values as a set, and empties the collector.
    pub(super) fn take(&mut self) -> ValueSet {
        let Some((low, high)) = self.used.take() else { return ValueSet::Sparse(Box::default()) };
        let words = &mut self.words[low..=high];
        let set = ValueSet::from_words(low, words);
        words.fill(0);
        set
    }
}

/// A value for each world.
#[derive(Debug)]
pub(super) struct ByWorld<T> {
    /// By world, the place of its value.
    places: Box<[u32]>,
    values: Vec<T>,
}

impl<T> ByWorld<T> {
    /// Finds the value of each world; `is_same` says whether two worlds have the same one.
    ///
    /// **Cost**: one value for each world that differs from the one before it.
    pub(super) fn find(
        worlds: &[Background],
        is_same: impl Fn(&Background, &Background) -> bool,
        mut value: impl FnMut(usize, &Background) -> T,
    ) -> Self {
        let mut places = Vec::with_capacity(worlds.len());
        let mut values: Vec<T> = Vec::new();
        for (at, world) in worlds.iter().enumerate() {
            if at == 0 || !is_same(&worlds[at - 1], world) {
                values.push(value(at, world));
            }
            places.push(u32::try_from(values.len() - 1).expect("worlds are numbered by 32 bits"));
        }
        Self { places: places.into_boxed_slice(), values }
    }

    /// The values, each once.
    pub(super) fn distinct(&self) -> &[T] {
        &self.values
    }
}

impl<T> Index<usize> for ByWorld<T> {
    type Output = T;

    fn index(&self, world: usize) -> &T {
        &self.values[self.places[world] as usize]
    }
}

/// Values of variables: a column for each variable, and a row for each item.
pub(super) type Columns = [Vec<ConstantId>];

/// Words of values that items have; a word of an item may come more than once.
pub(super) type Found = Vec<FoundWord>;

/// Values, as a word of constants, and the number of the item they belong to.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundWord {
    pub(super) item: u32,
    pub(super) word: u32,
    pub(super) bits: u64,
}

/// An atom as links from the value of one of its variables to those of another.
#[derive(Debug)]
pub(super) struct Link {
    by_world: Box<[Arc<Links>]>,
    /// The variable whose value is the key.
    key: usize,
    /// The required value of each column that the key determines.
    fixed: Box<[(usize, Argument)]>,
    /// Roughly how many targets a key has.
    pub(super) fan_out: f64,
}

/// A bound argument of an atom.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Constant(ConstantId),
    Variable(usize),
}

impl Link {
    /// The links by which an atom gives values to its target column, when all other columns are bound. `None` where no
    /// column determines the others.
    pub(super) fn new(
        predicate: PredicateId,
        arguments: &[Option<Argument>],
        target: usize,
        worlds: &[Background],
    ) -> Option<Self> {
        let n_distinct = |column: usize| {
            let of_world = |world: &Background| world.relation(predicate).n_distinct(column);
            worlds.iter().map(of_world).sum::<usize>()
        };
        let mut keys: Vec<(usize, usize)> = arguments
            .iter()
            .enumerate()
            .filter(|&(column, _)| column != target)
            .filter_map(|(column, argument)| match (*argument)? {
                Argument::Variable(variable) => Some((column, variable)),
                Argument::Constant(_) => None,
            })
            .collect();
        // A column with more distinct keys has fewer targets for each key.
        keys.sort_by_key(|&(column, _)| std::cmp::Reverse(n_distinct(column)));
        keys.into_iter().find_map(|(column, key)| {
            let by_world: Option<Box<[Arc<Links>]>> =
                worlds.iter().map(|world| world.relation(predicate).links(column, target)).collect();
            let others =
                arguments.iter().enumerate().filter(|&(other, _)| other != column && other != target);
            let fixed: Option<Box<[(usize, Argument)]>> =
                others.map(|(other, argument)| Some((other, (*argument)?))).collect();
            let n_rows = worlds.iter().map(|world| world.relation(predicate).n_rows()).sum();
            let fan_out = ratio(n_rows, n_distinct(column));
            Some(Self { by_world: by_world?, key, fixed: fixed?, fan_out })
        })
    }

    /// The links of an atom whose variables are all bound, to its last variable, and that variable.
    pub(super) fn to_last(atom: &Atom, worlds: &[Background]) -> Option<(Self, usize)> {
        let (target, Term::Variable(last)) = (atom.arguments.len().checked_sub(1)?, atom.arguments.last()?)
        else {
            return None;
        };
        let arguments: Vec<Option<Argument>> =
            atom.arguments.iter().map(|&term| Some(argument(term))).collect();
        Some((Self::new(atom.predicate, &arguments, target, worlds)?, last.index()))
    }

    /// The first word of the values it links to, for these values of variables.
    pub(super) fn head(&self, world: usize, value_of: &impl Fn(usize) -> ConstantId) -> LinkHead {
        let links = &self.by_world[world];
        let key = value_of(self.key);
        let head = links.head(key);
        if head.first().bits == 0 || self.is_fixed(links, key, value_of) { head } else { LinkHead::EMPTY }
    }

    /// Whether the columns that a key with targets determines have their required values.
    fn is_fixed(&self, links: &Links, key: ConstantId, value_of: &impl Fn(usize) -> ConstantId) -> bool {
        self.fixed.is_empty()
            || links.determined(key).zip(&self.fixed).all(|((_, value), (_, argument))| {
                value
                    == match *argument {
                        Argument::Constant(constant) => constant,
                        Argument::Variable(variable) => value_of(variable),
                    }
            })
    }

    /// Adds, for each of `n` items, the words of the values it links to, with the item's number.
    pub(super) fn add_words(&self, columns: &Columns, n: usize, world: usize, found: &mut Found) {
        let links = &*self.by_world[world];
        for (item, &key) in (0..).zip(&columns[self.key][..n]) {
            let head = links.head(key);
            let LinkWord { word, bits } = head.first();
            if bits == 0 {
                continue;
            }
            found.push(FoundWord { item, word, bits });
            if head.has_more() {
                let more = links.more(head).iter();
                found.extend(more.map(|&LinkWord { word, bits }| FoundWord { item, word, bits }));
            }
        }
        self.keep_fixed(columns, links, found);
    }

    /// Keeps only those values in the items' words that it links to.
    pub(super) fn restrict_words(&self, columns: &Columns, world: usize, found: &mut Found) {
        let (links, keys) = (&*self.by_world[world], &*columns[self.key]);
        for FoundWord { item, word, bits } in found.iter_mut() {
            *bits &= links.bits(links.head(keys[*item as usize]), *word);
        }
        found.retain(|found| found.bits != 0);
        self.keep_fixed(columns, links, found);
    }

    fn keep_fixed(&self, columns: &Columns, links: &Links, found: &mut Found) {
        if !self.fixed.is_empty() {
            let keys = &*columns[self.key];
            found.retain(|found| {
                let item = found.item as usize;
                self.is_fixed(links, keys[item], &|variable| columns[variable][item])
            });
        }
    }

    /// The words after the first.
    pub(super) fn more(&self, world: usize, head: LinkHead) -> &[LinkWord] {
        self.by_world[world].more(head)
    }

    /// The values of one word that it links to, for these values of variables.
    pub(super) fn bits(&self, word: u32, world: usize, value_of: &impl Fn(usize) -> ConstantId) -> u64 {
        self.by_world[world].bits(self.head(world, value_of), word)
    }

    /// Whether it links to a value, for these values of variables.
    pub(super) fn reaches(
        &self,
        value: ConstantId,
        world: usize,
        value_of: &impl Fn(usize) -> ConstantId,
    ) -> bool {
        self.bits(value.raw() / 64, world, value_of) >> (value.raw() % 64) & 1 == 1
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn ratio(n: usize, of: usize) -> f64 {
    n as f64 / of.max(1) as f64
}

pub(super) fn argument(term: Term) -> Argument {
    match term {
        Term::Constant(constant) => Argument::Constant(constant),
        Term::Variable(variable) => Argument::Variable(variable.index()),
        Term::Any => unreachable!("only negated atoms have `_`, and they are no links"),
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::ConstantId;

    use super::ValueCollector;

    #[test]
    fn an_intersection_holds_what_both_hold() {
        let ids: [Vec<usize>; 5] = [
            vec![],
            vec![700],
            (64..400).collect(),
            (300..900).step_by(2).collect(),
            (2_000..2_300).collect(),
        ];
        let set = |ids: &[usize]| {
            let mut collector = ValueCollector::default();
            ids.iter().for_each(|&id| collector.insert(ConstantId::new(id)));
            collector.take()
        };
        for left in &ids {
            for right in &ids {
                let both = set(left).intersection(&set(right));
                let expected: Vec<usize> = left.iter().copied().filter(|id| right.contains(id)).collect();
                let mut found = Vec::new();
                both.all(|value| {
                    found.push(value.raw() as usize);
                    true
                });
                assert_eq!((found, both.len()), (expected.clone(), expected.len()));
            }
        }
    }

    #[test]
    fn a_set_holds_what_was_gathered() {
        let mut collector = ValueCollector::default();
        for ids in [vec![], vec![700], vec![3, 1_000_000, 3], (64..400).collect::<Vec<usize>>()] {
            ids.iter().for_each(|&id| collector.insert(ConstantId::new(id)));
            let set = collector.take();
            let mut expected = ids.clone();
            expected.dedup();
            expected.sort_unstable();
            expected.dedup();
            let mut found = Vec::new();
            set.all(|value| {
                found.push(value.raw() as usize);
                true
            });
            assert_eq!(found, expected);
            assert_eq!(set.len(), expected.len());
            for id in [0, 3, 63, 64, 399, 400, 700, 1_000_000, 2_000_000] {
                assert_eq!(set.contains(ConstantId::new(id)), expected.contains(&id), "{id} of {ids:?}");
            }
        }
    }
}
