//! Messages about layouts: unclear or missing files, and the bias of Popper.

use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{Diagnostic, Place, codes};

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

/// The most modes that a message lists.
const MOST_LISTED: usize = 5;

/// Modes of predicates without directions are left out, each with the mean answers of its calls.
pub(crate) fn chosen_directions(
    place: Place,
    n_predicates: usize,
    left_out: Vec<(String, f64)>,
) -> Diagnostic {
    let n_more = left_out.len().saturating_sub(MOST_LISTED);
    let n_left_out = left_out.len();
    let mut listed: Vec<String> = left_out
        .into_iter()
        .take(MOST_LISTED)
        .map(|(direction, n_answers)| format!("{direction} has {n_answers:.0} answers on average"))
        .collect();
    if n_more > 0 {
        listed.push(format!("and {n_more} more"));
    }
    let what = format!(
        "the bias gives no directions for {}: gleaner leaves out {}, whose calls have many answers",
        counted(n_predicates, "predicate"),
        counted(n_left_out, "mode")
    );
    Diagnostic::warning(codes::CHOSEN_DIRECTIONS, what)
        .at(place, "the first without directions")
        .with_help(listed.join("; "))
        .with_help("to choose others, declare `direction(name,(in,out)).` or `any_direction(name,arity).` in the bias, or give modes by --modes")
}

/// The bias asks for clauses that call the target.
pub(crate) fn no_recursion(place: Place) -> Diagnostic {
    Diagnostic::warning(
        codes::UNUSED_SETTING,
        "enable_recursion has no effect: learnt clauses do not call the target",
    )
    .at(place, "asked for here")
    .with_help(
        "background rules may be recursive: define a recursive predicate there, and give it a body_pred",
    )
}
