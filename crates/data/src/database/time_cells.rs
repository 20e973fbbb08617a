//! Cells without a time in columns of times: they count as missing, and a message names the first.

use gleaner_lang::syntax::Diagnostic;

use super::faults::lints::{Column, dates_missing};
use super::odd_cells::keep_only;
use super::profile::Profile;
use crate::database::faults::lints::OddCells;
use crate::provisional::Provisional;
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::{Database, LONG, MISSING};
use crate::texts::Time;

/// Makes cells without a date missing in columns of times, and tells of each such column. Columns of numbers that
/// somebody says are times stay as they are.
///
/// **Cost**: a pass over the columns of times in which not all values are dates.
pub(super) fn take_times(
    database: &mut Database,
    schema: &Schema,
    profiles: &[Vec<Profile>],
    symbols: &Provisional,
) -> Vec<Diagnostic> {
    let is_kept = |cell: u32| {
        cell == MISSING
            || cell != LONG
                && !symbols.numbers().contains(cell)
                && Time::read(symbols.constants().text(cell), None).is_some()
    };
    let mut found = Vec::new();
    for (table, meaning) in schema.tables.iter().enumerate() {
        for (column, of) in meaning.columns.iter().enumerate().filter(|(_, of)| of.parts.is_empty()) {
            let profile = &profiles[table][column];
            let is_plain = database.tables[table].columns[column].notation.is_none();
            let are_numbers = is_plain && profile.n_whole + profile.n_decimal > profile.n_times;
            if of.kind != Kind::Time || are_numbers || profile.n_not_times() == 0 && profile.n_long == 0 {
                continue;
            }
            let stored = &database.tables[table];
            let at = Column { table: stored, column: &stored.columns[column] };
            if let Some(odd) = OddCells::of(at, symbols, is_kept) {
                found.push(dates_missing(at, &odd));
                keep_only(&mut database.tables[table].columns[column], is_kept);
            }
        }
    }
    found
}
