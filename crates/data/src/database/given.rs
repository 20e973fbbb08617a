//! What is said of columns, for the tables of a database that there are.
//!
//! Keys and foreign keys as databases declare them, and what they say of columns.
//!
//! A row has one key here, of one column or of several. Foreign keys to anything but the key are not used; a message
//! names each.

use crate::tables::schema::{GivenBy, GivenColumn, GivenSchema, Kind, Says};
use crate::tables::store::{Database, StoredTable};
use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::syntax::Diagnostic;

use super::faults::{self, Misfit};

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

/// A table as its database declares it.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredTable {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    /// The columns of its primary key.
    pub(crate) key: Vec<String>,
    pub(crate) foreign_keys: Vec<DeclaredLink>,
}

/// A foreign key as a database declares it.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredLink {
    pub(crate) columns: Vec<String>,
    /// The table that it points to.
    pub(crate) table: String,
    /// The columns there; none stand for its primary key.
    pub(crate) to: Vec<String>,
}

/// What the declarations of one table say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) table: String,
    pub(crate) says: Vec<(String, Says)>,
    /// What they say of several columns together.
    pub(crate) composites: Vec<(Vec<String>, Says)>,
    /// The declarations that say nothing, in words.
    pub(crate) unused: Vec<String>,
}

/// What declarations say. Names may differ in case, as in SQL.
pub(crate) fn declared(tables: &[DeclaredTable]) -> Vec<Declared> {
    let keys: Vec<Vec<String>> = tables.iter().map(|table| key(table, tables)).collect();
    tables.iter().enumerate().map(|(at, table)| of_table(at, table, tables, &keys)).collect()
}

fn of_table(at: usize, table: &DeclaredTable, tables: &[DeclaredTable], keys: &[Vec<String>]) -> Declared {
    let mut found = Declared { table: table.name.clone(), ..Declared::default() };
    let is_pointed_to = points_to(&table.name, tables);
    let columns_of =
        |names: &[String]| -> Vec<String> { names.iter().map(|name| column_of(table, name)).collect() };
    for link in &table.foreign_keys {
        let columns = link.columns.join(" and ");
        let Some(to) = tables.iter().position(|known| is_same(&known.name, &link.table)) else {
            let what = format!("{}.{columns} points to {}, which is no table here", table.name, link.table);
            found.unused.push(what);
            continue;
        };
        let says = Says::PointsTo(tables[to].name.clone());
        match in_order(link, &keys[to]) {
            None => {
                let name = std::iter::once(tables[to].name.clone());
                let to = link.to.join(" and ");
                let target: Vec<String> = name.chain(Some(to).filter(|to| !to.is_empty())).collect();
                let what =
                    format!("{}.{columns} points to {}, which is not its key", table.name, target.join("."));
                found.unused.push(what);
            }
            Some(columns) => match columns.as_slice() {
                [column] => {
                    let is_own_key = matches!(&*keys[at], [key] if is_same(key, column));
                    // A key that points to another table is of a row that belongs to one there.
                    if !(is_own_key && is_pointed_to) {
                        found.says.push((column_of(table, column), says));
                    }
                }
                _ => found.composites.push((columns_of(&columns), says)),
            },
        }
    }
    match keys[at].as_slice() {
        [] => {}
        [key] => {
            let key = column_of(table, key);
            if !found.says.iter().any(|(column, _)| *column == key) {
                found.says.push((key, Says::Is(Kind::Key)));
            }
        }
        key => found.composites.push((columns_of(key), Says::Is(Kind::Key))),
    }
    found
}

/// The columns of a foreign key in the order of the key that it points to; none if it points to anything else.
fn in_order(link: &DeclaredLink, key: &[String]) -> Option<Vec<String>> {
    let to = if link.to.is_empty() { key } else { &link.to };
    if key.is_empty() || to.len() != key.len() || link.columns.len() != key.len() {
        return None;
    }
    let column = |name: &String| {
        let at = to.iter().position(|known| is_same(known, name))?;
        link.columns.get(at).cloned()
    };
    key.iter().map(column).collect()
}

/// The columns of the key of a table: its primary key, else what foreign keys point to.
fn key(table: &DeclaredTable, tables: &[DeclaredTable]) -> Vec<String> {
    if !table.key.is_empty() {
        return table.key.clone();
    }
    let links = tables.iter().flat_map(|other| &other.foreign_keys);
    let mut to_this = links.filter(|link| is_same(&link.table, &table.name) && !link.to.is_empty());
    to_this.next().map(|link| link.to.clone()).unwrap_or_default()
}

/// Whether another table points to this one.
fn points_to(name: &str, tables: &[DeclaredTable]) -> bool {
    tables.iter().filter(|other| !is_same(&other.name, name)).any(|other| {
        other.foreign_keys.iter().any(|link| is_same(&link.table, name) && link.columns.len() == 1)
    })
}

/// The name of a column as the table has it.
fn column_of(table: &DeclaredTable, name: &str) -> String {
    let known = table.columns.iter().find(|column| is_same(column, name));
    known.map_or_else(|| name.to_owned(), Clone::clone)
}

fn is_same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

#[cfg(test)]
mod tests {
    use crate::tables::schema::{GivenBy, GivenSchema, Kind, Says};
    use crate::tables::store::{Database, StoredTable};
    use gleaner_lang::syntax::Place;

    use super::{DeclaredLink, DeclaredTable, declared};

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

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn table(
        name: &str,
        columns: &[&str],
        key: &[&str],
        links: &[(&[&str], &str, &[&str])],
    ) -> DeclaredTable {
        let link = |(columns, table, to): &(&[&str], &str, &[&str])| DeclaredLink {
            columns: names(columns),
            table: (*table).to_owned(),
            to: names(to),
        };
        DeclaredTable {
            name: name.to_owned(),
            columns: names(columns),
            key: names(key),
            foreign_keys: links.iter().map(link).collect(),
        }
    }

    fn points(column: &str, to: &str) -> (String, Says) {
        (column.to_owned(), Says::PointsTo(to.to_owned()))
    }

    fn key(column: &str) -> (String, Says) {
        (column.to_owned(), Says::Is(Kind::Key))
    }

    #[test]
    fn keys_say_what_names_and_leads() {
        let found = declared(&[
            table("people", &["id", "boss"], &["id"], &[(&["boss"], "people", &["id"])]),
            // Names differ in case, and a reference without columns is to the primary key.
            table("Orders", &["Oid", "Buyer"], &["oid"], &[(&["buyer"], "People", &[])]),
            table(
                "lines",
                &["o", "n"],
                &["o", "n"],
                &[(&["o"], "orders", &["oid"]), (&["o", "n"], "orders", &[])],
            ),
            // Each row of it belongs to a person: no one points to it.
            table("addresses", &["id", "town"], &["id"], &[(&["id"], "people", &["id"])]),
        ]);
        let says: Vec<_> = found.iter().map(|declared| declared.says.clone()).collect();
        assert_eq!(says[0], [points("boss", "people"), key("id")]);
        assert_eq!(says[1], [points("Buyer", "people"), key("Oid")]);
        assert_eq!(says[2], [points("o", "Orders")]);
        assert_eq!(found[2].composites, [(names(&["o", "n"]), Says::Is(Kind::Key))]);
        assert_eq!(says[3], [points("id", "people")]);
        assert_eq!(found[2].unused, ["lines.o and n points to Orders, which is not its key"]);
    }

    #[test]
    fn keys_of_several_columns_say_what_they_lead_to() {
        let found = declared(&[
            table("lines", &["Order", "no"], &["order", "no"], &[]),
            // The columns of a foreign key come in the order of the key, whatever the order of the declaration.
            table("gifts", &["n", "o"], &[], &[(&["n", "O"], "lines", &["no", "order"])]),
            table(
                "notes",
                &["a", "b"],
                &["a", "b"],
                &[(&["a", "b"], "lines", &[]), (&["a"], "lines", &["order"])],
            ),
        ]);
        let to_lines = || Says::PointsTo("lines".to_owned());
        assert_eq!(found[0].composites, [(names(&["Order", "no"]), Says::Is(Kind::Key))]);
        assert_eq!(found[1].composites, [(names(&["o", "n"]), to_lines())]);
        let key_and_link = [(names(&["a", "b"]), to_lines()), (names(&["a", "b"]), Says::Is(Kind::Key))];
        assert_eq!(found[2].composites, key_and_link);
        assert_eq!(found[2].unused, ["notes.a points to lines.order, which is not its key"]);
    }

    #[test]
    fn what_is_not_the_key_is_told() {
        let found = declared(&[
            table("people", &["id", "mail"], &["id"], &[]),
            table("towns", &["code"], &[], &[]),
            table(
                "trips",
                &["who", "to", "by"],
                &[],
                &[(&["who"], "people", &["mail"]), (&["to"], "towns", &["code"]), (&["by"], "trains", &[])],
            ),
        ]);
        assert_eq!(found[1].says, [key("code")]);
        assert_eq!(found[2].says, [points("to", "towns")]);
        assert_eq!(
            found[2].unused,
            [
                "trips.who points to people.mail, which is not its key",
                "trips.by points to trains, which is no table here"
            ]
        );
    }
}
