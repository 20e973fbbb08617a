//! When the rows of a database came to be: by a time of their own; without one, by those of the rows that they point to.
//!
//! A row may point to one that came later, as an order to its invoice or to a customer whose row was changed since. Then the
//! row is there before, and what it says through that one is not.
//!
//! The columns that say when the rows of a database came to be.
//!
//! A row with a time of its own came then. A row without one came with the latest of the nearest rows with times that it points to, as a
//! line of an order came with the order. That its product was changed since says nothing of the line.

use std::sync::Arc;

use gleaner_base::FixedSet;
use gleaner_lang::program::Number;

use crate::database::rows::RowGraph;
use crate::database::star::{AGE, Circles, Seen, Star, path_name, seen};
use crate::provisional::Provisional;
use crate::tables::schema::{Kind, Schema, TableSchema};
use crate::tables::store::{Database, MISSING, number_cell};
use crate::texts::Time;
use crate::texts::time_names::is_called_change;
use crate::time::TimeTable;

use rayon::prelude::*;

/// The times of a database.
#[derive(Debug)]
pub(crate) struct RowTimes {
    /// The column of the examples' table that is the cut-off.
    pub(crate) cut_off: usize,
    /// By table, when its rows came to be; none for tables without times, and for those that point to no other row.
    pub(crate) of_tables: Vec<Option<TableTimes>>,
    /// The times of all rows, and the cut-offs.
    pub(crate) table: Arc<TimeTable>,
    /// The columns that say when rows came to be.
    pub(super) sources: TimeSources,
}

/// When the rows of one table came to be.
#[derive(Debug)]
pub(crate) struct TableTimes {
    /// The name of the relation between rows and times.
    pub(crate) name: String,
    /// For each row the constant of its time, or [`MISSING`].
    pub(crate) cells: Vec<u32>,
    /// The rows with a time, the earliest first; of one time, in the order of the table.
    pub(crate) order: Vec<u32>,
    /// From when on rows see through others that came later.
    pub(crate) later: Vec<LaterTimes>,
}

/// From when on the rows of a table see what is at the end of paths of foreign keys, where some of it came later than the rows.
#[derive(Debug)]
pub(crate) struct LaterTimes {
    /// The paths.
    paths: Vec<Vec<usize>>,
    /// The name of the relation between rows and these times.
    pub(crate) name: String,
    /// As [`TableTimes::cells`].
    pub(crate) cells: Vec<u32>,
}

impl TableTimes {
    /// From when on rows see through this path, if some see through it later than they came to be.
    pub(crate) fn later(&self, path: &[usize]) -> Option<&LaterTimes> {
        self.later.iter().find(|later| later.paths.iter().any(|of| of == path))
    }
}

/// When the examples are looked at.
#[derive(Debug)]
pub(crate) struct CutOffs {
    /// The column of their table that says so.
    pub(crate) column: usize,
    /// The times of all rows, and these.
    pub(crate) times: Arc<TimeTable>,
}

/// The column that says when examples are looked at. The time of a row that others hang on says when it began.
pub(super) fn cut_off(schema: &Schema, star: &Star) -> Option<usize> {
    schema.tables[star.examples].time.filter(|_| star.links_to(star.examples).next().is_none())
}

/// When the examples are looked at; none where no column says so.
pub(super) fn cut_offs(
    database: &Database,
    schema: &Schema,
    star: &Star,
    symbols: &Provisional,
) -> Option<CutOffs> {
    let column = cut_off(schema, star)?;
    let of_rows = schema.tables.iter().zip(&database.tables).filter_map(|(table, stored)| {
        let time = table.time?;
        Some(stored.columns[time].values())
    });
    Some(CutOffs { column, times: Arc::new(TimeTable::new(of_rows.flatten(), symbols, false)) })
}

/// Whether a row that examples come to, or an example, has a time beside that of the row itself: what happened after the
/// cut-off is not known. A time that is a part of a key is known with it.
pub(super) fn has_further_times(schema: &Schema, star: &Star) -> bool {
    let is_further = |table: usize| {
        let TableSchema { columns, time, .. } = &schema.tables[table];
        let is_part = |at: usize| columns.iter().any(|column| column.parts.contains(&at));
        (0..columns.len()).any(|at| columns[at].kind == Kind::Time && *time != Some(at) && !is_part(at))
    };
    (0..schema.tables.len()).any(|table| star.is_met[table] && is_further(table))
}

impl RowTimes {
    /// Whether some row of another table names a row of this one that came later.
    pub(super) fn is_named_later(&self, table: usize, schema: &Schema) -> bool {
        let of_tables = self.of_tables.iter().enumerate().filter_map(|(from, of)| Some((from, of.as_ref()?)));
        let mut paths = of_tables.flat_map(|(from, of)| {
            let paths = of.later.iter().flat_map(|later| &later.paths);
            paths.map(move |path| (from, path))
        });
        paths.any(|(from, path)| {
            let last = schema.steps(from, path).last().copied();
            last.is_some_and(|(at, column)| schema.tables[at].columns[column].kind == Kind::Foreign(table))
        })
    }
}

/// The times of a database; none if there are none but those of rows that examples point to, and on which no others hang.
pub(super) fn row_times(
    cut_offs: &CutOffs,
    schema: &Schema,
    star: &Star,
    graph: &RowGraph<'_>,
) -> Option<RowTimes> {
    let (cut_off, table) = (cut_offs.column, Arc::clone(&cut_offs.times));
    let sources = TimeSources::new(schema);
    let of_tables: Vec<Option<TableTimes>> = (0..schema.tables.len())
        .map(|at| {
            let points = schema.foreign_keys(at).next().is_some();
            (at != star.examples && star.is_met[at] && points)
                .then(|| table_times(at, (schema, star, &sources), graph, &table))
                .flatten()
        })
        .collect();
    let has_times = of_tables.iter().any(Option::is_some) || has_further_times(schema, star);
    has_times.then_some(RowTimes { cut_off, of_tables, table, sources })
}

fn table_times(
    table: usize,
    (schema, star, sources_of): (&Schema, &Star, &TimeSources),
    graph: &RowGraph<'_>,
    times: &TimeTable,
) -> Option<TableTimes> {
    let sources = sources_of.of_rows(table);
    let columns: Vec<Vec<u32>> = sources.iter().map(|seen| graph.cells(seen, schema)).collect();
    let rank = |cell: u32| times.place(cell).map(|place| times.rank(place));
    let mut n_latest = vec![0_usize; sources.len()];
    let cells = (0..graph.names(table).len()).map(|row| {
        let mut latest: Option<(usize, u32)> = None;
        for (source, column) in columns.iter().enumerate() {
            let Some(rank) = rank(column[row]) else { continue };
            if latest.is_none_or(|(_, known)| known < rank) {
                latest = Some((source, rank));
            }
        }
        latest.map_or(MISSING, |(source, _)| {
            n_latest[source] += 1;
            columns[source][row]
        })
    });
    let cells: Vec<u32> = cells.collect();
    let main = (0..sources.len()).max_by_key(|&at| (n_latest[at], std::cmp::Reverse(at)))?;
    let mut later: Vec<LaterTimes> = Vec::new();
    let mut tried: FixedSet<&[usize]> = FixedSet::default();
    for path in star.seen[table].iter().map(|seen| &*seen.path) {
        if !tried.insert(path) {
            continue;
        }
        let mut of_path = cells.clone();
        for further in sources_of.through(table, path, schema) {
            let column = graph.cells(&further, schema);
            let known = of_path.iter_mut().zip(column).filter(|(known, _)| **known != MISSING);
            known
                .filter(|(known, later)| rank(**known) < rank(*later))
                .for_each(|(known, later)| *known = later);
        }
        if of_path == cells {
            continue;
        }
        match later.iter_mut().find(|known| known.cells == of_path) {
            Some(known) => known.paths.push(path.to_vec()),
            None => later.push(LaterTimes {
                name: since_name(table, path, (schema, star)),
                cells: of_path,
                paths: vec![path.to_vec()],
            }),
        }
    }
    let order = in_order(&cells, times);
    Some(TableTimes { name: sources[main].name.clone(), cells, order, later })
}

/// The name of the relation between rows and the times from which on they see through a path; no relation of a column has it.
fn since_name(table: usize, path: &[usize], (schema, star): (&Schema, &Star)) -> String {
    let mut name = path_name(table, path, schema) + "_since";
    while star.seen.iter().flatten().any(|seen| seen.name == name) {
        name.push('_');
    }
    name
}

/// The rows with a time, the earliest first.
fn in_order(cells: &[u32], times: &TimeTable) -> Vec<u32> {
    let ranked = |(row, &cell): (u32, &u32)| Some((times.rank(times.place(cell)?), row));
    let mut order: Vec<(u32, u32)> = (0_u32..).zip(cells).filter_map(ranked).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, row)| row).collect()
}

/// The days from a time to a cut-off; none for what is later.
pub(crate) fn days_before(cell: u32, cut_off: u32, symbols: &mut Provisional) -> u32 {
    let read = |cell: u32| Time::read(symbols.constants().text(cell), None);
    let (Some(time), Some(cut_off)) = (read(cell), read(cut_off)) else { return MISSING };
    let age = time.age_at(cut_off).filter(|age| age.as_f64() >= 0.0);
    age.map_or(MISSING, |age| number_cell(age, symbols))
}

/// A time as a number of years: `2024.5` in the middle of 2024.
pub(crate) fn in_years(cell: u32, symbols: &mut Provisional) -> u32 {
    match Time::read(symbols.constants().text(cell), None).and_then(Time::in_years) {
        Some(years) => number_cell(Number::Float((years * 10_000.0).round() / 10_000.0), symbols),
        None => MISSING,
    }
}

/// The type of what a column holds.
pub(super) fn value_type(seen: &Seen, schema: &Schema) -> String {
    let (table, column) = seen.end;
    match schema.tables[table].columns[column].kind {
        Kind::Foreign(to) => schema.tables[to].stem.clone(),
        _ => format!("{}_{}", schema.tables[table].stem, schema.tables[table].columns[column].stem),
    }
}

/// The name of the relation of a value, if clauses use it: times are ages where examples have cut-offs.
pub(super) fn value_relation(
    seen: &Seen,
    star: &Star,
    schema: &Schema,
    times: Option<&RowTimes>,
) -> Option<String> {
    if seen.kind(schema) != Kind::Time {
        return Some(seen.name.clone());
    }
    let Some(times) = times else { return Some(seen.name.clone()) };
    let is_example = seen.table == star.examples;
    if is_example && seen.path.is_empty() && seen.end.1 == times.cut_off {
        return None;
    }
    let is_of_row = times.of_tables[seen.table].as_ref().is_some_and(|of| of.name == seen.name);
    (is_example || is_of_row || seen.path.is_empty()).then(|| format!("{}{AGE}", seen.name))
}

/// The most keys on the way to a time.
const MOST_STEPS: usize = 8;

/// The most times that say when a row came to be.
const MOST_SOURCES: usize = 64;

/// What says when the rows of each table came to be.
#[derive(Debug)]
pub(super) struct TimeSources(Vec<Vec<Seen>>);

impl TimeSources {
    /// By the keys of a schema. Keys in a circle give no times.
    pub(super) fn new(schema: &Schema) -> Self {
        let search =
            Search { schema, circles: Circles::new(schema), leads_to_times: leading_to_times(schema) };
        Self((0..schema.tables.len()).map(|table| search.sources(table)).collect())
    }

    /// The columns that say when rows of a table came to be. A table without a time of its own has those of the nearest rows. Of
    /// several the latest counts.
    pub(super) fn of_rows(&self, table: usize) -> &[Seen] {
        &self.0[table]
    }

    /// What says from when on rows of a table see through a path of foreign keys, beside what says when they came to be.
    pub(super) fn through(&self, table: usize, path: &[usize], schema: &Schema) -> Vec<Seen> {
        let mut found: Vec<Seen> = Vec::new();
        for (at, (from, column)) in schema.steps(table, path).into_iter().enumerate() {
            let Kind::Foreign(to) = schema.tables[from].columns[column].kind else { continue };
            for source in self.of_rows(to) {
                let way: Vec<usize> = path[..=at].iter().chain(&source.path).copied().collect();
                let source = seen(table, &way, source.end, schema);
                if !found.contains(&source) && !self.of_rows(table).contains(&source) {
                    found.push(source);
                }
            }
        }
        found
    }
}

/// By table, whether it or one that its keys lead to has times.
fn leading_to_times(schema: &Schema) -> Vec<bool> {
    let mut leads: Vec<bool> = schema.tables.iter().map(|table| table.time.is_some()).collect();
    loop {
        let leads_on = |table: usize| schema.foreign_keys(table).any(|(_, to)| leads[to]);
        let more: Vec<usize> = (0..leads.len()).filter(|&table| !leads[table] && leads_on(table)).collect();
        if more.is_empty() {
            return leads;
        }
        more.into_iter().for_each(|table| leads[table] = true);
    }
}

struct Search<'s> {
    schema: &'s Schema,
    circles: Circles,
    leads_to_times: Vec<bool>,
}

impl Search<'_> {
    fn sources(&self, table: usize) -> Vec<Seen> {
        let mut found = Vec::new();
        self.walk(&mut Vec::new(), &mut vec![table], &mut found);
        found.sort_by_key(|seen| seen.path.len());
        let is_change = |seen: &Seen| {
            let (table, column) = seen.end;
            is_called_change(&self.schema.tables[table].columns[column].name)
        };
        // Who points to others took part in something then; who points to nothing may have been there long before.
        let is_event = |seen: &Seen| self.schema.foreign_keys(seen.end.0).next().is_some();
        if found.iter().any(|seen| is_event(seen) && !is_change(seen)) {
            found.retain(|seen| !is_change(seen));
        }
        found
    }

    fn walk(&self, path: &mut Vec<usize>, tables: &mut Vec<usize>, found: &mut Vec<Seen>) {
        let at = tables[tables.len() - 1];
        if let Some(time) = self.schema.tables[at].time {
            found.push(seen(tables[0], path, (at, time), self.schema));
            return;
        }
        for (column, to) in self.schema.foreign_keys(at) {
            let is_new = self.leads_to_times[to] && !tables.contains(&to);
            let is_short = path.len() < MOST_STEPS && found.len() < MOST_SOURCES;
            if is_new && is_short && !self.circles.has_timed((at, column), self.schema) {
                path.push(column);
                tables.push(to);
                self.walk(path, tables, found);
                path.pop();
                tables.pop();
            }
        }
    }
}
