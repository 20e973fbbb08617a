//! A database in a file of SQLite: all its tables, with the keys that it declares.
//!
//! The tables of a database, their columns, and the keys that it declares.

#[cfg(feature = "sqlite")]
#[cfg(feature = "sqlite")]
mod rows;

use std::ffi::OsStr;
use std::path::Path;

use gleaner_lang::syntax::{Diagnostic, read_head};
use rusqlite::{Connection, Result};

use crate::database::{DeclaredLink, DeclaredTable};
use crate::formats::database::schema_beside;
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::gather::{DataFile, FileReader, Files, Habits};
use crate::tables::DatabaseRequest;

/// The first bytes of every database. [SQLite, Database File Format, 1.3]
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The endings of file names that say what a file is; `.db` is also that of other layouts.
const ENDINGS: [&str; 3] = ["sqlite", "sqlite3", "db3"];

/// The layout of databases in a file of SQLite.
#[derive(Debug)]
pub(super) struct Sqlite;

impl FileFormat for Sqlite {
    fn about(&self) -> About {
        About {
            name: "sqlite",
            files_in_words: "NAME.sqlite",
            habits: Habits::DATABASE,
            clue: Clue::PairOfNames,
        }
    }

    /// A file that begins as a database does, or is called so.
    fn is_recognised(&self, path: &Path) -> bool {
        let is_one = |ending: &OsStr| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
        let is_called = path.extension().is_some_and(is_one);
        path.is_file() && (is_called || read_head(path, MAGIC.len() as u64).is_ok_and(|head| head == MAGIC))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if !asked.path.is_file() {
            return Ok(None);
        }
        let database = DataFile::read_by(asked.path.to_owned(), reader);
        let folder = asked.path.parent().unwrap_or(Path::new(""));
        let files = std::iter::once(database).chain(schema_beside(folder)).collect();
        Ok(Some(Files { database: Some(DatabaseRequest::default()), ..Files::undivided(files) }))
    }
}

#[cfg(feature = "sqlite")]
fn reader() -> Box<dyn FileReader> {
    Box::new(rows::SqliteFile)
}

/// A build without the feature refuses the file.
#[cfg(not(feature = "sqlite"))]
fn reader() -> Box<dyn FileReader> {
    Box::new(crate::formats::refused::Refused { feature: "sqlite" })
}

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
