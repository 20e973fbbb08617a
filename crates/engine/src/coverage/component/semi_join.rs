//! The truth of a part for all values of its one interface variable at once, or for all values of one head variable
//! beside given values of the others.
//!
//! On a tree-shaped part this is the semi-join from the leaves up. It first finds the sets of the parts that the
//! generator leaves, and then enumerates the generator from its sparsest side.
//!
//! A part on two head variables is a relation between their values, and a pair of values is one example or more.
//! Proofs pair by pair repeat the work on the first value for each second value. [`PairValues`] does that work once,
//! and gets the second values as words of constants.

use std::sync::Arc;

use crate::coverage::groups::Groups;
use crate::datalog::Background;
use crate::relation::{Relation, RowsWith};
use gleaner_base::{ConstantId, ExampleSet, VariableId};
use gleaner_lang::program::Literal;

use super::filter::Filter;
use super::part::{Child, Column, Generator, Intern, Join, Part, Step, Towards, WordJoin, is_same_join};
use super::prover::{Prover, World};
use super::value_set::{ByWorld, Columns, Found, FoundWord, ValueSet};
use super::word_join::{JoinBatch, Taken};

impl Prover {
    /// The values that make a part true in each world; `None` where they can't be enumerated, or when the
    /// budget ran out (then `stopped` is set).
    pub(super) fn find_values<'p>(
        &mut self,
        part: &'p Part,
        worlds: &[Background],
    ) -> Option<&'p ByWorld<ValueSet>> {
        if let Some(known) = part.values.get() {
            return Some(known);
        }
        let Step::Join(join) = &part.step else { return None };
        if !part.has_values() {
            return None;
        }
        for child in &join.children {
            self.find_values(&child.part, worlds);
        }
        let is_same =
            |one: &Background, other: &Background| is_same_join(&join.generator, &join.children, one, other);
        let sets = ByWorld::find(worlds, is_same, |idx, background| {
            enumerate(part, join, World { idx, background, worlds }, self)
        });
        if self.stopped.is_some() {
            return None;
        }
        self.n_bytes += sets.distinct().iter().map(ValueSet::n_bytes).sum::<usize>();
        Some(part.values.get_or_init(|| sets))
    }

    /// Whether a child is true for the values that its parent's frame gives to its interface.
    pub(super) fn child_is_true(&mut self, child: &Child, frame: usize, world: World<'_>) -> bool {
        let part = &child.part;
        if let [variable] = *child.variables {
            let value = self.values[frame + variable];
            if let Some(sets) = part.values.get() {
                return sets[world.idx].contains(value);
            }
            if let Some(sets) = self.find_values(part, world.worlds) {
                return sets[world.idx].contains(value);
            }
        }
        if self.stopped.is_some() {
            return false;
        }
        let inner = self.push_frame(part.n_variables);
        for (position, &variable) in child.variables.iter().enumerate() {
            self.values[inner + position] = self.values[frame + variable];
        }
        let answer = self.remembered(part, inner, world);
        self.pop_frame(inner);
        answer
    }

    /// As `is_true`, but remembers the answer of a join with at most one interface variable.
    fn remembered(&mut self, part: &Part, frame: usize, world: World<'_>) -> bool {
        if matches!(part.step, Step::Check { .. }) || part.n_interface > 1 {
            return self.is_true(part, frame, world);
        }
        let value = if part.n_interface == 1 { self.values[frame] } else { ConstantId::default() };
        if let Some(known) = self.answer(part.id, world.idx, value) {
            return known;
        }
        let answer = self.is_true(part, frame, world);
        self.remember(part.id, world.idx, value, answer);
        answer
    }
}

/// The positions of the groups, by one argument, whose key is in its world's set.
pub(super) fn cover(groups: &Groups, sets: &ByWorld<ValueSet>, n_positions: usize) -> ExampleSet {
    if let Some((world, _)) = groups.by_world().next()
        && groups.by_world().len() == 1
        // A binary search costs about as much as 32 look-ups in order.
        && sets[world.index()].len() * 32 > groups.keys().len()
    {
        let (first_word, words) = sets[world.index()].to_words();
        return groups.positions_with(first_word, &words);
    }
    let mut cover = ExampleSet::empty(n_positions);
    for (world, range) in groups.by_world() {
        let (set, keys) = (&sets[world.index()], &groups.keys()[range.clone()]);
        if set.len() * 32 < keys.len() {
            set.all(|value| {
                if let Ok(position) = keys.binary_search(&value) {
                    groups.insert_into(range.start + position, &mut cover);
                }
                true
            });
            continue;
        }
        for (position, &key) in keys.iter().enumerate() {
            if set.contains(key) {
                groups.insert_into(range.start + position, &mut cover);
            }
        }
    }
    cover
}

fn enumerate(part: &Part, join: &Join, world: World<'_>, prover: &mut Prover) -> ValueSet {
    let Join { generator, children, word_join } = join;
    let relation = world.background.relation(generator.predicate);
    if let Some(filter) = Filter::new(generator, children, world) {
        if filter.is_exact {
            return filter.values(prover);
        }
        if let Some(word_join) = word_join {
            let candidates = filter.values(prover);
            return prove_each(part, children, word_join, &candidates, world, prover);
        }
    }
    let mut found = std::mem::take(&mut prover.collector);
    let frame = prover.push_frame(part.n_variables);
    let mut visit = |row: usize, prover: &mut Prover| {
        if let Some(value) = interface_value(generator, row, relation, frame, prover)
            && !found.contains(value)
            && children.iter().all(|child| prover.child_is_true(child, frame, world))
        {
            found.insert(value);
        }
        prover.tick()
    };
    let rows =
        |rows: RowsWith<'_>, visit: &mut dyn FnMut(usize, &mut Prover) -> bool, prover: &mut Prover| {
            (0..rows.len()).all(|position| visit(rows.get(position), prover))
        };
    match sparsest(generator, children, world) {
        Driver::Rows(driven) => {
            rows(driven, &mut visit, prover);
        }
        Driver::Values(column, set) => {
            set.all(|value| rows(relation.rows_with(column, value), &mut visit, prover));
        }
    }
    prover.pop_frame(frame);
    let set = found.take();
    prover.collector = found;
    set
}

/// Those of a set's values that make a part true.
fn prove_each(
    part: &Part,
    children: &[Child],
    word_join: &WordJoin,
    candidates: &ValueSet,
    world: World<'_>,
    prover: &mut Prover,
) -> ValueSet {
    let mut found = std::mem::take(&mut prover.collector);
    let frame = prover.push_frame(part.n_variables);
    candidates.all(|value| {
        prover.values[frame] = value;
        if word_join.is_true(children, frame, world, prover) {
            found.insert(value);
        }
        prover.stopped.is_none()
    });
    prover.pop_frame(frame);
    let set = found.take();
    prover.collector = found;
    set
}

/// The source of a generator's rows.
enum Driver<'a> {
    Rows(RowsWith<'a>),
    /// The rows that hold a value of the set in a column.
    Values(usize, &'a ValueSet),
}

/// The source that is expected to give the fewest rows.
fn sparsest<'a>(generator: &Generator, children: &'a [Child], world: World<'a>) -> Driver<'a> {
    let relation = world.background.relation(generator.predicate);
    let mut least = relation.n_rows();
    let mut driver = Driver::Rows(relation.all_rows());
    for (column, action) in generator.columns.iter().enumerate() {
        match *action {
            Column::Constant(constant) => {
                let rows = relation.rows_with(column, constant);
                if rows.len() < least {
                    least = rows.len();
                    driver = Driver::Rows(rows);
                }
            }
            Column::Bound(variable) | Column::Bind(variable) => {
                for set in children.iter().filter_map(|child| child_values(child, variable, world.idx)) {
                    // A look-up for each value costs about as much as four rows in order.
                    let n_rows = set.len() * (4 + relation.n_rows() / relation.n_distinct(column).max(1));
                    if n_rows < least {
                        least = n_rows;
                        driver = Driver::Values(column, set);
                    }
                }
            }
            Column::Repeat(_) => {}
        }
    }
    driver
}

fn child_values(child: &Child, variable: usize, world: usize) -> Option<&ValueSet> {
    (*child.variables == [variable]).then(|| child.part.values.get())?.map(|sets| &sets[world])
}

/// Binds the variables of a row; returns the value of variable 0, or `None` if the row does not match.
fn interface_value(
    generator: &Generator,
    row: usize,
    relation: &Relation,
    frame: usize,
    prover: &mut Prover,
) -> Option<ConstantId> {
    let mut interface = None;
    for (column, action) in generator.columns.iter().enumerate() {
        let value = relation.value(row, column);
        match *action {
            Column::Constant(constant) if constant != value => return None,
            Column::Constant(_) => {}
            Column::Bound(_) if interface.is_some_and(|known| known != value) => return None,
            Column::Bound(variable) => {
                interface = Some(value);
                prover.values[frame + variable] = value;
            }
            Column::Bind(variable) => prover.values[frame + variable] = value,
            Column::Repeat(variable) if prover.values[frame + variable] != value => return None,
            Column::Repeat(_) => {}
        }
    }
    interface
}

/// A part compiled to give the values of a variable that is not of its interface.
#[derive(Debug)]
pub(super) struct PairValues {
    part: Part,
    /// The position of the child that gives the target, and its compiled search. `None` where this join gives it.
    inner: Option<(usize, Box<PairValues>)>,
    /// The other children that are neither links nor sets, by position.
    others: Box<[usize]>,
}

impl PairValues {
    /// Compiles the search for the values of `target` in some literals with an interface. `None` where a join on the
    /// way to the target is not made by links.
    pub(super) fn compile(
        interface: &[VariableId],
        literals: &[Literal],
        target: VariableId,
        worlds: &[Background],
        intern: &mut Intern<'_>,
    ) -> Option<Self> {
        let compile_inner = |of: &[VariableId], literals: &[Literal], target, intern: &mut Intern<'_>| {
            Self::compile(of, literals, target, worlds, intern)
        };
        let Towards { part, target, inner } =
            Part::compile_towards(interface, literals, target, worlds, intern, &compile_inner)?;
        let Step::Join(Join { children, word_join: Some(word_join), .. }) = &part.step else { return None };
        let inner = match inner {
            None => (word_join.variable == target.index()).then_some(None)?,
            Some((inner, variables, targets)) => {
                let is_inner =
                    |child: &Child| Arc::ptr_eq(&child.part, &inner) && child.variables == variables;
                Some((children.iter().position(is_inner)?, Box::new(targets?)))
            }
        };
        let is_inner = |child: usize| inner.as_ref().is_some_and(|(inner, _)| *inner == child);
        let others = word_join.rest.iter().copied().filter(|&child| !is_inner(child)).collect();
        Some(Self { part, inner, others })
    }

    /// Roughly how many look-ups it takes to find the values for a source.
    pub(super) fn n_lookups(&self) -> f64 {
        let Step::Join(Join { children, word_join: Some(word_join), .. }) = &self.part.step else {
            return f64::INFINITY;
        };
        let of_inner = self.inner.as_ref().map_or(0.0, |(_, inner)| word_join.fan_out() * inner.n_lookups());
        word_join.n_lookups(&self.others, children) + of_inner
    }

    /// Finds the values of the target for each item of the columns. They are incomplete when the budget ran out;
    /// `prover.stopped` is then set.
    pub(super) fn find(
        &self,
        columns: &Columns,
        items: &[u32],
        world: World<'_>,
        prover: &mut Prover,
        found: &mut Found,
    ) {
        let Step::Join(Join { children, word_join: Some(word_join), .. }) = &self.part.step else { return };
        let join = JoinBatch { word_join, children, columns, world };
        let Some(words) = join.allowed(items.len(), prover) else { return };
        if self.inner.is_none() && self.others.is_empty() {
            found.extend(words.iter().map(|word| FoundWord { item: items[word.item as usize], ..*word }));
            return;
        }
        let are_done = vec![false; items.len()];
        let mut words = words.into_iter();
        let mut taken = Taken::default();
        while join.take(&mut words, &are_done, &mut taken) && prover.stopped.is_none() {
            join.keep_true(&self.others, &mut taken, prover);
            let items: Vec<u32> = taken.items.iter().map(|&item| items[item as usize]).collect();
            if let Some((position, inner)) = &self.inner {
                inner.find(&join.columns_of(&children[*position], &taken), &items, world, prover, found);
            } else {
                let word = |(&item, value): (&u32, &ConstantId)| FoundWord {
                    item,
                    word: value.raw() / 64,
                    bits: 1 << (value.raw() % 64),
                };
                found.extend(items.iter().zip(&taken.values).map(word));
            }
        }
    }
}
