//! What is said of keys of several columns: which of it counts, and what a foreign key takes for granted.
//!
//! The cells of composite keys: one constant for each distinct tuple of values.
//!
//! So all that is made of a key takes a composite one as it takes that of a column. A tuple is written with `|` between
//! its values, as `EWR|2013-01-01T06:00:00Z`; `\` stands before a `|` or `\` within a value.

use std::cmp::Reverse;

use gleaner_base::FixedMap;
use gleaner_lang::syntax::{Diagnostic, quote_atom};

use crate::database::faults::{self, Misfit};
use crate::database::given::lacks;
use crate::database::profile::{Profile, Seen};
use crate::provisional::Provisional;
use crate::tables::given::{GivenComposite, GivenSchema, Says};
use crate::tables::schema::{Composite, GivenBy, Kind, Schema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, label_text};

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
            GivenBy::SchemaFile => self.found.push(faults::bad_schema(*place, misfit)),
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

#[cfg(test)]
mod tests {
    use gleaner_lang::syntax::{FileId, Place};

    use super::{settle_composites, tuple_text};
    use crate::tables::given::{GivenSchema, Says};
    use crate::tables::schema::{GivenBy, Kind};
    use crate::tables::store::{Database, StoredTable};

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
