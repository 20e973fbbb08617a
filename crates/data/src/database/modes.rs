//! Modes over the star of a database.

use gleaner_base::FixedMap;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::Place;

use crate::database::star::{AGE, ExampleLink, RECENCY};
use crate::database::times::{value_relation, value_type};
use crate::gather::Gathered;
use crate::mode_terms::{Marker, ModeSide, RawMode, Subject, comparisons, raw_mode};
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::Database;

use super::calendar::{CalendarPart, is_known, parts_of};
use super::star::{Seen, Star, are_rows_met, target};
use super::times::RowTimes;

/// The most rows that a literal of a bottom clause takes from a hub.
const MOST_ANSWERS: u32 = 100;

/// Declares the target and the modes.
pub(super) fn declare_modes(
    schema: &Schema,
    star: &Star,
    times: Option<&RowTimes>,
    links: &[ExampleLink],
    (database, gathered): (&Database, &mut Gathered),
) {
    let mut modes = vec![head(schema, star, times)];
    let mut compared: Vec<String> = Vec::new();
    let is_start = |table: usize| table == star.examples || links.iter().any(|link| link.to == table);
    for link in links.iter().filter(|link| link.is_latest) {
        let (row, other) = (&schema.tables[star.examples].stem, &schema.tables[link.to].stem);
        modes.push(body(&link.name, (Marker::Input, row), (Marker::Output, other), Some(1)));
    }
    let are_met = |table: &usize| are_rows_met(*table, schema, star, times, links);
    for table in (0..schema.tables.len()).filter(are_met) {
        let is_example = table == star.examples;
        let row = &schema.tables[table].stem;
        if is_example {
            for name in calendar_relations(schema, star, times, (database, gathered)) {
                modes.push(body(&name, (Marker::Input, row), (Marker::Output, &name), Some(1)));
                compared.push(name);
            }
        }
        for seen in star.values(table, schema) {
            let Some(name) = value_relation(seen, star, schema, times) else { continue };
            let of = if name == seen.name { value_type(seen, schema) } else { name.clone() };
            let kind = seen.kind(schema);
            if matches!(kind, Kind::Category | Kind::Code) {
                modes.push(body(&name, (Marker::Input, row), (Marker::Constant, &of), Some(1)));
            }
            if matches!(kind, Kind::Number | Kind::Code | Kind::Time) {
                modes.push(body(&name, (Marker::Input, row), (Marker::Output, &of), Some(1)));
                compared.push(of);
            }
        }
        let far = times.and_then(|times| times.of_tables[table].as_ref());
        if let Some(far) = far.filter(|of| star.seen[table].iter().all(|seen| seen.name != of.name)) {
            let age = format!("{}{AGE}", far.name);
            modes.push(body(&age, (Marker::Input, row), (Marker::Output, &age), Some(1)));
            compared.push(age);
        }
        for (seen, to) in star.links(table, schema) {
            let other = &schema.tables[to].stem;
            let is_start = is_start(to);
            let goes_on = (is_example || times.is_none()) && !star.is_in_head(seen, schema);
            if goes_on && star.links_to(to).next().is_some() {
                modes.push(body(&seen.name, (Marker::Input, row), (Marker::Output, other), Some(1)));
            }
            let are_rows = !is_example || star.do_examples_hang && to == table;
            if are_rows && (is_start || times.is_none()) {
                let markers = ((Marker::Output, row.as_str()), (Marker::Input, other.as_str()));
                modes.push(body_of(&seen.name, markers, Some(MOST_ANSWERS)));
                if times.is_some_and(|times| times.of_tables[table].is_some()) {
                    let recency = format!("{}{RECENCY}", seen.name);
                    modes.push(body(&recency, (Marker::Input, row), (Marker::Output, &recency), Some(1)));
                    compared.push(recency);
                }
            }
        }
    }
    compared.sort();
    compared.dedup();
    modes.extend(compared.iter().flat_map(|of| comparisons(of)));
    place_modes(&mut modes, star, database);
    gathered.statements.declarations.modes.extend(modes);
}

/// The relations of parts of the examples' times that tell of more than one date.
fn calendar_relations(
    schema: &Schema,
    star: &Star,
    times: Option<&RowTimes>,
    (database, gathered): (&Database, &Gathered),
) -> Vec<String> {
    let of_examples = star.seen[star.examples].iter().filter(|seen| seen.kind(schema) == Kind::Time);
    let mut found = Vec::new();
    for seen in of_examples.filter(|seen| is_known(seen, times)) {
        let cells = &database.tables[star.examples].columns[seen.end.1].cells;
        let recurs = |part: &CalendarPart| part.recurs(cells, &gathered.statements.symbols);
        found.extend(parts_of(seen, star).filter(recurs).map(|part| part.relation(seen)));
    }
    found
}

/// Places each mode of a column's relation at the name of the column.
fn place_modes(modes: &mut [RawMode], star: &Star, database: &Database) {
    let of_relation = |seen: &Seen| {
        let (table, column) = seen.end;
        // A key of several columns has no place of its own.
        let stored = database.tables[table].columns.get(column)?;
        Some((seen.name.clone(), stored.place))
    };
    let places: FixedMap<String, Place> = star.seen.iter().flatten().filter_map(of_relation).collect();
    for mode in modes {
        let Some(relation) = mode.subject.relation() else { continue };
        let place = [AGE, RECENCY].iter().find_map(|ending| places.get(relation.name.strip_suffix(ending)?));
        if let Some(place) = places.get(&*relation.name).or(place) {
            mode.place = *place;
        }
    }
}

fn head(schema: &Schema, star: &Star, times: Option<&RowTimes>) -> RawMode {
    let target = target(schema, star, times.is_some());
    let row = schema.tables[star.examples].stem.clone();
    let mut arguments = vec![(Marker::Input, row)];
    arguments.extend(star.head_links(schema).map(|(_, to)| (Marker::Input, schema.tables[to].stem.clone())));
    if let Some((table, column)) = schema.label.filter(|_| schema.has_classes) {
        let of = &schema.tables[table];
        arguments.push((Marker::Input, format!("{}_{}", of.stem, of.columns[column].stem)));
    }
    if times.is_some() {
        arguments.push((Marker::Input, "cut_off".to_owned()));
    }
    raw_mode(ModeSide::Head, Subject::from(target), arguments, Some(1))
}

fn body(name: &str, one: (Marker, &str), other: (Marker, &str), limit: Option<u32>) -> RawMode {
    body_of(name, (one, other), limit)
}

fn body_of(
    name: &str,
    ((one, of_one), (other, of_other)): ((Marker, &str), (Marker, &str)),
    instantiation_limit: Option<u32>,
) -> RawMode {
    let arguments = vec![(one, of_one.to_owned()), (other, of_other.to_owned())];
    raw_mode(ModeSide::Body, Subject::from(PredicateName::new(name, 2)), arguments, instantiation_limit)
}
