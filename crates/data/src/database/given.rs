//! What is said of columns, by `schema.toml` or by the source of the tables. It goes before what their values show.

use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::faults;
use super::notations::Notation;
use super::schema::{GivenBy, Kind};
use super::store::{Database, StoredTable};

/// What is said of columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenSchema {
    pub(crate) columns: Vec<GivenColumn>,
    pub(crate) composites: Vec<GivenComposite>,
    /// The tables whose keys, foreign keys and times are all said: no others are proposed.
    pub(crate) whole_tables: Vec<String>,
}

/// What is said of one column.
#[derive(Clone, Debug)]
pub(crate) struct GivenColumn {
    pub(crate) table: String,
    pub(crate) column: String,
    pub(crate) says: Says,
    /// How its cells are written, if that is said.
    pub(crate) notation: Option<Notation>,
    pub(crate) by: GivenBy,
    pub(crate) place: Place,
}

/// What is said of several columns together: a key, or a foreign key. None are a denial: there is no such key.
#[derive(Clone, Debug)]
pub(crate) struct GivenComposite {
    pub(crate) table: String,
    pub(crate) columns: Vec<String>,
    /// [`Says::Is`] a key, or [`Says::PointsTo`].
    pub(crate) says: Says,
    pub(crate) by: GivenBy,
    pub(crate) place: Place,
}

/// What is said, by the places of tables and columns.
pub(super) struct SaidColumns<'g> {
    of_columns: Vec<Vec<Option<&'g GivenColumn>>>,
    /// By table, whether something is said to point to it, and whether all of it is said.
    are_pointed_to: Vec<bool>,
    are_whole: Vec<bool>,
}

impl<'g> SaidColumns<'g> {
    /// What is said of a column.
    pub(super) fn of(&self, (table, column): (usize, usize)) -> Option<&'g GivenColumn> {
        self.of_columns[table].get(column).copied().flatten()
    }

    /// Whether a column, or several together, are said to point to a table.
    pub(super) fn is_pointed_to(&self, table: usize) -> bool {
        self.are_pointed_to[table]
    }

    /// Whether all keys, foreign keys and times of a table are said.
    pub(super) fn is_whole(&self, table: usize) -> bool {
        self.are_whole[table]
    }
}

/// What may be said of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// It holds the keys of this table.
    PointsTo(String),
    /// It is the time of the rows.
    RowTime,
    /// It is the label, and each of its values is a class, though they be numbers.
    Class,
    /// It is the key of a table that stands in no file: its values are those of the columns that point to it.
    MadeKey,
    /// It is of this kind.
    Is(Kind),
}

impl Says {
    /// The kind of the column, where `position` gives the place of a table by its name.
    pub(super) fn kind(&self, position: impl Fn(&str) -> Option<usize>) -> Option<Kind> {
        match self {
            Self::PointsTo(to) => position(to).map(Kind::Foreign),
            Self::RowTime => Some(Kind::Time),
            Self::Class => Some(Kind::Label),
            Self::MadeKey => Some(Kind::Key),
            Self::Is(kind) => Some(*kind),
        }
    }

    /// Whether the column is the label.
    pub(super) const fn is_label(&self) -> bool {
        matches!(self, Self::Class | Self::Is(Kind::Label))
    }

    /// Whether the column holds words, or numbers that stand for things: if it is the label, they are classes.
    pub(super) const fn is_category(&self) -> bool {
        matches!(self, Self::Class | Self::Is(Kind::Category))
    }
}

impl GivenColumn {
    /// Whether it says that the column is the only one of its table to be so.
    fn is_of_one_column(&self) -> bool {
        matches!(self.says, Says::Is(Kind::Key) | Says::RowTime)
    }
}

impl GivenSchema {
    /// Adds what a source says of a table's columns.
    pub(crate) fn add(&mut self, by: GivenBy, place: Place, table: &str, says: Vec<(String, Says)>) {
        let column = |(column, says)| {
            let table = table.to_owned();
            GivenColumn { table, column, says, notation: None, by, place }
        };
        self.columns.extend(says.into_iter().map(column));
    }

    /// Adds what a source says of several columns of a table together.
    pub(crate) fn add_composites(
        &mut self,
        by: GivenBy,
        place: Place,
        table: &str,
        says: Vec<(Vec<String>, Says)>,
    ) {
        let composite =
            |(columns, says)| GivenComposite { table: table.to_owned(), columns, says, by, place };
        self.composites.extend(says.into_iter().map(composite));
    }

    /// What is said of a column.
    #[cfg(test)]
    pub(crate) fn of(&self, table: &str, column: &str) -> Option<&GivenColumn> {
        self.columns.iter().find(|given| given.table == table && given.column == column)
    }

    /// What is said of the columns of a database.
    pub(super) fn by_place(&self, database: &Database) -> SaidColumns<'_> {
        let places = database.places();
        let none = |table: &StoredTable| vec![None; table.columns.len()];
        let mut of_columns: Vec<Vec<Option<&GivenColumn>>> = database.tables.iter().map(none).collect();
        for given in &self.columns {
            let Some(&table) = places.get(&*given.table) else { continue };
            let columns = &database.tables[table].columns;
            if let Some(column) = columns.iter().position(|column| column.name == given.column) {
                of_columns[table][column].get_or_insert(given);
            }
        }
        let mut are_pointed_to = vec![false; database.tables.len()];
        let says = self.columns.iter().map(|of| &of.says).chain(self.composites.iter().map(|of| &of.says));
        for says in says {
            let Says::PointsTo(to) = says else { continue };
            places.get(&**to).into_iter().for_each(|&to| are_pointed_to[to] = true);
        }
        let mut are_whole = vec![false; database.tables.len()];
        for name in &self.whole_tables {
            places.get(&**name).into_iter().for_each(|&table| are_whole[table] = true);
        }
        SaidColumns { of_columns, are_pointed_to, are_whole }
    }

    /// The column of labels of the tables that a model learned from.
    pub(crate) fn label_of_model(&self) -> Option<(&str, &str)> {
        let is_label = |column: &&GivenColumn| column.by == GivenBy::Model && column.says.is_label();
        self.columns.iter().find(is_label).map(|column| (&*column.table, &*column.column))
    }

    /// Whether all keys, foreign keys and times of a table are said.
    pub(crate) fn is_whole(&self, table: &str) -> bool {
        self.whole_tables.iter().any(|known| known == table)
    }

    /// What counts of it for these tables, but for composite keys: of each column what the last source says, and one key and one time of a
    /// table. Tells of tables and columns that the database lacks.
    pub(crate) fn settled(&self, database: &Database) -> (Self, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let places = database.places();
        let mut order: Vec<&GivenColumn> = self.columns.iter().collect();
        order.sort_by_key(|given| std::cmp::Reverse(given.by));
        let mut kept: Vec<&GivenColumn> = Vec::new();
        let mut taken: FixedSet<(&str, &str)> = FixedSet::default();
        let mut of_one: FixedMap<(&str, bool), GivenBy> = FixedMap::default();
        for given in order {
            let columns = std::slice::from_ref(&given.column);
            if let Some(what) = lacks((database, &places), &given.table, columns, &given.says) {
                // Rows to be scored may be fewer tables than those that a model learned from. But by their time rows are hidden,
                // and no clause names that.
                if given.by == GivenBy::Model {
                    let table = places.get(&*given.table).filter(|_| given.says == Says::RowTime);
                    let told = table.map(|&at| faults::no_time_of_model(&database.tables[at], &given.column));
                    found.extend(told);
                    continue;
                }
                let GivenColumn { table, column, by, place, .. } = given;
                if *by != GivenBy::SchemaFile {
                    let column = format!("{table}.{column}");
                    found.push(faults::said_of_nothing(*place, by.words(), &column, &what));
                    continue;
                }
                // What is wrong in the file can be mended there.
                found.push(faults::bad_schema(*place, &what));
            }
            let kind = (&*given.table, given.says == Says::RowTime);
            // Of two keys that one source says, both count as far as they do for `schema.toml`: the first is the key.
            let is_open = !given.is_of_one_column() || of_one.get(&kind).is_none_or(|&by| by == given.by);
            if is_open && taken.insert((&given.table, &given.column)) {
                if given.is_of_one_column() {
                    of_one.insert(kind, given.by);
                }
                kept.push(given);
            }
        }
        let columns = kept.into_iter().cloned().collect();
        let (composites, whole_tables) = (self.composites.clone(), self.whole_tables.clone());
        (Self { columns, composites, whole_tables }, found)
    }
}

/// What a database lacks of that which is said of columns of a table, in words. `places` has the places of its tables.
pub(super) fn lacks(
    (database, places): (&Database, &FixedMap<&str, usize>),
    table: &str,
    columns: &[String],
    says: &Says,
) -> Option<String> {
    let table_named = |name: &str| places.get(name).map(|&table| &database.tables[table]);
    let Some(stored) = table_named(table) else { return Some(format!("there is no table {table}")) };
    let has = |name: &String| stored.columns.iter().any(|column| column.name == *name);
    if let Some(column) = columns.iter().find(|&name| !has(name)) {
        return Some(format!("the table {table} has no column {column}"));
    }
    match says {
        Says::PointsTo(to) if table_named(to).is_none() => Some(format!("there is no table {to}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gleaner_lang::syntax::Place;

    use super::{GivenSchema, Says};
    use crate::database::schema::{GivenBy, Kind};
    use crate::database::store::{Database, StoredTable};

    fn said(given: &GivenSchema, column: &str) -> Option<(Says, GivenBy)> {
        given.of("orders", column).map(|given| (given.says.clone(), given.by))
    }

    #[test]
    fn the_schema_file_goes_before_the_source() {
        let database = Database {
            tables: vec![
                StoredTable::of_columns("orders", &["id", "code", "buyer", "day"]),
                StoredTable::of_columns("people", &["id"]),
            ],
        };
        let mut given = GivenSchema::default();
        let points = |to: &str| Says::PointsTo(to.to_owned());
        let of_source = vec![
            ("id".to_owned(), Says::Is(Kind::Key)),
            ("buyer".to_owned(), points("people")),
            ("day".to_owned(), points("calendar")),
        ];
        given.add(GivenBy::Database, Place::default(), "orders", of_source);
        let of_file =
            vec![("code".to_owned(), Says::Is(Kind::Key)), ("buyer".to_owned(), Says::Is(Kind::LeftOut))];
        given.add(GivenBy::SchemaFile, Place::default(), "orders", of_file);
        let (settled, found) = given.settled(&database);
        // A table has one key: that of the file.
        assert_eq!(said(&settled, "id"), None);
        assert_eq!(said(&settled, "code"), Some((Says::Is(Kind::Key), GivenBy::SchemaFile)));
        assert_eq!(said(&settled, "buyer"), Some((Says::Is(Kind::LeftOut), GivenBy::SchemaFile)));
        // Nothing is pointed to in a table that is not there; the values decide.
        assert_eq!(said(&settled, "day"), None);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn without_a_schema_file_the_source_counts() {
        let database = Database { tables: vec![StoredTable::of_columns("orders", &["id", "day"])] };
        let mut given = GivenSchema::default();
        let says = vec![("id".to_owned(), Says::Is(Kind::Key)), ("day".to_owned(), Says::RowTime)];
        given.add(GivenBy::Metadata, Place::default(), "orders", says);
        given.add(GivenBy::Manifest, Place::default(), "orders", vec![("id".to_owned(), Says::RowTime)]);
        let (settled, found) = given.settled(&database);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(said(&settled, "id"), Some((Says::RowTime, GivenBy::Manifest)));
        assert_eq!(said(&settled, "day"), None);
    }
}
