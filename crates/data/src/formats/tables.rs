//! Folders of tables; tables of several notations may lie side by side.
//!
//! The predicate of a table, by the name of its file.
//!
//! Tables in memory: the tables of a database, tables of facts, or one of triples.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::faults;
use crate::gather::{DataFile, FileReader, FileReading, Files, MakeReader, Role};
use crate::rows::{CellValue, Column, Rows, TableName, read_table};
use crate::tables::DatabaseRequest;
use crate::tables::store::{Content, Table, Values, time_text};
use crate::texts::moment::{InstantNotation, date_text};
use crate::writing::decoded_name;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, codes};

use super::database::{SCHEMA, read_schema};
use super::file_format::{Asked, entries, found, has_ending, head, uncompressed};
use super::own::names::{BACKGROUND, MODES};
use super::triples::take_rows;
use super::{Format, corpus};

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

/// The tables as files of a layout; ascending by name, as the files of a folder are, so that their order does not matter.
///
/// # Errors
///
/// Nothing in memory, or a layout of which tables in memory are not.
pub(crate) fn memory_files(
    tables: &[Arc<Table>],
    format: Format,
    has_texts: bool,
) -> Result<Files, Vec<Diagnostic>> {
    let fault = |code, what: String, help: &str| Err(vec![Diagnostic::error(code, what).with_help(help)]);
    if tables.is_empty() && !has_texts {
        return fault(codes::MALFORMED_TABLE, "there is no table".to_owned(), "give one at least");
    }
    let mut tables = tables.to_vec();
    tables.sort_by(|left, right| left.name.cmp(&right.name));
    let file = |table: &Arc<Table>| {
        let content = Content::Table(Arc::clone(table));
        DataFile::in_memory(&table.name, content, || Box::new(MemoryTable))
    };
    let database = (format == Format::Tables).then(DatabaseRequest::default);
    match format {
        Format::Tables | Format::Csv | Format::Triples => {
            Ok(Files { database, ..Files::undivided(tables.iter().map(file).collect()) })
        }
        Format::Corpus => Ok(corpus::held()),
        _ => fault(
            codes::UNKNOWN_LAYOUT,
            format!("tables in memory are not in the layout {}", format.name()),
            "they are a database (⁅format=tables⁆), each row a fact (⁅format=csv⁆), or ⁅format=triples⁆",
        ),
    }
}

/// The reader of a table.
struct MemoryTable;

impl FileReader for MemoryTable {
    fn is_program(&self) -> bool {
        false
    }

    fn file(
        &mut self,
        _name: &Path,
        sources: &mut Sources,
        reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        let Some(Content::Table(table)) = reading.content.clone() else { return Ok(Vec::new()) };
        let names = table.columns.iter().map(|(name, _)| name.clone()).collect();
        let file = sources.add_in_memory(&table.name, names, Arc::<Table>::clone(&table));
        check(&table, file, reading)?;
        if reading.notes.database.is_none() && !table.meanings.is_empty() {
            return Err(faults::schema_of_no_database("no database"));
        }
        for meaning in &table.meanings {
            let first = table.columns.iter().position(|(name, _)| meaning.columns.first() == Some(name));
            let place = Place::Row(file, 0, first.and_then(|column| u32::try_from(column).ok()));
            let given = &mut reading.notes.given_schema;
            given.add_words(&table.name, &meaning.columns, &meaning.words, place)?;
        }
        let rows = ColumnRows::of(&table, file);
        if reading.statements.habits.is_one_graph {
            take_rows(rows, reading)?;
        } else {
            let name = TableName { predicate: table.name.clone(), arity: None, ending: String::new() };
            read_table(&name, rows, reading);
        }
        Ok(Vec::new())
    }
}

/// Checks what types do not.
fn check(table: &Table, file: FileId, reading: &FileReading<'_>) -> Result<(), Diagnostic> {
    let fault =
        |what: &str, accepted: &str| Err(faults::malformed_table(Place::Row(file, 0, None), what, accepted));
    let known = reading.notes.database.as_ref().map_or(&[][..], |database| &database.tables);
    if table.name.trim().is_empty() {
        return fault("this table has no name", "clauses name its columns by it");
    }
    if known.iter().any(|known| known.name == table.name) {
        return fault("a second table has this name", "give each table a name of its own");
    }
    check_lengths(table, file)
}

/// Checks that a table has columns, all of one length.
pub(super) fn check_lengths(table: &Table, file: FileId) -> Result<(), Diagnostic> {
    let fault = |column: Option<usize>, what: &str, accepted: &str| {
        let place = Place::Row(file, 0, column.and_then(|column| u32::try_from(column).ok()));
        Err(faults::malformed_table(place, what, accepted))
    };
    let Some((first, of_first)) = table.columns.first() else {
        return fault(None, "this table has no columns", "give it one at least; rows may be none");
    };
    let is_other = |(_, values): &(String, Values)| values.len() != of_first.len();
    if let Some(column) = table.columns.iter().position(is_other) {
        let (name, values) = &table.columns[column];
        let what =
            format!("the column {name} has {} values, and {first} has {}", values.len(), of_first.len());
        let accepted = "a column has a value for each row; one that is missing is `None`";
        return fault(Some(column), &what, accepted);
    }
    Ok(())
}

/// The rows of a table.
pub(super) struct ColumnRows<'t> {
    file: FileId,
    columns: Vec<Column>,
    values: Vec<(&'t Values, InstantNotation)>,
    /// The number of the current row, from 1.
    row: usize,
    n_rows: usize,
}

impl<'t> ColumnRows<'t> {
    pub(super) fn of(table: &'t Table, file: FileId) -> Self {
        let column = |(name, _): &(String, Values)| Column { name: name.clone(), is_row_number: false };
        Self {
            file,
            columns: table.columns.iter().map(column).collect(),
            values: table.columns.iter().map(|(_, values)| (values, values.notation())).collect(),
            row: 0,
            n_rows: table.n_rows(),
        }
    }
}

impl Rows for ColumnRows<'_> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn next(&mut self) -> Result<bool, Diagnostic> {
        self.row += 1;
        Ok(self.row <= self.n_rows)
    }

    fn cell(&self, column: usize) -> CellValue<'_> {
        let ((values, notation), row) = (self.values[column], self.row - 1);
        let cell = match values {
            Values::Text(values) => values[row].as_deref().map(CellValue::Name),
            Values::Integer(values) => values[row].map(CellValue::Integer),
            Values::Number(values) => values[row].map(CellValue::Float),
            Values::Flag(values) => values[row].map(CellValue::Bool),
            Values::Date(values) => {
                values[row].map(|days| CellValue::of_time(date_text(days.into()), "a date"))
            }
            Values::Time(values) => {
                values[row].map(|at| CellValue::of_time(time_text(at, notation), "a time"))
            }
        };
        cell.unwrap_or(CellValue::Missing)
    }

    fn place(&self, column: Option<usize>) -> Place {
        let column = column.and_then(|column| u32::try_from(column).ok());
        Place::Row(self.file, self.row as u64, column)
    }
}

/// The text of a `schema.toml` in memory.
pub(crate) fn schema(text: &str) -> DataFile {
    DataFile::in_memory(SCHEMA, Content::Schema(text.into()), || Box::new(MemorySchema))
}

struct MemorySchema;

impl FileReader for MemorySchema {
    fn is_program(&self) -> bool {
        false
    }

    fn file(
        &mut self,
        _name: &Path,
        sources: &mut Sources,
        reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        if let Some(Content::Schema(text)) = reading.content.clone() {
            sources.add(SCHEMA, &*text);
            read_schema(&text, reading);
        }
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::writing::encoded_name;

    use super::{is_key, table_name};

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
