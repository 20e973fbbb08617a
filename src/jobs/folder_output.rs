//! A folder that a command writes: claimed before the work, put in its place whole or not at all.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::store::{ClaimError, WholeFolder, write_elsewhere};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::registry::is_table_of_a_learner;

use super::failure::Failure;
use super::files::REPORT;
use super::listener::Listener;

/// Takes a file: its path below the folder, with `/` between folders, and its content.
pub(crate) type Sink<'s> = &'s dyn Fn(&str, &str) -> io::Result<()>;

/// An earlier output that may be replaced: this command could have written all of it.
#[derive(Debug)]
pub(crate) enum Earlier {
    /// A run of `learn` or `cv`.
    Run,
    /// A problem of these files, by their paths below the folder.
    Problem(BTreeSet<String>),
}

/// The files of a run, in its folder and in those of its folds and variants, beside the tables of the learner's own.
const RUN_FILES: [&str; 27] = [
    "chosen.csv",
    "class_metrics.csv",
    "class_mistakes.csv",
    "class_probabilities.csv",
    "classes.csv",
    "clauses.csv",
    "comparison.csv",
    "confusion.csv",
    "curve.csv",
    "density.csv",
    "explanations.csv",
    "learning_curve.csv",
    "mean_curve.csv",
    "metrics.csv",
    "model.json",
    "modes.pl",
    "predicates.csv",
    "predictions.csv",
    "ranks.csv",
    "relations.csv",
    "reliability.csv",
    "rules.csv",
    "theories.csv",
    "warnings.csv",
    REPORT,
    RECORD,
    "timing.json",
];

/// The file that every run has.
const RECORD: &str = "run.json";

/// A place for a folder, held until it is written or given up.
pub(crate) struct FolderOutput<'l> {
    folder: WholeFolder,
    /// The path as the user named it.
    path: PathBuf,
    earlier: Earlier,
    overwrite: bool,
    /// Decides how the tables of a run are written.
    listener: &'l dyn Listener,
}

impl<'l> FolderOutput<'l> {
    /// Claims the place. With `overwrite`, an earlier run or problem may stand there, and stays until the new one is
    /// whole.
    pub(crate) fn claim(
        path: &Path,
        earlier: Earlier,
        overwrite: bool,
        listener: &'l dyn Listener,
    ) -> Result<Self, Failure> {
        let folder = WholeFolder::claim(path).map_err(|error| match error {
            ClaimError::Busy => busy(path),
            ClaimError::NotOwn(strange) => Failure::not_own(path, &strange),
            ClaimError::Io(error) => Failure::write(path, &error.into()),
        })?;
        let place = Self { folder, path: path.to_owned(), earlier, overwrite, listener };
        place.check()?;
        if place.folder.is_in_place() {
            listener.warn(codes::IN_PLACE, &format!(
                "{} is written in place: something is mounted there, the command runs in it, or the folder above \
                 takes no new one; if a kill interrupts the writing, the next command that writes there repairs the folder",
                path.display()
            ));
        }
        Ok(place)
    }

    /// The folder by its one path: links are followed.
    pub(crate) fn target(&self) -> &Path {
        self.folder.target()
    }

    /// Fails before the work begins if the file system takes no folder of such a name.
    pub(crate) fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        for name in names {
            self.folder.check_name(name).map_err(|error| {
                let message =
                    format!("{}: this file system takes no folder {name}: {error}", self.path.display());
                Failure::fault(
                    Diagnostic::error(codes::WRITE_FAILED, message)
                        .with_help("folders are named as folds and variants: give these shorter names"),
                )
            })?;
        }
        self.folder.clear().map_err(|error| Failure::write(&self.path, &error.into()))
    }

    /// Writes all files and puts the folder in its place.
    pub(crate) fn write(&self, files: impl FnOnce(Sink<'_>) -> io::Result<()>) -> Result<(), Failure> {
        self.place(|folder| {
            files(&|path, content| folder.write(path, self.written(path, content).as_bytes()))
        })
    }

    /// As [`Self::write`], of files that `content` writes piece by piece, each by its path below the folder.
    pub(crate) fn write_by(
        &self,
        files: &[String],
        content: impl Fn(&str, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.place(|folder| files.iter().try_for_each(|file| folder.write_by(file, |to| content(file, to))))
    }

    /// Lets `write` fill the folder, and puts it in its place.
    fn place(&self, write: impl FnOnce(&WholeFolder) -> io::Result<()>) -> Result<(), Failure> {
        // Files that came there since the folder was claimed are not removed either.
        let is_there = self.check()?;
        let folder = &self.folder;
        let written = write(folder).and_then(|()| if is_there { folder.replace() } else { folder.finish() });
        written.map_err(|error| Failure::write(&self.path, &error.into()))
    }

    /// As [`Self::write`], for results that took long to find. If writing fails, the files go to another folder, which
    /// the message names.
    pub(crate) fn write_or_save(&self, files: impl Fn(Sink<'_>) -> io::Result<()>) -> Result<(), Failure> {
        let elsewhere = |sink: Sink<'_>| files(&|path, content| sink(path, &self.written(path, content)));
        self.write(&files).map_err(|failure| match write_elsewhere(elsewhere) {
            Ok(saved) => failure.with_help(format!("the results are in {}", saved.display())),
            Err(error) => {
                failure.with_help(format!("they could not be saved in a temporary folder either: {error}"))
            }
        })
    }

    /// The content of a file in its written form. Tables of a problem are data that gleaner reads again.
    fn written<'c>(&self, path: &str, content: &'c str) -> Cow<'c, str> {
        match self.earlier {
            Earlier::Run if path.ends_with(".csv") => self.listener.table(content),
            Earlier::Run | Earlier::Problem(_) => Cow::Borrowed(content),
        }
    }

    /// Whether something replaceable stands there. Refuses anything else.
    fn check(&self) -> Result<bool, Failure> {
        let there = self.folder.target();
        let unreadable = |error: io::Error| Failure::write(&self.path, &error.into());
        let found = Found::in_folder(there, &self.earlier).map_err(unreadable)?;
        let path = self.path.display();
        match found {
            Found::Nothing => Ok(false),
            Found::Earlier if self.overwrite => Ok(true),
            Found::Earlier => {
                let what = match self.earlier {
                    Earlier::Run => "run",
                    Earlier::Problem(_) => "problem",
                };
                Err(Failure::fault(
                    Diagnostic::error(codes::EARLIER_RESULT, format!("{path} holds an earlier {what}"))
                        .with_help("replace it by ⁅overwrite⁆, or choose another folder"),
                ))
            }
            Found::Other(name) => Err(Failure::fault(
                Diagnostic::error(
                    codes::FOLDER_IN_USE,
                    format!("{path} holds {name}, which this command does not write"),
                )
                .with_help("choose an empty folder, or empty it first"),
            )),
        }
    }
}

fn busy(path: &Path) -> Failure {
    let message = format!("{} is being written by another command", path.display());
    Failure::fault(
        Diagnostic::error(codes::FOLDER_BUSY, message)
            .with_help("wait until that command ends, or choose another folder"),
    )
}

/// The content of a place.
enum Found {
    Nothing,
    /// All of it may be replaced.
    Earlier,
    /// The first that may not, by its path below the place.
    Other(String),
}

impl Found {
    fn in_folder(folder: &Path, earlier: &Earlier) -> io::Result<Self> {
        if !folder.exists() {
            return Ok(Self::Nothing);
        }
        let entries = entries(folder)?;
        let Some(first) = entries.first() else { return Ok(Self::Nothing) };
        match earlier {
            Earlier::Run => {
                if let Some(other) = not_of_a_run(folder, "")? {
                    return Ok(Self::Other(other));
                }
                // Folders alone may be anybody's.
                let has_record = |folder: &Path| folder.join(RECORD).is_file();
                let is_run = has_record(folder) || entries.iter().any(|entry| has_record(&entry.path()));
                Ok(if is_run { Self::Earlier } else { Self::Other(name(first)) })
            }
            Earlier::Problem(files) => {
                let other = not_among(folder, "", files)?;
                Ok(other.map_or(Self::Earlier, Self::Other))
            }
        }
    }
}

/// The first file that no run has.
fn not_of_a_run(folder: &Path, below: &str) -> io::Result<Option<String>> {
    for entry in entries(folder)? {
        let (name, path) = (name(&entry), format!("{below}{}", name(&entry)));
        if entry.file_type()?.is_dir() {
            if let Some(other) = not_of_a_run(&entry.path(), &format!("{path}/"))? {
                return Ok(Some(other));
            }
        } else if !is_of_a_run(&name) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn is_of_a_run(name: &str) -> bool {
    RUN_FILES.contains(&name) || name.strip_suffix(".csv").is_some_and(is_table_of_a_learner)
}

/// The first file or empty folder that is not among these files.
fn not_among(folder: &Path, below: &str, files: &BTreeSet<String>) -> io::Result<Option<String>> {
    for entry in entries(folder)? {
        let path = format!("{below}{}", name(&entry));
        if entry.file_type()?.is_dir() {
            let prefix = format!("{path}/");
            if !files.iter().any(|file| file.starts_with(&prefix)) {
                return Ok(Some(path));
            }
            if let Some(other) = not_among(&entry.path(), &prefix, files)? {
                return Ok(Some(other));
            }
        } else if !files.contains(&path) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// The entries of a folder, ascending by name, without temporary ones.
fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.retain(|entry| !name(entry).starts_with(".gleaner-"));
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

fn name(entry: &DirEntry) -> String {
    entry.file_name().to_string_lossy().into_owned()
}
