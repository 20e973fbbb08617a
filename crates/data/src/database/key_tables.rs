//! Tables of keys that stand in no file.
//!
//! Labels of customers on several days, and their orders, name customers; but no file may hold a row for each customer. Then
//! nothing joins. So a table is made of the keys that both name. It has one column, and its rows are the distinct values of
//! the columns that point to it.

use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::faults::bad_schema;
use super::faults::lints::made_key;
use super::keys::{ColumnAt, FEWEST_VALUES, LEAST_SHARE_OF_NUMBERS, LEAST_SPREAD, LENGTH_OF_PROSE};
use super::keys::{LEAST_SHARE_NAMED, LEAST_SHARE_OF_WORDS, are_called_alike, without_id_word};
use super::nearly_keys::Looking;
use super::profile::Profile;
use crate::tables::given::{GivenColumn, GivenSchema, Says};
use crate::tables::schema::{GivenBy, Kind};
use crate::tables::store::{Database, StoredColumn, StoredTable};

/// The fewest values that two columns of different names share, of words and of numbers.
const FEWEST_WORDS: u64 = 20;
const FEWEST_NUMBERS: u64 = 100;

/// A table of keys to be made.
#[derive(Debug, PartialEq)]
pub(super) struct KeyTable {
    name: String,
    column: String,
    /// The columns that point to it.
    pointing: Vec<ColumnAt>,
    place: Place,
}

/// Makes the tables of keys that are said to be made. Tells of those to which no column points.
pub(super) fn add_said_key_tables(given: &GivenSchema, database: &mut Database) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    for (table, by) in said_key_tables(given, database) {
        // Rows to be scored may lack a table of the model's.
        if table.pointing.is_empty() && by != GivenBy::Model {
            let what = format!("no column points to {}: say of one that it is `-> {0}`", table.name);
            told.push(bad_schema(table.place, what));
        }
        table.add_to(database);
    }
    told
}

/// The tables of keys that are said to be made, and who says so.
fn said_key_tables(given: &GivenSchema, database: &Database) -> Vec<(KeyTable, GivenBy)> {
    let is_new = |of: &&GivenColumn| database.tables.iter().all(|table| table.name != of.table);
    let made = given.columns.iter().filter(|of| of.says == Says::MadeKey).filter(is_new);
    let table_of = |of: &GivenColumn| {
        let points = |known: &&GivenColumn| matches!(&known.says, Says::PointsTo(to) if *to == of.table);
        let place = |known: &GivenColumn| {
            let table = database.tables.iter().position(|table| table.name == known.table)?;
            Some((table, database.tables[table].column_named(&known.column)?))
        };
        let pointing = given.columns.iter().filter(points).filter_map(place).collect();
        (KeyTable { name: of.table.clone(), column: of.column.clone(), pointing, place: of.place }, of.by)
    };
    let mut tables: Vec<(KeyTable, GivenBy)> = made.map(table_of).collect();
    let mut known = FixedSet::default();
    tables.retain(|(table, _)| known.insert(table.name.clone()));
    tables
}

impl KeyTable {
    /// Makes the table, with a row for each distinct value of the columns that point to it.
    ///
    /// **Cost**: a look-up for each cell of these columns.
    pub(super) fn add_to(self, database: &mut Database) {
        let mut known = FixedSet::default();
        let mut cells = Vec::new();
        for (table, column) in self.pointing {
            let values = database.tables[table].columns[column].values();
            cells.extend(values.filter(|&value| known.insert(value)));
        }
        let n_rows = cells.len();
        let column = StoredColumn::new(self.column, cells, self.place);
        let (name, place) = (self.name, self.place);
        let parts = vec![(n_rows, None)];
        database.tables.push(StoredTable {
            name,
            columns: vec![column],
            n_rows,
            numbers: Vec::new(),
            parts,
            place,
            is_made: true,
        });
    }

    /// The message that the table is made.
    pub(super) fn told(&self, database: &Database) -> Diagnostic {
        let name = |&(table, column): &ColumnAt| {
            let of = &database.tables[table];
            [&*of.name, &*of.columns[column].name]
        };
        let names: Vec<[&str; 2]> = self.pointing.iter().map(name).collect();
        made_key(&self.name, &names, self.place)
    }
}

/// Two columns that may name the same things.
#[derive(Clone, Copy, Debug)]
struct Pair {
    met: ColumnAt,
    alone: ColumnAt,
    /// Whether their names are alike, and which part of the values of the one with fewer they share.
    evidence: (bool, f64),
}

impl Looking<'_> {
    /// The tables of keys through which tables that join nothing would join: of each the best pair of a column of its own
    /// and one of a table that examples lead to.
    ///
    /// **Cost**: for each such pair an intersection of their distinct values.
    pub(super) fn missing_key_tables(self, given: &GivenSchema) -> Vec<KeyTable> {
        let columns = |is_met: bool| -> Vec<ColumnAt> {
            let of_tables = (0..self.schema.tables.len()).filter(|&table| {
                let stored = &self.database.tables[table];
                self.star.is_met[table] == is_met && stored.n_rows > 0 && !given.is_whole(&stored.name)
            });
            let of_table =
                |table: usize| (0..self.schema.tables[table].columns.len()).map(move |at| (table, at));
            of_tables.flat_map(of_table).filter(|&at| self.may_name_others(at)).collect()
        };
        let (met, alone) = (columns(true), columns(false));
        // By table that joins nothing.
        let mut best: FixedMap<usize, Pair> = FixedMap::default();
        for (&alone, &met) in alone.iter().flat_map(|alone| met.iter().map(move |met| (alone, met))) {
            let Some(pair) = self.pair(met, alone) else { continue };
            if best.get(&alone.0).is_none_or(|known| pair.evidence > known.evidence) {
                best.insert(alone.0, pair);
            }
        }
        let mut pairs: Vec<Pair> = best.into_values().collect();
        pairs.sort_by_key(|pair| (pair.met, pair.alone));
        let mut names: FixedSet<String> =
            self.database.tables.iter().map(|table| table.name.to_lowercase()).collect();
        pairs
            .chunk_by(|one, other| one.met == other.met)
            .map(|pairs| self.table_of(pairs, &mut names))
            .collect()
    }

    /// The table of keys for pairs of one column of a table that is met.
    fn table_of(self, pairs: &[Pair], names: &mut FixedSet<String>) -> KeyTable {
        let met = pairs[0].met;
        let column = &self.database.tables[met.0].columns[met.1];
        let bare = match without_id_word(&column.name) {
            "" => &column.name,
            bare => bare,
        };
        let numbered = (2..).map(|number| format!("{bare}_{number}"));
        let mut all = std::iter::once(bare.to_owned()).chain(numbered);
        let name = all.find(|name| names.insert(name.to_lowercase())).unwrap_or_default();
        let pointing = std::iter::once(met).chain(pairs.iter().map(|pair| pair.alone)).collect();
        KeyTable { name, column: column.name.clone(), pointing, place: column.place }
    }

    /// Whether a column may name things, each in several rows. A column that is nearly a key has a message of its own (G149).
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    fn may_name_others(self, (table, column): ColumnAt) -> bool {
        let meaning = &self.schema.tables[table].columns[column];
        if !meaning.parts.is_empty() {
            return false;
        }
        let profile = &self.profiles[table][column];
        let is_open = !meaning.is_said()
            && matches!(meaning.kind, Kind::Category | Kind::Number | Kind::Code | Kind::LeftOut);
        let are_names =
            profile.is_whole() || profile.n_words > profile.n_whole + profile.n_decimal + profile.n_times;
        is_open
            && are_names
            && profile.n_long == 0
            && profile.mean_length < LENGTH_OF_PROSE
            && profile.n_distinct() >= FEWEST_VALUES
            && (profile.n_distinct() as f64) < 0.9 * profile.n_values as f64
    }

    /// The evidence that two columns name the same things, if there is enough. Numbers need names that say they are ids, or
    /// very many values: most numbers count something.
    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    fn pair(self, met: ColumnAt, alone: ColumnAt) -> Option<Pair> {
        let of = |at: ColumnAt| -> (&Profile, &str) {
            (&self.profiles[at.0][at.1], &self.database.tables[at.0].columns[at.1].name)
        };
        let ((one, one_name), (other, other_name)) = (of(met), of(alone));
        let (bounds, of_other) = (one.bounds(), other.bounds());
        if bounds.1 < of_other.0 || of_other.1 < bounds.0 {
            return None;
        }
        let n_shared = one.distinct.intersection_len(&other.distinct);
        let share = n_shared as f64 / one.n_distinct().min(other.n_distinct()) as f64;
        let are_numbers = one.is_whole() && other.is_whole();
        let are_alike = are_called_alike(one_name, other_name);
        let are_ids = || [one_name, other_name].into_iter().any(|name| without_id_word(name) != name);
        let is_likely = if are_alike && (!are_numbers || are_ids()) {
            share >= LEAST_SHARE_NAMED && n_shared >= FEWEST_VALUES
        } else if are_numbers {
            // Both columns must reach over the keys that are made of them, or they would not point to these.
            share >= LEAST_SHARE_OF_NUMBERS && n_shared >= FEWEST_NUMBERS && reach(one, other) >= LEAST_SPREAD
        } else {
            share >= LEAST_SHARE_OF_WORDS && n_shared >= FEWEST_WORDS
        };
        is_likely.then_some(Pair { met, alone, evidence: (are_alike, share) })
    }
}

/// The part of the range of the numbers of both columns that the narrower one reaches over.
fn reach(one: &Profile, other: &Profile) -> f64 {
    match (one.range, other.range) {
        (Some(one), Some(other)) => {
            let both = one.1.max(other.1) - one.0.min(other.0);
            (one.1 - one.0).min(other.1 - other.0) / both
        }
        _ => 0.0,
    }
}
