//! Files that jobs read as a whole.

use std::path::Path;

use crate::experiment::catalog;
use crate::experiment::settings_file::{FileSetting, file_settings};
use crate::store::RunNote;
use gleaner_lang::syntax::Sources;

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
        listener.say(&format!(
            "warning: {} holds an earlier model than {}: a kill ended the command after it wrote only the second; copy \
             the model from there, or learn again",
            path.display(),
            run.display()
        ));
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
