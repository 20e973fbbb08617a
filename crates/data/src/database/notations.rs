//! Columns of dates and numbers that are written otherwise than ISO 8601 and digits with a point: their cells are written
//! anew, if the whole column has one meaning in one notation.
//!
//! A notation is one of all values. Which of day and month comes first, and whether a comma stands before a fraction, is what
//! all values allow. Where they allow both, another column of the tables decides that allows one alone; else the column stays
//! as it is, and a message names both readings.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rayon::prelude::*;
use roaring::RoaringBitmap;

use gleaner_base::FixedMap;
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Diagnostic, quote_atom};

use super::faults::lints::{Column, open_points, other_notation};
use super::given::SaidColumns;
use super::keys::ColumnAt;
use super::profile::{Profile, is_number_or_missing};
use crate::provisional::Provisional;
use crate::tables::schema::{GivenColumn, GivenSchema, Kind, Says, Schema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, number_cell};
use crate::texts::date_texts::{DateNotation, Unit};
use crate::texts::number_values::Decimals;
use crate::texts::period_texts::Period;
use crate::texts::time_names::{
    is_called_birth, is_called_date, is_called_day, is_called_period, is_called_time,
};
use crate::texts::{Notation, unquoted};

/// The fewest distinct numbers that are days by their digits: of fewer, all may be so by chance.
const FEWEST_DAYS: u64 = 5;

/// The fewest distinct numbers whose points may all stand between thousands, for a message: one or two may do so by chance.
const FEWEST_OPEN: u64 = 3;

/// What may be read of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings {
    /// The notations that read most values, in order. Several differ in what they read.
    pub(super) notations: Vec<Notation>,
    /// Whether the values alone are too little evidence.
    is_weak: bool,
}

/// Writes the cells of columns anew that have one meaning in another notation, and tells of it. Of a column that somebody
/// speaks of, what is said counts.
///
/// **Cost**: a few readings of each distinct text; none for columns of plain numbers and ISO dates.
pub(super) fn take_notations(
    database: &mut Database,
    (schema, profiles): (&Schema, &[Vec<Profile>]),
    given: &GivenSchema,
    symbols: &mut Provisional,
) -> WrittenAnew {
    let columns = schema.tables.iter().enumerate().flat_map(|(table, of)| {
        let own = of.columns.iter().enumerate().filter(|(_, column)| column.parts.is_empty());
        own.map(move |(column, _)| (table, column))
    });
    let columns: Vec<ColumnAt> = columns.collect();
    let looking = Looking { database, schema, profiles, said: given.by_place(database), symbols };
    let found: Vec<(ColumnAt, Readings)> =
        columns.into_par_iter().map(|at| (at, looking.readings(at))).collect();
    let is_sure = |of: &&(ColumnAt, Readings)| of.1.notations.len() == 1 && !of.1.is_weak;
    let sure: BTreeSet<Notation> = found.iter().filter(is_sure).map(|(_, of)| of.notations[0]).collect();
    let open = looking.tell_open(&found, &sure);
    let taken = found.into_iter().filter_map(|(at, of)| {
        let is_open = of.notations.len() > 1 || of.is_weak;
        let mut left = of.notations.into_iter().filter(|notation| !is_open || sure.contains(notation));
        let notation = left.next()?;
        left.next().is_none().then_some((at, notation))
    });
    let taken: Vec<(ColumnAt, Notation)> = taken.collect();
    let told = tell(&taken, &looking).into_iter().chain(open).collect();
    let anew = WrittenAnew { n_columns: taken.len(), told };
    for (at, notation) in taken {
        write_anew(database, at, notation, symbols);
    }
    anew
}

/// The columns that are written anew.
pub(super) struct WrittenAnew {
    pub(super) n_columns: usize,
    pub(super) told: Vec<Diagnostic>,
}

/// Tells of the columns that are read in each notation. What somebody says of a column is no news.
fn tell(taken: &[(ColumnAt, Notation)], looking: &Looking<'_>) -> Vec<Diagnostic> {
    let notations: BTreeSet<Notation> = taken.iter().map(|(_, notation)| *notation).collect();
    let of = |notation: Notation| {
        let columns = taken.iter().filter(|(at, known)| *known == notation && looking.said(*at).is_none());
        let columns: Vec<Column<'_>> = columns.map(|(at, _)| looking.named(*at)).collect();
        (!columns.is_empty()).then(|| other_notation(&columns, notation))
    };
    notations.into_iter().filter_map(of).collect()
}

/// What is known of the columns before they are read anew.
struct Looking<'l> {
    database: &'l Database,
    schema: &'l Schema,
    profiles: &'l [Vec<Profile>],
    said: SaidColumns<'l>,
    symbols: &'l Provisional,
}

impl Looking<'_> {
    fn said(&self, at: ColumnAt) -> Option<&GivenColumn> {
        self.said.of(at)
    }

    fn readings(&self, at: ColumnAt) -> Readings {
        let of_column = &self.schema.tables[at.0].columns[at.1];
        let profile = &self.profiles[at.0][at.1];
        let said = self.said(at);
        if let Some(notation) = said.and_then(|said| said.notation) {
            return Readings { notations: vec![notation], is_weak: false };
        }
        let is_made = self.database.tables[at.0].is_made || of_column.kind == Kind::Fold;
        if is_made || profile.n_values == 0 {
            return Readings::default();
        }
        if of_column.kind == Kind::Label {
            // Labels that are no plain numbers are classes.
            return self.thousands(at).unwrap_or_default();
        }
        let (may_be_dates, may_be_numbers) = match said.map(|said| &said.says) {
            None => (!profile.is_time(), self.may_be_number(at)),
            Some(Says::RowTime | Says::Is(Kind::Time)) => (!profile.is_time(), false),
            Some(Says::Is(Kind::Number | Kind::Code)) => (false, true),
            Some(_) => (false, false),
        };
        let mut found = Readings::default();
        if may_be_dates {
            found = dates_in_texts(profile, self.symbols);
            let are_periods = found.notations.iter().any(|notation| notation.is_of_periods());
            if are_periods && said.is_none() && !self.may_be_date(at) {
                // Months that name rows keep leading to them.
                return Readings::default();
            }
            if found.notations.is_empty() && (said.is_some() || self.may_be_date(at)) {
                let name = if said.is_some() { "date" } else { &of_column.name };
                found = dates_in_numbers(profile, name, self.symbols);
                // What somebody says is evidence enough.
                found.is_weak &= said.is_none();
            }
        }
        if found.notations.is_empty() && may_be_numbers {
            let has_zeros = !self.column(at).zeros.is_empty();
            found = self.thousands(at).unwrap_or_else(|| numbers(profile, has_zeros, self.symbols));
        }
        found
    }

    fn column(&self, (table, column): ColumnAt) -> &StoredColumn {
        &self.database.tables[table].columns[column]
    }

    /// The reading of plain numbers with points that may stand between thousands.
    fn thousands(&self, at: ColumnAt) -> Option<Readings> {
        let notations = vec![Notation::Numbers(Decimals::Comma)];
        match Points::of(self.column(at), self.symbols) {
            Points::Thousands => Some(Readings { notations, is_weak: false }),
            Points::Open if !self.has_decimals(at.0) => Some(Readings { notations, is_weak: true }),
            Points::Open | Points::Decimals => None,
        }
    }

    /// Whether points stand before fractions in a column of a table, without doubt.
    fn has_decimals(&self, table: usize) -> bool {
        let columns = self.database.tables[table].columns.iter().zip(&self.profiles[table]);
        columns
            .filter(|(_, profile)| profile.is_numeric() && profile.n_decimal > 0)
            .any(|(column, _)| Points::of(column, self.symbols) == Points::Decimals)
    }

    /// Tells of columns whose points are read as those of decimals, but may stand between thousands in all numbers.
    fn tell_open(&self, found: &[(ColumnAt, Readings)], sure: &BTreeSet<Notation>) -> Option<Diagnostic> {
        let thousands = Notation::Numbers(Decimals::Comma);
        let is_open = |(at, of): &&(ColumnAt, Readings)| {
            of.is_weak
                && of.notations == [thousands]
                && !sure.contains(&thousands)
                && self.profiles[at.0][at.1].n_distinct() >= FEWEST_OPEN
        };
        let columns: Vec<Column<'_>> = found.iter().filter(is_open).map(|(at, _)| self.named(*at)).collect();
        let first = columns.first()?.column;
        let zeros: FixedMap<u32, u8> = first.zeros.iter().copied().collect();
        let text = (0_u32..).zip(&first.cells).filter(|(_, cell)| **cell < LONG).find_map(|(row, &cell)| {
            let text = text_of(cell, self.symbols);
            let n_zeros = zeros.get(&row).copied();
            (n_zeros.is_some() || text.contains('.')).then(|| with_zeros(&text, n_zeros.unwrap_or_default()))
        });
        Some(open_points(&columns, &text?))
    }

    fn named(&self, at: ColumnAt) -> Column<'_> {
        self.database.column(at)
    }

    /// Whether the words of a column may be numbers: it names no rows.
    fn may_be_number(&self, at: ColumnAt) -> bool {
        let kind = self.schema.tables[at.0].columns[at.1].kind;
        let names_rows = kind == Kind::Key && self.is_pointed_to(at.0);
        !names_rows && !matches!(kind, Kind::Foreign(_) | Kind::Time | Kind::Duration)
    }

    /// Whether the numbers of a column may be dates: it names no rows that other columns point to.
    fn may_be_date(&self, at: ColumnAt) -> bool {
        match self.schema.tables[at.0].columns[at.1].kind {
            Kind::Foreign(_) => false,
            Kind::Key => !self.is_pointed_to(at.0),
            _ => true,
        }
    }

    fn is_pointed_to(&self, table: usize) -> bool {
        (0..self.schema.tables.len()).any(|from| self.schema.foreign_keys(from).any(|(_, to)| to == table))
    }
}

/// The text of a value.
pub(super) fn text_of(id: u32, symbols: &Provisional) -> Cow<'_, str> {
    let text = unquoted(symbols.constants().text(id));
    if text.contains('\\') { Cow::Owned(text.replace("\\'", "'")) } else { Cow::Borrowed(text) }
}

/// Whether so many values are read that the others count as missing.
const fn are_enough(n_read: u64, n_all: u64) -> bool {
    let n_others = n_all - n_read;
    n_read > 0 && (19 * n_others <= n_read || n_others == 1 && n_read >= 4)
}

/// How many values a notation reads, if these are enough.
pub(super) fn n_read(values: &RoaringBitmap, reads: impl Fn(u32) -> bool) -> Option<u64> {
    let n_all = values.len();
    let mut n_others = 0;
    for id in values {
        n_others += u64::from(!reads(id));
        if n_others > 1 && 20 * n_others > n_all {
            return None;
        }
    }
    are_enough(n_all - n_others, n_all).then_some(n_all - n_others)
}

/// The readings of texts as dates.
pub(super) fn dates_in_texts(profile: &Profile, symbols: &Provisional) -> Readings {
    if profile.n_words == 0 || profile.n_long > 0 {
        return Readings::default();
    }
    let of = |notation: DateNotation| {
        let reads = |id: u32| notation.read(&text_of(id, symbols)).is_some();
        n_read(&profile.distinct, reads).map(|n| (n, notation))
    };
    let found: Vec<(u64, DateNotation)> = DateNotation::of_texts().filter_map(of).collect();
    let most = found.iter().map(|(n, _)| *n).max().unwrap_or_default();
    let mut notations: Vec<DateNotation> =
        found.into_iter().filter(|(n, _)| *n == most).map(|(_, notation)| notation).collect();
    // Years of two digits come first between hyphens alone, and the day before the month between dots.
    let have = |sign: char| profile.distinct.iter().all(|id| text_of(id, symbols).contains(sign));
    if notations.len() > 1 && !have('-') {
        notations.retain(|notation| *notation != DateNotation::ShortYearFirst);
    }
    if notations.contains(&DateNotation::DayFirst) && have('.') && !have('/') && !have('-') {
        notations.retain(|notation| *notation == DateNotation::DayFirst);
    }
    let texts = || profile.distinct.iter().map(|id| text_of(id, symbols));
    notations.retain(|notation| match notation {
        DateNotation::Period(period) => !period.may_be_others(texts()),
        _ => true,
    });
    Readings { notations: notations.into_iter().map(Notation::Dates).collect(), is_weak: false }
}

/// The readings of numbers as dates, by their range and the name of their column.
pub(super) fn dates_in_numbers(profile: &Profile, name: &str, symbols: &Provisional) -> Readings {
    use DateNotation::{DaysSince1900, Digits, Since1970, SixDigits};
    const MONTHS: DateNotation = DateNotation::Period(Period::Digits);
    const DAYS: DateNotation = Since1970(Unit::Day);
    // Zeros at the beginning make a text of six digits.
    let have_letters = || {
        let is_other = |byte: u8| !byte.is_ascii_digit() && byte != b'.';
        profile.distinct.iter().any(|id| text_of(id, symbols).bytes().any(is_other))
    };
    if profile.n_long > 0 || profile.n_whole + profile.n_decimal == 0 && have_letters() {
        return Readings::default();
    }
    let is_many = profile.n_distinct() >= FEWEST_DAYS;
    let is_period = is_called_period(name);
    let (is_time, is_day) = (is_called_time(name) || is_period, is_called_day(name));
    let reads = |notation: DateNotation, last: &str| {
        let is_read = |id: u32| is_likely(notation, last, &text_of(id, symbols));
        n_read(&profile.distinct, is_read).is_some()
    };
    let sure = DateNotation::SINCE_1970.into_iter().filter(|_| is_time);
    let sure = sure.chain([Digits].into_iter().filter(|_| is_time || is_many));
    let mut sure = sure.chain([MONTHS].into_iter().filter(|_| is_period));
    let of = |notations: &[DateNotation], is_weak: bool| {
        let notations = notations.iter().copied().map(Notation::Dates).collect();
        Readings { notations, is_weak }
    };
    if let Some(notation) = sure.find(|notation| reads(*notation, "2101")) {
        return of(&[notation], false);
    }
    if !is_day {
        return Readings::default();
    }
    // `201112` is a month of 2011 or a day of 2020. Days since 1970 up to 2040 are the years before 1970 if they are since 1900.
    let are_days_of_1970 = || profile.n_decimal == 0 && is_called_date(name);
    let found: &[DateNotation] = match () {
        () if reads(SixDigits, "2101") && reads(MONTHS, "2101") => &[MONTHS, SixDigits],
        () if reads(SixDigits, "2101") => &[SixDigits],
        () if reads(MONTHS, "2101") => &[MONTHS],
        () if reads(DaysSince1900, "2040") => &[DaysSince1900],
        () if are_days_of_1970() && !is_called_birth(name) && reads(DAYS, "2040") => &[DAYS],
        () if are_days_of_1970() && reads(DAYS, "2101") => &[DAYS, DaysSince1900],
        () => &[],
    };
    of(found, !is_many)
}

/// Whether a number is a date of the years in which tables are written; `last` is the first year after these.
fn is_likely(notation: DateNotation, last: &str, text: &str) -> bool {
    let first = match notation {
        DateNotation::Since1970(_) | DateNotation::DaysSince1900 => "1990",
        // A month of `190112` would be a day of 2019.
        DateNotation::Period(_) => "1950",
        _ => "1900",
    };
    let years = first..last;
    notation.read(text).is_some_and(|written| written.get(..4).is_some_and(|year| years.contains(&year)))
}

/// The readings of texts as numbers. `has_zeros` says whether zeros are left out that ended three digits after a point.
pub(super) fn numbers(profile: &Profile, has_zeros: bool, symbols: &Provisional) -> Readings {
    if profile.n_words == 0 || profile.n_long > 0 {
        return Readings::default();
    }
    let of = |decimals: Decimals| {
        let reader = NumberReader::of(&profile.distinct, decimals, has_zeros, symbols)?;
        Some((NumberColumn::of(&profile.distinct, &reader, symbols)?, decimals))
    };
    let mut found: Vec<(NumberColumn, Decimals)> = Decimals::ALL.into_iter().filter_map(of).collect();
    let most = found.iter().map(|(of, _)| of.n_read).max().unwrap_or_default();
    found.retain(|(of, _)| of.n_read == most);
    if let [(point, _), (comma, _)] = &*found
        && (point.sum.total_cmp(&comma.sum).is_eq() || point.is_grouped())
    {
        found.truncate(1);
    }
    let notations = found.into_iter().map(|(_, decimals)| Notation::Numbers(decimals)).collect();
    Readings { notations, is_weak: false }
}

/// What the points in the plain numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// Signs before fractions; or there are none.
    Decimals,
    /// One or the other: three digits stand after each.
    Open,
    /// Signs between thousands: three digits stand after each, zeros too, but numbers below 1000 have none. Decimals with zeros
    /// would have them after all whole numbers.
    Thousands,
}

impl Points {
    fn of(column: &StoredColumn, symbols: &Provisional) -> Self {
        let zeros: FixedMap<u32, u8> = column.zeros.iter().copied().collect();
        let (mut n_small, mut n_points) = (0, 0);
        for (row, &cell) in (0_u32..).zip(&column.cells).filter(|(_, cell)| **cell < LONG) {
            let n_zeros = zeros.get(&row).copied();
            let Some(number) = symbols.numbers().get(cell) else {
                match is_number_or_missing(cell, symbols) {
                    true => continue,
                    false => return Self::Decimals,
                }
            };
            let may_be_grouped = match number {
                Number::Integer(whole) if n_zeros.is_none() => {
                    n_small += 1;
                    whole.unsigned_abs() < 1000
                }
                _ => {
                    n_points += 1;
                    let text = text_of(cell, symbols);
                    let text = n_zeros.map_or_else(|| text.to_string(), |n| with_zeros(&text, n));
                    Decimals::Comma.read(&text).is_some()
                }
            };
            if !may_be_grouped {
                return Self::Decimals;
            }
        }
        match (n_small, n_points) {
            (_, 0) => Self::Decimals,
            (1.., _) if !zeros.is_empty() => Self::Thousands,
            _ if column.has_texts => Self::Open,
            _ => Self::Decimals,
        }
    }
}

/// Reads the numbers of a column: with the sign before their fractions, and the unit of most.
struct NumberReader {
    decimals: Decimals,
    unit: String,
    /// Whether zeros are left out that ended three digits after a point.
    has_zeros: bool,
}

impl NumberReader {
    /// None if the numbers have several units.
    fn of(
        values: &RoaringBitmap,
        decimals: Decimals,
        has_zeros: bool,
        symbols: &Provisional,
    ) -> Option<Self> {
        let mut counts: FixedMap<String, u64> = FixedMap::default();
        for id in values {
            let text = text_of(id, symbols);
            let Some(read) = decimals.read(&text) else { continue };
            match counts.get_mut(read.unit) {
                Some(n) => *n += 1,
                None => {
                    counts.insert(read.unit.to_owned(), 1);
                }
            }
        }
        let n_all: u64 = counts.values().sum();
        let (unit, n) = counts.into_iter().max_by(|(unit, n), (other, m)| n.cmp(m).then(other.cmp(unit)))?;
        are_enough(n, n_all).then_some(Self { decimals, unit, has_zeros })
    }

    /// The number of a value, and its sign if it is a bound.
    fn read(&self, id: u32, symbols: &Provisional) -> Option<(Number, Option<char>)> {
        let text = text_of(id, symbols);
        match symbols.numbers().get(id) {
            Some(value) if self.decimals == Decimals::Point || !text.contains('.') => self.of_unit(value, ""),
            Some(_) if self.has_zeros => self.read_text(&with_zeros(&text, 0)),
            _ => self.read_text(&text),
        }
    }

    fn read_text(&self, text: &str) -> Option<(Number, Option<char>)> {
        let read = self.decimals.read(text)?;
        self.of_unit(read.value, read.unit).map(|(value, _)| (value, read.bound))
    }

    /// A zero needs no unit.
    fn of_unit(&self, value: Number, unit: &str) -> Option<(Number, Option<char>)> {
        let is_zero = || unit.is_empty() && value.as_f64().total_cmp(&0.0).is_eq();
        (unit == self.unit || is_zero()).then_some((value, None))
    }
}

/// A number with the zeros at the end of its three digits after the point; with 0, as many as are needed.
fn with_zeros(text: &str, n_zeros: u8) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let width = if n_zeros == 0 { 3 } else { fraction.len() + usize::from(n_zeros) };
    format!("{whole}.{fraction:0<width$}")
}

/// The numbers of a column in one notation.
#[derive(Default)]
struct NumberColumn {
    n_read: u64,
    /// The sum of the numbers: where two notations read the same numbers, their sums are equal.
    sum: f64,
    /// How many texts have signs between digits, and how many plain whole numbers are below 1000 and above.
    n_signs: u64,
    n_small: u64,
    n_large: u64,
}

impl NumberColumn {
    /// None if too few values are read, none is in another notation than plain numbers, or most are only bounds.
    fn of(values: &RoaringBitmap, reader: &NumberReader, symbols: &Provisional) -> Option<Self> {
        let n_read = n_read(values, |id| reader.read(id, symbols).is_some())?;
        let mut found = Self { n_read, ..Self::default() };
        let (mut n_bounds, mut n_texts) = (0, 0);
        for id in values {
            let Some((value, bound)) = reader.read(id, symbols) else { continue };
            found.sum += value.as_f64();
            n_bounds += u64::from(bound.is_some());
            n_texts += u64::from(!symbols.numbers().contains(id));
            let has_sign = text_of(id, symbols).contains(['.', ',']);
            found.n_signs += u64::from(has_sign);
            if let (Number::Integer(whole), false) = (value, has_sign) {
                found.n_small += u64::from(whole.unsigned_abs() < 1000);
                found.n_large += u64::from(whole.unsigned_abs() >= 1000);
            }
        }
        (n_texts > 0 && 2 * n_bounds <= found.n_read).then_some(found)
    }

    /// Whether commas stand between thousands: they are in all numbers from 1000 on, and in no smaller one.
    const fn is_grouped(&self) -> bool {
        self.n_signs > 0 && self.n_small > 0 && self.n_large == 0
    }
}

/// Replaces the cells of a column: dates by ISO 8601, numbers by plain numbers. Cells that are neither become texts; a later
/// message counts them. Where some numbers are only bounds (`>2800`), a further column holds their signs.
fn write_anew(database: &mut Database, (table, at): ColumnAt, notation: Notation, symbols: &mut Provisional) {
    let column = &database.tables[table].columns[at];
    let mut bounds = Vec::new();
    let cells = match notation {
        Notation::Dates(notation) => dates_anew(column, notation, symbols),
        Notation::Numbers(decimals) => numbers_anew(column, decimals, symbols, &mut bounds),
    };
    let column = &mut database.tables[table].columns[at];
    column.written = std::mem::replace(&mut column.cells, cells);
    column.notation = Some(notation);
    if bounds.is_empty() {
        return;
    }
    let (name, place) = (bound_name(&column.name), column.place);
    let mut cells = vec![MISSING; column.cells.len()];
    for (row, sign) in bounds {
        cells[row] = symbols.constant(&quote_atom(&sign.to_string()), None).raw();
    }
    let columns = &mut database.tables[table].columns;
    match columns.iter_mut().find(|known| known.name == name) {
        Some(known) => known.cells = cells,
        None => columns.push(StoredColumn::new(name, cells, place)),
    }
}

/// The name of the column that says which numbers of a column are only bounds.
pub(super) fn bound_name(column: &str) -> String {
    format!("{column} bound")
}

/// Adds the columns of bounds that something is said of, where the numbers are there: rows to be scored may have no bound.
pub(super) fn add_said_bounds(given: &GivenSchema, database: &mut Database) {
    for of in given.columns.iter().filter(|of| matches!(of.notation, Some(Notation::Numbers(_)))) {
        let bound = bound_name(&of.column);
        if given.columns.iter().any(|other| other.table == of.table && other.column == bound) {
            database.add_missing(&of.table, &bound);
        }
    }
}

fn dates_anew(column: &StoredColumn, notation: DateNotation, symbols: &mut Provisional) -> Vec<u32> {
    let mut known: FixedMap<u32, u32> = FixedMap::default();
    let mut anew = |cell: u32| {
        let text = text_of(cell, symbols);
        let written = notation.read(&text).unwrap_or_else(|| text.into_owned());
        symbols.constant(&quote_atom(&written), None).raw()
    };
    let of_cell = |&cell: &u32| match cell {
        LONG.. => cell,
        _ => *known.entry(cell).or_insert_with(|| anew(cell)),
    };
    column.cells.iter().map(of_cell).collect()
}

/// The cells as plain numbers, and by row the signs of those that are only bounds.
fn numbers_anew(
    column: &StoredColumn,
    decimals: Decimals,
    symbols: &mut Provisional,
    bounds: &mut Vec<(usize, char)>,
) -> Vec<u32> {
    let values: RoaringBitmap = column.values().collect();
    let reader = NumberReader::of(&values, decimals, false, symbols).unwrap_or_else(|| NumberReader {
        decimals,
        unit: String::new(),
        has_zeros: false,
    });
    let zeros: FixedMap<u32, u8> = match decimals {
        Decimals::Comma => column.zeros.iter().copied().collect(),
        Decimals::Point => FixedMap::default(),
    };
    let mut known: FixedMap<(u32, u8), (u32, Option<char>)> = FixedMap::default();
    let mut anew = |cell: u32, n_zeros: u8| {
        let read = match n_zeros {
            0 => reader.read(cell, symbols),
            _ => reader.read_text(&with_zeros(&text_of(cell, symbols), n_zeros)),
        };
        match read {
            Some((value, bound)) => (number_cell(value, symbols), bound),
            None => {
                let text = quote_atom(&text_of(cell, symbols)).into_owned();
                (symbols.constant(&text, None).raw(), None)
            }
        }
    };
    let rows = (0_u32..).zip(&column.cells).enumerate();
    let of_row = |(at, (row, &cell)): (usize, (u32, &u32))| {
        if cell >= LONG {
            return cell;
        }
        let n_zeros = zeros.get(&row).copied().unwrap_or_default();
        let (cell, bound) = *known.entry((cell, n_zeros)).or_insert_with(|| anew(cell, n_zeros));
        bounds.extend(bound.map(|sign| (at, sign)));
        cell
    };
    rows.map(of_row).collect()
}
