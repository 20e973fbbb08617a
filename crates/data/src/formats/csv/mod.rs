//! Comma-separated values: a table for each predicate.

use std::path::Path;

use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::has_ending;
use crate::formats::tables::{files, holds, one_table};
use crate::gather::{Files, Habits, MakeReader};
use gleaner_lang::syntax::Diagnostic;

mod records;
mod rows;
mod writer;

/// The ending of the names of tables.
const CSV: &str = "csv";

/// The layout of tables.
#[derive(Debug)]
pub(super) struct Csv;

impl FileFormat for Csv {
    fn about(&self) -> About {
        About { name: "csv", files_in_words: "NAME.csv", habits: Habits::default(), clue: Clue::Tables }
    }

    /// A folder with tables, or one table.
    fn is_recognised(&self, path: &Path) -> bool {
        holds(path, CSV) || is_table(path)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if is_table(asked.path) {
            return Ok(Some(one_table(asked.path, rows::reader)));
        }
        Ok(holds(asked.path, CSV).then(|| files(asked)))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, CSV).then_some(rows::reader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(writer::files)
    }
}

/// Whether a path is one table.
fn is_table(path: &Path) -> bool {
    has_ending(path, CSV) && path.is_file()
}
