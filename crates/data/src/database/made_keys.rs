//! What is said of keys of several columns: which of it counts, and what a foreign key takes for granted.
//!
//! The cells of composite keys: one constant for each distinct tuple of values.
//!
//! So all that is made of a key takes a composite one as it takes that of a column. A tuple is written with `|` between
//! its values, as `EWR|2013-01-01T06:00:00Z`; `\` stands before a `|` or `\` within a value.
//!
//! Tables of keys that stand in no file.
//!
//! Labels of customers on several days, and their orders, name customers; but no file may hold a row for each customer. Then
//! nothing joins. So a table is made of the keys that both name. It has one column, and its rows are the distinct values of
//! the columns that point to it.

use std::cmp::Reverse;

use crate::database::faults::{self, Misfit};
use crate::database::given::lacks;
use crate::database::profile::{Profile, Seen};
use crate::provisional::Provisional;
use crate::tables::schema::{
    Composite, GivenBy, GivenColumn, GivenComposite, GivenSchema, Kind, Says, Schema,
};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, StoredTable, label_text};
use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::syntax::{Diagnostic, Place, quote_atom};

use super::faults::bad_schema;
use super::faults::lints::made_key;
use super::keys::{
    ColumnAt, FEWEST_VALUES, LEAST_SHARE_NAMED, LEAST_SHARE_OF_NUMBERS, LEAST_SHARE_OF_WORDS, LEAST_SPREAD,
    LENGTH_OF_PROSE, are_called_alike, without_id_word,
};
use super::oddities::Looking;

/// Keeps what counts of the composite keys that are said: of each table the key of the last source, and the foreign keys
/// to each other table of the last source that says one. A key that is said in that way takes the place of one column's.
/// Tells what does not fit the tables.
pub(super) fn settle_composites(given: &mut GivenSchema, database: &Database) -> Vec<Diagnostic> {
    let places = database.places();
    let mut settling = Settling { given, kept: Vec::new(), found: Vec::new() };
    let mut order = std::mem::take(&mut settling.given.composites);
    order.sort_by_key(|composite| Reverse(composite.by));
    let (keys, links): (Vec<_>, Vec<_>) =
        order.into_iter().partition(|composite| composite.says == Says::Is(Kind::Key));
    for composite in keys.into_iter().chain(links) {
        let GivenComposite { table, columns, says, .. } = &composite;
        let taken = match lacks((database, &places), table, columns, says) {
            Some(misfit) => Err(misfit),
            None if *says == Says::Is(Kind::Key) => settling.key(&composite),
            None => settling.link(&composite, database),
        };
        match taken {
            Ok(Some(taken)) => settling.kept.push(taken),
            Ok(None) => {}
            Err(misfit) => settling.tell(&composite, misfit),
        }
    }
    let Settling { given, kept, found } = settling;
    given.composites = kept;
    found
}

/// The composite keys that are said, as the tables have them.
pub(super) fn said_composites(given: &GivenSchema, database: &Database) -> Vec<Composite> {
    let places = database.places();
    let position = |name: &str| places.get(name).copied();
    let composite = |of: &GivenComposite| {
        let table = position(&of.table)?;
        let stored = &database.tables[table].columns;
        let columns = of.columns.iter().map(|name| stored.iter().position(|column| column.name == *name));
        let kind = match &of.says {
            Says::PointsTo(to) => Kind::Foreign(position(to)?),
            _ => Kind::Key,
        };
        let (columns, why) = (columns.collect::<Option<Vec<usize>>>()?, of.by.words().to_owned());
        Some(Composite { table, columns, kind, said_by: Some(of.by), why })
    };
    given.composites.iter().filter(|of| !of.columns.is_empty()).filter_map(composite).collect()
}

struct Settling<'s> {
    given: &'s mut GivenSchema,
    kept: Vec<GivenComposite>,
    found: Vec<Diagnostic>,
}

/// What counts of a line, or why it cannot.
type Taken = Result<Option<GivenComposite>, Misfit>;

impl Settling<'_> {
    fn key(&mut self, composite: &GivenComposite) -> Taken {
        let is_key = |says: &Says| *says == Says::Is(Kind::Key);
        if self.kept.iter().any(|kept| kept.table == composite.table && is_key(&kept.says)) {
            return Ok(None);
        }
        let columns = &mut self.given.columns;
        let single = columns.iter().find(|column| column.table == composite.table && is_key(&column.says));
        match single {
            _ if composite.columns.is_empty() => {}
            Some(single) if single.by > composite.by => return Ok(None),
            Some(single) if single.by == composite.by => {
                return Err(format!("the table {} has a key already, {}", single.table, single.column).into());
            }
            _ => columns.retain(|column| column.table != composite.table || !is_key(&column.says)),
        }
        Ok(Some(composite.clone()))
    }

    fn link(&mut self, composite: &GivenComposite, database: &Database) -> Taken {
        let Says::PointsTo(to) = &composite.says else { return Ok(None) };
        let is_same = |kept: &&GivenComposite| kept.table == composite.table && kept.says == composite.says;
        if self.kept.iter().find(is_same).is_some_and(|kept| kept.by != composite.by) {
            return Ok(None);
        }
        let names = &composite.columns;
        let is_key = |says: &Says| *says == Says::Is(Kind::Key);
        let key = self.kept.iter().find(|kept| kept.table == *to && is_key(&kept.says));
        match key.map(|key| &key.columns) {
            _ if names.is_empty() => Ok(Some(composite.clone())),
            Some(key) if key.is_empty() => Ok(None),
            Some(key) if key.len() != names.len() => {
                Err(format!("the key of {to} has {} columns, and here are {}", key.len(), names.len()).into())
            }
            Some(key) => {
                let has_same_names = key.iter().all(|name| names.contains(name));
                let columns = if has_same_names { key.clone() } else { names.clone() };
                Ok(Some(GivenComposite { columns, ..composite.clone() }))
            }
            None => {
                // The key has the same names, if nobody says another.
                let mut columns = self.given.columns.iter();
                if let Some(single) = columns.find(|column| column.table == *to && is_key(&column.says)) {
                    return Err(format!("the key of {to} is {}", single.column).into());
                }
                let lack = lacks((database, &database.places()), to, names, &composite.says);
                if let Some(Misfit { what, .. }) = lack {
                    return Err(format!("{what}; a line below [{to}] says its key: `key = [..]`").into());
                }
                let (table, says) = (to.clone(), Says::Is(Kind::Key));
                self.kept.push(GivenComposite { table, says, ..composite.clone() });
                Ok(Some(composite.clone()))
            }
        }
    }

    fn tell(&mut self, composite: &GivenComposite, misfit: Misfit) {
        let GivenComposite { table, columns, by, place, .. } = composite;
        match by {
            // Rows to be scored may be fewer tables than those that a model learned from.
            GivenBy::Model | GivenBy::CutOff => {}
            GivenBy::SchemaFile => self.found.push(bad_schema(*place, misfit)),
            _ => {
                let columns = format!("{} of {table}", columns.join(" and "));
                self.found.push(faults::said_of_nothing(*place, by.words(), &columns, &misfit.what));
            }
        }
    }
}

/// Adds the cells of the composite keys of a schema to the columns of its tables, and their figures. A row has none where
/// one of its values is missing.
///
/// **Cost**: for each composite key a hash of each row and each column, and a text for each distinct tuple.
pub(super) fn add_composite_cells(
    database: &mut Database,
    schema: &Schema,
    profiles: &mut [Vec<Profile>],
    symbols: &mut Provisional,
) {
    for ((stored, meaning), profiles) in database.tables.iter_mut().zip(&schema.tables).zip(profiles) {
        for column in meaning.columns.iter().skip(stored.columns.len()) {
            let parts: Vec<&StoredColumn> = column.parts.iter().map(|&part| &stored.columns[part]).collect();
            let cells = tuples(&parts, stored.n_rows, symbols);
            let place = parts.first().map_or(stored.place, |part| part.place);
            let joined = StoredColumn::new(column.name.clone(), cells, place);
            profiles.push(Profile::of(&joined, &mut Seen::new(symbols.constants().len()), symbols));
            stored.columns.push(joined);
        }
    }
}

/// By row, the constant of its values in these columns, or [`MISSING`].
fn tuples(parts: &[&StoredColumn], n_rows: usize, symbols: &mut Provisional) -> Vec<u32> {
    // The number of each tuple of the columns so far, by that of the columns before and the value.
    let mut numbers = vec![0_u32; n_rows];
    for part in parts {
        let mut known: FixedMap<(u32, u32), u32> = FixedMap::default();
        for (number, &cell) in numbers.iter_mut().zip(&part.cells) {
            let is_missing = *number == MISSING || cell >= LONG;
            let next = u32::try_from(known.len()).unwrap_or(MISSING);
            *number = if is_missing { MISSING } else { *known.entry((*number, cell)).or_insert(next) };
        }
    }
    let mut constants: Vec<u32> = Vec::new();
    for (row, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number != MISSING) {
        // Tuples are numbered by their first rows.
        if constants.len() == *number as usize {
            let text = tuple_text(parts.iter().map(|part| label_text(part.cells[row], symbols)));
            constants.push(symbols.constant(&quote_atom(&text), None).raw());
        }
        *number = constants[*number as usize];
    }
    numbers
}

/// A tuple as a text. Different tuples have different texts.
fn tuple_text(values: impl Iterator<Item = String>) -> String {
    let escaped = values.map(|value| value.replace('\\', "\\\\").replace('|', "\\|"));
    escaped.collect::<Vec<_>>().join("|")
}

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

#[cfg(test)]
mod tests {
    use crate::tables::schema::{GivenBy, GivenSchema, Kind, Says};
    use crate::tables::store::{Database, StoredTable};
    use gleaner_lang::syntax::{FileId, Place};

    use super::{settle_composites, tuple_text};

    /// The composite keys that count of a file and of a database's own declarations, and how many faults there are.
    fn settled(file: &str, declared: &[(&str, &[&str], Says)]) -> (Vec<String>, GivenSchema, usize) {
        let database = Database {
            tables: vec![
                StoredTable::of_columns("weather", &["origin", "hour", "id"]),
                StoredTable::of_columns("flights", &["hour", "origin", "dest", "day"]),
            ],
        };
        let (mut given, found) = GivenSchema::read(file, FileId::default());
        assert!(found.is_empty(), "{found:?}");
        for (table, columns, says) in declared {
            let columns = columns.iter().map(|&name| name.to_owned()).collect();
            given.add_composites(GivenBy::Database, Place::default(), table, vec![(columns, says.clone())]);
        }
        let (mut given, mut found) = given.settled(&database);
        found.extend(settle_composites(&mut given, &database));
        let shown = given.composites.iter().map(|of| match &of.says {
            Says::PointsTo(to) => format!("{} {} -> {to}", of.table, of.columns.join("+")),
            _ => format!("{} {}", of.table, of.columns.join("+")),
        });
        (shown.collect(), given.clone(), found.len())
    }

    #[test]
    fn a_foreign_key_takes_the_key_of_the_same_names_for_granted() {
        let (found, _, n_faults) = settled("[flights]\n\"-> weather\" = [\"origin\", \"hour\"]\n", &[]);
        assert_eq!(found, ["weather origin+hour", "flights origin+hour -> weather"]);
        assert_eq!(n_faults, 0);
        // The order is that of the key where the names are the same; else columns stand as they are written.
        let key = "[weather]\nkey = [\"origin\", \"hour\"]\n[flights]\n";
        let links = "\"-> weather\" = [[\"hour\", \"origin\"], [\"dest\", \"hour\"]]\n";
        let (found, _, n_faults) = settled(&format!("{key}{links}"), &[]);
        assert_eq!(
            found,
            ["weather origin+hour", "flights origin+hour -> weather", "flights dest+hour -> weather"]
        );
        assert_eq!(n_faults, 0);
    }

    #[test]
    fn the_file_goes_before_the_database() {
        let key = || ("weather", &["origin", "hour"][..], Says::Is(Kind::Key));
        let link = || ("flights", &["origin", "hour"][..], Says::PointsTo("weather".to_owned()));
        let (found, given, _) = settled("[weather]\nid = \"key\"\n", &[key()]);
        assert!(found.is_empty() && given.of("weather", "id").is_some(), "{found:?}");
        let (found, ..) = settled("[weather]\nkey = []\n", &[key()]);
        assert_eq!(found, ["weather "]);
        let (found, ..) = settled("[flights]\n\"-> weather\" = [\"dest\", \"hour\"]\n", &[key(), link()]);
        assert_eq!(found, ["weather origin+hour", "flights dest+hour -> weather"]);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for file in [
            "[weather]\nkey = [\"origin\", \"day\"]\n",
            "[weather]\nkey = [\"origin\", \"hour\"]\nid = \"key\"\n",
            "[flights]\n\"-> weather\" = [\"dest\", \"hour\"]\n",
            "[flights]\n\"-> rain\" = [\"origin\", \"hour\"]\n",
            "[weather]\nid = \"key\"\n[flights]\n\"-> weather\" = [\"origin\", \"hour\"]\n",
            "[weather]\nkey = [\"origin\", \"hour\", \"id\"]\n[flights]\n\"-> weather\" = [\"origin\", \"hour\"]\n",
        ] {
            assert_eq!(settled(file, &[]).2, 1, "{file}");
        }
    }

    #[test]
    fn different_tuples_have_different_texts() {
        let text = |values: &[&str]| tuple_text(values.iter().map(|&value| value.to_owned()));
        assert_eq!(text(&["EWR", "2013-01-01"]), "EWR|2013-01-01");
        let values = ["", "a", "|", "\\", "a|", "|a", "\\|", "a\\", "||", "\\\\"];
        let mut texts: Vec<String> =
            values.iter().flat_map(|one| values.iter().map(|other| text(&[one, other]))).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), values.len() * values.len());
    }
}
