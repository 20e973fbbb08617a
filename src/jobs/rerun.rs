//! To make a run again: its command, its data by their hashes, and what differs between two runs.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value as Json;

use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::command_words::command_words;
use crate::experiment::run_record::RunRecord;

use crate::report::{Answer, Document, Events};

use super::failure::Failure;
use super::files::{read_run, record_place, sha256};

/// The file of a run that no two runs share.
const TIMING: &str = "timing.json";

/// A run that is to be made again.
#[derive(Debug)]
pub(crate) struct Rerun {
    /// The folder of the run.
    pub(crate) folder: PathBuf,
    /// The path of the data.
    pub(crate) data: PathBuf,
    record: RunRecord,
}

/// What differs between a run and the same again.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RerunAnswer {
    /// Files of the data that are not those of the run, by their names.
    pub(crate) changed_inputs: Vec<String>,
    /// The release that made the run, if it is another one.
    pub(crate) other_version: Option<String>,
    /// How many files of both runs are equal to the byte.
    pub(crate) equal_files: usize,
    /// Files that differ, or that one of the runs lacks.
    pub(crate) different_files: Vec<String>,
}

impl Rerun {
    /// Reads the record. Without `data`, the path that the run was told is taken.
    pub(crate) fn of(run: &Path, data: Option<&Path>) -> Result<Self, Failure> {
        let place = record_place(run)?;
        let record = read_run(run, &place)?;
        let folder = place.parent().unwrap_or(Path::new("")).to_owned();
        let data = match data {
            Some(data) => data.to_owned(),
            None => told_data(&folder).ok_or_else(|| {
                Failure::Usage(format!("{} does not say where its data are: name them", run.display()))
            })?,
        };
        let files = ["modes", "background"].map(|flag| record.request.flags.get(flag));
        let further =
            files.into_iter().flatten().chain(record.request.feature_clauses.iter().map(|file| &file.name));
        if let Some(file) = further.into_iter().next() {
            let what = format!("the run was made with {file}, whose place its record does not hold");
            let help = format!("the command is: gleaner {}", command_words(&record, "DATA").join(" "));
            return Err(Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help)));
        }
        Ok(Self { folder, data, record })
    }

    /// The words of the command, which writes its run to `folder`.
    pub(crate) fn words(&self, folder: &Path) -> Vec<std::ffi::OsString> {
        let mut words: Vec<std::ffi::OsString> =
            command_words(&self.record, "").into_iter().map(Into::into).collect();
        words[1] = self.data.clone().into();
        words.extend(["--run".into(), folder.into()]);
        words
    }

    /// Files of the data that are not those of the run any more, by their names; none of data that are not there, which
    /// the command says itself.
    pub(crate) fn changed_inputs(&self) -> Vec<String> {
        if !self.data.exists() {
            return Vec::new();
        }
        let is_changed = |name: &str, known: &str| {
            let path = if self.data.is_dir() { self.data.join(name) } else { self.data.clone() };
            fs::read(path).ok().map(|content| sha256(&content)).as_deref() != Some(known)
        };
        let inputs = self.record.request.inputs.iter();
        inputs
            .filter(|input| is_changed(&input.name, &input.sha256))
            .map(|input| input.name.clone())
            .collect()
    }

    /// Compares the run with the same again, which stands in `folder`.
    pub(crate) fn compare(&self, folder: &Path) -> io::Result<RerunAnswer> {
        let names: BTreeSet<String> =
            files_below(&self.folder, "")?.into_iter().chain(files_below(folder, "")?).collect();
        let is_equal = |name: &String| {
            let read = |folder: &Path| fs::read(folder.join(name)).ok();
            read(&self.folder).is_some_and(|content| read(folder) == Some(content))
        };
        let (equal, different): (Vec<String>, Vec<String>) =
            names.into_iter().filter(|name| name != TIMING).partition(is_equal);
        let version = &self.record.gleaner_version;
        Ok(RerunAnswer {
            changed_inputs: self.changed_inputs(),
            other_version: (version != env!("CARGO_PKG_VERSION")).then(|| version.clone()),
            equal_files: equal.len(),
            different_files: different,
        })
    }
}

impl RerunAnswer {
    /// That the run is not the same again, if it is not.
    pub(crate) fn failure(&self) -> Option<Diagnostic> {
        let first = self.different_files.first()?;
        let n = self.different_files.len();
        let what = format!("the run is not the same again: of its files {n} differ, the first is {first}");
        let fault = Diagnostic::error(codes::NOT_THE_SAME, what);
        let fault = match self.changed_inputs.first() {
            Some(name) => fault.with_help(format!("{name} is not the file that the run read")),
            None => fault,
        };
        Some(match &self.other_version {
            Some(version) => fault.with_help(format!("gleaner {version} made the run")),
            None => fault,
        })
    }
}

impl Events for RerunAnswer {}

impl Answer for RerunAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        let equal = self.equal_files;
        match self.different_files.as_slice() {
            [] => document.line(format!("the same again: {equal} files are equal to the byte")),
            different => {
                document.line(format!("{equal} files are equal to the byte; these differ:"));
                different.iter().for_each(|name| document.line(format!("  {name}")));
            }
        }
        document
    }
}

/// The path of the data that `timing.json` holds.
fn told_data(folder: &Path) -> Option<PathBuf> {
    let timing: Json = serde_json::from_str(&fs::read_to_string(folder.join(TIMING)).ok()?).ok()?;
    Some(PathBuf::from(timing["data"].as_str()?))
}

/// The files of a folder and of those in it, by their paths below it.
fn files_below(folder: &Path, below: &str) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            found.extend(files_below(&entry.path(), &format!("{path}/"))?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
