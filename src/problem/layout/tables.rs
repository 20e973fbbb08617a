//! Which files of a folder are tables, and of which predicate one is.

use std::path::Path;

use super::{Format, Layout, LayoutFile, Role, entries, found, global, uncompressed};
use crate::problem::Division;

/// How the names of tables and of lines of JSON end.
const ENDINGS: [(&str, Format, Role); 2] =
    [("csv", Format::Csv, Role::Table), ("jsonl", Format::JsonLines, Role::Lines)];

/// What the path's name, without the ending of compressed files, says that it holds.
fn kind(path: &Path) -> Option<(Format, Role)> {
    let plain = uncompressed(path);
    let extension = plain.extension()?.to_str()?;
    ENDINGS.iter().find(|(ending, ..)| *ending == extension).map(|(_, format, role)| (*format, *role))
}

/// The layout of a folder with tables (lines may lie beside them) or with lines, or of a file of lines.
pub(super) fn format_of(path: &Path) -> Option<Format> {
    if path.is_dir() {
        return [Format::Csv, Format::JsonLines].into_iter().find(|format| holds(path, *format));
    }
    kind(path).map(|(format, _)| format).filter(|format| *format == Format::JsonLines)
}

/// Whether a folder holds a file of this layout; any file may be one of lines, if that is asked for.
pub(super) fn holds(path: &Path, format: Format) -> bool {
    let is_of = |path: &Path| kind(path).is_some_and(|(known, _)| known == format);
    if path.is_dir() {
        return entries(path).iter().any(|entry| is_of(entry));
    }
    format == Format::JsonLines && path.exists()
}

/// `background.pl` and `modes.pl`, which need not be there, then all tables and lines, ascending by name.
pub(super) fn layout(path: &Path, format: Format) -> Layout {
    let files = if path.is_dir() {
        let program = |name: &str, role| found(path.join(name)).map(|file| global(file, role));
        let tables = entries(path).into_iter().filter_map(|entry| {
            let (_, role) = kind(&entry)?;
            Some(global(entry, role))
        });
        let files = [program("background.pl", Role::Background), program("modes.pl", Role::Modes)];
        files.into_iter().flatten().chain(tables).collect::<Vec<LayoutFile>>()
    } else {
        vec![global(path.to_path_buf(), Role::Lines)]
    };
    Layout { format, files, fold_names: Vec::new(), division: Division::None }
}

/// What stands for the empty name, which no file can have.
const EMPTY: &str = "%";

/// The name of a file for a predicate: letters, digits, `_` and `-` stay, other bytes are `%` and two
/// hexadecimal digits.
#[must_use]
pub fn encoded_name(name: &str) -> String {
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// The name that is encoded so; a text that is no encoding stands for itself.
fn decoded_name(text: &str) -> String {
    if text == EMPTY {
        return String::new();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            return text.to_owned();
        };
        bytes.push(byte);
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The predicate that a table's file names, and its number of arguments where `NAME.ARITY.csv` says it.
/// Another word before the ending only tells two tables of a predicate apart.
pub(in crate::problem) fn named_predicate(path: &Path) -> (String, Option<usize>) {
    let plain = uncompressed(path);
    let stem = plain.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut parts = stem.split('.');
    let name = decoded_name(parts.next().unwrap_or_default());
    (name, parts.find_map(|part| part.parse().ok()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{encoded_name, named_predicate};

    #[test]
    fn files_name_predicates() {
        for (file, name, arity) in [
            ("publication.csv", "publication", None),
            ("shape.2.csv.gz", "shape", Some(2)),
            ("shape.2.facts.csv", "shape", Some(2)),
            ("shape.facts.csv", "shape", None),
            ("co%2Dauthor%3A%C3%A9.csv", "co-author:é", None),
            ("50%.csv", "50%", None),
            ("%FF.csv", "%FF", None),
            ("%+1.csv", "%+1", None),
        ] {
            assert_eq!(named_predicate(Path::new(file)), (name.to_owned(), arity), "{file}");
        }
    }

    #[test]
    fn names_come_back() {
        for name in ["", "%", "a.b", "is a", "é", "..", "CON/x", "50%", "%41"] {
            let file = format!("{}.csv", encoded_name(name));
            assert_eq!(named_predicate(Path::new(&file)), (name.to_owned(), None), "{file}");
        }
    }
}
