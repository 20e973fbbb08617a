//! The latest of the rows that hang on what examples point to.
//!
//! Rows lie sorted by time under what they hang on. So the rows before an example's cut-off are the first ones: a binary search for
//! each example.

use std::ops::Range;

use rayon::prelude::*;

use super::rows::{RowGraph, View};
use super::star::{ExampleLink, Seen};
use super::times::RowTimes;
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::{Database, MISSING};
use crate::time::TimeTable;

/// The tables, and when each example looks at them.
pub(super) struct SeenTables<'d> {
    pub(super) database: &'d Database,
    pub(super) schema: &'d Schema,
    pub(super) graph: &'d RowGraph<'d>,
    pub(super) times: Option<&'d RowTimes>,
    /// By example, what it may see; none where it has no cut-off.
    pub(super) views: &'d [Option<View>],
}

/// The rows that hang on what an example points to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanging<'s> {
    /// What the example points to.
    pub(super) up: &'s ExampleLink,
    /// The foreign key of the rows.
    pub(super) down: &'s Seen,
}

impl SeenTables<'_> {
    /// By example, the latest row that it sees of those that hang on what it points to.
    ///
    /// **Cost**: a pass over the rows.
    pub(super) fn latest(&self, of: Hanging<'_>) -> Vec<Option<u32>> {
        let hung = Hung::new(of, self);
        let latest = |example: usize| {
            let all = hung.of(example);
            let end = match (&hung.times, &self.views[example]) {
                (None, _) => all.end,
                (Some(_), None) => return None,
                (Some(_), Some(view)) => {
                    partition(all.clone(), |place| hung.is_before(place, view.n_existing))
                }
            };
            (end > all.start).then(|| hung.rows[end as usize - 1])
        };
        (0..of.up.rows.len()).map(latest).collect()
    }
}

/// The first of these numbers for which something is false that is true of all before it; their end if there is none.
fn partition(numbers: Range<u32>, is_before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (numbers.start, numbers.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The rows of a table under what they hang on.
struct Hung {
    /// By example, the row that it points to, or [`MISSING`].
    parents: Vec<u32>,
    /// By that row, where its rows begin in `rows`.
    starts: Vec<u32>,
    /// The rows that hang on each, sorted by time.
    rows: Vec<u32>,
    /// The places of their times in the table, if they have times.
    times: Option<Vec<u32>>,
    /// The places of the times from which on they hang there, where these are not always theirs.
    since: Option<Vec<u32>>,
}

impl Hung {
    /// Cost: a pass over the rows.
    fn new(of: Hanging<'_>, tables: &SeenTables<'_>) -> Self {
        let SeenTables { database, schema, graph, times, .. } = tables;
        let parents = of.up.rows.clone();
        let n_parents = database.tables[of.down_to(schema)].n_rows;
        let path: Vec<usize> = of.down.path.iter().copied().chain([of.down.end.1]).collect();
        let parents_of_rows = graph.row_at_end(of.down.table, &path, schema);
        let times = times.and_then(|times| Some((times.of_tables[of.down.table].as_ref()?, &*times.table)));
        let later = times.and_then(|(of_table, table)| Some((of_table.later(&of.down.path)?, table)));
        // A row without a time exists for no example.
        let order = times.map(|(of_table, _)| of_table.order.as_slice());
        let (starts, rows) = under_parents(&parents_of_rows, order, n_parents);
        let times = times.map(|(of_table, table)| places(&rows, &of_table.cells, table));
        let since = later.map(|(later, table)| places(&rows, &later.cells, table));
        Self { parents, starts, rows, times, since }
    }

    /// The places of the rows that hang on what an example points to.
    fn of(&self, example: usize) -> Range<u32> {
        match self.parents[example] as usize {
            parent if parent + 1 < self.starts.len() => self.starts[parent]..self.starts[parent + 1],
            _ => 0..0,
        }
    }

    /// Whether the row at a place hangs there from one of so many times on, the earliest; false if it has none.
    fn is_before(&self, place: u32, n_times: u32) -> bool {
        let since = self.since.as_ref().or(self.times.as_ref());
        since.is_some_and(|since| since[place as usize] < n_times)
    }
}

/// The places of the times of these rows.
fn places(rows: &[u32], cells: &[u32], times: &TimeTable) -> Vec<u32> {
    rows.par_iter().map(|&row| times.place(cells[row as usize]).unwrap_or(MISSING)).collect()
}

/// The rows under their parents, in this order or as they are: where those of each parent begin, and all of them.
fn under_parents(parents: &[u32], order: Option<&[u32]>, n_parents: usize) -> (Vec<u32>, Vec<u32>) {
    let n_rows = order.map_or(parents.len(), <[u32]>::len);
    let row = |at: u32| order.map_or(at, |order| order[at as usize]);
    let placed = (0..u32::try_from(n_rows).unwrap_or(MISSING)).map(row);
    let placed = placed.map(|row| (row, parents[row as usize])).filter(|(_, parent)| *parent != MISSING);
    let mut starts = vec![0_u32; n_parents + 1];
    placed.clone().for_each(|(_, parent)| starts[parent as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let mut next = starts.clone();
    let mut rows = vec![0; starts.last().map_or(0, |&n| n as usize)];
    for (row, parent) in placed {
        let next = &mut next[parent as usize];
        rows[*next as usize] = row;
        *next += 1;
    }
    (starts, rows)
}

impl Hanging<'_> {
    /// The table that the rows hang on.
    fn down_to(&self, schema: &Schema) -> usize {
        match self.down.kind(schema) {
            Kind::Foreign(to) => to,
            _ => 0,
        }
    }
}
