//! Comma-separated values: a table for each predicate.

use std::path::Path;

use crate::problem::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::problem::formats::folder::has_ending;
use crate::problem::formats::tables::{CSV, files, holds};
use crate::problem::gather::{Files, Habits, MakeReader};
use crate::syntax::Diagnostic;

mod file_name;
mod records;
pub(super) mod table;
mod writer;

/// The layout of tables.
#[derive(Debug)]
pub(super) struct Csv;

impl FileFormat for Csv {
    fn about(&self) -> About {
        About { name: "csv", files_in_words: "NAME.csv", habits: Habits::default(), clue: Clue::Tables }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        holds(path, CSV)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        Ok(holds(asked.path, CSV).then(|| files(asked.path)))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, CSV).then_some(table::reader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(writer::files)
    }
}
