//! Alchemy's folders: evidence (`.db`), declarations (`.mln`).

use std::path::{Path, PathBuf};

use crate::syntax::Diagnostic;

use super::{Format, Layout, LayoutFile, Role, entries, faults, global, uncompressed};
use crate::problem::Division;

/// Whether it is a file of evidence, or a folder with one.
pub(super) fn is_alchemy(path: &Path) -> bool {
    if path.is_dir() { !ending(path, "db").is_empty() } else { has_ending(path, "db") }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    uncompressed(path).extension().is_some_and(|extension| extension == ending)
}

fn ending(path: &Path, ending: &str) -> Vec<PathBuf> {
    entries(path).into_iter().filter(|entry| has_ending(entry, ending)).collect()
}

/// Several files of evidence are folds, each with facts of its own; one whose name says so is a query.
pub(super) fn alchemy(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    let is_query = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("query"))
    };
    let databases = if path.is_dir() { ending(path, "db") } else { vec![path.to_path_buf()] };
    let (queries, evidence): (Vec<PathBuf>, Vec<PathBuf>) = databases.into_iter().partition(is_query);
    if evidence.is_empty() {
        return Err(vec![faults::missing_file(&folder.join("*.db"), "the evidence")]);
    }
    let mut files: Vec<LayoutFile> =
        ending(folder, "mln").into_iter().map(|file| global(file, Role::Declarations)).collect();
    files.extend(queries.into_iter().map(|file| global(file, Role::Query)));
    let mut fold_names = Vec::new();
    for file in &evidence {
        let fold = (evidence.len() > 1).then_some(fold_names.len());
        if fold.is_some() {
            let name = uncompressed(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            fold_names.push(name.unwrap_or_default());
        }
        files.push(LayoutFile { path: file.clone(), role: Role::Evidence, fold });
    }
    let division = if fold_names.is_empty() { Division::None } else { Division::Folds };
    Ok(Layout { format: Format::Alchemy, files, fold_names, division })
}
