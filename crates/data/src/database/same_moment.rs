//! Keys of several columns that would show an example the row of its own moment.
//!
//! Where a customer and a day are a key, the row of the day of the label may well hold what came of it. So such a foreign
//! key of the examples is not proposed: who knows that its rows are known by then says so.

use gleaner_base::FixedMap;
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use crate::provisional::Provisional;
use crate::tables::schema::{Composite, Kind, Schema};
use crate::tables::store::{Database, LONG};
use crate::texts::Time;

/// Drops proposed foreign keys of the examples that lead one of them to a row of its own moment, and keys that then
/// nothing points to. Tells of each. `composites` are all that are said or proposed.
///
/// **Cost**: a hash of the rows of both tables for each foreign key of several columns that is proposed for the examples.
pub(super) fn drop_same_moment(
    composites: &mut Vec<Composite>,
    database: &Database,
    schema: &Schema,
    symbols: &Provisional,
) -> Vec<Diagnostic> {
    let Some((examples, _)) = schema.label else { return Vec::new() };
    let mut found = Vec::new();
    let mut dropped: Vec<Composite> = Vec::new();
    for link in composites.iter().filter(|of| of.table == examples && of.said_by.is_none()) {
        let Kind::Foreign(to) = link.kind else { continue };
        let key = composites.iter().find(|of| of.table == to && of.kind == Kind::Key);
        let (Some(key), Some(own), Some(time)) = (key, schema.tables[examples].time, schema.tables[to].time)
        else {
            continue;
        };
        let moments = Moments { database, symbols, read: FixedMap::default() };
        let n = moments.n_same((link, own), (key, time));
        if n > 0 {
            let (from, at) = (&database.tables[examples], &database.tables[to]);
            let at = faults::Column { table: at, column: &at.columns[time] };
            let names: Vec<&str> =
                link.columns.iter().map(|&part| from.columns[part].name.as_str()).collect();
            found.push(faults::key_of_same_moment((from, &names), at, n));
            dropped.push(link.clone());
        }
    }
    composites.retain(|of| !dropped.contains(of));
    let is_lost = |of: &Composite| {
        dropped.iter().any(|link| link.kind == Kind::Foreign(of.table)) && of.said_by.is_none()
    };
    let points_to: Vec<Kind> = composites.iter().map(|of| of.kind).collect();
    composites
        .retain(|of| of.kind != Kind::Key || !is_lost(of) || points_to.contains(&Kind::Foreign(of.table)));
    found
}

/// The times of cells, each read once.
struct Moments<'m> {
    database: &'m Database,
    symbols: &'m Provisional,
    read: FixedMap<u32, Option<Time>>,
}

impl Moments<'_> {
    /// How many rows a foreign key leads to a row of their own moment. Beside each key stands the column of its table's times.
    fn n_same(mut self, (link, own): (&Composite, usize), (key, time): (&Composite, usize)) -> usize {
        let (from, to) = (&self.database.tables[link.table], &self.database.tables[key.table]);
        let cells = |composite: &Composite, row: usize| -> Option<Vec<u32>> {
            let columns = &self.database.tables[composite.table].columns;
            let cells = composite.columns.iter().map(|&part| columns[part].cells[row]);
            cells.map(|cell| (cell < LONG).then_some(cell)).collect()
        };
        let rows: FixedMap<Vec<u32>, usize> =
            (0..to.n_rows).filter_map(|row| Some((cells(key, row)?, row))).collect();
        let met = (0..from.n_rows).filter_map(|row| Some((row, *rows.get(&cells(link, row)?)?)));
        let met: Vec<(u32, u32)> =
            met.map(|(row, there)| (from.columns[own].cells[row], to.columns[time].cells[there])).collect();
        met.into_iter().filter(|&(own, there)| self.are_same(own, there)).count()
    }

    /// Whether a row exists at the moment of another, and not before.
    fn are_same(&mut self, own: u32, there: u32) -> bool {
        let (Some(own), Some(there)) = (self.time(own), self.time(there)) else { return false };
        there.is_no_later_than(own) && !own.limit(false).admits(&there.of_fact())
    }

    fn time(&mut self, cell: u32) -> Option<Time> {
        let symbols = self.symbols;
        let read = || (cell < LONG).then(|| Time::read(symbols.constants().text(cell), None)).flatten();
        *self.read.entry(cell).or_insert_with(read)
    }
}
