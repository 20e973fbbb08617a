//! Cells that hold something else than the other cells of their column, as a text among numbers or among dates.
//!
//! Cells without a time in columns of times: they count as missing, and a message names the first.
//!
//! Columns of numbers in which some cells hold no number: such cells count as missing, and a warning names them.

use gleaner_base::FixedMap;
use gleaner_lang::syntax::Diagnostic;

use crate::database::faults::lints::{
    Column, OddCells, dates_missing, numbers_missing, other_numbers, several_notations,
};
use crate::database::nearly_keys::Looking;
use crate::database::notations::numbers;
use crate::database::profile::{Profile, is_number_or_missing};
use crate::provisional::Provisional;
use crate::tables::schema::{GivenBy, Kind, Schema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, label_text};
use crate::texts::number_texts::NumberStyle;
use crate::texts::{Time, unquoted};

impl OddCells {
    /// Those that are not right; none if all are.
    ///
    /// **Cost**: a pass over the rows, and `is_right` once for each distinct value.
    pub(super) fn of(at: Column<'_>, symbols: &Provisional, is_right: impl Fn(u32) -> bool) -> Option<Self> {
        let mut known: FixedMap<u32, bool> = FixedMap::default();
        let mut is_odd = |cell: u32| !*known.entry(cell).or_insert_with(|| is_right(cell));
        let cells = &at.column.cells;
        let odd = (0..cells.len()).filter(|&row| is_odd(cells[row]));
        let (mut n, mut first) = (0, None);
        for row in odd {
            n += 1;
            let number = at.table.number(row);
            if first.is_none_or(|(known, _)| number < known) {
                first = Some((number, cells[row]));
            }
        }
        let (row, cell) = first?;
        let text = if cell == LONG { "a long text".to_owned() } else { label_text(cell, symbols) };
        Some(Self { n, text, row })
    }
}

/// Makes the cells of a column missing that are not to be kept.
///
/// **Cost**: as of [`OddCells::of`].
pub(super) fn keep_only(column: &mut StoredColumn, is_kept: impl Fn(u32) -> bool) {
    let mut known: FixedMap<u32, bool> = FixedMap::default();
    for cell in &mut column.cells {
        if !*known.entry(*cell).or_insert_with_key(|&cell| is_kept(cell)) {
            *cell = MISSING;
        }
    }
}

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
            let at = database.column((table, column));
            if let Some(odd) = OddCells::of(at, symbols, is_kept) {
                found.push(dates_missing(at, &odd));
                keep_only(&mut database.tables[table].columns[column], is_kept);
            }
        }
    }
    found
}

/// Makes cells without a number missing in columns of numbers. Tells of each such column, but for words that stand for a
/// missing value.
///
/// **Cost**: a pass over the columns of numbers in which not all values are numbers.
pub(super) fn take_numbers(
    database: &mut Database,
    schema: &Schema,
    profiles: &[Vec<Profile>],
    symbols: &Provisional,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (table, meaning) in schema.tables.iter().enumerate() {
        for (column, of) in meaning.columns.iter().enumerate().filter(|(_, of)| of.parts.is_empty()) {
            let profile = &profiles[table][column];
            let n_numbers = profile.n_whole + profile.n_decimal;
            let are_numbers = match of.kind {
                Kind::Number => true,
                // A code may be a word if somebody says so.
                Kind::Code => 2 * n_numbers >= profile.n_distinct() - profile.n_missing_words,
                _ => false,
            };
            if !are_numbers || profile.is_numeric() || profile.n_values + profile.n_long == 0 {
                continue;
            }
            let at = database.column((table, column));
            if let Some(odd) = OddCells::of(at, symbols, |cell| is_number_or_missing(cell, symbols)) {
                let notation = NumberStyle::of(&odd.text);
                found.push(numbers_missing(at, &odd, notation.map(NumberStyle::remedy)));
            }
            keep_only(&mut database.tables[table].columns[column], |cell| symbols.numbers().contains(cell));
        }
    }
    found
}

impl Looking<'_> {
    /// Tells of columns of texts that a person reads as numbers.
    ///
    /// **Cost**: a pass over such columns.
    pub(super) fn texts_not_read(self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (table, meaning) in self.schema.tables.iter().enumerate() {
            for (column, of) in meaning.columns.iter().enumerate().filter(|(_, of)| of.parts.is_empty()) {
                let at = self.database.column((table, column));
                let profile = &self.profiles[table][column];
                if matches!(of.kind, Kind::Category | Kind::LeftOut)
                    && of.said_by.is_none_or(|by| by != GivenBy::SchemaFile)
                    && are_other_numbers(profile)
                {
                    let readings = numbers(profile, !at.column.zeros.is_empty(), self.symbols);
                    if readings.notations.len() > 1 {
                        found.push(several_notations(at, &readings.notations, true, true));
                        continue;
                    }
                    let notation = self.notation(profile);
                    let is_read = |cell: u32| cell >= LONG || self.notation_of(cell).is_none();
                    let first = OddCells::of(at, self.symbols, is_read);
                    found.extend(
                        first.zip(notation).map(|(first, notation)| other_numbers(at, notation, &first)),
                    );
                }
            }
        }
        found
    }

    fn notation_of(self, cell: u32) -> Option<NumberStyle> {
        NumberStyle::of(unquoted(self.symbols.constants().text(cell)))
    }

    /// The notation of a column's numbers. Where a comma stands before fractions in one value, it does so in all.
    fn notation(self, profile: &Profile) -> Option<NumberStyle> {
        let mut found: Vec<NumberStyle> =
            profile.distinct.iter().filter_map(|cell| self.notation_of(cell)).collect();
        found.sort_by_key(|notation| match notation {
            NumberStyle::Currency => 0,
            NumberStyle::Percent => 1,
            NumberStyle::DecimalComma => 2,
            NumberStyle::Thousands => 3,
        });
        found.first().copied()
    }
}

/// Whether nearly all distinct values are numbers to a person, and more than a few are in a notation that is not read.
const fn are_other_numbers(profile: &Profile) -> bool {
    let n_all =
        profile.n_whole + profile.n_decimal + profile.n_times + profile.n_words - profile.n_missing_words;
    let n_numbers = profile.n_whole + profile.n_decimal + profile.n_other_numbers;
    profile.n_other_numbers > 0 && profile.n_long == 0 && 20 * n_numbers >= 19 * n_all
}
