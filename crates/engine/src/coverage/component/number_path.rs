//! Parts compiled to give the greatest or least number that one of their variables takes.
//!
//! In a tree-shaped part the numbers are found for all values of its one interface variable, from the leaves up, in one
//! pass over the rows of each atom on the way to the variable. Other parts go through all rows for one interface.

use std::sync::{Arc, OnceLock};

use crate::coverage::groups::Groups;
use crate::datalog::Background;
use crate::relation::Relation;
use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::Literal;

use super::filter::Filter;
use super::numbers::{ExampleNumbers, Extreme, NONE};
use super::part::{Child, Column, Generator, Intern, Join, Part, Step, Towards, is_same_join};
use super::prover::{Prover, World};
use super::value_set::ByWorld;

/// A part compiled to give the extreme number of one of its variables for each value of its interface.
#[derive(Debug)]
pub(super) struct NumberPath {
    extreme: Extreme,
    generator: Generator,
    n_interface: usize,
    n_variables: usize,
    /// The children that do not lead to the variable.
    others: Box<[Child]>,
    source: Source,
    /// By world, for parts with one interface variable: the numbers of its values, once they were asked for.
    of_values: OnceLock<ByWorld<ValueNumbers>>,
}

/// Where a join finds the variable.
#[derive(Debug)]
enum Source {
    /// In a column of the generator.
    Column(usize),
    /// Within a child; the parent's variable for each of the child's interface.
    Inner(Box<NumberPath>, Box<[usize]>),
}

/// Numbers by the values of one interface variable.
#[derive(Debug, Default)]
struct ValueNumbers {
    first: u32,
    ids: Vec<u32>,
}

impl ValueNumbers {
    /// No numbers yet, for values between the least and greatest of a column.
    fn none(column: &[ConstantId]) -> Self {
        let ids = || column.iter().map(|constant| constant.raw());
        match (ids().min(), ids().max()) {
            (Some(low), Some(high)) => Self { first: low, ids: vec![NONE; (high - low) as usize + 1] },
            _ => Self::default(),
        }
    }

    fn get(&self, value: ConstantId) -> Option<u32> {
        let at = value.raw().checked_sub(self.first)? as usize;
        self.ids.get(at).copied().filter(|&id| id != NONE)
    }

    fn set(&mut self, value: ConstantId, id: u32) {
        self.ids[(value.raw() - self.first) as usize] = id;
    }
}

impl NumberPath {
    /// Compiles the search for the numbers of `target` in some literals with an interface. `None` where no atom gives the
    /// target, so that the part is never true.
    pub(super) fn compile(
        interface: &[VariableId],
        literals: &[Literal],
        (target, extreme): (VariableId, Extreme),
        worlds: &[Background],
        intern: &mut Intern<'_>,
    ) -> Option<Self> {
        let compile_inner = |of: &[VariableId], literals: &[Literal], target, intern: &mut Intern<'_>| {
            Self::compile(of, literals, (target, extreme), worlds, intern)
        };
        let Towards { part, target, inner } =
            Part::compile_towards(interface, literals, target, worlds, intern, &compile_inner)?;
        if !part.is_safe {
            return None;
        }
        let Step::Join(Join { generator, children, .. }) = part.step else { return None };
        let mut others = children.into_vec();
        let source = match inner {
            Some((inner, variables, path)) => {
                let is_inner =
                    |child: &Child| Arc::ptr_eq(&child.part, &inner) && child.variables == variables;
                others.remove(others.iter().position(is_inner)?);
                Source::Inner(Box::new(path?), variables)
            }
            None => {
                let gives =
                    |column: &Column| matches!(column, Column::Bind(variable) if *variable == target.index());
                Source::Column(generator.columns.iter().position(gives)?)
            }
        };
        Some(Self {
            extreme,
            generator,
            n_interface: part.n_interface,
            n_variables: part.n_variables,
            others: others.into_boxed_slice(),
            source,
            of_values: OnceLock::new(),
        })
    }

    /// Whether the numbers can be found for all values of the one interface variable at once.
    pub(super) fn has_values(&self) -> bool {
        self.n_interface == 1
            && self.generator.columns.iter().any(|column| matches!(column, Column::Bound(0)))
    }

    /// Whether the part is one atom: then the numbers of all examples cost a look at the rows of each, and are kept.
    pub(super) fn is_one_atom(&self) -> bool {
        self.others.is_empty() && matches!(self.source, Source::Column(_))
    }

    /// The numbers of all values of the interface variable, in each world. They are incomplete when the budget ran out;
    /// `prover.stopped` is then set.
    fn find_values(&self, worlds: &[Background], prover: &mut Prover) -> Option<&ByWorld<ValueNumbers>> {
        if let Some(known) = self.of_values.get() {
            return Some(known);
        }
        for child in &self.others {
            prover.find_values(&child.part, worlds);
        }
        let is_same = |one: &Background, other: &Background| self.is_same(one, other);
        let found = ByWorld::find(worlds, is_same, |idx, background| {
            self.values_in(World { idx, background, worlds }, prover)
        });
        prover.stopped.is_none().then(|| self.of_values.get_or_init(|| found))
    }

    /// Whether the numbers are the same in two worlds, as these share all relations.
    fn is_same(&self, one: &Background, other: &Background) -> bool {
        let is_inner_same = match &self.source {
            Source::Column(_) => true,
            Source::Inner(inner, _) => inner.is_same(one, other),
        };
        is_inner_same && is_same_join(&self.generator, &self.others, one, other)
    }

    fn values_in(&self, world: World<'_>, prover: &mut Prover) -> ValueNumbers {
        let relation = world.background.relation(self.generator.predicate);
        let bound = |column: &Column| matches!(column, Column::Bound(0));
        let Some(key) = self.generator.columns.iter().position(bound) else { return ValueNumbers::default() };
        let mut found = ValueNumbers::none(relation.column(key));
        let filter = Filter::new(&self.generator, &self.others, world).filter(|filter| filter.is_exact);
        let frame = prover.push_frame(self.n_variables);
        let mut rows = relation.all_rows();
        for (column, action) in self.generator.columns.iter().enumerate() {
            if let Column::Constant(constant) = *action {
                let of_constant = relation.rows_with(column, constant);
                if of_constant.len() < rows.len() {
                    rows = of_constant;
                }
            }
        }
        for at in 0..rows.len() {
            if !prover.tick() {
                break;
            }
            let row = rows.get(at);
            let value = relation.value(row, key);
            let known = found.get(value);
            let best = match &filter {
                Some(filter) => self.of_passing_row(row, known, filter, world, prover),
                None => {
                    if !self.bind(row, relation, frame, true, prover) {
                        continue;
                    }
                    self.of_bound_row(row, known, frame, world, prover)
                }
            };
            if let Some(best) = best {
                found.set(value, best);
            }
        }
        prover.pop_frame(frame);
        found
    }

    /// The number of a row, if it is better than what is known and the row passes the filter.
    fn of_passing_row(
        &self,
        row: usize,
        known: Option<u32>,
        filter: &Filter<'_>,
        world: World<'_>,
        prover: &mut Prover,
    ) -> Option<u32> {
        let relation = world.background.relation(self.generator.predicate);
        let is_new = |id: u32| known.is_none_or(|known| self.extreme.is_better(id, known));
        let id = match &self.source {
            Source::Column(column) => {
                let constant = relation.value(row, *column);
                (is_new(constant.raw()) && world.background.number(constant).is_some())
                    .then(|| constant.raw())?
            }
            Source::Inner(inner, variables) if inner.has_values() => {
                let column = self.column_of(variables[0])?;
                let value = relation.value(row, column);
                inner.find_values(world.worlds, prover)?[world.idx].get(value).filter(|&id| is_new(id))?
            }
            Source::Inner(inner, variables) => {
                if !filter.passes(row, prover) {
                    return None;
                }
                let frame = prover.push_frame(self.n_variables);
                let is_bound = self.bind(row, relation, frame, true, prover);
                let best = if is_bound { inner.of_frame(variables, frame, world, prover) } else { None };
                prover.pop_frame(frame);
                return best.filter(|&id| is_new(id));
            }
        };
        filter.passes(row, prover).then_some(id)
    }

    /// The generator's column that gives a variable its value, or holds the interface.
    fn column_of(&self, variable: usize) -> Option<usize> {
        self.generator.columns.iter().position(|column| match *column {
            Column::Bound(known) | Column::Bind(known) => known == variable,
            Column::Constant(_) | Column::Repeat(_) => false,
        })
    }

    /// Gives the generator's variables the values of a row; false where the row does not match. With `binds_interface`
    /// the interface takes the row's value, too.
    fn bind(
        &self,
        row: usize,
        relation: &Relation,
        frame: usize,
        binds_interface: bool,
        prover: &mut Prover,
    ) -> bool {
        let mut is_interface_bound = !binds_interface;
        self.generator.columns.iter().enumerate().all(|(column, action)| {
            let value = relation.value(row, column);
            match *action {
                Column::Constant(constant) => constant == value,
                Column::Bound(variable) if !is_interface_bound => {
                    is_interface_bound = true;
                    prover.values[frame + variable] = value;
                    true
                }
                Column::Bound(variable) | Column::Repeat(variable) => {
                    prover.values[frame + variable] == value
                }
                Column::Bind(variable) => {
                    prover.values[frame + variable] = value;
                    true
                }
            }
        })
    }

    /// The number of a row whose variables have values, if it is better than what is known and all children are true.
    fn of_bound_row(
        &self,
        row: usize,
        known: Option<u32>,
        frame: usize,
        world: World<'_>,
        prover: &mut Prover,
    ) -> Option<u32> {
        let relation = world.background.relation(self.generator.predicate);
        let is_new = |id: u32| known.is_none_or(|known| self.extreme.is_better(id, known));
        let are_true =
            |prover: &mut Prover| self.others.iter().all(|child| prover.child_is_true(child, frame, world));
        match &self.source {
            Source::Column(column) => {
                let constant = relation.value(row, *column);
                let is_wanted = is_new(constant.raw()) && world.background.number(constant).is_some();
                (is_wanted && are_true(prover)).then(|| constant.raw())
            }
            Source::Inner(inner, variables) => {
                if !are_true(prover) {
                    return None;
                }
                inner.of_frame(variables, frame, world, prover).filter(|&id| is_new(id))
            }
        }
    }

    /// The number for the values that a parent's frame gives to the interface.
    fn of_frame(
        &self,
        variables: &[usize],
        frame: usize,
        world: World<'_>,
        prover: &mut Prover,
    ) -> Option<u32> {
        if self.has_values() {
            let value = prover.values[frame + variables[0]];
            return self.find_values(world.worlds, prover)?[world.idx].get(value);
        }
        let inner = prover.push_frame(self.n_variables);
        for (position, &variable) in variables.iter().enumerate() {
            prover.values[inner + position] = prover.values[frame + variable];
        }
        let best = self.of_interface(inner, world, prover);
        prover.pop_frame(inner);
        best
    }

    /// The number for the values of the interface in a frame, over all rows of the generator that match.
    fn of_interface(&self, frame: usize, world: World<'_>, prover: &mut Prover) -> Option<u32> {
        let relation = world.background.relation(self.generator.predicate);
        let mut rows = relation.all_rows();
        for (column, action) in self.generator.columns.iter().enumerate() {
            let value = match *action {
                Column::Constant(constant) => constant,
                Column::Bound(variable) => prover.values[frame + variable],
                Column::Bind(_) | Column::Repeat(_) => continue,
            };
            let with_value = relation.rows_with(column, value);
            if with_value.len() < rows.len() {
                rows = with_value;
            }
        }
        let mut best = None;
        for at in 0..rows.len() {
            if !prover.tick() {
                return None;
            }
            let row = rows.get(at);
            if self.bind(row, relation, frame, false, prover) {
                let of_row = self.of_bound_row(row, best, frame, world, prover);
                best = self.extreme.better(best, of_row);
            }
        }
        best
    }

    /// Gives the examples of some groups, ascending, their numbers. They are incomplete when the budget ran out;
    /// `prover.stopped` is then set.
    pub(super) fn of_groups(
        &self,
        groups: &Groups,
        looked_at: &[usize],
        worlds: &[Background],
        prover: &mut Prover,
        numbers: &mut ExampleNumbers,
    ) {
        let at_once = self.has_values();
        for &group in looked_at {
            let idx = groups.world(group).index();
            let world = World { idx, background: &worlds[idx], worlds };
            let best = if at_once {
                let Some(found) = self.find_values(worlds, prover) else { return };
                found[idx].get(groups.key(group)[0])
            } else {
                let frame = prover.push_frame(self.n_variables);
                prover.values[frame..][..self.n_interface].copy_from_slice(groups.key(group));
                let best = self.of_interface(frame, world, prover);
                prover.pop_frame(frame);
                best
            };
            if prover.stopped.is_some() {
                return;
            }
            if let Some(id) = best {
                groups.visit(group, |position| {
                    numbers.set(position, ConstantId::from_raw(id), world.background);
                });
            }
        }
    }
}
