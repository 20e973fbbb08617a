//! Which predicate a table is of, by the name of its file.

use std::path::Path;

use crate::file_names::decoded_name;
use crate::formats::folder::uncompressed;

/// The predicate that a table's file names, and its number of arguments where `NAME.ARITY.csv` says it.
/// Another word before the ending only tells two tables of a predicate apart.
pub(super) fn named_predicate(path: &Path) -> (String, Option<usize>) {
    let plain = uncompressed(path);
    let stem = plain.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut parts = stem.split('.');
    let name = decoded_name(parts.next().unwrap_or_default());
    (name, parts.find_map(|part| part.parse().ok()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::named_predicate;
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
