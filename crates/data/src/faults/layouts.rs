//! Messages about data whose layout is unclear, or that lack a file.

use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{Diagnostic, codes};

use super::counted;

/// `known` describes the files of each known layout, one a line. `below` are the folders in `path` that are in a
/// layout.
pub(crate) fn unknown_layout(
    path: &Path,
    format: Option<&str>,
    below: &[PathBuf],
    known: &[String],
) -> Diagnostic {
    let what = match format {
        Some(format) => format!("{} is not in the layout {format}", path.display()),
        None => format!("{} is in no known layout", path.display()),
    };
    let diagnostic = Diagnostic::error(codes::UNKNOWN_LAYOUT, what);
    if let Some(shown) = either_of(below) {
        return diagnostic.with_help(format!("did you mean {shown}?"));
    }
    known
        .iter()
        .fold(diagnostic, |diagnostic, line| diagnostic.with_help(line.as_str()))
        .with_help("--format NAME reads the data as one of these")
}

pub(crate) fn several_problems(path: &Path, stems: &[PathBuf]) -> Diagnostic {
    let names: Vec<String> = stems.iter().map(|stem| stem.display().to_string()).collect();
    Diagnostic::error(codes::UNKNOWN_LAYOUT, format!("{} holds several problems", path.display()))
        .with_help(format!("name one: {}", names.join(" or ")))
}

pub(crate) fn missing_file(path: &Path, role: &str) -> Diagnostic {
    Diagnostic::error(codes::MISSING_FILE, format!("{} is missing", path.display()))
        .with_help(format!("the layout needs it for {role}"))
}

/// The first paths, as `a or b`; none if there are none.
fn either_of(paths: &[PathBuf]) -> Option<String> {
    const SHOWN: usize = 3;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| path.display().to_string()).collect();
    (!shown.is_empty()).then(|| shown.join(" or "))
}

/// A file exists both plain and compressed: the plain one is read.
pub(crate) fn read_uncompressed(path: &Path, compressed: &Path) -> Diagnostic {
    let what = format!("gleaner reads {} and ignores {}", path.display(), compressed.display());
    Diagnostic::warning(codes::COMPRESSED_TWIN, what).with_help("remove the one that is out of date")
}

/// One table is read alone from a folder with others.
pub(crate) fn one_table(path: &Path, folder: &Path, n_others: usize) -> Diagnostic {
    let others = counted(n_others, "other table");
    let what = format!("{} is read alone, without {others} beside it", path.display());
    Diagnostic::warning(codes::UNREAD_DATA, what)
        .with_help(format!("give the folder, {}, to read all tables", folder.display()))
}
