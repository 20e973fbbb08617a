//! The truth of a part for all values of its one interface variable at once.
//!
//! On a tree-shaped part this is the semi-join from the leaves up: the sets of the parts that the
//! generator leaves are found first, and it is enumerated from its sparsest side.

use crate::base::{ConstantId, ExampleSet};
use crate::coverage::groups::Groups;
use crate::datalog::Background;
use crate::relation::{Relation, RowsWith};

use super::filter::Filter;
use super::meet::Meet;
use super::part::{Child, Column, Generator, Part, Step};
use super::prove::{Scratch, World, is_true};
use super::value_set::ValueSet;

/// The values that make a part true in each world; `None` where they can't be enumerated, or when the
/// budget ran out (then `scratch.stopped` is set).
pub(super) fn values<'p>(
    part: &'p Part,
    worlds: &[Background],
    scratch: &mut Scratch,
) -> Option<&'p [ValueSet]> {
    if let Some(known) = part.values.get() {
        return Some(known);
    }
    let Step::Join { generator, children, meet } = &part.step else { return None };
    if !part.has_values() {
        return None;
    }
    for child in children {
        values(&child.part, worlds, scratch);
    }
    let sets: Box<[ValueSet]> = worlds
        .iter()
        .enumerate()
        .map(|(world, background)| {
            let world = World { idx: world, background, worlds };
            enumerate(part, (generator, children, meet.as_ref()), world, scratch)
        })
        .collect();
    if scratch.stopped.is_some() {
        return None;
    }
    scratch.n_bytes += sets.iter().map(ValueSet::n_bytes).sum::<usize>();
    Some(part.values.get_or_init(|| sets))
}

/// The positions of the groups, by one argument, whose key is in its world's set.
pub(super) fn cover(groups: &Groups, sets: &[ValueSet], n_positions: usize) -> ExampleSet {
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

fn enumerate(
    part: &Part,
    (generator, children, meet): (&Generator, &[Child], Option<&Meet>),
    world: World<'_>,
    scratch: &mut Scratch,
) -> ValueSet {
    let relation = world.background.relation(generator.predicate);
    if let Some(filter) = Filter::new(generator, children, world) {
        if filter.is_exact {
            return filter.values(scratch);
        }
        if let Some(meet) = meet {
            let candidates = filter.values(scratch);
            return prove_each(part, (children, meet), &candidates, world, scratch);
        }
    }
    let mut found = std::mem::take(&mut scratch.collector);
    let frame = scratch.push_frame(part.n_variables);
    let mut visit = |row: usize, scratch: &mut Scratch| {
        if let Some(value) = interface_value(generator, row, relation, frame, scratch)
            && !found.contains(value)
            && children.iter().all(|child| child_is_true(child, frame, world, scratch))
        {
            found.insert(value);
        }
        scratch.tick()
    };
    let rows =
        |rows: RowsWith<'_>, visit: &mut dyn FnMut(usize, &mut Scratch) -> bool, scratch: &mut Scratch| {
            (0..rows.len()).all(|position| visit(rows.get(position), scratch))
        };
    match sparsest(generator, children, world) {
        Driver::Rows(driven) => {
            rows(driven, &mut visit, scratch);
        }
        Driver::Values(column, set) => {
            set.all(|value| rows(relation.rows_with(column, value), &mut visit, scratch));
        }
    }
    scratch.pop_frame(frame);
    let set = found.take();
    scratch.collector = found;
    set
}

/// Those of a set's values that make a part true.
fn prove_each(
    part: &Part,
    (children, meet): (&[Child], &Meet),
    candidates: &ValueSet,
    world: World<'_>,
    scratch: &mut Scratch,
) -> ValueSet {
    let mut found = std::mem::take(&mut scratch.collector);
    let frame = scratch.push_frame(part.n_variables);
    candidates.all(|value| {
        scratch.values[frame] = value;
        if meet.is_true(children, frame, world, scratch) {
            found.insert(value);
        }
        scratch.stopped.is_none()
    });
    scratch.pop_frame(frame);
    let set = found.take();
    scratch.collector = found;
    set
}

/// Where the rows of a generator come from.
enum Driver<'a> {
    Rows(RowsWith<'a>),
    /// The rows that hold a value of the set in a column.
    Values(usize, &'a ValueSet),
}

/// The way to enumerate that is expected to see the fewest rows.
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

/// Binds the variables of a row; the value of variable 0, or nothing if the row does not match.
fn interface_value(
    generator: &Generator,
    row: usize,
    relation: &Relation,
    frame: usize,
    scratch: &mut Scratch,
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
                scratch.values[frame + variable] = value;
            }
            Column::Bind(variable) => scratch.values[frame + variable] = value,
            Column::Repeat(variable) if scratch.values[frame + variable] != value => return None,
            Column::Repeat(_) => {}
        }
    }
    interface
}

/// Whether a part is true for the values that its parent's frame gives its interface.
pub(super) fn child_is_true(child: &Child, frame: usize, world: World<'_>, scratch: &mut Scratch) -> bool {
    let part = &child.part;
    if let [variable] = *child.variables {
        let value = scratch.values[frame + variable];
        if let Some(sets) = part.values.get() {
            return sets[world.idx].contains(value);
        }
        if let Some(sets) = values(part, world.worlds, scratch) {
            return sets[world.idx].contains(value);
        }
    }
    if scratch.stopped.is_some() {
        return false;
    }
    let inner = scratch.push_frame(part.n_variables);
    for (position, &variable) in child.variables.iter().enumerate() {
        scratch.values[inner + position] = scratch.values[frame + variable];
    }
    let answer = remembered(part, inner, world, scratch);
    scratch.pop_frame(inner);
    answer
}

/// As `is_true`, remembering the answer of a join with at most one interface variable.
fn remembered(part: &Part, frame: usize, world: World<'_>, scratch: &mut Scratch) -> bool {
    if matches!(part.step, Step::Check { .. }) || part.n_interface > 1 {
        return is_true(part, frame, world, scratch);
    }
    let value = if part.n_interface == 1 { scratch.values[frame] } else { ConstantId::default() };
    if let Some(known) = scratch.answer(part.id, world.idx, value) {
        return known;
    }
    let answer = is_true(part, frame, world, scratch);
    scratch.remember(part.id, world.idx, value, answer);
    answer
}
