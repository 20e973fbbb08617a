//! Databases in files of text or Parquet, whose keys say how their tables hang together.
//!
//! Tables lie in one folder, or there is one table with labels; [`relbench`] has folders, with the keys in a manifest; [`duckdb`] has statements of SQL
//! beside them. `schema.toml` beside the tables says what their columns mean, and goes before what any of these say.

mod duckdb;
mod relbench;

use std::path::Path;

use gleaner_lang::syntax::Diagnostic;

use crate::formats::file_format::{About, Asked, Clue, FileFormat, found as folder_found};
use crate::formats::tables::{files, one_table};
use crate::gather::{DataFile, FileReading, Files, Habits, whole};
use crate::tables::DatabaseRequest;
use crate::tables::schema::GivenSchema;

pub(super) use duckdb::{Duckdb, native};
pub(super) use relbench::Relbench;

/// The layout of tables in a folder.
#[derive(Debug)]
pub(super) struct Tables;

impl FileFormat for Tables {
    fn about(&self) -> About {
        About {
            name: "tables",
            files_in_words: "NAME.csv, schema.toml",
            habits: Habits::DATABASE,
            clue: Clue::PairOfNames,
        }
    }

    /// A folder with a schema. Of other tables a label says that they are a database.
    fn is_recognised(&self, path: &Path) -> bool {
        path.join(SCHEMA).is_file()
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if let Some(reader) = (asked.reader_of_tables)(asked.path) {
            let database = Some(DatabaseRequest::default());
            return Ok(Some(Files { database, ..one_table(asked.path, reader) }));
        }
        Ok(as_database(files(asked), asked.path))
    }
}

/// The name of the file.
pub(super) const SCHEMA: &str = "schema.toml";

/// The files of a database, with the schema that `folder` may hold; none if there are no files.
fn as_database(mut found: Files, folder: &Path) -> Option<Files> {
    if found.files.is_empty() {
        return None;
    }
    found.files.extend(schema_beside(folder));
    Some(Files { database: Some(DatabaseRequest::default()), ..found })
}

/// The file in a folder that says what tables mean, if there is one.
pub(super) fn schema_beside(folder: &Path) -> Option<DataFile> {
    let schema = folder_found(folder.join(SCHEMA))?;
    Some(DataFile::read_by(schema, || whole(read_schema)))
}

/// Takes what the text of a `schema.toml` says.
pub(super) fn read_schema(text: &str, reading: &mut FileReading<'_>) {
    let (given, found) = GivenSchema::read(text, reading.id);
    reading.notes.given_schema.columns.extend(given.columns);
    reading.notes.given_schema.composites.extend(given.composites);
    found.into_iter().for_each(|fault| reading.tell(fault));
}
