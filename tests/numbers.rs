//! Targets that are numbers, from end to end: layouts and faults, trees against an obvious twin, commands and their figures,
//! which are computed anew from their tables.

mod commands;
mod oracle;
mod reading;
mod twin;
mod validating;

use std::path::{Path, PathBuf};

use gleaner::experiment::load;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::syntax::{Diagnostic, Sources};

use crate::support::{fresh_folder, gleaner};

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
    problem.examples().ids().map(|id| (problem.example_text(id), problem.number(id))).collect()
}

/// 60 parcels: 5 euros, 3 for each kilogram, 20 for the far zone, and up to 2 for no reason.
pub(crate) fn parcels(name: &str) -> PathBuf {
    let (mut prices, mut kilograms, mut far) =
        ("parcel,label\n".to_owned(), "parcel,kg\n".to_owned(), "parcel\n".to_owned());
    for parcel in 0..60_u32 {
        let kg = parcel * 7 % 10;
        let is_far = parcel % 3 == 0;
        let price = 5 + 3 * kg + if is_far { 20 } else { 0 } + parcel * 5 % 3;
        prices += &format!("p{parcel},{price}\n");
        kilograms += &format!("p{parcel},{kg}\n");
        if is_far {
            far += &format!("p{parcel}\n");
        }
    }
    written(name, &[("price.csv", &prices), ("weight.csv", &kilograms), ("far.csv", &far)])
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

/// The rows of a table by the names of its columns.
fn rows(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |record: csv::StringRecord| {
        header.iter().zip(record.iter()).map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("`{cell}` is a number"))
}
