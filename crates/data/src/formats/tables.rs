//! Folders of tables; tables of several notations may lie side by side.

use std::path::Path;

use super::file_format::Asked;
use super::folder::{entries, found, has_ending, head};
use crate::gather::{DataFile, Files, Role};

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
    let head = head(table);
    let first = head.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    has_ending(table, "csv")
        && first.split([',', ';', '\t']).any(|cell| is_key(cell.trim().trim_matches('"')))
}

fn is_key(name: &str) -> bool {
    name.eq_ignore_ascii_case("id")
        || ["_id", "_ID", "Id", "_key", "_no", "_nr", "_ref"].iter().any(|ending| name.ends_with(ending))
}

/// `background.pl` and `modes.pl`, if they exist, then the tables of all notations, ascending by name.
pub(super) fn files(asked: &Asked<'_>) -> Files {
    let folder = asked.path;
    let program = |name: &str, role| found(folder.join(name)).map(|file| DataFile::new(file, role));
    let programs = [program("background.pl", Role::Background), program("modes.pl", Role::Modes)];
    let tables = entries(folder).into_iter().filter_map(|entry| {
        let reader = (asked.reader_of_tables)(&entry)?;
        Some(DataFile::read_by(entry, reader))
    });
    Files::undivided(programs.into_iter().flatten().chain(tables).collect())
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
