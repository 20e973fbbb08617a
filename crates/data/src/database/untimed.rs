//! Tables whose rows have no time where examples have cut-offs, and that have a column which may say it.
//!
//! Examples see all rows of such a table, those of after their cut-offs too, and these may give the label away.

use std::collections::BTreeSet;

use gleaner_lang::syntax::Diagnostic;

use super::faults::lints::rows_without_time;
use super::nearly_keys::Looking;
use super::notations::{dates_in_numbers, dates_in_texts, n_read, text_of};
use super::profile::Profile;
use super::schema_text::says_kind;
use super::times::{RowTimes, cut_off};
use crate::provisional::Provisional;
use crate::tables::schema::{Kind, Schema};
use crate::texts::Notation;
use crate::texts::date_texts::DateNotation;
use crate::texts::period_texts::Period;
use crate::texts::time_names::{is_called_birth, is_called_day, is_called_period, words};

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
