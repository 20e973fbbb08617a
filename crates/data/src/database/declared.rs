//! Keys and foreign keys as databases declare them, and what they say of columns.
//!
//! A row has one key here, of one column or of several. Foreign keys to anything but the key are not used; a message
//! names each.

use crate::tables::given::Says;
use crate::tables::schema::Kind;

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
    use super::{DeclaredLink, DeclaredTable, declared};
    use crate::tables::given::Says;
    use crate::tables::schema::Kind;

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
