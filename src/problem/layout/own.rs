//! The own layout: `modes.pl`, `background.pl`, `pos.pl`, `neg.pl`, and folders of folds.

use std::path::Path;

use crate::syntax::Diagnostic;

use super::{Format, Layout, LayoutFile, Role, faults, fold_folders, found};
use crate::problem::Division;

pub(super) fn own(path: &Path, needs_negatives: bool) -> Result<Layout, Vec<Diagnostic>> {
    let folds = fold_folders(path);
    let mut missing = Vec::new();
    let mut files = Vec::new();
    let mut add = |folder: &Path, name: &str, role, fold, needed: Option<&str>| {
        if let Some(path) = found(folder.join(name)) {
            files.push(LayoutFile { path, role, fold });
        } else if let Some(role) = needed {
            missing.push(faults::missing_file(&folder.join(name), role));
        }
    };
    let needed_at_root = folds.is_empty();
    add(path, "background.pl", Role::Background, None, None);
    add(path, "modes.pl", Role::Modes, None, None);
    add(path, "pos.pl", Role::Positives, None, needed_at_root.then_some("the positive examples"));
    add(
        path,
        "neg.pl",
        Role::Negatives,
        None,
        (needed_at_root && needs_negatives).then_some("the negative examples"),
    );
    for (fold_idx, (_, folder)) in folds.iter().enumerate() {
        let fold = Some(fold_idx);
        add(folder, "background.pl", Role::Background, fold, None);
        add(folder, "pos.pl", Role::Positives, fold, Some("the fold's positive examples"));
        add(
            folder,
            "neg.pl",
            Role::Negatives,
            fold,
            needs_negatives.then_some("the fold's negative examples"),
        );
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let division = if folds.is_empty() { Division::None } else { Division::Folds };
    let fold_names = folds.into_iter().map(|(name, _)| name).collect();
    Ok(Layout { format: Format::Own, files, fold_names, division })
}
