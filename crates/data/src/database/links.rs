//! What examples point to: by foreign keys, and by those of the latest row that hangs on such a thing.
//!
//! A driver points to no team. But his latest result does: so `starts_driver_results_team_latest(E, T)` is his team at
//! the cut-off, and its rows tell of him, too.

use super::aggregates::{Hanging, Window};
use super::star::{Seen, Star};
use super::summaries::{Hung, Summaries};
use super::times::RowTimes;
use crate::database::star::ExampleLink;
use crate::tables::schema::Schema;
use crate::tables::store::MISSING;

/// Whether clauses come to the rows of a table from an example. With cut-offs an example sees the rows alone that hang
/// on what it points to; without them rows that point to nothing say what they say through those that point to them.
pub(super) fn are_rows_met(
    table: usize,
    schema: &Schema,
    star: &Star,
    times: Option<&RowTimes>,
    links: &[ExampleLink],
) -> bool {
    let is_start = |to: usize| to == star.examples || links.iter().any(|link| link.to == to);
    let mut of_table = star.links(table, schema);
    match times {
        _ if table == star.examples => true,
        Some(_) => of_table.any(|(_, to)| is_start(to)),
        None => of_table.next().is_some(),
    }
}

/// Whether a foreign key of examples is a composite key of another table.
pub(super) fn is_far(seen: &Seen, schema: &Schema) -> bool {
    !seen.path.is_empty() && !schema.tables[seen.end.0].columns[seen.end.1].parts.is_empty()
}

/// What examples point to by foreign keys, if other rows hang on it or `takes_all` is true.
pub(super) fn foreign_links(
    schema: &Schema,
    star: &Star,
    tables: &Summaries<'_>,
    takes_all: bool,
) -> Vec<ExampleLink> {
    let hangs = |to: usize| takes_all || star.links_to(to).next().is_some();
    let links = star.links(star.examples, schema).filter(|(_, to)| hangs(*to));
    let link = |(seen, to): (&Seen, usize)| {
        let path: Vec<usize> = seen.path.iter().copied().chain([seen.end.1]).collect();
        let rows = tables.graph.row_at_end(seen.table, &path, schema);
        ExampleLink { name: seen.name.clone(), to, rows, is_latest: false, is_far: is_far(seen, schema) }
    };
    links.map(link).collect()
}

/// What the latest rows point to that hang on what examples point to.
pub(super) fn latest_links(
    schema: &Schema,
    star: &Star,
    tables: &Summaries<'_>,
    links: &[ExampleLink],
) -> Vec<ExampleLink> {
    let Some(times) = tables.times else { return Vec::new() };
    let mut found = Vec::new();
    for up in links {
        for down in star.links_to(up.to).filter(|down| down.path.is_empty()) {
            if times.of_tables[down.table].is_none() {
                continue;
            }
            let hung = Hung::new(Hanging { up: Some(up), down }, tables);
            let latest = |example: usize| tables.rows(example, Window::Latest(1), &hung).first().copied();
            let latest: Vec<Option<u32>> = (0..up.rows.len()).map(latest).collect();
            let is_other = |to: usize| to != up.to && star.links_to(to).next().is_some();
            let is_event = |to: usize| times.of_tables[to].is_some() || schema.tables[to].time.is_some();
            for (column, to) in
                schema.foreign_keys(down.table).filter(|(_, to)| is_other(*to) && !is_event(*to))
            {
                let targets = tables.graph.row_at_end(down.table, &[column], schema);
                let row = |row: &Option<u32>| row.map_or(MISSING, |row| targets[row as usize]);
                let of = &schema.tables[down.table].columns[column];
                found.push(ExampleLink {
                    name: format!("{}_{}_{}_latest", up.name, schema.tables[down.table].stem, of.stem),
                    to,
                    rows: latest.iter().map(row).collect(),
                    is_latest: true,
                    is_far: false,
                });
            }
        }
    }
    found
}
