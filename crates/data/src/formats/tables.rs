//! Folders of tables; tables of several notations may lie side by side.

use std::path::{Path, PathBuf};

use super::file_format::Asked;
use super::folder::{entries, found, has_ending, head};
use super::own::names::{BACKGROUND, MODES};
use crate::faults;
use crate::gather::{DataFile, Files, MakeReader, Role};

/// Tables with fewer columns are the same relation in both readings, or as easily read as facts.
const LEAST_COLUMNS: usize = 3;

/// Whether a folder holds a file whose name ends so.
pub(super) fn holds(folder: &Path, ending: &str) -> bool {
    entries(folder).iter().any(|entry| has_ending(entry, ending))
}

/// Whether the first line of a table in text names a column as databases call keys: `id`, `order_id`, `orderId`. Tables in
/// Parquet are parts of databases more often than not.
pub(crate) fn names_key(table: &Path) -> bool {
    if has_ending(table, "parquet") {
        return true;
    }
    has_ending(table, "csv") && header(table).iter().any(|name| is_key(name))
}

fn is_key(name: &str) -> bool {
    name.eq_ignore_ascii_case("id")
        || ["_id", "_ID", "Id", "_key", "_no", "_nr", "_ref"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a folder of tables in text, without `modes.pl` and `background.pl`, holds a table of at least three columns, beside
/// that of labels; or it is one table alone, in a folder or not. A column of row numbers or of folds does not count.
pub(crate) fn has_wide_table(path: &Path) -> bool {
    if [BACKGROUND, MODES].iter().any(|program| found(path.join(program)).is_some()) {
        return false;
    }
    let files = if path.is_dir() { entries(path) } else { vec![path.to_owned()] };
    let tables: Vec<Vec<String>> =
        files.iter().filter(|file| has_ending(file, "csv")).map(|file| header(file)).collect();
    let is_own = |name: &&String| !name.is_empty() && !name.eq_ignore_ascii_case("fold");
    let is_of_labels = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case("label"));
    let is_wide = |names: &Vec<String>| {
        names.iter().filter(is_own).count() >= LEAST_COLUMNS && (tables.len() == 1 || !is_of_labels(names))
    };
    tables.iter().any(|names| is_of_labels(names)) && tables.iter().any(is_wide)
}

/// The names of the columns of a table in text.
fn header(table: &Path) -> Vec<String> {
    let head = head(table);
    let first = head.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    first.split([',', ';', '\t']).map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
}

/// `background.pl` and `modes.pl`, if they exist, then the tables of all notations, ascending by name.
pub(super) fn files(asked: &Asked<'_>) -> Files {
    let folder = asked.path;
    let program = |name: &str, role| found(folder.join(name)).map(|file| DataFile::new(file, role));
    let programs = [program(BACKGROUND, Role::Background), program(MODES, Role::Modes)];
    let tables = entries(folder).into_iter().filter_map(|entry| {
        let reader = (asked.reader_of_tables)(&entry)?;
        Some(DataFile::read_by(entry, reader))
    });
    Files::undivided(programs.into_iter().flatten().chain(tables).collect())
}

/// A table that the user names is read alone. A message names the tables in text beside it.
pub(super) fn one_table(path: &Path, reader: MakeReader) -> Files {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_other = |entry: &PathBuf| {
        has_ending(entry, "csv") && entry.is_file() && entry.file_name() != path.file_name()
    };
    let n_others = entries(folder).iter().filter(|entry| is_other(entry)).count();
    let table = DataFile::read_by(path.to_owned(), reader);
    let warnings = (n_others > 0).then(|| faults::one_table(path, folder, n_others)).into_iter().collect();
    Files { warnings, ..Files::undivided(vec![table]) }
}

#[cfg(test)]
mod tests {
    use super::is_key;

    #[test]
    fn keys_are_called_ids() {
        for (name, expected) in [
            ("id", true),
            ("ID", true),
            ("order_id", true),
            ("orderId", true),
            ("order_ref", true),
            ("person", false),
            ("paid", false),
            ("", false),
        ] {
            assert_eq!(is_key(name), expected, "{name}");
        }
    }
}
