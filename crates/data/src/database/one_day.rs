//! One cut-off for all examples, where the user names it and no column of the labels says when they are looked at.
//!
//! Rows with labels on which no others hang get a column of cut-offs. Where others do, as orders hang on customers, the labels
//! leave their table: a table of their own holds them, with the key of each row and the cut-off, as the user could write it.
//!
//! Tables whose rows have no time where examples have cut-offs, and that have a column which may say it.
//!
//! Examples see all rows of such a table, those of after their cut-offs too, and these may give the label away.

use std::collections::BTreeSet;

use crate::provisional::Provisional;
use crate::rows::FOLD;
use crate::tables::schema::{GivenBy, GivenColumn, GivenSchema, Kind, Says, Schema};
use crate::tables::store::{Database, StoredColumn, StoredTable};
use crate::tables::{CutOffTime, DatabaseRequest, LabelName};
use crate::texts::Notation;
use crate::texts::date_texts::DateNotation;
use crate::texts::period_texts::Period;
use crate::texts::time_names::{is_called_birth, is_called_day, is_called_period, words};
use gleaner_lang::syntax::{Diagnostic, quote_atom};

use super::faults;
use super::faults::lints::rows_without_time;
use super::keys::ColumnAt;
use super::made_keys::settle_composites;
use super::notations::{dates_in_numbers, dates_in_texts, n_read, text_of};
use super::oddities::Looking;
use super::profile::Profile;
use super::propose::{find_label, propose_schema};
use super::schema_text::says_kind;
use super::star::Star;
use super::times::{RowTimes, cut_off};

/// The names of the column of cut-offs and of the table of labels.
const CUT_OFF: &str = "cut_off";

const LABELS: &str = "labels";

/// Gives the cut-off that is asked for to all examples. Tells if it takes the place of times of their own.
///
/// **Cost**: a proposal of the schema.
///
/// # Errors
///
/// The rows with labels have no key that a table of labels could hold, or a model knows no cut-offs.
pub(super) fn give_cut_off(
    request: &mut DatabaseRequest,
    database: &mut Database,
    given: &mut GivenSchema,
    symbols: &mut Provisional,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let Some(time) = request.cut_off.clone() else { return Ok(None) };
    let cell = symbols.constant(&quote_atom(&time.0), None).raw();
    if request.is_scored && given.label_of_model().is_some() {
        return to_score((cell, &time), database, given);
    }
    // A label that is not found is told later.
    let Ok(label) = find_label(database, request.label.as_ref(), given) else { return Ok(None) };
    let (mut settled, _) = given.settled(database);
    let _ = settle_composites(&mut settled, database);
    let (schema, ..) = propose_schema(database, Some(label), &settled, symbols);
    if Star::new(&schema).links_to(label.0).next().is_none() {
        let table = &mut database.tables[label.0];
        let name = free(CUT_OFF, |name| table.column_named(name).is_some());
        add_column(table, &name, cell);
        given.says(&table.name, &name, Says::RowTime, table);
        let own = schema.tables[label.0].time;
        return Ok(own.map(|own| faults::cut_off_replaced(table, &table.columns[own], &time)));
    }
    let key = schema.key(label.0).filter(|&key| schema.tables[label.0].columns[key].parts.is_empty());
    let key = key.ok_or_else(|| faults::no_key_of_labels(&database.tables[label.0]))?;
    let name = free(LABELS, |name| database.tables.iter().any(|table| table.name.eq_ignore_ascii_case(name)));
    let label_name = database.tables[label.0].columns[label.1].name.clone();
    let positive = request.label.take().and_then(|label| label.positive);
    let of = database.tables[label.0].name.clone();
    let cut_off = free(CUT_OFF, |name| {
        [&label_name, &database.tables[label.0].columns[key].name].contains(&&name.to_owned())
    });
    let columns =
        Columns { key: database.tables[label.0].columns[key].name.clone(), cut_off, label: label_name };
    let moved = take_apart(database, (label.0, key), &name, &columns, cell);
    let is_moved = |of_column: &&mut GivenColumn| of_column.table == of && moved.contains(&of_column.column);
    given.columns.iter_mut().filter(is_moved).for_each(|of_column| of_column.table.clone_from(&name));
    // Without its label the table may look otherwise: what labels name is a key.
    if !given.columns.iter().any(|known| known.table == of && known.column == columns.key) {
        given.says(&of, &columns.key, Says::Is(Kind::Key), &database.tables[label.0]);
    }
    let table = database.tables.last().expect("it was added");
    given.says(&name, &columns.key, Says::PointsTo(of), table);
    given.says(&name, &columns.cut_off, Says::RowTime, table);
    given.whole_tables.push(name.clone());
    request.label = Some(LabelName { table: name, column: columns.label, positive });
    Ok(None)
}

/// The names of the columns of a table of labels.
struct Columns {
    key: String,
    cut_off: String,
    label: String,
}

/// Rows to be scored by a model whose examples had a cut-off.
fn to_score(
    (cell, time): (u32, &CutOffTime),
    database: &mut Database,
    given: &GivenSchema,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let Some((name, label)) = given.label_of_model() else { return Ok(None) };
    let of_model = || given.columns.iter().filter(|of| of.by == GivenBy::Model);
    let of_labels = |says: &dyn Fn(&Says) -> bool| {
        of_model().find(|of| of.table == name && says(&of.says)).map(|of| of.column.clone())
    };
    let cut_off = of_labels(&|says| *says == Says::RowTime).ok_or_else(faults::model_without_cut_off)?;
    if let Some(table) = database.tables.iter_mut().find(|table| table.name == name) {
        let own = table.column_named(&cut_off).map(|at| table.columns.remove(at));
        add_column(table, &cut_off, cell);
        let other = own.filter(|own| own.cells.iter().any(|&of| of != cell));
        return Ok(other.map(|own| faults::cut_off_replaced(table, &own, time)));
    }
    let Some((key, to)) = of_model().find_map(|of| match &of.says {
        Says::PointsTo(to) if of.table == name => Some((of.column.clone(), to.clone())),
        _ => None,
    }) else {
        return Ok(None);
    };
    let is_key = |of: &&GivenColumn| of.table == to && of.says == Says::Is(Kind::Key);
    let own_key = of_model().find(is_key).map(|of| of.column.clone());
    let table = database.tables.iter().position(|table| table.name == to);
    let at = table.and_then(|table| Some((table, database.tables[table].column_named(&own_key?)?)));
    if let Some(at) = at {
        let columns = Columns { key, cut_off, label: label.to_owned() };
        take_apart(database, at, name, &columns, cell);
    }
    Ok(None)
}

/// Moves the label and the fold of a table, as far as they are there, into a new table beside its keys and the cut-off. Gives
/// the names of the moved columns.
fn take_apart(
    database: &mut Database,
    (table, key): ColumnAt,
    name: &str,
    columns: &Columns,
    cell: u32,
) -> Vec<String> {
    let of = &mut database.tables[table];
    let keys = StoredColumn::new(columns.key.clone(), of.columns[key].cells.clone(), of.columns[key].place);
    let mut moved = Vec::new();
    for name in [columns.label.as_str(), FOLD] {
        if let Some(at) = of.column_named(name) {
            moved.push(of.columns.remove(at));
        }
    }
    let names = moved.iter().map(|column| column.name.clone()).collect();
    let mut labels = StoredTable {
        name: name.to_owned(),
        columns: vec![keys],
        n_rows: of.n_rows,
        numbers: of.numbers.clone(),
        parts: of.parts.clone(),
        place: of.place,
        is_made: false,
    };
    add_column(&mut labels, &columns.cut_off, cell);
    labels.columns.extend(moved);
    database.tables.push(labels);
    names
}

/// Adds a column with the same cell in all rows.
fn add_column(table: &mut StoredTable, name: &str, cell: u32) {
    table.columns.push(StoredColumn::new(name.to_owned(), vec![cell; table.n_rows], table.place));
}

/// A name that is not taken.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

impl GivenSchema {
    /// Adds what the user says of a column by the cut-off.
    fn says(&mut self, table: &str, column: &str, says: Says, of: &StoredTable) {
        let (table, column, by, place) = (table.to_owned(), column.to_owned(), GivenBy::CutOff, of.place);
        self.columns.push(GivenColumn { table, column, says, notation: None, by, place });
    }
}

/// The years of numbers that are likely years: others may be amounts.
const YEARS: (f64, f64) = (1980.0, 2050.0);

impl Looking<'_> {
    /// Tells of tables whose rows hang on others, have no time, and have a column that looks like one or is called so.
    ///
    /// **Cost**: a few readings of each distinct value of these tables.
    pub(super) fn untimed_rows(self, times: Option<&RowTimes>) -> Vec<Diagnostic> {
        let Self { schema, star, .. } = self;
        if cut_off(schema, star).is_none() {
            return Vec::new();
        }
        let named = named_by_examples(schema, star.examples);
        let is_untimed = |&table: &usize| {
            let of = &schema.tables[table];
            star.is_met[table]
                && !named.contains(&table)
                && schema.foreign_keys(table).next().is_some()
                && of.time.is_none()
                && of.columns.iter().all(|column| column.kind != Kind::Time)
        };
        let takes_time = |table: usize| times.is_some_and(|times| times.of_tables[table].is_some());
        let tables = (0..schema.tables.len()).filter(is_untimed);
        tables.filter_map(|table| self.untimed(table, takes_time(table))).collect()
    }

    /// Tells of the column that looks most like a time. Where rows take the times of others, a name alone has to be a plain one.
    fn untimed(self, table: usize, takes_time: bool) -> Option<Diagnostic> {
        let Self { database, schema, profiles, symbols, .. } = self;
        let columns = &schema.tables[table].columns;
        let is_open = |&at: &usize| {
            let column = &columns[at];
            let is_value = match column.kind {
                Kind::Category | Kind::Number | Kind::Code | Kind::LeftOut => true,
                Kind::Foreign(to) => schema.tables[to].time.is_none(),
                _ => false,
            };
            is_value && !column.is_said() && column.parts.is_empty() && profiles[table][at].n_distinct() > 1
        };
        let open = || (0..columns.len()).filter(is_open);
        let of_values = open().find_map(|at| {
            looks_like(&profiles[table][at], &columns[at].name, symbols).map(|notation| (at, Some(notation)))
        });
        let is_called = |&at: &usize| {
            let name = &columns[at].name;
            let is_plain = || words(name).len() == 1 && !name.eq_ignore_ascii_case("period");
            !matches!(columns[at].kind, Kind::Foreign(_))
                && !is_called_birth(name)
                && (is_called_day(name) || is_called_period(name))
                && (!takes_time || is_plain())
        };
        let (at, notation) = of_values.or_else(|| open().find(is_called).map(|at| (at, None)))?;
        Some(rows_without_time(database.column((table, at)), notation, &says_kind(&columns[at], schema)))
    }
}

/// The tables whose rows examples name, and these rows in turn, and the examples.
fn named_by_examples(schema: &Schema, examples: usize) -> BTreeSet<usize> {
    let (mut named, mut open) = (BTreeSet::new(), vec![examples]);
    while let Some(table) = open.pop() {
        if named.insert(table) {
            open.extend(schema.foreign_keys(table).map(|(_, to)| to));
        }
    }
    named
}

/// The notation of values that look like times, though they are too few or may be something else.
fn looks_like(profile: &Profile, name: &str, symbols: &Provisional) -> Option<Notation> {
    if profile.n_long > 0 || is_called_birth(name) {
        return None;
    }
    let mut found = dates_in_texts(profile, symbols).notations;
    if found.is_empty() {
        found = dates_in_numbers(profile, name, symbols).notations;
    }
    match found[..] {
        [] => {}
        [notation] => return Some(notation),
        // Several are told with a line for each.
        _ => return None,
    }
    let reads = |period: &Period| {
        n_read(&profile.distinct, |id| period.last_day(&text_of(id, symbols)).is_some()).is_some()
    };
    let are_years =
        profile.is_whole() && profile.range.is_some_and(|(least, last)| least >= YEARS.0 && last <= YEARS.1);
    // Years of two digits may be days.
    let found = if are_years { Period::Year } else { Period::NamedMonth };
    let found = Some(found).filter(reads)?;
    Some(Notation::Dates(DateNotation::Period(found)))
}
