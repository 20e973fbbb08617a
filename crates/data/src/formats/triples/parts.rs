//! Finds the files of a folder that are the parts of a graph.

use std::path::{Path, PathBuf};

use super::text::TripleText;
use crate::faults;
use crate::formats::folder::{found, has_ending, head};
use gleaner_lang::syntax::Diagnostic;

/// The parts with their folds' names.
pub(super) const PARTS: [(&[&str], &str); 3] =
    [(&["train"], "train"), (&["valid", "validation", "dev"], "valid"), (&["test"], "test")];

pub(super) fn part(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    part_with(folder, names, "")
}

/// The file of triples of tune or test that were checked to be false.
pub(super) fn false_part(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    part_with(folder, names, "_negatives")
}

fn part_with(folder: &Path, names: &[&str], suffix: &str) -> Option<PathBuf> {
    let endings = ["txt", "tsv"];
    let file = |name: &str, ending| folder.join(format!("{name}{suffix}.{ending}"));
    names.iter().flat_map(|name| endings.map(|ending| file(name, ending))).find_map(found)
}

/// The existing parts of a folder, the training part first, with their folds' names.
pub(super) fn present(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, Vec<Diagnostic>> {
    let present: Vec<(PathBuf, &str)> =
        PARTS.iter().filter_map(|(names, fold)| Some((part(folder, names)?, *fold))).collect();
    let Some((_, "train")) = present.first() else {
        return Err(vec![faults::missing_file(&folder.join("train.txt"), "the training triples")]);
    };
    for (names, fold) in &PARTS[1..] {
        if false_part(folder, names).is_some() && present.iter().all(|(_, of)| of != fold) {
            let missing = folder.join(format!("{fold}.txt"));
            let what = "the true triples beside those checked to be false";
            return Err(vec![faults::missing_file(&missing, what)]);
        }
    }
    Ok(present)
}

/// `facts.txt` beside the training part, if it holds triples. In Neural-LP's folders it holds most links.
pub(super) fn facts_file(folder: &Path) -> Option<PathBuf> {
    part(folder, &["facts"]).filter(|file| holds_triples(file))
}

/// Whether a file, or a folder's training part, begins with triples.
pub(super) fn holds_triples(path: &Path) -> bool {
    if path.is_dir() { part(path, PARTS[0].0).is_some_and(|table| is_table(&table)) } else { is_table(path) }
}

fn is_table(file: &Path) -> bool {
    let head = head(file);
    let triples = TripleText::new(&head);
    // Words may be anything, so that the file's name must fit, too.
    let is_named = || ["txt", "tsv"].iter().any(|ending| has_ending(file, ending));
    triples.is_recognised() && (triples.has_tabs() || is_named())
}
