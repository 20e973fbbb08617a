//! Warnings about tables that can be read but look wrong. Each warning gives its share of the rows and a remedy.
//!
//! Columns that `schema.toml` speaks of are not told: somebody has looked at them.

use gleaner_lang::program::Number;
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use super::keys::{self, ColumnAt};
use super::notations::{Readings, dates_in_numbers, dates_in_texts};
use super::oddities::Looking;
use super::profile::Profile;
use super::rows::RowGraph;
use super::star::{Circles, Seen, Star};
use super::times::{RowTimes, cut_off};
use crate::provisional::Provisional;
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::Database;
use crate::texts::time_names::words;

/// Columns that are likely to mean something else than they are taken for.
///
/// **Cost**: that of [`Looking::nearly_keys`] and [`Looking::texts_not_read`].
pub(super) fn odd_columns(looking: Looking<'_>) -> Vec<Diagnostic> {
    let Looking { database, schema, profiles, star, symbols } = looking;
    let nearly_keys = looking.nearly_keys();
    let is_told = |at: (usize, usize)| nearly_keys.iter().any(|(told, _)| *told == at);
    let mut found = looking.texts_not_read();
    for table in (0..schema.tables.len()).filter(|&table| star.is_met[table]) {
        let has_times = schema.tables[table].time.is_some();
        for (column, meaning) in schema.tables[table].columns.iter().enumerate() {
            let profile = &profiles[table][column];
            let at = database.column((table, column));
            if meaning.is_said()
                || !meaning.parts.is_empty()
                || matches!(meaning.kind, Kind::Label | Kind::Fold)
                || is_told((table, column))
            {
                continue;
            }
            let is_number = matches!(meaning.kind, Kind::Number | Kind::Code);
            let of_numbers = match is_number {
                true => dates_in_numbers(profile, &meaning.name, symbols),
                false => Readings::default(),
            };
            if of_numbers.notations.len() > 1 {
                found.push(faults::several_notations(at, &of_numbers.notations, false, has_times));
            } else if is_number && are_written_dates(profile, symbols) {
                found.push(faults::dates_as_numbers(at, profile.n_distinct()));
            } else if is_number && is_called_id(&meaning.name) {
                found.push(faults::id_as_number(at, profile.n_distinct()));
            } else if let Kind::Foreign(target) = meaning.kind
                && let Some(other) = other_target(looking, (table, column), target)
            {
                let [taken, other] = [target, other].map(|of| &*database.tables[of].name);
                found.push(faults::open_foreign_key(at, taken, other, profile.n_distinct()));
            } else if meaning.kind != Kind::Time && has_other_dates(profile) {
                let notations = dates_in_texts(profile, symbols).notations;
                found.push(match notations.len() {
                    0 | 1 => faults::dates_not_read(at, profile.n_other_dates, profile.n_distinct()),
                    _ => faults::several_notations(at, &notations, true, has_times),
                });
            }
        }
    }
    found.extend(left_out(looking));
    nearly_keys.into_iter().map(|(_, fault)| fault).chain(found).collect()
}

/// Another table that a column may point to.
fn other_target(looking: Looking<'_>, from: ColumnAt, target: usize) -> Option<usize> {
    let Looking { database, schema, profiles, .. } = looking;
    let key = |table: usize| schema.key(table).map(|column| (table, column));
    let keys = (0..schema.tables.len()).filter_map(key);
    keys::other_target(from, key(target)?, keys, (database, profiles)).map(|at| at.0)
}

/// Names the columns that clauses do not see: texts first, which may mean something, then those that say nothing.
fn left_out(looking: Looking<'_>) -> Option<Diagnostic> {
    let Looking { database, schema, profiles, star, .. } = looking;
    let mut found: Vec<(bool, faults::Column<'_>, &str)> = Vec::new();
    for (table, meaning) in schema.tables.iter().enumerate().filter(|&(table, _)| star.is_met[table]) {
        for (column, of) in meaning.columns.iter().enumerate() {
            if of.kind == Kind::LeftOut && !of.is_said() && of.parts.is_empty() {
                let is_empty = profiles[table][column].n_distinct() <= 1;
                let at = database.column((table, column));
                found.push((is_empty, at, &of.why));
            }
        }
    }
    found.sort_by_key(|(is_empty, _, _)| *is_empty);
    let found: Vec<(faults::Column<'_>, &str)> = found.into_iter().map(|(_, at, why)| (at, why)).collect();
    (!found.is_empty()).then(|| faults::columns_left_out(&found))
}

/// Tells that no rows have times, where the user names a cut-off.
pub(super) fn nothing_to_hide(schema: &Schema, star: &Star) -> Option<Diagnostic> {
    let is_timed =
        |table: usize| table != star.examples && star.is_met[table] && schema.tables[table].time.is_some();
    (!(0..schema.tables.len()).any(is_timed)).then(faults::nothing_to_hide)
}

/// Tells that rows have times, where no cut-off hides any.
pub(super) fn nothing_hidden(database: &Database, schema: &Schema, star: &Star) -> Option<Diagnostic> {
    let labels = star.examples;
    let is_timed =
        |&table: &usize| table != labels && star.is_met[table] && schema.tables[table].time.is_some();
    let hangs = |&table: &usize| schema.foreign_keys(table).next().is_some();
    let table = (0..schema.tables.len()).filter(is_timed).find(hangs)?;
    let time = schema.tables[table].time?;
    let at = database.column((table, time));
    // A row on which others hang exists from some time on, but it is no day on which somebody looks at it.
    let do_others_hang = star.links_to(labels).any(|down| down.table != labels);
    let key = schema.key(labels).map(|key| &*schema.tables[labels].columns[key].name);
    let label = schema.label.map(|(_, column)| &*schema.tables[labels].columns[column].name);
    let is_apart = database.tables[labels].name.eq_ignore_ascii_case("labels");
    let apart = key.zip(label).filter(|_| do_others_hang && !is_apart);
    // Perhaps a column of it is, and a table lacks that would join both.
    let pointing = (0..schema.tables.len()).filter(|&table| table != labels).flat_map(|table| {
        let to_labels = schema.foreign_keys(table).filter(|(_, to)| *to == labels);
        to_labels.map(move |(column, _)| database.column((table, column)))
    });
    let table = &database.tables[labels];
    let day = schema.tables[labels].time.map(|day| database.column((labels, day)));
    let between = key.zip(day).filter(|_| do_others_hang);
    let between = between.map(|(key, day)| faults::made_key_between(day, key, &pointing.collect::<Vec<_>>()));
    Some(faults::nothing_hidden(at, table, apart, between))
}

/// Tells of tables whose rows examples see whatever their time: too many cells of their times are empty for one to be the time of rows.
pub(super) fn times_with_gaps(looking: Looking<'_>) -> impl Iterator<Item = Diagnostic> {
    let Looking { database, schema, star, profiles, .. } = looking;
    let has_no_time = move |&table: &usize| {
        table != star.examples && star.is_met[table] && schema.tables[table].time.is_none()
    };
    let hangs = move |&table: &usize| schema.foreign_keys(table).next().is_some();
    (0..schema.tables.len()).filter(has_no_time).filter(hangs).filter_map(move |table| {
        let mut columns = schema.tables[table].columns.iter();
        let at = columns.position(|column| column.kind == Kind::Time && !column.is_said())?;
        let n_empty = profiles[table][at].n_missing;
        (n_empty > 0).then(|| faults::time_with_gaps(database.column((table, at)), n_empty))
    })
}

/// Tells of a column of the labels that may be the cut-off as well as the one that is taken.
pub(super) fn two_cut_offs(looking: Looking<'_>) -> Option<Diagnostic> {
    let Looking { database, schema, star, profiles, .. } = looking;
    let table = star.examples;
    let taken = cut_off(schema, star)?;
    let columns = &schema.tables[table].columns;
    let is_open = |at: usize| columns[at].kind == Kind::Time && !columns[at].is_said();
    let may_be = |at: usize| {
        is_open(at) && at != taken && 100 * profiles[table][at].n_missing <= database.tables[table].n_rows
    };
    let other = (0..columns.len()).filter(|_| is_open(taken)).find(|&at| may_be(at))?;
    let of = |at: usize| database.column((table, at));
    Some(faults::two_cut_offs(of(taken), of(other)))
}

/// Tells of keys in a circle through which rows see nothing, as some row on it may have come later.
pub(super) fn keys_in_circles(looking: Looking<'_>) -> impl Iterator<Item = Diagnostic> {
    let Looking { database, schema, star, .. } = looking;
    let circles = Circles::new(schema);
    let met = (0..schema.tables.len()).filter(|&table| table != star.examples && star.is_met[table]);
    let keys = met.flat_map(move |table| schema.foreign_keys(table).map(move |(column, _)| (table, column)));
    let in_circles = keys.filter(move |&at| circles.has_timed(at, schema));
    in_circles.map(move |at| faults::key_in_circle(database.column(at)))
}

/// Counts the rows that name a row which came later, and those that are as young as another row than most. Each source of such times
/// gives a message.
///
/// **Cost**: a pass over the rows for each source of times.
pub(super) fn named_later(looking: Looking<'_>, graph: &RowGraph<'_>, times: &RowTimes) -> Vec<Diagnostic> {
    let Looking { database, schema, star, .. } = looking;
    let place =
        |cells: &[u32], row: usize| times.table.place(cells[row]).map(|place| times.table.rank(place));
    let (mut found, sources) = (Vec::new(), &times.sources);
    let is_said = |seen: &Seen| schema.tables[seen.end.0].columns[seen.end.1].is_said();
    for table in 0..schema.tables.len() {
        let Some(of_table) = &times.of_tables[table] else { continue };
        let n_later = |than: &[u32], seen: &Seen| {
            let later = graph.cells(seen, schema);
            let is_later = |&row: &usize| {
                place(than, row).zip(place(&later, row)).is_some_and(|(known, later)| known < later)
            };
            (0..than.len()).filter(is_later).count()
        };
        // Of several times of the rows that it points to, a row has the latest.
        let of_rows = sources.of_rows(table);
        if let Some(main) = of_rows.iter().find(|seen| seen.name == of_table.name) {
            let cells = graph.cells(main, schema);
            for other in of_rows.iter().filter(|seen| seen.name != main.name && !is_said(seen)) {
                let n = n_later(&cells, other);
                if n > 0 {
                    found.push(faults::as_young_as_another(
                        &database.tables[table],
                        (database.column(main.end), database.column(other.end)),
                        n,
                    ));
                }
            }
        }
        let paths =
            star.seen[table].iter().map(|seen| &*seen.path).filter(|path| of_table.later(path).is_some());
        let mut further: Vec<Seen> = Vec::new();
        for seen in paths.flat_map(|path| sources.through(table, path, schema)) {
            if !is_said(&seen) && !further.contains(&seen) {
                further.push(seen);
            }
        }
        for seen in further {
            let n = n_later(&of_table.cells, &seen);
            if n > 0 {
                found.push(faults::named_later(&database.tables[table], database.column(seen.end), n));
            }
        }
    }
    found
}

/// The words at the end of names of codes, whose order means nothing.
const ID_WORDS: [&str; 5] = ["id", "ids", "uuid", "identifier", "key"];

/// Whether a column is called an id: its name ends with such a word, and another word is before it.
fn is_called_id(name: &str) -> bool {
    let words = words(name);
    words.len() > 1 && words.last().is_some_and(|word| ID_WORDS.contains(&word.as_str()))
}

/// The fewest numbers that are dates as numbers: of fewer, all may be so by chance.
const FEWEST_WRITTEN_DATES: u64 = 5;

/// Whether all numbers are days as `20240131`, or seconds or milliseconds since 1970, of the years 1990 to 2100.
fn are_written_dates(profile: &Profile, symbols: &Provisional) -> bool {
    const SECONDS: (f64, f64) = (631_152_000.0, 4_102_444_800.0);
    let is_day = |id: u32| match symbols.numbers().get(id) {
        Some(Number::Integer(day)) => {
            (1990..=2100).contains(&(day / 10_000))
                && (1..=12).contains(&(day / 100 % 100))
                && (1..=31).contains(&(day % 100))
        }
        _ => false,
    };
    let are_since_1970 = |(least, greatest): (f64, f64)| {
        [1.0, 1000.0].into_iter().any(|unit| least >= SECONDS.0 * unit && greatest <= SECONDS.1 * unit)
    };
    profile.is_whole()
        && profile.n_distinct() >= FEWEST_WRITTEN_DATES
        && (profile.range.is_some_and(are_since_1970) || profile.distinct.iter().all(is_day))
}

/// Whether nearly all values are dates, and some of another notation than ISO 8601.
fn has_other_dates(profile: &Profile) -> bool {
    let n_dates = profile.n_times + profile.n_other_dates;
    profile.n_other_dates > 0 && profile.n_long == 0 && 100 * n_dates >= 95 * profile.n_distinct()
}

#[cfg(test)]
mod tests {
    use super::is_called_id;

    #[test]
    fn ids_have_a_word_before_them() {
        for name in ["statusId", "status_id", "STATUS ID", "customer-key", "orderUuid"] {
            assert!(is_called_id(name), "{name}");
        }
        for name in ["id", "Id", "paid", "humid", "number", "monkey", "statusid", "idle time", ""] {
            assert!(!is_called_id(name), "{name}");
        }
    }
}
