//! The interface of layouts: how each describes itself.
//!
//! A layout is a folder (or a file) beside this one, with all its code. It says how to recognise the layout, which role
//! each file has, how to read the files and, for some layouts, how to write them. `formats` lists them.
//!
//! The entries of folders, and the beginnings of files.

use std::path::{Path, PathBuf};

use crate::gather::{Files, Habits, MakeReader, Program, make};
use crate::tables::LabelName;
use crate::writing::{ConvertedFile, Losses, Material};
use gleaner_lang::syntax::{Diagnostic, read_content, read_head};

/// The clue by which a layout is recognised, surest first. Layouts with surer clues are tried first; among equals the
/// order of the list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Clue {
    /// Two files whose names no other layout has together.
    PairOfNames,
    /// The names of files.
    Names,
    /// The endings of file names.
    Endings,
    /// The cells of the first line.
    Cells,
    /// Statements that only this layout has.
    Statements,
    /// Predicates that only this layout writes in this way.
    Predicates,
    /// The names of graphs, which often only describe the data of another layout beside them.
    Graphs,
    /// Tables, beside which files of other layouts may lie.
    Tables,
}

/// The description of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About {
    /// The layout's name on the command line.
    pub(crate) name: &'static str,
    /// The layout's files in a few words, for the message about data in no known layout.
    pub(crate) files_in_words: &'static str,
    /// The properties of the whole layout.
    pub(crate) habits: Habits,
    /// The clue that shows the layout.
    pub(crate) clue: Clue,
}

/// The request for a layout's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The file or folder, or the beginning of the files' names.
    pub(crate) path: &'a Path,
    /// Whether the problem is only inspected: examples may be missing.
    pub(crate) is_inspection: bool,
    /// Whether the layout's files must give the background, because none is given beside them.
    pub(crate) needs_background: bool,
    /// Whether the files must list negatives, because none are made.
    pub(crate) needs_negatives: bool,
    /// Whether the files must list examples. Data to score may list examples of one class, or none.
    pub(crate) needs_examples: bool,
    /// Whether the target is a number.
    pub(crate) has_numbers: bool,
    /// Whether the schema of a database is all that is asked for: then it needs no examples.
    pub(crate) needs_no_labels: bool,
    /// The table and the column of labels, if the user names them.
    pub(crate) label: Option<&'a LabelName>,
    /// The reader for a file that is a table in any notation.
    pub(crate) reader_of_tables: fn(&Path) -> Option<MakeReader>,
}

/// Writes a problem in a layout.
pub(crate) type Writer = fn(&Material<'_>, &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic>;

/// A layout.
pub(crate) trait FileFormat: Sync {
    /// The description of the layout.
    fn about(&self) -> About;

    /// Whether this file, folder, or beginning of file names is in the layout.
    fn is_recognised(&self, path: &Path) -> bool;

    /// Whether a folder belongs to another layout if tables lie beside this layout's files.
    fn yields_to_tables(&self, _path: &Path) -> bool {
        false
    }

    /// Whether a path that does not exist is the beginning of this layout's file names.
    fn is_prefix(&self, _path: &Path) -> bool {
        false
    }

    /// The problems that a folder holds, where it may hold several.
    fn problems(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The layout's files at the path; none if the path cannot be of this layout.
    ///
    /// # Errors
    ///
    /// Each file that is missing.
    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>>;

    /// The reader for programs that are given beside the layout's own files.
    fn program(&self) -> MakeReader {
        make::<Program>
    }

    /// The reader for a file of facts in this layout that is given beside data of any layout; none if the file is not
    /// in it.
    fn facts(&self, _path: &Path) -> Option<MakeReader> {
        None
    }

    /// The reader for modes that are given beside the layout's own files.
    fn modes(&self) -> MakeReader {
        self.program()
    }

    /// The writer of the layout; none if it is only read.
    fn writer(&self) -> Option<Writer> {
        None
    }
}

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
