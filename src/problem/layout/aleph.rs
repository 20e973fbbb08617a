//! Aleph's files: `NAME.b`, `NAME.f` and `NAME.n`, or one with sections.

use std::path::{Path, PathBuf};

use crate::syntax::Diagnostic;

use super::{
    Format, Layout, Role, content, entries, faults, found, global, single_program, uncompressed, with_ending,
};
use crate::problem::Division;

/// `DIR/NAME` of each `NAME.b` in a folder.
pub(super) fn aleph_stems(path: &Path) -> Vec<PathBuf> {
    let mut stems: Vec<PathBuf> = entries(path)
        .into_iter()
        .map(|entry| uncompressed(&entry))
        .filter(|entry| entry.extension().is_some_and(|extension| extension == "b"))
        .map(|entry| entry.with_extension(""))
        .collect();
    stems.dedup();
    stems
}

/// `DIR/NAME` of the one `NAME.b` that a folder holds, or of a path `DIR/NAME.b` or `DIR/NAME`.
pub(super) fn aleph_stem(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        let mut stems = aleph_stems(path);
        return if stems.len() == 1 { stems.pop() } else { None };
    }
    let named = uncompressed(path);
    if named.extension().is_some_and(|extension| extension == "b" || extension == "f" || extension == "n") {
        return Some(named.with_extension(""));
    }
    found(with_ending(path, ".b")).map(|_| path.to_path_buf())
}

/// The file with sections of examples: the path itself, or the one `*.pl` of a folder.
pub(super) fn single_aleph(path: &Path) -> Option<PathBuf> {
    let file = single_program(path)?;
    content(&file).contains("begin_in_pos").then_some(file)
}

/// Without examples it can be looked at.
pub(super) fn aleph(
    stem: &Path,
    is_inspection: bool,
    needs_negatives: bool,
) -> Result<Layout, Vec<Diagnostic>> {
    let file = |ending: &str| {
        let plain = with_ending(stem, ending);
        found(plain.clone()).unwrap_or(plain)
    };
    let files = vec![
        global(file(".b"), Role::Background),
        global(file(".f"), Role::Positives),
        global(file(".n"), Role::Negatives),
    ];
    let missing: Vec<Diagnostic> = files
        .iter()
        .zip(["the background and modes", "the positive examples", "the negative examples"])
        .filter(|(file, _)| !file.path.exists())
        .filter(|(file, _)| !is_inspection || file.role == Role::Background)
        .filter(|(file, _)| needs_negatives || file.role != Role::Negatives)
        .map(|(file, role)| faults::missing_file(&file.path, role))
        .collect();
    if missing.is_empty() {
        let files = files.into_iter().filter(|file| file.path.exists()).collect();
        Ok(Layout { format: Format::Aleph, files, fold_names: Vec::new(), division: Division::None })
    } else {
        Err(missing)
    }
}
