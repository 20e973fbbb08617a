//! The record of a run that has ended, as `cv --run` wrote it.

use std::path::{Path, PathBuf};

use crate::experiment::run_record::RunRecord;
use gleaner_lang::syntax::{Diagnostic, check_regular, codes, unreadable};

use super::failure::Failure;
use super::files::read_text;

/// The record's name within a run folder.
pub(crate) const RECORD: &str = "run.json";

/// A run record by its one path, whichever way it was named.
pub(crate) fn record_place(path: &Path) -> Result<PathBuf, Failure> {
    let record = if path.is_dir() { path.join(RECORD) } else { path.to_owned() };
    record.canonicalize().map_err(|error| {
        let what = if path.is_dir() {
            format!("{} holds no {RECORD}", path.display())
        } else {
            format!("{} cannot be read: {error}", path.display())
        };
        bad_run(&what)
    })
}

fn bad_run(what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_RUN, what)
            .with_help("a run is a folder that `gleaner cv DATA --run DIR` wrote, or the run.json in it"),
    )
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
