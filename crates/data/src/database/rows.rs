//! The rows of a database: their names, which row each foreign key leads to, and what rows see at the end of a path.
//!
//! The rows of tables in the order of what they hold, so that no result follows the lines of a file.
//!
//! Facts, made folds, random streams, rows of one time and the ids of rows without a key follow the order of rows. Models
//! as SQL put rows of one time in the same order by the same cells.
//!
//! What examples see of the rows that they point to: nothing of what came to be after their cut-offs.
//!
//! An example names such a row by its key, so the key is known. All else of the row is not, by whatever path: it does not
//! exist yet. A row of the very moment of the cut-off exists, as the example could not name it before. A row whose time is
//! missing hides nothing: no one says that it came later.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::database::star::{ExampleLink, Seen};
use crate::provisional::Provisional;
use crate::tables::DatabaseRequest;
use crate::tables::schema::{Kind, Schema, TableSchema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, StoredTable};
use crate::texts::Time;
use crate::time::TimeTable;
use gleaner_base::{ConstantId, FixedMap, FixedSet};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use super::folds::RowFolds;
use super::star::Star;
use super::times::{CutOffs, RowTimes, TimeSources};

/// The rows of all tables, by their numbers.
#[derive(Debug)]
pub(crate) struct RowGraph<'d> {
    database: &'d Database,
    /// By table, the constant that names each row: its key, else its number in the files, from 1.
    names: Vec<Arc<[ConstantId]>>,
    /// By table and column, for each row the row that a foreign key leads to, or [`MISSING`]; empty for other columns.
    targets: Vec<Vec<Vec<u32>>>,
    /// What examples see of the rows that they point to.
    sight: Option<Sight>,
}

impl<'d> RowGraph<'d> {
    /// Cost: a pass over the keys and foreign keys.
    pub(crate) fn new(database: &'d Database, schema: &Schema, symbols: &mut Provisional) -> Self {
        let mut names: Vec<Arc<[ConstantId]>> = Vec::new();
        for (table, stored) in database.tables.iter().enumerate() {
            names.push(match schema.key(table) {
                Some(key) => {
                    stored.columns[key].cells.iter().map(|&cell| ConstantId::from_raw(cell)).collect()
                }
                None => {
                    let numbers = (0..stored.n_rows).map(|row| stored.number(row) + 1);
                    symbols.row_names(numbers).map(ConstantId::from_raw).collect()
                }
            });
        }
        let n_constants = symbols.constants().len();
        let targets = (0..database.tables.len()).map(|table| {
            let columns = &database.tables[table].columns;
            let mut of: Vec<Vec<u32>> = vec![Vec::new(); columns.len()];
            for (column, to) in schema.foreign_keys(table) {
                of[column] = targets(&columns[column].cells, &names[to], n_constants);
            }
            of
        });
        let targets = targets.collect();
        Self { database, names, targets, sight: None }
    }

    /// The name of each row of a table.
    pub(crate) fn names(&self, table: usize) -> &Arc<[ConstantId]> {
        &self.names[table]
    }

    /// From now on examples see no row that they point to and that came to be after their cut-offs.
    pub(crate) fn limit(&mut self, sight: Option<Sight>) {
        self.sight = sight;
    }

    /// What examples see; none where they see all.
    pub(crate) const fn sight(&self) -> Option<&Sight> {
        self.sight.as_ref()
    }

    /// The row that each row of a table comes to by these foreign keys: its key is known, whether or not it exists yet.
    pub(crate) fn row_at_end(&self, table: usize, path: &[usize], schema: &Schema) -> Vec<u32> {
        let Some((last, before)) = path.split_last() else { return self.walked(table, path, schema) };
        let mut rows = self.walked(table, before, schema);
        let at = schema.steps(table, path).last().map_or(table, |(at, _)| *at);
        self.step((at, *last), &mut rows);
        rows
    }

    /// The row that each row of a table comes to by these foreign keys, if it exists for it.
    fn walked(&self, table: usize, path: &[usize], schema: &Schema) -> Vec<u32> {
        let n_rows = u32::try_from(self.database.tables[table].n_rows).unwrap_or(MISSING);
        let mut rows: Vec<u32> = (0..n_rows).collect();
        for (number, (at, column)) in schema.steps(table, path).into_iter().enumerate() {
            self.step((at, column), &mut rows);
            let of_column = &schema.tables[at].columns[column];
            if let (Some(sight), Kind::Foreign(to)) = (&self.sight, of_column.kind) {
                let is_far = number > 0 && !of_column.parts.is_empty();
                sight.hide(table, (to, is_far), &mut rows);
            }
        }
        rows
    }

    fn step(&self, (table, column): (usize, usize), rows: &mut [u32]) {
        let targets = &self.targets[table][column];
        for row in rows {
            *row = targets.get(*row as usize).copied().unwrap_or(MISSING);
        }
    }

    /// The constant that each row sees, or [`MISSING`]. A foreign key without a row is seen, too.
    pub(crate) fn cells(&self, seen: &Seen, schema: &Schema) -> Vec<u32> {
        let cells = &self.database.tables[seen.end.0].columns[seen.end.1].cells;
        let value =
            |row: u32| cells.get(row as usize).copied().filter(|&cell| cell < LONG).unwrap_or(MISSING);
        self.walked(seen.table, &seen.path, schema).into_iter().map(value).collect()
    }

    /// How many values of a foreign key name no row, and the first such constant.
    pub(crate) fn without_row(&self, table: usize, column: usize) -> (usize, Option<u32>) {
        let cells = &self.database.tables[table].columns[column].cells;
        let lost = cells.iter().zip(&self.targets[table][column]);
        let mut lost = lost.filter(|(cell, row)| **cell < LONG && **row == MISSING).map(|(&cell, _)| cell);
        let first = lost.next();
        (usize::from(first.is_some()) + lost.count(), first)
    }
}

/// For each cell the number of the row that it names, or [`MISSING`].
///
/// **Cost**: a pass over the cells and the names.
fn targets(cells: &[u32], names: &[ConstantId], n_constants: usize) -> Vec<u32> {
    let named = || (0_u32..).zip(names).filter(|(_, name)| name.raw() < LONG);
    // Of few rows a hash map is smaller than a list of all constants.
    if names.len() < n_constants / 16 {
        let rows: FixedMap<u32, u32> = named().map(|(row, name)| (name.raw(), row)).collect();
        return cells.iter().map(|cell| rows.get(cell).copied().unwrap_or(MISSING)).collect();
    }
    let mut rows = vec![MISSING; n_constants];
    named().for_each(|(row, name)| rows[name.index()] = row);
    cells.iter().map(|&cell| rows.get(cell as usize).copied().unwrap_or(MISSING)).collect()
}

/// Sorts the rows of each part of each table by their key, or else by all cells that clauses may use, column by column:
/// numbers by value, then texts, then what is missing. Equal rows keep their order: nothing tells them apart.
///
/// **Cost**: `O(n log n)` for tables that are not in this order; for the others a pass.
pub(super) fn sort_rows(database: &mut Database, schema: &Schema, symbols: &Provisional) {
    let mut ranks = Ranks { symbols, of_constants: Vec::new() };
    for (stored, meaning) in database.tables.iter_mut().zip(&schema.tables) {
        let columns: Vec<&StoredColumn> =
            meaning.content_columns().map(|column| &stored.columns[column]).collect();
        let columns: Vec<Vec<u32>> = columns.iter().map(|column| ranks.of(column)).collect();
        let order = order(stored, &columns);
        if order.iter().zip(0..).any(|(&row, place)| row != place) {
            stored.reorder(&order);
        }
    }
}

impl TableSchema {
    /// The columns by which its rows have their order: the key, or else all that are not left out.
    pub(super) fn content_columns(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.columns.iter().position(|column| column.kind == Kind::Key);
        let is_used = move |at: &usize| match key {
            Some(key) => *at == key,
            None => self.columns[*at].parts.is_empty() && self.columns[*at].kind != Kind::LeftOut,
        };
        (0..self.columns.len()).filter(is_used)
    }
}

/// The rows of a table in order, a part after the other.
fn order(stored: &StoredTable, columns: &[Vec<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(stored.n_rows).unwrap_or(MISSING)).collect();
    let compared = |left: u32, right: u32| {
        let pairs = columns.iter().map(|column| (column[left as usize], column[right as usize]));
        let differing = pairs.map(|(left, right)| left.cmp(&right)).find(|compared| compared.is_ne());
        differing.unwrap_or_else(|| left.cmp(&right))
    };
    let mut start = 0;
    for &(end, _) in &stored.parts {
        order[start..end].par_sort_unstable_by(|&left, &right| compared(left, right));
        start = end;
    }
    order
}

/// Finds the places of constants among those of a column.
struct Ranks<'s> {
    symbols: &'s Provisional,
    /// By constant, its rank among those of the column that was looked at last.
    of_constants: Vec<u32>,
}

impl Ranks<'_> {
    /// For each row the rank of its cell.
    fn of(&mut self, column: &StoredColumn) -> Vec<u32> {
        let (texts, numbers) = (self.symbols.constants(), self.symbols.numbers());
        self.of_constants.resize(texts.len(), MISSING);
        let distinct: FixedSet<u32> = column.values().collect();
        let mut named: Vec<(Option<Number>, &str, u32)> =
            distinct.into_iter().map(|id| (numbers.get(id), bare(texts.text(id)), id)).collect();
        named.par_sort_unstable_by(|(number, text, _), (other, other_text, _)| match (number, other) {
            (Some(number), Some(other)) => number.table_order(*other).then_with(|| text.cmp(other_text)),
            (None, None) => text.cmp(other_text),
            (number, other) => other.is_some().cmp(&number.is_some()),
        });
        for (rank, (_, _, id)) in (0..).zip(&named) {
            self.of_constants[*id as usize] = rank;
        }
        let rank = |&cell: &u32| if cell < LONG { self.of_constants[cell as usize] } else { MISSING };
        column.cells.iter().map(rank).collect()
    }
}

/// A name without its quotes.
fn bare(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text)
}

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
