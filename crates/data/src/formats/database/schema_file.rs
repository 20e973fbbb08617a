//! `schema.toml`: a file beside the tables of a database that says what their columns mean.

use std::path::Path;

use crate::formats::folder::found as folder_found;
use crate::gather::{DataFile, FileReading, Files, whole};
use crate::tables::given::GivenSchema;
use crate::tables::request::DatabaseRequest;

/// The name of the file.
pub(super) const SCHEMA: &str = "schema.toml";

/// The files of a database, with the schema that `folder` may hold; none if there are no files.
pub(super) fn as_database(mut found: Files, folder: &Path) -> Option<Files> {
    if found.files.is_empty() {
        return None;
    }
    found.files.extend(schema_beside(folder));
    Some(Files { database: Some(DatabaseRequest::default()), ..found })
}

/// The file in a folder that says what tables mean, if there is one.
pub(in crate::formats) fn schema_beside(folder: &Path) -> Option<DataFile> {
    let schema = folder_found(folder.join(SCHEMA))?;
    Some(DataFile::read_by(schema, || whole(read_schema)))
}

fn read_schema(text: &str, reading: &mut FileReading<'_>) {
    let (given, found) = GivenSchema::read(text, reading.id);
    reading.notes.given_schema.columns.extend(given.columns);
    reading.notes.given_schema.composites.extend(given.composites);
    found.into_iter().for_each(|fault| reading.tell(fault));
}
