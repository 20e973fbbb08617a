//! The predicate of a table, by the name of its file.

use std::path::Path;

use super::folder::uncompressed;
use crate::file_names::decoded_name;
use crate::gather::FileReading;
use crate::rows::TableName;

/// The table that a file's rows are of.
pub(super) fn table_of(reading: &FileReading<'_>) -> TableName {
    let of_file = table_name(reading.path);
    match &reading.table {
        Some(name) => TableName { predicate: name.clone(), arity: None, ..of_file },
        None => of_file,
    }
}

/// The predicate's name from the name of a table's file, and the number of arguments if it is `NAME.ARITY.csv`. Another
/// word before the ending only distinguishes two tables of a predicate.
fn table_name(path: &Path) -> TableName {
    let plain = uncompressed(path);
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(plain.file_stem()), part(plain.extension()));
    let mut parts = stem.split('.');
    let predicate = decoded_name(parts.next().unwrap_or_default());
    TableName { predicate, arity: parts.find_map(|part| part.parse().ok()), ending }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::table_name;
    use crate::file_names::encoded_name;

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
            let named = table_name(Path::new(file));
            assert_eq!((&*named.predicate, named.arity), (name, arity), "{file}");
        }
    }

    #[test]
    fn names_come_back() {
        for name in ["", "%", "a.b", "is a", "é", "..", "CON/x", "50%", "%41"] {
            let file = format!("{}.csv", encoded_name(name));
            let named = table_name(Path::new(&file));
            assert_eq!((&*named.predicate, named.arity), (name, None), "{file}");
        }
    }
}
