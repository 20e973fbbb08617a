//! Joins that give one variable a value, as meets of words of constants.
//!
//! A variable that stands between others, as `D` in `before(A,D), before(D,B), verb(D)`, takes the
//! values that all its neighbours link to: one AND of a few words, where rows would be gone through one
//! by one.

use std::sync::Arc;

use crate::base::ConstantId;
use crate::datalog::Background;
use crate::program::{Atom, Literal, Term};
use crate::relation::{LinkHead, LinkWord, Links};

use super::part::{Child, Column, Generator, Part, Step};
use super::prove::{Scratch, World};
use super::semi_join::{child_is_true, values};
use super::together::{Columns, Found, FoundWord};

/// How a join's one variable is found.
#[derive(Debug)]
pub(super) struct Meet {
    /// The variable that is given a value.
    pub(super) variable: usize,
    /// What it is linked to.
    pub(super) links: Box<[Link]>,
    /// The children that are sets of its values, by position.
    pub(super) sets: Box<[usize]>,
    /// The other children, by position: proved for each value.
    pub(super) rest: Box<[usize]>,
}

/// An atom as links from the value of one of its variables to those of another.
#[derive(Debug)]
pub(super) struct Link {
    by_world: Box<[Arc<Links>]>,
    /// The variable whose value is the key.
    key: usize,
    /// What the columns that the key determines must be.
    fixed: Box<[(usize, Argument)]>,
    /// How many targets a key has, about.
    fan_out: f64,
}

/// A bound argument of an atom.
#[derive(Clone, Copy, Debug)]
enum Argument {
    Constant(ConstantId),
    Variable(usize),
}

impl Link {
    /// The links by which an atom, of which all but the target column are bound, gives that column
    /// values; none where no column determines the others.
    fn new(
        predicate: crate::base::PredicateId,
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
        // More keys, fewer targets for each.
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

    /// The first word of what it links to, for the values of variables.
    fn head(&self, world: usize, value_of: &impl Fn(usize) -> ConstantId) -> LinkHead {
        let links = &self.by_world[world];
        let key = value_of(self.key);
        let head = links.head(key);
        if head.first().bits == 0 || self.is_fixed(links, key, value_of) { head } else { LinkHead::EMPTY }
    }

    /// Whether the columns that a key with targets determines are what they must be.
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

    /// Adds the words of what it links to for each of `n` items, with the items' numbers.
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

    /// Leaves of the words for items what it links to.
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

    /// What it links to in one word, for the values of variables.
    pub(super) fn bits(&self, word: u32, world: usize, value_of: &impl Fn(usize) -> ConstantId) -> u64 {
        self.by_world[world].bits(self.head(world, value_of), word)
    }

    /// Whether it links to a value, for the values of variables.
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

fn argument(term: Term) -> Argument {
    match term {
        Term::Constant(constant) => Argument::Constant(constant),
        Term::Variable(variable) => Argument::Variable(variable.index()),
    }
}

impl Meet {
    /// How the one variable that a generator binds is found by links; none where it binds another
    /// number of variables, or where the links can't be had.
    pub(super) fn new(generator: &Generator, children: &[Child], worlds: &[Background]) -> Option<Self> {
        let mut bind = None;
        let mut arguments = Vec::with_capacity(generator.columns.len());
        for (column, action) in generator.columns.iter().enumerate() {
            arguments.push(match *action {
                Column::Constant(constant) => Some(Argument::Constant(constant)),
                Column::Bound(variable) => Some(Argument::Variable(variable)),
                Column::Bind(_) if bind.is_some() => return None,
                Column::Bind(variable) => {
                    bind = Some((column, variable));
                    None
                }
                Column::Repeat(_) => return None,
            });
        }
        let (target, variable) = bind?;
        let mut links = vec![Link::new(generator.predicate, &arguments, target, worlds)?];
        let (mut sets, mut rest) = (Vec::new(), Vec::new());
        for (position, child) in children.iter().enumerate() {
            if child.part.has_values() && *child.variables == [variable] {
                sets.push(position);
            } else if let Some(link) = child_link(child, variable, worlds) {
                links.push(link);
            } else {
                rest.push(position);
            }
        }
        Some(Self { variable, links: links.into(), sets: sets.into(), rest: rest.into() })
    }

    /// How many values the variable is expected to have, by the link that has the fewest.
    pub(super) fn fan_out(&self) -> f64 {
        self.links.iter().map(|link| link.fan_out).fold(f64::INFINITY, f64::min)
    }

    /// About how many look-ups it takes to find the values, and to go through some children for each.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn n_lookups(&self, of: &[usize], children: &[Child]) -> f64 {
        let of_children: f64 = of.iter().map(|&child| children[child].part.n_lookups).sum();
        self.links.len() as f64 + self.fan_out() * of_children
    }

    /// Whether some value of the variable makes all children true.
    pub(super) fn is_true(
        &self,
        children: &[Child],
        frame: usize,
        world: World<'_>,
        scratch: &mut Scratch,
    ) -> bool {
        let Some((first, others)) = self.links.split_first() else { return false };
        let head = first.head(world.idx, &|variable| scratch.values[frame + variable]);
        let words = std::iter::once(head.first()).chain(first.more(world.idx, head).iter().copied());
        for LinkWord { word, mut bits } in words {
            if bits == 0 || !scratch.tick() {
                return false;
            }
            for other in others {
                bits &= other.bits(word, world.idx, &|variable| scratch.values[frame + variable]);
            }
            for &set in &self.sets {
                if bits == 0 {
                    break;
                }
                let Some(known) = known_values(&children[set].part, world, scratch) else { return false };
                bits &= known.word(word as usize);
            }
            if bits != 0 && self.rest.is_empty() {
                return true;
            }
            while bits != 0 {
                let value = ConstantId::new(word as usize * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                scratch.values[frame + self.variable] = value;
                if self.rest.iter().all(|&child| child_is_true(&children[child], frame, world, scratch)) {
                    return true;
                }
            }
        }
        false
    }
}

pub(super) fn known_values<'p>(
    part: &'p Part,
    world: World<'_>,
    scratch: &mut Scratch,
) -> Option<&'p super::value_set::ValueSet> {
    match part.values.get() {
        Some(sets) => Some(&sets[world.idx]),
        None => values(part, world.worlds, scratch).map(|sets| &sets[world.idx]),
    }
}

/// The links to the variable that a child which checks an atom makes, in the parent's variables.
fn child_link(child: &Child, variable: usize, worlds: &[Background]) -> Option<Link> {
    let Step::Check { literal: Literal::Positive(atom), .. } = &child.part.step else { return None };
    let mut target = None;
    let mut arguments = Vec::with_capacity(atom.arguments.len());
    for (column, &term) in atom.arguments.iter().enumerate() {
        let argument = match argument(term) {
            Argument::Variable(inner) => Argument::Variable(child.variables[inner]),
            constant @ Argument::Constant(_) => constant,
        };
        if matches!(argument, Argument::Variable(known) if known == variable) {
            if target.replace(column).is_some() {
                return None;
            }
            arguments.push(None);
        } else {
            arguments.push(Some(argument));
        }
    }
    Link::new(atom.predicate, &arguments, target?, worlds)
}
