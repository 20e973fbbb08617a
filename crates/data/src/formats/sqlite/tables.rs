//! The tables of a database, their columns, and the keys that it declares.

use rusqlite::{Connection, Result};

use crate::database::{DeclaredLink, DeclaredTable};

/// A table of the database.
#[derive(Debug)]
pub(super) struct SqliteTable {
    pub(super) declared: DeclaredTable,
    /// The columns that are declared to hold bytes.
    pub(super) of_bytes: Vec<String>,
}

/// The tables, ascending by name; views and tables of extensions are none.
pub(super) fn tables(connection: &Connection) -> Result<Vec<SqliteTable>> {
    let list = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' \
                ESCAPE '\\' ORDER BY name";
    let mut statement = connection.prepare(list)?;
    let names: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_>>()?;
    names.into_iter().map(|name| table(connection, name)).collect()
}

fn table(connection: &Connection, name: String) -> Result<SqliteTable> {
    let mut found =
        SqliteTable { declared: DeclaredTable { name, ..DeclaredTable::default() }, of_bytes: Vec::new() };
    let SqliteTable { declared, of_bytes } = &mut found;
    // Of hidden columns (`hidden` 1) a table without extensions has none; 2 and 3 are computed.
    let columns = "SELECT name, type, pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid";
    let mut statement = connection.prepare(columns)?;
    let mut rows = statement.query([&declared.name])?;
    let mut key: Vec<(i64, String)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (column, of_type, place): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if place > 0 {
            key.push((place, column.clone()));
        }
        if of_type.to_ascii_uppercase().contains("BLOB") {
            of_bytes.push(column.clone());
        }
        declared.columns.push(column);
    }
    key.sort();
    declared.key = key.into_iter().map(|(_, column)| column).collect();
    let links =
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq";
    let mut statement = connection.prepare(links)?;
    let mut rows = statement.query([&declared.name])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let (id, to): (i64, Option<String>) = (row.get(0)?, row.get(3)?);
        if last.replace(id) != Some(id) {
            let table = row.get(1)?;
            declared.foreign_keys.push(DeclaredLink { table, ..DeclaredLink::default() });
        }
        if let Some(link) = declared.foreign_keys.last_mut() {
            link.columns.push(row.get(2)?);
            link.to.extend(to);
        }
    }
    drop(rows);
    drop(statement);
    Ok(found)
}
