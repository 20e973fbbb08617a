//! BoostSRL's folders: `*_facts.txt`, `*_pos.txt` and `*_neg.txt`, of folds, halves or alone.

use std::path::{Path, PathBuf};

use crate::syntax::Diagnostic;

use super::{
    Format, Layout, LayoutFile, Role, entries, faults, file_ending, fold_folders, found, global,
    uncompressed, with_ending,
};
use crate::problem::Division;

/// A set of files with facts and examples.
struct Part {
    /// The fold that it is.
    fold: Option<String>,
    folder: PathBuf,
    /// What the files' names begin with, where the folder may hold others.
    stem: String,
}

impl Part {
    fn of_fold(name: &str, folder: PathBuf) -> Self {
        Self { fold: Some(name.to_owned()), folder, stem: String::new() }
    }

    fn file(&self, suffix: &str) -> Option<PathBuf> {
        if self.stem.is_empty() {
            return file_ending(&self.folder, suffix);
        }
        found(self.folder.join(format!("{}{suffix}", self.stem)))
    }
}

pub(super) fn boostsrl(path: &Path, needs_negatives: bool) -> Result<Layout, Vec<Diagnostic>> {
    let folds = fold_folders(path);
    // The test halves are the folds: a training half repeats the other folds' facts, and pairs their
    // people across folds as negatives.
    let (division, parts): (Division, Vec<Part>) = if !folds.is_empty() {
        let half = |(name, folder): &(String, PathBuf)| Part::of_fold(name, folder.join("test"));
        (Division::Folds, folds.iter().map(half).collect())
    } else if let Some(stem) = flat_stems(path).into_iter().next() {
        let folder = stem.parent().map(Path::to_path_buf).unwrap_or_default();
        let stem = stem.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (Division::None, vec![Part { fold: None, folder, stem }])
    } else {
        let half = |half: &str| Part::of_fold(half, path.join(half));
        (Division::TrainTest, ["train", "test"].map(half).into())
    };
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    let own_modes = parts.first().filter(|part| !part.stem.is_empty()).and_then(|part| part.file("_bk.txt"));
    let modes = own_modes.or_else(|| boostsrl_modes(path, &folds));
    files.extend(modes.map(|modes| global(modes, Role::Modes)));
    for (fold_idx, part) in parts.iter().enumerate() {
        let fold = part.fold.is_some().then_some(fold_idx);
        let needed = [
            ("_facts.txt", Role::Background, "the facts"),
            ("_pos.txt", Role::Positives, "the positive examples"),
            ("_neg.txt", Role::Negatives, "the negative examples"),
        ];
        for (suffix, role, meaning) in needed {
            match part.file(suffix) {
                Some(path) => files.push(LayoutFile { path, role, fold }),
                None if role == Role::Negatives && !needs_negatives => {}
                None => {
                    missing.push(faults::missing_file(&part.folder.join(format!("*{suffix}")), meaning));
                }
            }
        }
    }
    if missing.is_empty() {
        let fold_names = parts.into_iter().filter_map(|part| part.fold).collect();
        Ok(Layout { format: Format::Boostsrl, files, fold_names, division })
    } else {
        Err(missing)
    }
}

/// `DIR/NAME` of each `NAME_facts.txt` with examples beside it in a folder, or of the path `DIR/NAME` itself.
pub(super) fn flat_stems(path: &Path) -> Vec<PathBuf> {
    let has = |stem: &Path, suffix: &str| found(with_ending(stem, suffix)).is_some();
    let is_flat =
        |stem: &PathBuf| has(stem, "_facts.txt") && (has(stem, "_pos.txt") || has(stem, "_neg.txt"));
    if !path.is_dir() {
        return Some(path.to_path_buf()).filter(is_flat).into_iter().collect();
    }
    let stem = |entry: PathBuf| {
        let plain = uncompressed(&entry);
        let name = plain.file_name()?.to_str()?.strip_suffix("_facts.txt")?;
        Some(path.join(name)).filter(is_flat)
    };
    let mut stems: Vec<PathBuf> = entries(path).into_iter().filter_map(stem).collect();
    stems.dedup();
    stems
}

/// `background.txt` or a `*_bk.txt`, in the folder itself, its `train`, or its first fold.
fn boostsrl_modes(path: &Path, folds: &[(String, PathBuf)]) -> Option<PathBuf> {
    let first_fold = folds.first().map(|(_, folder)| folder.clone());
    let folders: Vec<PathBuf> = [Some(path.to_path_buf()), Some(path.join("train"))]
        .into_iter()
        .chain([first_fold.clone(), first_fold.map(|folder| folder.join("train"))])
        .flatten()
        .chain(path.parent().map(Path::to_path_buf))
        .collect();
    folders
        .iter()
        .find_map(|folder| found(folder.join("background.txt")))
        .or_else(|| folders[..folders.len().min(4)].iter().find_map(|folder| file_ending(folder, "_bk.txt")))
}
