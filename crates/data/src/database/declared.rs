//! Keys and foreign keys as databases declare them, and what they say of columns.
//!
//! A row has one key here, of one column. Keys of several columns, and foreign keys to anything but the key, are not
//! used; a message names each.

use super::given::Says;
use super::schema::Kind;

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
    /// The declarations that say nothing, in words.
    pub(crate) unused: Vec<String>,
}

/// What declarations say. Names may differ in case, as in SQL.
pub(crate) fn declared(tables: &[DeclaredTable]) -> Vec<Declared> {
    let keys: Vec<Option<String>> = tables.iter().map(|table| key(table, tables)).collect();
    tables.iter().enumerate().map(|(at, table)| of_table(at, table, tables, &keys)).collect()
}

fn of_table(at: usize, table: &DeclaredTable, tables: &[DeclaredTable], keys: &[Option<String>]) -> Declared {
    let mut found = Declared { table: table.name.clone(), ..Declared::default() };
    if table.key.len() > 1 {
        found.unused.push(format!(
            "the key of {} has {} columns, {}",
            table.name,
            table.key.len(),
            table.key.join(" and ")
        ));
    }
    let is_pointed_to = points_to(&table.name, tables);
    for link in &table.foreign_keys {
        let [column] = link.columns.as_slice() else {
            found.unused.push(format!(
                "a foreign key of {} has {} columns, {}",
                table.name,
                link.columns.len(),
                link.columns.join(" and ")
            ));
            continue;
        };
        let Some(to) = tables.iter().position(|known| is_same(&known.name, &link.table)) else {
            found
                .unused
                .push(format!("{}.{column} points to {}, which is no table here", table.name, link.table));
            continue;
        };
        let is_key = match link.to.as_slice() {
            [] => keys[to].is_some(),
            [named] => keys[to].as_ref().is_some_and(|key| is_same(key, named)),
            _ => false,
        };
        let is_own_key = keys[at].as_ref().is_some_and(|key| is_same(key, column));
        if !is_key {
            let target: Vec<&str> =
                std::iter::once(&*tables[to].name).chain(link.to.iter().map(String::as_str)).collect();
            let target = target.join(".");
            found
                .unused
                .push(format!("{}.{column} points to {target}, which is no key of one column", table.name));
        } else if !(is_own_key && is_pointed_to) {
            // A key that points to another table is of a row that belongs to one there.
            found.says.push((column_of(table, column), Says::PointsTo(tables[to].name.clone())));
        }
    }
    if let Some(key) = &keys[at] {
        let key = column_of(table, key);
        if !found.says.iter().any(|(column, _)| *column == key) {
            found.says.push((key, Says::Is(Kind::Key)));
        }
    }
    found
}

/// The column that is the key of a table: its primary key, else the column that foreign keys point to.
fn key(table: &DeclaredTable, tables: &[DeclaredTable]) -> Option<String> {
    if let [key] = table.key.as_slice() {
        return Some(key.clone());
    }
    if !table.key.is_empty() {
        return None;
    }
    let links = tables.iter().flat_map(|other| &other.foreign_keys);
    let mut columns = links.filter(|link| is_same(&link.table, &table.name) && link.columns.len() == 1);
    columns.find_map(|link| link.to.first().cloned())
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
    use super::{DeclaredLink, DeclaredTable, declared};
    use crate::database::given::Says;
    use crate::database::schema::Kind;

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
    fn keys_of_one_column_say_what_names_and_leads() {
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
        assert_eq!(says[3], [points("id", "people")]);
        assert_eq!(found[2].unused.len(), 2, "{found:?}");
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
                "trips.who points to people.mail, which is no key of one column",
                "trips.by points to trains, which is no table here"
            ]
        );
    }
}
