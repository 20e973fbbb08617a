//! The entries of folders, and the beginnings of files.

use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{read_content, read_head};

/// The number of bytes at the beginning of a file that must show its layout.
const HEAD: u64 = 1 << 16;

/// The beginning of a file, as far as it can be read.
pub(super) fn head(path: &Path) -> String {
    String::from_utf8_lossy(&read_head(path, HEAD).unwrap_or_default()).into_owned()
}

/// A whole file, as far as it can be read.
pub(super) fn content(path: &Path) -> String {
    String::from_utf8_lossy(&read_content(path).unwrap_or_default()).into_owned()
}

/// The program that a path names, or the one program of a folder.
pub(super) fn single_program(path: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| has_ending(path, "pl");
    if !path.is_dir() {
        return Some(path.to_path_buf()).filter(is_program);
    }
    let mut programs = entries(path).into_iter().filter(is_program);
    programs.next().filter(|_| programs.next().is_none())
}

/// The ending of the names of compressed files.
pub(crate) const COMPRESSED: &str = ".gz";

pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The file, or its compressed form if only that exists.
pub(super) fn found(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    Some(with_ending(&path, COMPRESSED)).filter(|compressed| compressed.exists())
}

/// A path without the ending of compressed files.
pub(super) fn uncompressed(path: &Path) -> PathBuf {
    let is_compressed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if is_compressed { path.with_extension("") } else { path.to_path_buf() }
}

/// Whether the path's name has this ending in any case, before the ending of compressed files.
pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    uncompressed(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

/// The path's name without its ending: the name of a fold.
pub(super) fn stem_name(path: &Path) -> String {
    uncompressed(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The folders `foldN`, in whatever case, ascending by number.
pub(super) fn fold_folders(path: &Path) -> Vec<(String, PathBuf)> {
    let mut folds: Vec<(u64, String, PathBuf)> = entries(path)
        .into_iter()
        .filter(|entry| entry.is_dir())
        .filter_map(|entry| {
            let name = entry.file_name()?.to_str()?.to_owned();
            let number = name.to_lowercase().strip_prefix("fold")?.parse().ok()?;
            Some((number, name, entry))
        })
        .collect();
    folds.sort();
    folds.into_iter().map(|(_, name, folder)| (name, folder)).collect()
}

/// The entries of a folder, ascending by name; none if the folder cannot be read. A compressed file does not count
/// beside its uncompressed form.
pub(super) fn entries(path: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let is_plain = |entry: &PathBuf| {
        let plain = uncompressed(entry);
        plain == *entry || entries.binary_search(&plain).is_err()
    };
    entries.iter().filter(|entry| is_plain(entry)).cloned().collect()
}

pub(super) fn file_ending(folder: &Path, suffix: &str) -> Option<PathBuf> {
    entries(folder).into_iter().find(|entry| {
        let plain = uncompressed(entry);
        plain.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(suffix))
    })
}
