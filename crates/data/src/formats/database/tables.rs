//! A folder of tables, or one table with labels.

use std::path::Path;

use super::schema_file::{SCHEMA, as_database};
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::tables::{files, one_table};
use crate::gather::{Files, Habits};
use crate::tables::request::DatabaseRequest;
use gleaner_lang::syntax::Diagnostic;

/// The layout of tables in a folder.
#[derive(Debug)]
pub(in crate::formats) struct Tables;

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
