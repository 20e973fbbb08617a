//! Comma-separated values: a table for each predicate.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::{entries, has_ending};
use crate::formats::tables::{files, holds};
use crate::gather::{DataFile, Files, Habits, MakeReader};
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
            return Ok(Some(one_table(asked.path)));
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

/// A table that the user names is read alone. A message names the tables beside it.
fn one_table(path: &Path) -> Files {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_other = |entry: &PathBuf| is_table(entry) && entry.file_name() != path.file_name();
    let n_others = entries(folder).iter().filter(|entry| is_other(entry)).count();
    let table = DataFile::read_by(path.to_owned(), rows::reader);
    let warnings = (n_others > 0).then(|| faults::one_table(path, folder, n_others)).into_iter().collect();
    Files { warnings, ..Files::undivided(vec![table]) }
}
