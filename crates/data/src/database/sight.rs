//! What examples see of the rows that they point to: nothing of what came to be after their cut-offs.
//!
//! An example names such a row by its key, so the key is known. All else of the row is not, by whatever path: it does not
//! exist yet. A row of the very moment of the cut-off exists, as the example could not name it before. A row whose time is
//! missing hides nothing: no one says that it came later.

use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use super::folds::RowFolds;
use super::rows::RowGraph;
use super::star::Star;
use super::times::{CutOffs, RowTimes, TimeSources};
use crate::database::star::ExampleLink;
use crate::provisional::Provisional;
use crate::tables::DatabaseRequest;
use crate::tables::schema::Schema;
use crate::tables::store::{Database, LONG, MISSING};
use crate::texts::Time;
use crate::time::TimeTable;

/// What one example may see: rows that its limits admit.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) cut_off: Time,
    /// The time at which its fold is frozen.
    frozen: Option<Time>,
    /// So many of the times of rows, the earliest, exist for it.
    pub(super) n_existing: u32,
    /// Whether what it points to may be of the moment of its cut-off.
    sees_same: bool,
}

impl View {
    /// What examples with this cut-off see of rows with such times, up to the time at which their fold is frozen.
    fn new(cut_off: Time, frozen: Option<Time>, times: &TimeTable) -> Self {
        let limits = [Some(cut_off.limit(false)), frozen.map(|time| time.limit(false))];
        let n_existing = times.n_existing(|point| limits.iter().flatten().all(|limit| limit.admits(point)));
        Self { cut_off, frozen, n_existing, sees_same: frozen.is_none_or(|time| time.is_after(cut_off)) }
    }

    /// Whether the example knows what happened at a time, to itself or to what it points to.
    pub(super) fn knows(&self, time: Time) -> bool {
        let is_before = |frozen: Time| frozen.limit(false).admits(&time.of_fact());
        !time.is_after(self.cut_off) && self.frozen.is_none_or(is_before)
    }

    /// Whether a row that the example points to, of the time at this place, is of the moment of the cut-off.
    fn is_same(&self, place: u32, times: &TimeTable) -> bool {
        let is_no_later = |time: Time| time.is_no_later_than(self.cut_off);
        self.sees_same && place >= self.n_existing && times.at(place).is_some_and(is_no_later)
    }
}

/// What each example may see: rows before its cut-off, and before the time at which its fold is frozen.
pub(super) fn views(
    database: &Database,
    schema: &Schema,
    cut_offs: &CutOffs,
    (request, folds): (&DatabaseRequest, &RowFolds),
    symbols: &Provisional,
) -> Vec<Option<View>> {
    let Some((table, _)) = schema.label else { return Vec::new() };
    let stored = &database.tables[table];
    let read = |(cell, freeze): (u32, Option<usize>)| {
        let cut_off = Time::read((cell < LONG).then(|| symbols.constants().text(cell))?, None)?;
        let frozen = freeze.and_then(|freeze| Time::read(&request.frozen[freeze].time, None));
        Some(View::new(cut_off, frozen, &cut_offs.times))
    };
    // Many examples have the same cut-off.
    let mut known: FixedMap<(u32, Option<usize>), Option<View>> = FixedMap::default();
    let view = |row: usize| {
        let cell = stored.columns[cut_offs.column].cells[row];
        let freeze = request.frozen.iter().position(|freeze| folds.name(row) == Some(&*freeze.fold));
        *known.entry((cell, freeze)).or_insert_with(|| read((cell, freeze)))
    };
    (0..stored.n_rows).map(view).collect()
}

/// What the examples see, and when the rows that they point to came to be.
#[derive(Debug)]
pub(crate) struct Sight {
    /// The table of the examples.
    examples: usize,
    /// By example; none where it has no cut-off, and sees no row with a time.
    pub(super) views: Vec<Option<View>>,
    /// By table, the place of the time of each row, or [`MISSING`]; none for tables without times.
    since: Vec<Option<Vec<u32>>>,
    times: Arc<TimeTable>,
}

/// How an example sees a row that it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Seeing {
    /// It was there before.
    Before,
    /// It is of the moment of the cut-off.
    Same,
    /// It is not seen: it came later.
    Hidden,
}

impl Sight {
    /// **Cost**: a pass over the times of rows.
    pub(super) fn new(
        database: &Database,
        schema: &Schema,
        star: &Star,
        (cut_offs, times): (&CutOffs, Option<&RowTimes>),
        views: Vec<Option<View>>,
    ) -> Self {
        let place = |&cell: &u32| cut_offs.times.place(cell).unwrap_or(MISSING);
        let since = |table: usize| -> Option<Vec<u32>> {
            if !star.is_met[table] {
                return None;
            }
            if let Some(of_table) = times.and_then(|times| times.of_tables[table].as_ref()) {
                return Some(of_table.cells.iter().map(place).collect());
            }
            // Examples came to be at their cut-offs.
            let is_alone = table == star.examples || schema.foreign_keys(table).next().is_none();
            let own = schema.tables[table].time.filter(|_| is_alone)?;
            Some(database.tables[table].columns[own].cells.iter().map(place).collect())
        };
        let since = (0..schema.tables.len()).map(since).collect();
        Self { examples: star.examples, views, since, times: Arc::clone(&cut_offs.times) }
    }

    /// Puts [`MISSING`] in the place of rows of a table that came to be after the cut-offs. `rows` are by example, and by a
    /// step from this table of which `is_far` says that it is a composite key of another table than the examples'.
    pub(super) fn hide(&self, from: usize, (table, is_far): (usize, bool), rows: &mut [u32]) {
        if from != self.examples || self.since[table].is_none() {
            return;
        }
        for (example, row) in rows.iter_mut().enumerate() {
            if self.seeing(example, (table, *row), is_far) == Seeing::Hidden {
                *row = MISSING;
            }
        }
    }

    /// Whether some example does not see the row that it points to.
    pub(super) fn hides_some(&self, link: &ExampleLink) -> bool {
        self.since[link.to].is_some()
            && link.rows.iter().enumerate().any(|(example, &row)| {
                row != MISSING && self.seeing(example, (link.to, row), link.is_far) == Seeing::Hidden
            })
    }

    fn seeing(&self, example: usize, (table, row): (usize, u32), is_far: bool) -> Seeing {
        let since = self.since[table].as_ref().and_then(|since| since.get(row as usize));
        let Some(&place) = since.filter(|place| **place != MISSING) else { return Seeing::Before };
        match &self.views[example] {
            Some(view) if place < view.n_existing => Seeing::Before,
            Some(view) if !is_far && view.is_same(place, &self.times) => Seeing::Same,
            _ => Seeing::Hidden,
        }
    }

    /// Tells how many examples point to rows that came to be after their cut-offs, or at them.
    ///
    /// **Cost**: a pass over the examples for each path of foreign keys.
    pub(super) fn told(
        &self,
        database: &Database,
        schema: &Schema,
        star: &Star,
        graph: &RowGraph<'_>,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let sources = TimeSources::new(schema);
        let mut told: FixedSet<(usize, usize, Seeing)> = FixedSet::default();
        let paths = star.seen[self.examples].iter().filter(|seen| !seen.path.is_empty());
        let mut last: Option<(&[usize], usize)> = None;
        for seen in paths {
            let at = (&*seen.path, seen.end.0);
            if self.since[at.1].is_none() || last.replace(at) == Some(at) {
                continue;
            }
            let steps = schema.steps(self.examples, &seen.path);
            let Some(&(from, column)) = steps.last() else { continue };
            let is_far = steps.len() > 1 && !schema.tables[from].columns[column].parts.is_empty();
            let rows = graph.row_at_end(self.examples, &seen.path, schema);
            for which in [Seeing::Hidden, Seeing::Same] {
                let is_so = |&(example, row): &(usize, u32)| {
                    row != MISSING && self.seeing(example, (at.1, row), is_far) == which
                };
                let rows: Vec<u32> =
                    rows.iter().copied().enumerate().filter(is_so).map(|(_, row)| row).collect();
                let Some(time) = self.main_source(at.1, &rows, (schema, &sources, graph)) else { continue };
                let is_said = schema.tables[time.0].columns[time.1].is_said();
                if is_said || !told.insert((time.0, time.1, which)) {
                    continue;
                }
                let (n, pointing) = (
                    [rows.len(), self.views.len()],
                    (database.column((from, column)), &database.tables[at.1]),
                );
                found.push(match which {
                    Seeing::Same => faults::rows_of_same_moment(pointing, database.column(time), n),
                    _ => faults::rows_after(pointing, database.column(time), n),
                });
            }
        }
        found
    }

    /// The column that says when most of these rows came to be.
    fn main_source(
        &self,
        table: usize,
        rows: &[u32],
        (schema, sources, graph): (&Schema, &TimeSources, &RowGraph<'_>),
    ) -> Option<(usize, usize)> {
        let since = self.since[table].as_ref().filter(|_| !rows.is_empty())?;
        let sources = sources.of_rows(table).iter();
        let sources: Vec<_> = sources.map(|seen| (seen.end, graph.cells(seen, schema))).collect();
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for &row in rows {
            let is_latest = |(_, cells): &(_, Vec<u32>)| {
                self.times.place(cells[row as usize]) == Some(since[row as usize])
            };
            if let Some(at) = sources.iter().position(is_latest) {
                *counts.entry(at).or_default() += 1;
            }
        }
        let main = counts.into_iter().max_by_key(|&(at, n)| (n, std::cmp::Reverse(at)))?;
        Some(sources[main.0].0)
    }
}
