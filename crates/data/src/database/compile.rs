//! From tables and their schema to facts, examples and declarations.
//!
//! Each relation is between a row and one value, so a clause takes one column at a time, and a cell without a value is
//! no fact.

use gleaner_base::{FixedMap, PredicateId};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Diagnostic, Place};

use super::class_lints::{ClassLints, RowClasses};
use super::examples::{ExamplesOf, has_classes};
use super::fact_writer::{TimedValues, Writer};
use super::faults;
use super::folds::RowFolds;
use super::keys::ColumnAt;
use super::latest::SeenTables;
use super::lints::{
    keys_in_circles, named_later, nothing_hidden, nothing_to_hide, odd_columns, times_with_gaps, two_cut_offs,
};
use super::made_keys::{add_composite_cells, add_said_key_tables, settle_composites};
use super::modes::declare_modes;
use super::notations::{add_said_bounds, take_notations};
use super::oddities::{Looking, first_pair, take_numbers, take_times};
use super::one_day::give_cut_off;
use super::profile::Profile;
use super::propose::{find_label, label_table, propose_schema};
use super::rows::{RowGraph, Sight, sort_rows, views};
use super::schema_text::schema_text;
use super::star::{Seen, Star, are_rows_met, foreign_links, latest_links};
use super::times::{RowTimes, cut_offs, row_times};
use super::to_score::{is_form, take_rows_to_score};
use crate::database::star::ExampleLink;
use crate::gather::Gathered;
use crate::gather::time_terms::{ReachedRows, Undated};
use crate::provisional::Provisional;
use crate::tables::schema::{GivenColumn, GivenSchema, Kind, Says, Schema};
use crate::tables::store::{Database, LONG, MISSING, label_text, number_cell};
use crate::tables::{DatabaseRequest, TableRows};
use crate::texts::period_texts::Duration;

/// Puts what the tables say into the gathered data. Tells what is wrong or odd.
pub(crate) fn settle(
    database: &mut Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
    gathered: &mut Gathered,
) {
    // What is wrong in a table explains what would be wrong with all of them.
    if gathered.messages.have_error() {
        return;
    }
    let of_model = request.schema.as_deref().map(|text| given.with_model(text));
    let (mut given, mut request) = (of_model.unwrap_or_else(|| given.clone()), request.clone());
    let asked = give_cut_off(&mut request, database, &mut given, &mut gathered.statements.symbols);
    let settled = asked.and_then(|told| {
        gathered.messages.extend(told);
        compiled(database, &request, &given, gathered)
    });
    gathered.messages.extend(settled.err());
}

fn compiled(
    database: &mut Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
    gathered: &mut Gathered,
) -> Result<(), Diagnostic> {
    let symbols = &mut gathered.statements.symbols;
    if request.is_scored {
        add_label(database, request, given)?;
    }
    let (told, nearly_to_score) = take_rows_to_score(database, request, given, symbols);
    gathered.messages.extend(told);
    let Proposed { label, mut schema, mut profiles, told } = proposed(database, request, given, symbols);
    gathered.messages.extend(told);
    gathered.statements.schema = Some(schema_text(&schema));
    gathered.statements.has_given_modes = request.has_modes;
    label?;
    if request.only_schema {
        return Ok(());
    }
    check_group(database, &schema, request)?;
    let symbols = &mut gathered.statements.symbols;
    add_composite_cells(database, &schema, &mut profiles, symbols);
    check_keys(database, &schema, &profiles, symbols)?;
    gathered.messages.extend(take_numbers(database, &schema, &profiles, symbols));
    take_durations(database, &mut schema, symbols);
    gathered.messages.extend(take_times(database, &schema, &profiles, symbols));
    sort_rows(database, &schema, symbols);
    let database = &*database;
    schema.has_classes = has_classes(database, &schema, request, symbols);
    let star = Star::new(&schema);
    let mut graph = RowGraph::new(database, &schema, symbols);
    let cut_offs = cut_offs(database, &schema, &star, symbols);
    if cut_offs.is_none() && !request.frozen.is_empty() && !request.is_frozen_for_model {
        gathered.messages.push(faults::frozen_without_cut_off(&schema.tables[star.examples].name));
    }
    let times = cut_offs.as_ref().and_then(|cut_offs| row_times(cut_offs, &schema, &star, &graph));
    let star = star.with_hanging(times.is_none());
    tell_of_joins(database, &schema, (&star, &nearly_to_score), &graph, gathered);
    let folds = RowFolds::of(database, &schema, request.split.as_ref(), request.is_scored, gathered)?;
    check_frozen(&folds, &schema, request)?;
    graph.limit(cut_offs.map(|cut_offs| {
        let symbols = &gathered.statements.symbols;
        let views = views(database, &schema, &cut_offs, (request, &folds), symbols);
        Sight::new(database, &schema, &star, (&cut_offs, times.as_ref()), views)
    }));
    let views = graph.sight().map_or(&[][..], |sight| &sight.views);
    let tables = SeenTables { database, schema: &schema, graph: &graph, times: times.as_ref(), views };
    let mut links = foreign_links(&schema, &star, &tables, request.has_modes);
    links.extend(latest_links(&schema, &star, &tables, &links));
    let mut writer = Writer { database, schema: &schema, star: &star, graph: &graph, gathered };
    writer.examples_values(times.as_ref());
    writer.latest_links(&links);
    let are_met = |&table: &usize| {
        let is_met = || are_rows_met(table, &schema, &star, times.as_ref(), &links);
        table != star.examples && star.is_met[table] && (request.has_modes || is_met())
    };
    let met = (0..schema.tables.len()).filter(are_met);
    let timed = writer.rows_of_all(met, times.as_ref(), (&links, request.has_modes));
    declare_times(timed, times.as_ref().filter(|_| !request.has_modes), (&schema, &star, &links), gathered);
    let of_times = times.as_ref();
    let (schema, graph, star) = (&schema, &graph, &star);
    let examples = ExamplesOf { database, schema, graph, star, times: of_times, folds: &folds };
    let classes = examples.add(request, gathered)?;
    let symbols = &gathered.statements.symbols;
    let looking = Looking { database, schema, profiles: &profiles, star, symbols };
    // What is odd in columns was told at learning; what a cell holds is new.
    let found = match request.is_scored {
        true => looking.texts_not_read(),
        false => odd_in_examples(looking, graph, of_times, &classes, request),
    };
    gathered.messages.extend(found);
    gathered.statements.table_rows = TableRows::of(database, schema, graph, request);
    if request.has_modes {
        return Ok(());
    }
    declare_modes(schema, star, of_times, &links, (database, gathered));
    Ok(())
}

/// Declares which values have a time, and, if `times` are given, the rows that clauses come to.
fn declare_times(
    timed: Vec<TimedValues>,
    times: Option<&RowTimes>,
    (schema, star, links): (&Schema, &Star, &[ExampleLink]),
    gathered: &mut Gathered,
) {
    // Modes of the user may lead anywhere: then all facts of a row have its time, and no row is left out.
    if let Some(times) = times {
        let mut reached = reached_rows(schema, star, times, links, gathered);
        reached.tables.extend(timed.iter().map(|of| (of.predicate, of.table)));
        let declared = &mut gathered.statements.declarations.times;
        declared.reached = Some(reached);
        // Of a database all relations with a time are declared.
        declared.are_others_untimed = true;
    }
    for of in timed {
        let facts = gathered.statements.symbols.predicate_name(of.predicate).clone();
        let undated = Undated { facts, is_inclusive: of.knows_same, place: Place::default() };
        gathered.statements.declarations.times.undated.push(undated);
    }
}

/// What the tables mean by what is said of them and by their values, and the figures of their columns.
struct Proposed {
    label: Result<ColumnAt, Diagnostic>,
    schema: Schema,
    profiles: Vec<Vec<Profile>>,
    /// The messages about it.
    told: Vec<Diagnostic>,
}

/// Finds the label and proposes the schema. Tables of keys that stand in no file are made, and the schema is proposed anew with
/// them.
///
/// **Cost**: a proposal, and one more for each table of keys on the way to the farthest table.
fn proposed(
    database: &mut Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
    symbols: &mut Provisional,
) -> Proposed {
    let mut told = add_said_key_tables(given, database);
    add_said_bounds(given, database);
    let (mut given, of_nothing) = given.settled(database);
    told.extend(of_nothing);
    told.extend(settle_composites(&mut given, database));
    let label = find_label(database, request.label.as_ref(), &given);
    let of_label = label.as_ref().ok().copied();
    // Each table of keys joins another table. A model knows all its tables.
    let mut n_rounds = if of_label.is_none() || request.schema.is_some() { 0 } else { database.tables.len() };
    // What is read in another notation may mean something else.
    let (schema, profiles, of_schema) = propose_schema(database, of_label, &given, symbols);
    let anew = take_notations(database, (&schema, &profiles), &given, symbols);
    told.extend(anew.told);
    let mut first = (anew.n_columns == 0).then_some((schema, profiles, of_schema));
    loop {
        let propose = || propose_schema(database, of_label, &given, symbols);
        let (schema, profiles, of_schema) = first.take().unwrap_or_else(propose);
        if n_rounds == 0 {
            told.extend(of_schema);
            return Proposed { label, schema, profiles, told };
        }
        n_rounds -= 1;
        let star = &Star::new(&schema);
        let looking = Looking { database, schema: &schema, profiles: &profiles, star, symbols };
        let missing = looking.missing_key_tables(&given);
        if missing.is_empty() {
            told.extend(of_schema);
            return Proposed { label, schema, profiles, told };
        }
        told.extend(missing.iter().map(|table| table.told(database)));
        missing.into_iter().for_each(|table| table.add_to(database));
    }
}

/// What is odd in tables that a model learns from.
fn odd_in_examples(
    looking: Looking<'_>,
    graph: &RowGraph<'_>,
    times: Option<&RowTimes>,
    classes: &RowClasses,
    request: &DatabaseRequest,
) -> Vec<Diagnostic> {
    let Looking { database, schema, star, symbols, .. } = looking;
    let mut found = odd_columns(looking);
    found.extend(looking.untimed_rows(times));
    found.extend(match &request.cut_off {
        Some(_) => nothing_to_hide(schema, star),
        None => nothing_hidden(database, schema, star).filter(|_| times.is_none()),
    });
    found.extend(times.and_then(|_| two_cut_offs(looking)));
    found.extend(times.into_iter().flat_map(|_| times_with_gaps(looking)));
    found.extend(times.into_iter().flat_map(|_| keys_in_circles(looking)));
    found.extend(times.into_iter().flat_map(|times| named_later(looking, graph, times)));
    found.extend(graph.sight().map(|sight| sight.told(database, schema, star, graph)).into_iter().flatten());
    found.extend(ClassLints { database, schema, graph, star, times, classes, symbols }.found());
    found
}

/// Adds the column of labels without values, where rows to be scored lack it. A model's table has to be there.
fn add_label(
    database: &mut Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
) -> Result<(), Diagnostic> {
    let of_model = given.label_of_model();
    let (table, column) = match (&request.label, of_model) {
        // A column alone is that of the model's table, if there is one.
        (Some(label), Some((table, _))) if label.table.is_empty() => (table.to_owned(), &*label.column),
        (Some(label), None) if label.table.is_empty() => {
            (database.tables[label_table(label, database)?].name.clone(), &*label.column)
        }
        (Some(label), _) => (label.table.clone(), &*label.column),
        (None, Some((table, column))) => (table.to_owned(), column),
        (None, None) => return Ok(()),
    };
    if request.label.is_none() && database.tables.iter().all(|known| known.name != table) {
        let is_cut_off = |of: &GivenColumn| of.table == table && of.says == Says::RowTime;
        let has_cut_off = request.cut_off.is_none() && given.columns.iter().any(is_cut_off);
        return Err(faults::no_table_to_score(&table, database, has_cut_off));
    }
    database.add_missing(&table, column);
    Ok(())
}

/// Refuses keys that a file says, and that do not name each row.
fn check_keys(
    database: &Database,
    schema: &Schema,
    profiles: &[Vec<Profile>],
    symbols: &Provisional,
) -> Result<(), Diagnostic> {
    for (table, stored) in database.tables.iter().enumerate() {
        // A table without rows has no row that its key does not name.
        let is_faulty = |key: &usize| stored.n_rows > 0 && !profiles[table][*key].is_unique();
        if let Some(key) = schema.key(table).filter(is_faulty) {
            let profile = &profiles[table][key];
            let n_more = profile.n_values as u64 - profile.n_distinct();
            let n_without = profile.n_missing + profile.n_long;
            let pair = first_pair(stored, key, symbols);
            return Err(faults::no_key(stored, &stored.columns[key], [n_more, n_without as u64], pair));
        }
    }
    Ok(())
}

/// Refuses to freeze a fold where no row has one.
fn check_frozen(folds: &RowFolds, schema: &Schema, request: &DatabaseRequest) -> Result<(), Diagnostic> {
    let is_said = !request.is_scored && !request.is_frozen_for_model && folds.names.is_empty();
    match (request.frozen.first().filter(|_| is_said), schema.label) {
        (Some(first), Some((table, _))) => {
            Err(faults::frozen_without_folds(&first.fold, &schema.tables[table].name))
        }
        _ => Ok(()),
    }
}

/// Refuses to group by a column that the table of examples lacks.
fn check_group(database: &Database, schema: &Schema, request: &DatabaseRequest) -> Result<(), Diagnostic> {
    let (Some(name), Some((table, _)), false) = (&request.group, schema.label, request.is_scored) else {
        return Ok(());
    };
    let stored = &database.tables[table];
    stored.column_named(name).map(|_| ()).ok_or_else(|| faults::no_group(name, stored))
}

/// Puts numbers of seconds in the place of texts as `1:27.452`. What is no duration then is missing.
fn take_durations(database: &mut Database, schema: &mut Schema, symbols: &mut Provisional) {
    for (stored, meaning) in database.tables.iter_mut().zip(&mut schema.tables) {
        let columns = stored.columns.iter_mut().zip(&mut meaning.columns);
        for (column, meaning) in columns.filter(|(_, meaning)| meaning.kind == Kind::Duration) {
            meaning.kind = Kind::Number;
            let mut known: FixedMap<u32, u32> = FixedMap::default();
            for cell in column.cells.iter_mut().filter(|cell| **cell < MISSING) {
                *cell = *known.entry(*cell).or_insert_with(|| seconds(*cell, symbols));
            }
        }
    }
}

/// The number of seconds of a cell that holds a duration; a number counts seconds already.
fn seconds(cell: u32, symbols: &mut Provisional) -> u32 {
    if cell == LONG || symbols.numbers().contains(cell) {
        return if cell == LONG { MISSING } else { cell };
    }
    match Duration::read(&label_text(cell, symbols)) {
        Some(duration) => number_cell(Number::Float(duration.seconds), symbols),
        None => MISSING,
    }
}

/// Tells of tables that nothing joins to the examples, and of foreign keys without a row.
fn tell_of_joins(
    database: &Database,
    schema: &Schema,
    (star, nearly_to_score): (&Star, &[String]),
    graph: &RowGraph<'_>,
    gathered: &mut Gathered,
) {
    for (table, stored) in database.tables.iter().enumerate() {
        let is_met = star.is_met[table];
        if stored.n_rows == 0 && table != star.examples {
            gathered.messages.push(faults::no_rows(stored));
        } else if !is_met && !nearly_to_score.contains(&stored.name) {
            let examples = &database.tables[star.examples];
            let label = schema.label.map(|(table, column)| &*database.tables[table].columns[column].name);
            let is_form = label.is_some_and(|label| is_form(stored, examples, label));
            gathered.messages.push(faults::joins_nothing(stored, is_form, &examples.name));
        }
        if !is_met {
            continue;
        }
        for (column, to) in schema.foreign_keys(table) {
            if let (n, Some(first)) = graph.without_row(table, column) {
                let first = gathered.statements.symbols.constants().text(first);
                let fault = faults::keys_without_row(&stored.columns[column], &database.tables[to], n, first);
                gathered.messages.push(fault);
            }
        }
    }
}

/// The rows that clauses come to from examples: those that these point to, and those that hang on them.
fn reached_rows(
    schema: &Schema,
    star: &Star,
    times: &RowTimes,
    links: &[ExampleLink],
    gathered: &mut Gathered,
) -> ReachedRows {
    let symbols = &mut gathered.statements.symbols;
    let is_timed = |link: &&ExampleLink| times.of_tables[link.to].is_some();
    let pointed = links.iter().filter(is_timed).map(|link| (symbols.predicate(&link.name, 2), link.to));
    let mut reached = ReachedRows { pointed: pointed.collect(), ..ReachedRows::default() };
    for table in (0..schema.tables.len()).filter(|&table| table != star.examples) {
        let Some(of_table) = &times.of_tables[table] else { continue };
        let is_time = |seen: &&Seen| seen.kind(schema) == Kind::Time && seen.path.is_empty();
        let of_times = star.seen[table].iter().filter(is_time).map(|seen| &seen.name);
        for name in of_times.chain([&of_table.name]) {
            reached.tables.insert(symbols.predicate(name, 2), table);
        }
        for (down, to) in star.links(table, schema) {
            let down = symbols.predicate(&down.name, 2);
            reached.tables.insert(down, table);
            let of_links = links.iter().filter(|link| link.to == to);
            let ups: Vec<Option<PredicateId>> =
                of_links.map(|up| Some(symbols.predicate(&up.name, 2))).collect();
            let own = (to == star.examples).then_some(None);
            reached.hanging.extend(ups.into_iter().chain(own).map(|up| (up, down)));
        }
    }
    reached
}
