//! A database in a file of SQLite: all its tables, with the keys that it declares.

#[cfg(feature = "sqlite")]
mod rows;

use std::ffi::OsStr;
use std::path::Path;

use gleaner_lang::syntax::{Diagnostic, read_head};

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
