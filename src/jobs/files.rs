//! Files that jobs read as a whole: texts, files of settings, and the record of a run that has ended.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::experiment::catalog;
use crate::experiment::records::run_record::RunRecord;
use crate::experiment::settings::asked::in_shell;
use crate::experiment::settings::file::{FileSetting, file_settings};
use crate::store::RunNote;
use gleaner_lang::syntax::{Diagnostic, Sources, check_regular, codes, render, unreadable};

use super::failure::Failure;
use super::listener::Listener;

/// Reads a file as text.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let mut sources = Sources::new();
    match sources.load(path) {
        Ok(id) => Ok(sources.get(id).text().to_owned()),
        Err(fault) => Err(Failure::Data(vec![fault], sources)),
    }
}

/// Warns that a model file is not of the run that it was written with: the command was killed between the two.
pub(crate) fn warn_of_other_run(path: &Path, listener: &dyn Listener) {
    if let Some(run) = RunNote::left_behind(path) {
        let message = format!(
            "{} holds an earlier model than {}: a kill ended the command after it wrote only the second; copy the model from \
             there, or learn again",
            path.display(),
            run.display()
        );
        let warning = Diagnostic::warning(codes::UNFINISHED_RUN, message);
        // A script has to hear it, too.
        listener.say(render(&[warning], &Sources::new(), false).trim_end());
    }
}

/// Reads the settings of a TOML file.
pub(crate) fn settings_of_file(path: &Path) -> Result<Vec<FileSetting>, Failure> {
    let mut sources = Sources::new();
    let settings = sources
        .load(path)
        .map_err(|fault| vec![fault])
        .and_then(|file| file_settings(catalog(), sources.get(file).text(), file));
    settings.map_err(|faults| Failure::Data(faults, sources))
}

/// The record's name within a run folder.
pub(crate) const RECORD: &str = "run.json";

/// The page that shows a run, in its folder.
pub(crate) const REPORT: &str = "report.html";

/// Run folders that a message names.
const N_SHOWN: usize = 5;

/// The SHA-256 of a file's content, in hexadecimal.
pub(crate) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A run record by its one path, whichever way it was named.
pub(crate) fn record_place(path: &Path) -> Result<PathBuf, Failure> {
    let record = if path.is_dir() { path.join(RECORD) } else { path.to_owned() };
    record.canonicalize().map_err(|error| {
        if !path.is_dir() {
            return bad_run(&format!("{} cannot be read: {error}", path.display()));
        }
        let what = format!("{} holds no {RECORD}", path.display());
        let runs = runs_in(path);
        if runs.is_empty() {
            return bad_run(&what);
        }
        let names = runs.iter().take(N_SHOWN).map(|run| in_shell(&run.to_string_lossy()));
        let more = if runs.len() > N_SHOWN { ", ..." } else { "" };
        let help = format!("name a run folder in it: {}{more}", names.collect::<Vec<_>>().join(", "));
        let what = format!("{what}: each variant or class has a run folder in it, {} in all", runs.len());
        Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help))
    })
}

/// The run folders in a folder, by name.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut runs: Vec<PathBuf> = entries.filter(|path| path.join(RECORD).is_file()).collect();
    runs.sort();
    runs
}

fn bad_run(what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_RUN, what)
            .with_help("a run is a folder that `gleaner cv DATA ⁅run=DIR⁆` wrote, or the run.json in it"),
    )
}

/// The text of a file; none if it is not there.
pub(crate) fn text_if_there(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the record at a place; faults name it as the user did.
pub(crate) fn read_run(path: &Path, place: &Path) -> Result<RunRecord, Failure> {
    check_regular(place).map_err(|error| Failure::fault(unreadable(place, &error)))?;
    let text = read_text(place)?;
    RunRecord::from_json(&text).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        if error.is_version() {
            Failure::fault(
                Diagnostic::error(codes::RUN_VERSION, message)
                    .with_help("use the gleaner that wrote it, or run it anew"),
            )
        } else {
            bad_run(&message)
        }
    })
}
