//! The columns that say when the rows of a database came to be.
//!
//! A row with a time of its own came then. A row without one came with the latest of the nearest rows with times that it points to, as a
//! line of an order came with the order. That its product was changed since says nothing of the line.

use super::circles::Circles;
use super::paths::{Seen, seen};
use crate::tables::schema::{Kind, Schema};
use crate::texts::time_names::is_called_change;

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
