//! Popper's files: `bk.pl`, `exs.pl` and `bias.pl`, perhaps in two halves.

use std::path::Path;

use crate::syntax::Diagnostic;

use super::{Format, Layout, LayoutFile, Role, faults, file_ending, found, global};
use crate::problem::Division;

/// Whether it is a folder with Popper's files, or a file of examples in such a folder.
pub(super) fn is_popper(path: &Path) -> bool {
    let is_named = |name: &str| {
        path.file_name().and_then(|known| known.to_str()).is_some_and(|known| known.starts_with(name))
    };
    if path.is_dir() {
        let has = |name: &str| found(path.join(name)).is_some();
        return (has("bk.pl") && has("exs.pl")) || (has("bk_train.pl") && has("exs_train.pl"));
    }
    is_named("exs") && path.parent().is_some_and(|folder| found(folder.join("bk.pl")).is_some())
}

pub(super) fn popper(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let is_folder = path.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    let has_halves = is_folder && found(folder.join("exs.pl")).is_none();
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    let mut add = |name: &str, role, fold, meaning| match found(folder.join(name)) {
        Some(path) => files.push(LayoutFile { path, role, fold }),
        None => missing.push(faults::missing_file(&folder.join(name), meaning)),
    };
    if has_halves {
        for (fold, half) in ["train", "test"].into_iter().enumerate() {
            add(&format!("bk_{half}.pl"), Role::Background, Some(fold), "the background");
            add(&format!("exs_{half}.pl"), Role::Labelled, Some(fold), "the examples");
        }
    } else {
        add("bk.pl", Role::Background, None, "the background");
        if is_folder {
            add("exs.pl", Role::Labelled, None, "the examples");
        }
    }
    if !is_folder {
        files.push(global(path.to_path_buf(), Role::Labelled));
    }
    files.extend(file_ending(folder, "bias.pl").map(|bias| global(bias, Role::Bias)));
    if !missing.is_empty() {
        return Err(missing);
    }
    let (division, fold_names) = if has_halves {
        (Division::TrainTest, ["train", "test"].map(str::to_owned).into())
    } else {
        (Division::None, Vec::new())
    };
    Ok(Layout { format: Format::Popper, files, fold_names, division })
}
