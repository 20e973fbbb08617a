//! Tables in memory: the tables of a database, tables of facts, or one of triples.

use std::path::Path;
use std::sync::Arc;

use super::database::{SCHEMA, read_schema};
use super::triples::take_rows;
use super::{Format, corpus};
use crate::faults;
use crate::gather::{DataFile, FileReader, FileReading, Files};
use crate::rows::{CellValue, Column, Rows, TableName, read_table};
use crate::tables::DatabaseRequest;
use crate::tables::memory::{Content, Table};
use crate::tables::values::{Values, time_text};
use crate::texts::calendar::{InstantNotation, date_text};
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, codes};

/// The tables as files of a layout; ascending by name, as the files of a folder are, so that their order does not matter.
///
/// # Errors
///
/// Nothing in memory, or a layout of which tables in memory are not.
pub(crate) fn files(
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
