//! Databases: a folder of tables whose keys say how they hang together, or one table with labels.

use std::path::Path;

use crate::database::{DatabaseRequest, GivenSchema};
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::found as folder_found;
use crate::formats::tables::files;
use crate::gather::{DataFile, FileReading, Files, Habits, whole};
use gleaner_lang::syntax::Diagnostic;

/// The file that says what tables mean.
const SCHEMA: &str = "schema.toml";

/// The layout of databases.
#[derive(Debug)]
pub(super) struct Tables;

impl FileFormat for Tables {
    fn about(&self) -> About {
        About {
            name: "tables",
            files_in_words: "NAME.csv, schema.toml",
            habits: Habits::default(),
            clue: Clue::PairOfNames,
        }
    }

    /// A folder with a schema. Of other tables a label says that they are a database.
    fn is_recognised(&self, path: &Path) -> bool {
        path.join(SCHEMA).is_file()
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let database = Some(DatabaseRequest::default());
        if let Some(reader) = (asked.reader_of_tables)(asked.path) {
            let table = DataFile::read_by(asked.path.to_owned(), reader);
            return Ok(Some(Files { database, ..Files::undivided(vec![table]) }));
        }
        let mut found = files(asked);
        let has_tables = !found.files.is_empty();
        let schema = folder_found(asked.path.join(SCHEMA));
        found.files.extend(schema.map(|path| DataFile::read_by(path, || whole(read_schema))));
        Ok(has_tables.then_some(Files { database, ..found }))
    }
}

fn read_schema(text: &str, reading: &mut FileReading<'_>) {
    let (given, found) = GivenSchema::read(text, reading.id);
    reading.notes.given_schema = given;
    found.into_iter().for_each(|fault| reading.tell(fault));
}
