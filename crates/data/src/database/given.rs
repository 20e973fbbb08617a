//! What is said of columns, for the tables of a database that there are.

use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::syntax::Diagnostic;

use super::faults::{self, Misfit};
use crate::tables::given::{GivenColumn, GivenSchema, Says};
use crate::tables::schema::GivenBy;
use crate::tables::store::{Database, StoredTable};

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

impl GivenSchema {
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
            if let Some(misfit) = lacks((database, &places), &given.table, columns, &given.says) {
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
                    found.push(faults::said_of_nothing(*place, by.words(), &column, &misfit.what));
                    continue;
                }
                // What is wrong in the file can be mended there.
                found.push(faults::bad_schema(*place, misfit));
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
) -> Option<Misfit> {
    let table_named = |name: &str| places.get(name).map(|&table| &database.tables[table]);
    let no_table = |name: &str| {
        let known = database.tables.iter().map(|table| &*table.name);
        Some(Misfit::of_name(format!("there is no table {name}"), name, known))
    };
    let Some(stored) = table_named(table) else { return no_table(table) };
    let known = stored.columns.iter().map(|column| &*column.name);
    if let Some(column) = columns.iter().find(|&name| known.clone().all(|known| known != name)) {
        return Some(Misfit::of_name(format!("the table {table} has no column {column}"), column, known));
    }
    match says {
        Says::PointsTo(to) if table_named(to).is_none() => no_table(to),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gleaner_lang::syntax::Place;

    use crate::tables::given::{GivenSchema, Says};
    use crate::tables::schema::{GivenBy, Kind};
    use crate::tables::store::{Database, StoredTable};

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
