//! Targets that are numbers, from end to end: layouts and faults, trees against an obvious twin, commands and their figures,
//! which are computed anew from their tables.

mod commands;
mod oracle;
mod reading;
mod twin;

use std::path::{Path, PathBuf};

use gleaner::experiment::load;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::syntax::{Diagnostic, Sources};

use crate::support::fresh_folder;

/// A folder with these files.
fn written(name: &str, texts: &[(&str, &str)]) -> PathBuf {
    let folder = fresh_folder(name);
    for (path, text) in texts {
        std::fs::write(folder.join(path), text).expect("the file can be written");
    }
    folder
}

/// A request for numbers of `source`: an argument from 1, or `label`.
fn request(path: &Path, target: Option<&str>, source: &str) -> LoadRequest {
    LoadRequest {
        path: path.to_owned(),
        target: target.map(|name| name.parse().expect("a target")),
        number: Some(source.parse().expect("a source")),
        ..LoadRequest::default()
    }
}

fn loaded(request: &LoadRequest) -> Result<(Problem, Vec<Diagnostic>), Vec<Diagnostic>> {
    load(request, &mut Sources::new()).map(|loaded| (loaded.problem, loaded.warnings))
}

/// Each example with its number, ascending by text.
fn numbers_of(problem: &Problem) -> Vec<(String, Option<f64>)> {
    problem.examples.ids().map(|id| (problem.example_text(id), problem.number(id))).collect()
}
