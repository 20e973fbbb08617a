//! Parquet: a table in each file.
//!
//! Keys in the metadata of a file: what RelBench 1 and 2 write beside each table.

#[cfg(feature = "parquet")]
mod column;
#[cfg(feature = "parquet")]
#[cfg(feature = "parquet")]
#[cfg(feature = "parquet")]
mod meaning;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod rows;

use std::path::Path;

use gleaner_lang::syntax::Diagnostic;
use parquet::file::metadata::FileMetaData;
use serde_json::Value;

use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::has_ending;
use crate::formats::tables::{files, holds};
use crate::gather::{DataFile, FileReader, Files, Habits, MakeReader};
use crate::tables::given::Says;
use crate::tables::schema::Kind;

/// The ending of the names of tables.
const PARQUET: &str = "parquet";

/// The layout of tables in Parquet.
#[derive(Debug)]
pub(super) struct Parquet;

impl FileFormat for Parquet {
    fn about(&self) -> About {
        About { name: PARQUET, files_in_words: "NAME.parquet", habits: Habits::default(), clue: Clue::Tables }
    }

    /// A folder with tables, or one table.
    fn is_recognised(&self, path: &Path) -> bool {
        holds(path, PARQUET) || is_table(path)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if is_table(asked.path) {
            return Ok(Some(Files::undivided(vec![DataFile::read_by(asked.path.to_owned(), reader)])));
        }
        Ok(holds(asked.path, PARQUET).then(|| files(asked)))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        path.extension()?.eq_ignore_ascii_case(PARQUET).then_some(reader)
    }
}

/// Whether a path is one table.
fn is_table(path: &Path) -> bool {
    has_ending(path, PARQUET) && path.is_file()
}

#[cfg(feature = "parquet")]
fn reader() -> Box<dyn FileReader> {
    Box::new(rows::ParquetFile)
}

/// A build without the feature refuses the file.
#[cfg(not(feature = "parquet"))]
fn reader() -> Box<dyn FileReader> {
    Box::new(crate::formats::refused::Refused { feature: PARQUET })
}

/// The names of the metadata.
const KEY: &str = "pkey_col";
const TIME: &str = "time_col";
const FOREIGN_KEYS: &str = "fkey_col_to_pkey_table";

/// What the metadata say of columns; none without such metadata. Each is a text of JSON.
pub(super) fn keys(metadata: &FileMetaData) -> Option<Vec<(String, Says)>> {
    let pairs = metadata.key_value_metadata()?;
    let value = |name: &str| -> Option<Value> {
        let text = pairs.iter().find(|pair| pair.key == name)?.value.as_ref()?;
        serde_json::from_str(text).ok()
    };
    let Value::Object(foreign) = value(FOREIGN_KEYS)? else { return None };
    let mut says: Vec<(String, Says)> = Vec::new();
    for (column, table) in foreign {
        says.push((column, Says::PointsTo(table.as_str()?.to_owned())));
    }
    for (name, kind) in [(KEY, Says::Is(Kind::Key)), (TIME, Says::RowTime)] {
        if let Some(Value::String(column)) = value(name) {
            says.push((column, kind));
        }
    }
    Some(says)
}
