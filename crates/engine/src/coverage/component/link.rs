//! Atoms as links between values, and the words of values that links give.

use std::sync::Arc;

use crate::datalog::Background;
use crate::relation::{LinkHead, LinkWord, Links};
use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::{Atom, Term};

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
