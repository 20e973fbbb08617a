//! What DuckDB's `EXPORT DATABASE` writes: `schema.sql`, which makes the tables, and `load.sql`, which names the file of each.

use std::path::{Path, PathBuf};

use super::as_database;
use super::sql::{Statement, Word, created_table, items, qualified_name, statements};
use crate::database::declared;
use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::{content, entries};
use crate::gather::{DataFile, FileReading, Files, Habits, whole};
use crate::tables::schema::GivenBy;
use gleaner_lang::syntax::{Diagnostic, Span, read_head};

/// The two files that every export has.
const SCHEMA: &str = "schema.sql";
const LOAD: &str = "load.sql";

/// What stands in a database of DuckDB itself, behind a checksum of eight bytes.
const MAGIC: &[u8] = b"DUCK";
const BEFORE_MAGIC: u64 = 8;

/// The separators and the words for missing values that tables may have.
const SEPARATORS: [&str; 4] = [",", ";", "\t", "\\t"];
const MISSING: [&str; 4] = ["", "NULL", "NA", "\\N"];

/// The layout of DuckDB's exports.
#[derive(Debug)]
pub(in crate::formats) struct Duckdb;

impl FileFormat for Duckdb {
    fn about(&self) -> About {
        About {
            name: "duckdb",
            files_in_words: "schema.sql, load.sql",
            habits: Habits::DATABASE,
            clue: Clue::PairOfNames,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        path.join(SCHEMA).is_file() && path.join(LOAD).is_file()
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let folder = asked.path;
        if !self.is_recognised(folder) {
            return Ok(None);
        }
        let load = content(&folder.join(LOAD));
        let (mut files, mut missing) = (Vec::new(), Vec::new());
        for copy in statements(&load).iter().filter_map(|statement| copied(&statement.words)) {
            let path = folder.join(&copy.file);
            let Some(reader) = (asked.reader_of_tables)(&path) else {
                missing.push(faults::odd_export(&path, "no table in CSV or Parquet"));
                continue;
            };
            if let Some(what) = copy.odd_option {
                missing.push(faults::odd_export(&path, &what));
                continue;
            }
            if !path.exists() {
                missing.push(faults::missing_file(&path, &format!("the table {}", copy.table)));
                continue;
            }
            files.push(DataFile::read_by(path, reader).of_table(copy.table));
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        files.sort_by(|left, right| left.table.cmp(&right.table));
        // An export may have no table.
        files.push(DataFile::read_by(folder.join(SCHEMA), || whole(read_schema)));
        Ok(as_database(Files::undivided(files), folder))
    }
}

/// The database of DuckDB itself that a path is, or that lies in the folder: it is in a form that DuckDB alone reads.
pub(in crate::formats) fn native(path: &Path) -> Option<PathBuf> {
    let is_one = |file: &PathBuf| {
        let head = file.is_file().then(|| read_head(file, BEFORE_MAGIC + MAGIC.len() as u64));
        head.is_some_and(|head| head.is_ok_and(|head| head.ends_with(MAGIC)))
    };
    if path.is_dir() { entries(path).into_iter().find(is_one) } else { Some(path.to_owned()).filter(is_one) }
}

/// A table, and the file that it is loaded from.
struct Copied {
    table: String,
    file: PathBuf,
    /// An option by which the file is no table that is read, in words.
    odd_option: Option<String>,
}

/// What a statement as `COPY orders FROM 'orders.csv' (FORMAT 'csv', header 1)` loads.
fn copied(statement: &[Word]) -> Option<Copied> {
    let (copy, rest) = statement.split_first()?;
    let (table, rest) = qualified_name(rest).filter(|_| copy.is("copy"))?;
    let [from, Word::Text(path), rest @ ..] = rest else { return None };
    if !from.is("from") {
        return None;
    }
    // The path is that of the export's day; the file lies beside.
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let options = items(rest).unwrap_or_default();
    Some(Copied { table, file: PathBuf::from(name), odd_option: options.into_iter().find_map(odd_option) })
}

/// Why a table with this option is not read.
fn odd_option(option: &[Word]) -> Option<String> {
    let (name, values) = option.split_first()?;
    let value = match values.first() {
        Some(Word::Text(text) | Word::Plain(text) | Word::Quoted(text)) => text.as_str(),
        Some(Word::Sign(_)) | None => return None,
    };
    let is_one_of = |known: &[&str]| known.contains(&value);
    if name.is("header") && ["0", "false"].iter().any(|no| value.eq_ignore_ascii_case(no)) {
        return Some("a table without the names of its columns".to_owned());
    }
    if ["delimiter", "delim", "sep"].iter().any(|known| name.is(known)) && !is_one_of(&SEPARATORS) {
        return Some(format!("a table with `{value}` between its cells"));
    }
    if ["quote", "escape"].iter().any(|known| name.is(known)) && !is_one_of(&["\"", ""]) {
        return Some(format!("a table with `{value}` as quotes"));
    }
    let is_null = name.is("nullstr") || name.is("null");
    (is_null && !is_one_of(&MISSING)).then(|| format!("a table with `{value}` for missing values"))
}

/// Reads what the tables' declarations say.
fn read_schema(text: &str, reading: &mut FileReading<'_>) {
    let (mut tables, mut places) = (Vec::new(), Vec::new());
    for Statement { words, start } in statements(text) {
        if let Some(table) = created_table(&words) {
            tables.push(table);
            places.push(Span::new(start, start + text[start..].find('(').unwrap_or(0)));
        }
    }
    for (found, span) in declared(&tables).into_iter().zip(places) {
        let place = reading.place_in_file(span);
        for what in found.unused {
            reading.tell(faults::unused_key(place, &what));
        }
        let given = &mut reading.notes.given_schema;
        given.add(GivenBy::Statements, place, &found.table, found.says);
        given.add_composites(GivenBy::Statements, place, &found.table, found.composites);
    }
}

#[cfg(test)]
mod tests {
    use super::copied;
    use crate::formats::database::sql::statements;

    #[test]
    fn statements_name_files_and_odd_tables() {
        for (text, table, file, odd) in [
            (
                "COPY \"my people\" FROM 'd/my_people.csv' (FORMAT 'csv', quote '\"', delimiter ',', header 1);",
                "my people",
                "my_people.csv",
                None,
            ),
            ("COPY other.t FROM 'C:\\x\\t.parquet' (FORMAT 'parquet')", "other.t", "t.parquet", None),
            ("COPY t FROM 't.csv' (header false)", "t", "t.csv", Some("without the names")),
            (
                "COPY t FROM 't.csv' (force_not_null ('a', 'b'), delimiter '|')",
                "t",
                "t.csv",
                Some("`|` between"),
            ),
            ("COPY t FROM 't.csv' (nullstr 'nil')", "t", "t.csv", Some("`nil` for missing")),
        ] {
            let copy = copied(&statements(text)[0].words).expect("it loads a table");
            assert_eq!((&*copy.table, copy.file.to_str()), (table, Some(file)), "{text}");
            let found = copy.odd_option.as_deref();
            assert_eq!(found.is_some(), odd.is_some(), "{text}: {found:?}");
            assert!(found.unwrap_or_default().contains(odd.unwrap_or_default()), "{text}: {found:?}");
        }
        for text in ["COPY t TO 't.csv'", "COPY", "SELECT 1", "COPY t FROM t2"] {
            assert!(copied(&statements(text)[0].words).is_none(), "{text}");
        }
    }
}
