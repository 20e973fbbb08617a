//! Triples in one table, or in three: train, valid and test.

use std::path::{Path, PathBuf};

use crate::syntax::Diagnostic;

use super::{Format, Layout, LayoutFile, Role, faults, found, global, head};
use crate::problem::Division;

/// The parts with their folds' names.
const PARTS: [(&[&str], &str); 3] =
    [(&["train"], "train"), (&["valid", "validation", "dev"], "valid"), (&["test"], "test")];

/// Whether the first line of a file, or of a folder's training part, has three cells.
pub(super) fn is_triples(path: &Path) -> bool {
    let table = if path.is_dir() { part(path, PARTS[0].0) } else { Some(path.to_path_buf()) };
    table.is_some_and(|table| {
        let head = head(&table);
        let first = head.lines().find(|line| !line.is_empty()).unwrap_or_default();
        first.split('\t').count() == 3 && first.split('\t').all(|cell| !cell.is_empty())
    })
}

fn part(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let endings = ["txt", "tsv"];
    let files = names.iter().flat_map(|name| endings.map(|ending| folder.join(format!("{name}.{ending}"))));
    files.into_iter().find_map(found)
}

/// The training part is what is known; of the others only the examples are read.
pub(super) fn triples(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let layout =
        |files, fold_names, division| Layout { format: Format::Triples, files, fold_names, division };
    if !path.is_dir() {
        return Ok(layout(vec![global(path.to_path_buf(), Role::Triples)], Vec::new(), Division::None));
    }
    let present: Vec<(PathBuf, &str)> =
        PARTS.iter().filter_map(|(names, fold)| Some((part(path, names)?, *fold))).collect();
    let Some((first, "train")) = present.first() else {
        return Err(vec![faults::missing_file(&path.join("train.txt"), "the training triples")]);
    };
    if present.len() == 1 {
        return Ok(layout(vec![global(first.clone(), Role::Triples)], Vec::new(), Division::None));
    }
    let files = present
        .iter()
        .enumerate()
        .map(|(fold, (file, name))| LayoutFile {
            path: file.clone(),
            role: if *name == "train" { Role::Triples } else { Role::HiddenTriples },
            fold: Some(fold),
        })
        .collect();
    let fold_names: Vec<String> = present.iter().map(|(_, name)| (*name).to_owned()).collect();
    let division = if present.len() == 3 { Division::TrainTuneTest } else { Division::TrainTest };
    Ok(layout(files, fold_names, division))
}
