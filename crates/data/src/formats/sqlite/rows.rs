//! The rows of a database's tables. The file is never written.
//!
//! The tables of a database, their columns, and the keys that it declares.

use std::borrow::Cow;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Result as SqliteResult, Result};

use crate::database::{DeclaredLink, DeclaredTable, declared};
use crate::faults;
use crate::gather::{FileReader, FileReading};
use crate::rows::{CellValue, Column, Refusal, Rows, TableName, read_table};
use crate::tables::schema::GivenBy;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, check_regular, read_head, unreadable};

/// The reader of a database.
#[derive(Debug)]
pub(super) struct SqliteFile;

impl FileReader for SqliteFile {
    fn is_program(&self) -> bool {
        false
    }

    fn file(
        &mut self,
        path: &Path,
        sources: &mut Sources,
        reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        check_regular(path).map_err(|error| unreadable(path, &error))?;
        let id = sources.add_table(path.display().to_string(), Vec::new());
        let in_words = |error: Error| fault(path, &error);
        let connection = open(path).map_err(in_words)?;
        // All tables are read as they are at one time.
        connection.execute_batch("BEGIN").map_err(in_words)?;
        let tables = tables(&connection).map_err(in_words)?;
        // A place is a row and a column of some table: the columns of all tables are numbered in one sequence.
        let names = tables.iter().flat_map(|SqliteTable { declared, .. }| {
            declared.columns.iter().map(|column| format!("{}.{column}", declared.name))
        });
        sources.name_columns(id, names.collect());
        let mut first = 0;
        for table in &tables {
            read_rows(&connection, table, (id, first), path, reading);
            first += u32::try_from(table.declared.columns.len()).unwrap_or(0);
        }
        let all: Vec<DeclaredTable> = tables.into_iter().map(|table| table.declared).collect();
        let place = Place::Row(id, 0, None);
        for found in declared(&all) {
            found.unused.iter().for_each(|what| reading.tell(faults::unused_key(place, what)));
            let given = &mut reading.notes.given_schema;
            given.add(GivenBy::Database, place, &found.table, found.says);
            given.add_composites(GivenBy::Database, place, &found.table, found.composites);
        }
        Ok(Vec::new())
    }
}

/// Opens a file to read it. A database whose changes go to a log beside it is read without traces if there is no log;
/// otherwise SQLite needs files beside it, too.
fn open(path: &Path) -> SqliteResult<Connection> {
    // Bytes 18 and 19 are 2 where changes go to a log.
    let has_log = read_head(path, 20).is_ok_and(|head| head.ends_with(&[2, 2]));
    let log_exists = || {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Path::new(&log).exists()
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if has_log && !log_exists() {
        Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)?
    } else {
        // A name that begins as an address does would be one, of another file.
        Connection::open_with_flags(Path::new(".").join(path), flags)?
    };
    guard(&connection)?;
    // Whether a file is locked must not depend on how long one waits.
    connection.busy_timeout(Duration::ZERO)?;
    Ok(connection)
}

/// The most bytes of a text or a row, of a statement, and columns of a table: what a database may ask of memory at once.
const LIMITS: [(Limit, i32); 4] = [
    (Limit::SQLITE_LIMIT_LENGTH, 64 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
];

/// The file may be a stranger's: what its schema says runs no function with effects, and takes no more than a table of ours
/// has.
fn guard(connection: &Connection) -> SqliteResult<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    for (limit, most) in LIMITS {
        connection.set_limit(limit, most)?;
    }
    Ok(())
}

/// The address of a file that nothing changes.
fn immutable(path: &Path) -> String {
    let mut address = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(char::from(byte))
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address + "?immutable=1"
}

/// The message about a database as a whole.
fn fault(path: &Path, error: &Error) -> Diagnostic {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => faults::locked(path),
        Some(ErrorCode::NotADatabase) => {
            faults::broken_file(path, "SQLite", "it does not begin as a database does")
        }
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            unreadable(path, &io::Error::other(error.to_string()))
        }
        _ => faults::broken_file(path, "SQLite", &error.to_string()),
    }
}

/// Reads one table, whose first column has this number among those of all tables.
fn read_rows(
    connection: &Connection,
    table: &SqliteTable,
    (file, first): (FileId, u32),
    path: &Path,
    reading: &mut FileReading<'_>,
) {
    let DeclaredTable { name, columns, .. } = &table.declared;
    let is_read = |column: &&String| !table.of_bytes.contains(column);
    for column in &table.of_bytes {
        reading.tell(faults::unread_column(Place::Row(file, 0, None), name, column, "bytes"));
    }
    let read: Vec<&String> = columns.iter().filter(is_read).collect();
    let numbers = (first..).zip(columns).filter(|(_, column)| is_read(column)).map(|(number, _)| number);
    let numbers: Vec<u32> = numbers.collect();
    if read.is_empty() {
        return;
    }
    let selected: Vec<String> = read.iter().map(|column| quoted(column)).collect();
    // Without an index the rows come in their own order.
    let query = format!("SELECT {} FROM {} NOT INDEXED", selected.join(", "), quoted(name));
    let mut statement = match connection.prepare(&query) {
        Ok(statement) => statement,
        Err(error) => return reading.tell(fault(path, &error)),
    };
    let rows = match statement.query([]) {
        Ok(rows) => rows,
        Err(error) => return reading.tell(fault(path, &error)),
    };
    let column = |name: &&String| Column { name: (*name).clone(), is_row_number: false };
    let rows = SqliteRows {
        file,
        columns: read.iter().map(column).collect(),
        numbers,
        rows,
        row: 0,
        is_broken: false,
    };
    let table = TableName { predicate: name.clone(), arity: None, ending: "sqlite".to_owned() };
    read_table(&table, rows, reading);
}

/// A name as SQL has it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The rows of a table.
struct SqliteRows<'s> {
    file: FileId,
    columns: Vec<Column>,
    /// The number of each column among those of all tables.
    numbers: Vec<u32>,
    rows: rusqlite::Rows<'s>,
    /// The number of the current row, from 1.
    row: u64,
    is_broken: bool,
}

impl Rows for SqliteRows<'_> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn next(&mut self) -> Result<bool, Diagnostic> {
        if self.is_broken {
            return Ok(false);
        }
        self.row += 1;
        match self.rows.advance() {
            Ok(()) => Ok(self.rows.get().is_some()),
            Err(error) => {
                self.is_broken = true;
                // The column says which table it is.
                Err(faults::broken_rows(self.place(Some(0)), "SQLite", &error.to_string()))
            }
        }
    }

    fn cell(&self, column: usize) -> CellValue<'_> {
        let value = self.rows.get().and_then(|row| row.get_ref(column).ok());
        match value {
            Some(ValueRef::Integer(value)) => CellValue::Integer(value),
            Some(ValueRef::Real(value)) => CellValue::Float(value),
            Some(ValueRef::Text(bytes)) => match std::str::from_utf8(bytes) {
                Ok(text) => CellValue::String(Cow::Borrowed(text)),
                Err(_) => odd("a text that is not UTF-8"),
            },
            Some(ValueRef::Blob(_)) => odd("bytes that are no text"),
            Some(ValueRef::Null) | None => CellValue::Missing,
        }
    }

    fn place(&self, column: Option<usize>) -> Place {
        Place::Row(self.file, self.row, column.and_then(|column| self.numbers.get(column)).copied())
    }
}

fn odd(what: &str) -> CellValue<'static> {
    let accepted = "cells are numbers, texts or nothing; a column declared as BLOB is left out";
    CellValue::Odd(Refusal { what: what.to_owned(), accepted })
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use rusqlite::Connection;

    use crate::build::schema_of;
    use crate::request::LoadRequest;
    use gleaner_lang::syntax::{Diagnostic, Sources};

    use super::{immutable, quoted};

    #[test]
    fn names_and_paths_are_quoted() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(immutable(Path::new("/a b/c?d#é.db")), "file:/a%20b/c%3Fd%23%C3%A9.db?immutable=1");
    }

    fn schema(path: &Path) -> (String, Vec<Diagnostic>) {
        let request = LoadRequest { path: path.to_owned(), ..LoadRequest::default() };
        match schema_of(&request, &mut Sources::new()) {
            Ok((schema, warnings)) => (schema.unwrap_or_default(), warnings),
            Err(faults) => (String::new(), faults),
        }
    }

    fn made(folder: &Path, statements: &str) -> (PathBuf, Connection) {
        let path = folder.join("odd name?.db");
        let connection = Connection::open(&path).expect("it can be made");
        connection.execute_batch(statements).expect("the statements are right");
        (path, connection)
    }

    #[test]
    fn declarations_and_cells_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, connection) = made(
            folder.path(),
            "CREATE TABLE \"the people\"(Id INTEGER PRIMARY KEY, \"a \"\"b\"\"\" TEXT, photo BLOB, double AS (Id * 2));
             CREATE TABLE visits(person REFERENCES \"the people\", seen DATE, PRIMARY KEY(person, seen)) WITHOUT ROWID;
             CREATE VIEW v AS SELECT * FROM visits; CREATE INDEX i ON visits(seen);
             INSERT INTO \"the people\" VALUES (1, 'x', x'FF'), (2, NULL, NULL);
             INSERT INTO visits VALUES (1, '2020-01-02'), (2, '2020-01-03'), (2, '2020-01-01');",
        );
        drop(connection);
        let (schema, found) = schema(&path);
        let lines: Vec<&str> = schema.lines().skip(3).filter(|line| !line.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "[\"the people\"] # 2 rows",
                "Id = \"key\" # as the database says",
                "\"a \\\"b\\\"\" = \"category\" # 1 words",
                "double = \"category\" # 2 numbers from 2 to 4",
                "[visits] # 3 rows",
                "key = [\"person\", \"seen\"] # as the database says",
                "person = \"-> the people\" # as the database says",
                "seen = \"row time\" # dates",
            ]
        );
        let found: Vec<String> = found.iter().map(|told| told.code().to_string()).collect();
        assert_eq!(found, ["G090"]);
    }

    /// Nothing is read of a file that another program is writing, and nothing of one is written.
    #[test]
    fn locked_files_are_told_and_logs_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, connection) =
            made(folder.path(), "CREATE TABLE t(a, label); INSERT INTO t VALUES (1, 0);");
        connection.execute_batch("BEGIN EXCLUSIVE").expect("no one else has it");
        let (_, found) = schema(&path);
        assert_eq!(found[0].code().to_string(), "G005");
        assert!(found[0].message().contains("another program"), "{found:?}");
        connection
            .execute_batch("ROLLBACK; PRAGMA journal_mode = wal; INSERT INTO t VALUES (2, 1);")
            .expect("a log");
        assert!(schema(&path).0.contains("[t] # 2 rows"), "the log counts");
        drop(connection);
        assert!(schema(&path).0.contains("[t] # 2 rows"));
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            1,
            "no file beside it is left"
        );
    }
}
