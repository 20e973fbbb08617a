//! Popper's files: `bk.pl`, `exs.pl` and `bias.pl`, perhaps in two halves.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::{file_ending, found};
use crate::gather::{DataFile, Division, FileReader, FileReading, Files, Habits, Role, make};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::{Diagnostic, Statement};

mod bias;
mod writer;

use bias::BiasFile;

/// Popper's layout.
#[derive(Debug)]
pub(super) struct Popper;

impl FileFormat for Popper {
    fn about(&self) -> About {
        About {
            name: "popper",
            files_in_words: "bk.pl, exs.pl, bias.pl",
            habits: Habits { is_foreign: true, ..Habits::default() },
            clue: Clue::PairOfNames,
        }
    }

    /// A folder with Popper's files, or a file of examples in such a folder.
    fn is_recognised(&self, path: &Path) -> bool {
        let is_named = |name: &str| {
            path.file_name().and_then(|known| known.to_str()).is_some_and(|known| known.starts_with(name))
        };
        if path.is_dir() {
            let has = |name: &str| found(path.join(name)).is_some();
            return (has("bk.pl") && has("exs.pl")) || (has("bk_train.pl") && has("exs_train.pl"));
        }
        is_named("exs") && path.parent().is_some_and(|folder| found(folder.join("bk.pl")).is_some())
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked).map(Some)
    }

    fn writer(&self) -> Option<Writer> {
        Some(writer::files)
    }
}

/// `pos(atom)` and `neg(atom)`.
#[derive(Debug, Default)]
struct LabelledExamples;

impl FileReader for LabelledExamples {
    fn has_plain_facts(&self) -> bool {
        false
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let is_fact = statement.body.is_empty();
        let Some(head) = &statement.head else {
            let place = reading.place(statement.span);
            reading.tell(faults::not_an_example(place, "a ground atom with a full stop"));
            return true;
        };
        match atom_parts(head) {
            Some(("pos", [example])) => reading.example(example, statement.span, is_fact, true),
            Some(("neg", [example])) => reading.example(example, statement.span, is_fact, false),
            _ => {
                let place = reading.place(statement.span);
                reading.tell(faults::not_an_example(place, "`pos(target(a)).` or `neg(target(b)).`"));
            }
        }
        true
    }
}

/// The file of modes.
fn bias(path: PathBuf) -> DataFile {
    DataFile { reader: make::<BiasFile>, ..DataFile::new(path, Role::Modes) }
}

fn files(asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let path = asked.path;
    let is_folder = path.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    // Examples to score may come in a file of their own.
    let is_bare = !asked.needs_examples && found(folder.join("bk.pl")).is_some();
    let has_examples = found(folder.join("exs.pl")).is_some();
    let has_halves = is_folder && !has_examples && !is_bare;
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    let background = |path| DataFile::new(path, Role::Background);
    let examples = |path| DataFile::read_by(path, make::<LabelledExamples>);
    let mut add =
        |name: &str, file: &dyn Fn(PathBuf) -> DataFile, fold, meaning| match found(folder.join(name)) {
            Some(path) => files.push(file(path).in_fold(fold)),
            None if name.starts_with("bk") && !asked.needs_background => {}
            None => missing.push(faults::missing_file(&folder.join(name), meaning)),
        };
    if has_halves {
        for (fold, half) in ["train", "test"].into_iter().enumerate() {
            add(&format!("bk_{half}.pl"), &background, Some(fold), "the background");
            add(&format!("exs_{half}.pl"), &examples, Some(fold), "the examples");
        }
    } else {
        add("bk.pl", &background, None, "the background");
        if is_folder && (has_examples || asked.needs_examples) {
            add("exs.pl", &examples, None, "the examples");
        }
    }
    if !is_folder {
        files.push(examples(path.to_path_buf()));
    }
    files.extend(file_ending(folder, "bias.pl").map(bias));
    if !missing.is_empty() {
        return Err(missing);
    }
    let (division, fold_names) = if has_halves {
        (Division::TrainTest, ["train", "test"].map(str::to_owned).into())
    } else {
        (Division::None, Vec::new())
    };
    Ok(Files { files, fold_names, division, ..Files::default() })
}
