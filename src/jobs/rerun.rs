//! To make a run again: its command, its data by their hashes, and what differs between two runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use gleaner_lang::syntax::{Diagnostic, codes};
use serde::Serialize;

use crate::experiment::records::run_record::RunRecord;
use crate::experiment::settings::asked::{Files, RunCommand, each_file, files_beside};
use crate::report::{Answer, Document, Events};

use super::failure::Failure;
use super::feature_clauses::file_name;
use super::files::{RECORD, read_run, record_place, sha256};

mod told;

pub(crate) use told::content_hash;
use told::{TIMING, Told, is_unchanged, strange_word, unknown_input};

/// How the name of a class's folder begins.
const OF_CLASS: &str = "class-";

/// A run that is to be made again.
#[derive(Debug)]
pub(crate) struct Rerun {
    /// The folder of the run.
    pub(crate) folder: PathBuf,
    /// Where the record stands below it: of many classes, in the folder of one.
    below: PathBuf,
    /// The path of the data.
    pub(crate) data: PathBuf,
    /// The files beside the data.
    pub(crate) files: Files<PathBuf>,
    record: RunRecord,
}

/// What differs between a run and the same again.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RerunAnswer {
    /// Files that are not those of the run, by their names.
    pub(crate) changed_inputs: Vec<String>,
    /// The release that made the run, if it is another one.
    pub(crate) other_version: Option<String>,
    /// How many files of both runs are equal to the byte.
    pub(crate) equal_files: usize,
    /// Files that differ, or that one of the runs lacks.
    pub(crate) different_files: Vec<String>,
}

impl Rerun {
    /// Reads the record. Without `data`, the path that the run was told is taken. So are the files of flags that `named`
    /// lacks.
    pub(crate) fn of(run: &Path, data: Option<&Path>, named: Files<PathBuf>) -> Result<Self, Failure> {
        let place = record_place(&a_class(run).unwrap_or_else(|| run.to_owned()))?;
        if run.is_dir() && !run.canonicalize().is_ok_and(|folder| place.starts_with(folder)) {
            let what = format!("{RECORD} of {} is a link to another folder", run.display());
            return Err(Failure::fault(
                Diagnostic::error(codes::BAD_RUN, what).with_help("copy the run as it is"),
            ));
        }
        let record = read_run(run, &place)?;
        if let Some(word) = strange_word(&record) {
            let what = format!("{} is not what gleaner writes: it has {word}", place.display());
            let help = "a run is made again only by `cv` or `learn`, with flags of reading and settings";
            return Err(Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help)));
        }
        let of_record = place.parent().unwrap_or(Path::new(""));
        // The command learns all classes, and each has its folder in that of the run.
        let is_class = record.request.class.is_some() && file_name(of_record).starts_with(OF_CLASS);
        let folder = of_record.parent().filter(|_| is_class).unwrap_or(of_record);
        let below = of_record.strip_prefix(folder).unwrap_or(Path::new("")).to_owned();
        let (told, folder) = (Told::by(of_record), folder.to_owned());
        check_told((&told, &named), data, (&record, run))?;
        let data = data.map(Path::to_owned).or(told.data).ok_or_else(|| {
            Failure::usage(
                codes::BAD_RUN,
                format!("{} does not say where its data are: name them", run.display()),
            )
        })?;
        let mut files = told.files;
        files.extend(named);
        check_files(&record, &files, run)?;
        Ok(Self { folder, below, data, files, record })
    }

    /// The command, but for its data and for the files beside these.
    pub(crate) fn command(&self) -> RunCommand {
        RunCommand::of(&self.record, &Files::new())
    }

    /// Files of the data, and programs beside them, that are not those of the run any more, by their names. There are
    /// none if one is not there, which the command says itself. Nor is a pipe read before the command reads it.
    pub(crate) fn changed_inputs(&self) -> Vec<String> {
        let programs = ["modes", "background"].into_iter().filter_map(|flag| self.files.get(flag));
        let beside: Vec<&PathBuf> = programs.flatten().collect();
        if !(self.data.is_dir() || self.data.is_file()) || beside.iter().any(|path| !path.is_file()) {
            return Vec::new();
        }
        let inputs = self.record.request.inputs.iter();
        let changed = inputs.filter(|input| !is_unchanged(input, &self.data, &beside));
        changed.map(|input| input.name.clone()).collect()
    }

    /// Files of `--feature-clauses` whose clauses are not those of the run. A record has the hash of what was read in them,
    /// so the record of the same again tells.
    fn changed_clauses(&self, folder: &Path) -> Vec<String> {
        let text = fs::read_to_string(folder.join(&self.below).join(RECORD)).ok();
        let Some(again) = text.and_then(|text| RunRecord::from_json(&text).ok()) else { return Vec::new() };
        let clauses = self.record.request.feature_clauses.iter();
        let changed = clauses.filter(|file| !again.request.feature_clauses.contains(file));
        changed.map(|file| file.name.clone()).collect()
    }

    /// Compares the run with the same again, which stands in `folder`.
    pub(crate) fn compare(&self, folder: &Path) -> io::Result<RerunAnswer> {
        let names: BTreeSet<String> =
            files_below(&self.folder, "")?.into_iter().chain(files_below(folder, "")?).collect();
        // A run has regular files alone; of another length they are not equal, and not read.
        let length =
            |path: &Path| fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|is| is.len());
        let is_equal = |name: &String| {
            let [was, is] = [&*self.folder, folder].map(|folder| folder.join(name));
            let length_was = length(&was);
            length_was.is_some() && length_was == length(&is) && fs::read(was).ok() == fs::read(is).ok()
        };
        let (equal, different): (Vec<String>, Vec<String>) =
            names.into_iter().filter(|name| !Path::new(name).ends_with(TIMING)).partition(is_equal);
        let version = &self.record.gleaner_version;
        let changed_inputs = self.changed_inputs().into_iter().chain(self.changed_clauses(folder)).collect();
        Ok(RerunAnswer {
            changed_inputs,
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
        let fault = match not_read(&self.changed_inputs) {
            Some(changed) => fault.with_help(changed),
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

/// That these files have changed, if there are any.
pub(crate) fn not_read(changed: &[String]) -> Option<String> {
    const SHOWN: usize = 5;
    match changed {
        [] => None,
        [one] => Some(format!("{one} is not the file that the run read")),
        several => {
            let names = several[..several.len().min(SHOWN)].join(", ");
            let more = if several.len() > SHOWN { ", ..." } else { "" };
            Some(format!("{names}{more} are not the files that the run read"))
        }
    }
}

/// Refuses what a run tells that its record does not know. The run may be a stranger's, and tell any place: gleaner would
/// read it, and messages print lines of it.
fn check_told(
    (told, named): (&Told, &Files<PathBuf>),
    data: Option<&Path>,
    (record, run): (&RunRecord, &Path),
) -> Result<(), Failure> {
    let flags = told.files.keys().filter(|flag| !named.contains_key(*flag));
    let mut unknown = flags.filter_map(|flag| Some((flag, told.unknown_file(flag, record)?)));
    if let Some((flag, path)) = unknown.next() {
        let what = format!("{} is not the file that the run read, or the run does not tell", path.display());
        let help = format!("look at it, then name it: gleaner rerun {} DATA ⁅{flag}=FILE⁆", run.display());
        return Err(Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help)));
    }
    let Some(data) = told.data.as_deref().filter(|told| data.is_none() && told.exists()) else {
        return Ok(());
    };
    let what = match unknown_input(record, data, &told.files.values().flatten().collect::<Vec<_>>()) {
        None => return Ok(()),
        Some("") => format!("the run does not say which files it read in {}", data.display()),
        Some(name) => format!("{name} in {} is not the file that the run read", data.display()),
    };
    let help = format!("look at the data, then name them: gleaner rerun {} DATA", run.display());
    Err(Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help)))
}

/// Refuses files of another number, or of other names: the record holds the names, so the run would not be the same.
fn check_files(record: &RunRecord, files: &Files<PathBuf>, run: &Path) -> Result<(), Failure> {
    let was = files_beside(record);
    let names = |paths: &Vec<PathBuf>| paths.iter().map(|path| file_name(path)).collect();
    let mut is: Files<String> = files.iter().map(|(flag, paths)| (flag.clone(), names(paths))).collect();
    // The record does not hold the order of these.
    is.entry("feature-clauses".to_owned()).or_default().sort();
    is.retain(|_, names| !names.is_empty());
    let Some(flag) = was.keys().chain(is.keys()).find(|flag| was.get(*flag) != is.get(*flag)) else {
        return Ok(());
    };
    let what = match (was.get(flag), is.get(flag)) {
        (Some(was), None) => {
            format!("the run was made with {}, whose place its record does not hold", was.join(", "))
        }
        (Some(was), Some(is)) => {
            format!("the run was made with ⁅{flag}={}⁆, not with {}", was.join(", "), is.join(", "))
        }
        (None, _) => format!("the run was made without ⁅{flag}⁆"),
    };
    let lacking = was.iter().filter(|(flag, names)| is.get(*flag) != Some(names));
    let lacking: Files<String> = lacking.map(|(flag, names)| (flag.clone(), names.clone())).collect();
    let help = if lacking.is_empty() {
        "leave it out".to_owned()
    } else {
        let named: String = each_file(&lacking).map(|(name, file)| format!(" ⁅{name}={file}⁆")).collect();
        format!("name the files: gleaner rerun {} DATA{named}", run.display())
    };
    Err(Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help)))
}

/// The folder of a class in that of a run of many, which has no record of its own.
fn a_class(run: &Path) -> Option<PathBuf> {
    let folders = fs::read_dir(run).ok().filter(|_| !run.join(RECORD).exists())?;
    let folders = folders.filter_map(|entry| Some(entry.ok()?.path()));
    let is_class = |path: &PathBuf| file_name(path).starts_with(OF_CLASS) && path.join(RECORD).is_file();
    folders.filter(is_class).min()
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
