//! Parquet: a table in each file.

#[cfg(feature = "parquet")]
mod column;
#[cfg(feature = "parquet")]
mod meaning;
#[cfg(feature = "parquet")]
mod rows;

use std::path::Path;

use gleaner_lang::syntax::Diagnostic;

use crate::formats::file_format::{About, Asked, Clue, FileFormat, has_ending};
use crate::formats::tables::{files, holds};
use crate::gather::{DataFile, FileReader, Files, Habits, MakeReader};

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
