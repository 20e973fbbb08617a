//! Lines of JSON: a statement as an object in each.

use std::path::Path;

use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::has_ending;
use crate::formats::tables::{files, holds};
use crate::gather::{DataFile, Files, Habits, MakeReader};
use gleaner_lang::syntax::Diagnostic;

mod lines;
mod writer;

/// The ending of the names of files of JSON lines.
const JSON_LINES: &str = "jsonl";

/// The layout of lines.
#[derive(Debug)]
pub(super) struct JsonLines;

impl FileFormat for JsonLines {
    fn about(&self) -> About {
        About {
            name: "json-lines",
            files_in_words: "NAME.jsonl",
            habits: Habits::default(),
            clue: Clue::Tables,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        if path.is_dir() { holds(path, JSON_LINES) } else { has_ending(path, JSON_LINES) }
    }

    /// The files of lines in a folder, or any single file.
    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let path = asked.path;
        if path.is_dir() {
            return Ok(holds(path, JSON_LINES).then(|| files(asked)));
        }
        let lines = || Files::undivided(vec![DataFile::read_by(path.to_owned(), lines::reader)]);
        Ok(path.exists().then(lines))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, JSON_LINES).then_some(lines::reader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(writer::files)
    }
}
