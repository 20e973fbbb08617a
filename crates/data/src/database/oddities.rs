//! Columns that would be keys but for a few rows.
//!
//! If one row stands twice, its table has no key, and no foreign key can lead to it. Without more, a user only reads that
//! the tables do not join. So a warning names the column, and the first row at fault.
//!
//! Keys of several columns that would show an example the row of its own moment.
//!
//! Where a customer and a day are a key, the row of the day of the label may well hold what came of it. So such a foreign
//! key of the examples is not proposed: who knows that its rows are known by then says so.
//!
//! Cells that hold something else than the other cells of their column, as a text among numbers or among dates.
//!
//! Cells without a time in columns of times: they count as missing, and a message names the first.
//!
//! Columns of numbers in which some cells hold no number: such cells count as missing, and a warning names them.

use crate::database::faults::lints as faults;
use crate::database::faults::lints::{
    Column, KeyFaults, OddCells, Pair, dates_missing, nearly_a_key, numbers_missing, other_numbers,
    several_notations,
};
use crate::database::keys::{ColumnAt, LENGTH_OF_PROSE, Link, Naming, is_called_key, link};
use crate::database::notations::numbers;
use crate::database::profile::{Profile, is_number_or_missing};
use crate::database::star::Star;
use crate::provisional::Provisional;
use crate::tables::schema::{Composite, GivenBy, Kind, Schema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, StoredTable, label_text};
use crate::texts::number_texts::NumberStyle;
use crate::texts::{Time, unquoted};
use gleaner_base::FixedMap;
use gleaner_lang::syntax::Diagnostic;

/// The fewest rows of a table whose column may be a faulty key.
const FEWEST_ROWS: usize = 20;

/// What the columns of a database are taken for, and their figures.
#[derive(Clone, Copy)]
pub(super) struct Looking<'l> {
    pub(super) database: &'l Database,
    pub(super) schema: &'l Schema,
    pub(super) profiles: &'l [Vec<Profile>],
    pub(super) star: &'l Star,
    pub(super) symbols: &'l Provisional,
}

impl Looking<'_> {
    /// Tells of each column in which few rows lack a value of their own, and where it is: at most one in twenty if it is called
    /// a key, and one in ten if another column holds its values.
    ///
    /// **Cost**: for each such column an intersection of its distinct values with those of each column of other tables, and
    /// a pass over its rows.
    pub(super) fn nearly_keys(self) -> Vec<(ColumnAt, Diagnostic)> {
        let mut found = Vec::new();
        for (table, meaning) in self.schema.tables.iter().enumerate() {
            for column in (0..meaning.columns.len()).filter(|&column| self.is_nearly_key((table, column))) {
                let at = (table, column);
                let holder = self.holder(at);
                let is_called_key = self.lacks_at_most_one_in(20, at)
                    && self.star.is_met[table]
                    && !matches!(meaning.columns[column].kind, Kind::Foreign(_))
                    && is_called_key(&meaning.name, &meaning.columns[column].name);
                if holder.is_some() || is_called_key {
                    found.push((at, self.fault(at, holder)));
                }
            }
        }
        found
    }

    fn is_nearly_key(self, (table, column): ColumnAt) -> bool {
        let meaning = &self.schema.tables[table].columns[column];
        let profile = &self.profiles[table][column];
        let is_open = !meaning.is_said()
            && meaning.parts.is_empty()
            && !matches!(meaning.kind, Kind::Key | Kind::Label | Kind::Fold);
        let may_name_rows =
            profile.is_whole() || profile.n_words > 0 && profile.mean_length < LENGTH_OF_PROSE;
        is_open
            && may_name_rows
            && !profile.is_unique()
            && self.database.tables[table].n_rows >= FEWEST_ROWS
            && self.lacks_at_most_one_in(10, (table, column))
            && !self.has_used_key(table)
    }

    /// Whether at most one row in so many has no value of its own.
    fn lacks_at_most_one_in(self, n: usize, (table, column): ColumnAt) -> bool {
        let n_rows = self.database.tables[table].n_rows;
        let n_own = usize::try_from(self.profiles[table][column].n_distinct()).unwrap_or(usize::MAX);
        n * n_rows.saturating_sub(n_own) <= n_rows
    }

    /// Whether a table has a key that others point to, or that somebody says.
    fn has_used_key(self, table: usize) -> bool {
        let is_pointed_to = || {
            (0..self.schema.tables.len())
                .any(|other| self.schema.foreign_keys(other).any(|(_, to)| to == table))
        };
        let key = self.schema.key(table).map(|key| &self.schema.tables[table].columns[key]);
        key.is_some_and(|key| key.is_said() || is_pointed_to())
    }

    /// A column of another table that would point to this one if it were a key.
    fn holder(self, to: ColumnAt) -> Option<ColumnAt> {
        let tables = (0..self.schema.tables.len()).filter(|&table| table != to.0);
        let columns =
            tables.flat_map(|table| (0..self.profiles[table].len()).map(move |column| (table, column)));
        columns
            .filter_map(|from| self.would_point(from, to))
            .fold(None, |best: Option<Link>, link| match best {
                Some(best) if (best.naming, best.share) >= (link.naming, link.share) => Some(best),
                _ => Some(link),
            })
            .map(|link| link.from)
    }

    fn would_point(self, from: ColumnAt, to: ColumnAt) -> Option<Link> {
        let meaning = &self.schema.tables[from.0].columns[from.1];
        let profile = &self.profiles[from.0][from.1];
        if !meaning.parts.is_empty() || matches!(meaning.kind, Kind::Label | Kind::Fold) || profile.n_long > 0
        {
            return None;
        }
        let link_between = |from, to| link(from, to, self.database, self.profiles);
        let would = link_between(from, to)?;
        if meaning.is_said() {
            return (meaning.kind == Kind::Foreign(to.0)).then_some(would);
        }
        // Two tables that count their rows have the same numbers, which says nothing.
        let counts_rows = profile.is_unique() && profile.is_whole() && would.naming == Naming::None;
        // What already points elsewhere would rather point here only by a better name.
        let is_elsewhere = match meaning.kind {
            Kind::Foreign(other) => {
                let present = self.schema.key(other).and_then(|key| link_between(from, (other, key)));
                present.is_some_and(|present| present.naming >= would.naming)
            }
            _ => false,
        };
        // The column may itself point to this key.
        let points_back = self.schema.tables[to.0].columns[to.1].kind == Kind::Foreign(from.0)
            && meaning.kind == Kind::Key
            && link_between(to, from).is_some_and(|back| back.naming >= would.naming);
        (!counts_rows && !is_elsewhere && !points_back).then_some(would)
    }

    fn fault(self, at: ColumnAt, holder: Option<ColumnAt>) -> Diagnostic {
        let name = |(table, column): ColumnAt| {
            let table = &self.database.tables[table];
            format!("{}.{}", table.name, table.columns[column].name)
        };
        let stored = &self.database.tables[at.0];
        let cells = &stored.columns[at.1].cells;
        let without = (0..cells.len()).filter(|&row| cells[row] >= LONG);
        let faults = KeyFaults {
            n_own: usize::try_from(self.profiles[at.0][at.1].n_distinct()).unwrap_or(usize::MAX),
            pair: first_pair(stored, at.1, self.symbols),
            first_without: without.map(|row| stored.number(row)).min(),
        };
        nearly_a_key(self.database.column(at), &faults, holder.map(name).as_deref())
    }
}

/// The first row of a table whose value in a column stands in a row before it.
///
/// **Cost**: a pass over the rows up to there.
pub(super) fn first_pair(table: &StoredTable, column: usize, symbols: &Provisional) -> Option<Pair> {
    let mut rows: FixedMap<u32, usize> = FixedMap::default();
    let cells = &table.columns[column].cells;
    for (row, cell) in
        table.in_file_order().into_iter().map(|row| (row, cells[row])).filter(|(_, cell)| *cell < LONG)
    {
        if let Some(first) = rows.insert(cell, row) {
            let differ = |of: &&StoredColumn| of.cells[first] != of.cells[row];
            let differs_in = table.columns.iter().find(differ).map(|of| of.name.clone());
            return Some(Pair {
                value: label_text(cell, symbols),
                rows: [first, row].map(|row| table.number(row)),
                differs_in,
            });
        }
    }
    None
}

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
            let (from, at) = (&database.tables[examples], database.column((to, time)));
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
fn keep_only(column: &mut StoredColumn, is_kept: impl Fn(u32) -> bool) {
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
