//! The rows of a file: row group by row group, so that a part of it is in memory.

use std::fs::File;
use std::path::Path;

use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};

use super::column::{Batch, read_batch};
use super::keys::keys;
use super::meaning::Meaning;
use super::pages::{CheckedPages, check_range, contained};
use crate::faults;
use crate::formats::table_name::table_of;
use crate::gather::{FileReader, FileReading};
use crate::rows::{CellValue, Column, Rows, read_table};
use crate::tables::schema::GivenBy;
use crate::texts::calendar::InstantNotation;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, check_regular, unreadable};

/// The rows that are read at once.
const BATCH: usize = 8192;

/// The name that pandas gives to row numbers that are no plain count.
const INDEX: &str = "__index_level_0__";

/// The reader of a file.
#[derive(Debug)]
pub(super) struct ParquetFile;

impl FileReader for ParquetFile {
    fn is_program(&self) -> bool {
        false
    }

    fn file(
        &mut self,
        path: &Path,
        sources: &mut Sources,
        reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        // The end of the file is read first.
        check_regular(path).map_err(|error| unreadable(path, &error))?;
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        let id = sources.add_table(path.display().to_string(), Vec::new());
        match contained(|| ParquetRows::open(file, id)) {
            Ok((rows, left_out)) => {
                sources.name_columns(id, rows.columns.iter().map(|column| column.name.clone()).collect());
                let table = table_of(reading);
                for (name, what) in left_out {
                    reading.tell(faults::unread_column(
                        Place::Row(id, 0, None),
                        &table.predicate,
                        &name,
                        &what,
                    ));
                }
                if let Some(says) = keys(rows.reader.metadata().file_metadata()) {
                    let given = &mut reading.notes.given_schema;
                    given.add(GivenBy::Metadata, Place::Row(id, 0, None), &table.predicate, says);
                    given.whole_tables.push(table.predicate.clone());
                }
                read_table(&table, rows, reading);
            }
            Err(ParquetError::NYI(what)) => reading.tell(faults::unread_parquet(path, &what)),
            Err(error) => reading.tell(faults::broken_file(path, "Parquet", &error.to_string())),
        }
        Ok(Vec::new())
    }
}

/// A file while it is read.
struct ParquetRows {
    file: FileId,
    reader: SerializedFileReader<File>,
    columns: Vec<Column>,
    of_columns: Vec<OfColumn>,
    /// The number of the next row group.
    next_group: usize,
    /// The rows of the current row group that are not in a batch yet.
    n_left: usize,
    /// The rows of the batch, and which of them is the current one.
    n_in_batch: usize,
    in_batch: usize,
    /// The number of the current row, from 1.
    row: u64,
    is_broken: bool,
}

/// A column that is read.
struct OfColumn {
    /// Its number in the file.
    leaf: usize,
    meaning: Meaning,
    is_optional: bool,
    reader: Option<ColumnReader>,
    batch: Option<Batch>,
}

/// A column that is left out: its name, and what it holds.
type LeftOut = (String, String);

impl ParquetRows {
    /// Reads the end of the file, which says what its columns are. Gives the columns that are left out, too.
    fn open(file: File, id: FileId) -> Result<(Self, Vec<LeftOut>), ParquetError> {
        let reader = SerializedFileReader::new(file)?;
        check_compression(&reader)?;
        let mut rows = Self {
            file: id,
            reader,
            columns: Vec::new(),
            of_columns: Vec::new(),
            next_group: 0,
            n_left: 0,
            n_in_batch: 0,
            in_batch: 0,
            row: 0,
            is_broken: false,
        };
        let mut left_out: Vec<LeftOut> = Vec::new();
        let schema = rows.reader.metadata().file_metadata().schema_descr_ptr();
        for (leaf, column) in schema.columns().iter().enumerate() {
            let root = schema.get_column_root(leaf);
            let name = root.name().to_owned();
            if root.is_group() || column.max_rep_level() > 0 {
                if left_out.last().is_none_or(|(known, _)| *known != name) {
                    left_out.push((name, "lists or parts in each cell".to_owned()));
                }
                continue;
            }
            let is_optional = column.max_def_level() > 0;
            let Some(meaning) = Meaning::of(column) else {
                let of_type = column.logical_type_ref().map_or_else(
                    || format!("{:?}", column.converted_type()),
                    |logical| format!("{logical:?}"),
                );
                left_out.push((name, format!("values of the type {of_type}")));
                continue;
            };
            let mut of_column = OfColumn { leaf, meaning, is_optional, reader: None, batch: None };
            if !rows.settle(&mut of_column)? {
                left_out.push((name, "bytes that are no text".to_owned()));
                continue;
            }
            rows.columns.push(Column { is_row_number: name == INDEX, name });
            rows.of_columns.push(of_column);
        }
        Ok((rows, left_out))
    }

    /// Settles what only values show: whether all times are midnight, and whether bytes of no type are texts, as the
    /// first ones are. False for other bytes.
    fn settle(&self, column: &mut OfColumn) -> Result<bool, ParquetError> {
        let is_bytes = column.meaning == Meaning::Bytes;
        let nanoseconds = match column.meaning {
            Meaning::Instant { nanoseconds, notation: InstantNotation::Local } => nanoseconds,
            Meaning::Bytes => 1,
            _ => return Ok(true),
        };
        let mut are_days = None;
        for group in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(group)?;
            let mut reader = part_of(&*group, column.leaf)?;
            let mut n_left = n_rows(group.metadata().num_rows());
            while n_left > 0 {
                let n = n_left.min(BATCH);
                n_left -= n;
                let batch = read_batch(&mut reader, n, column.is_optional)?;
                if is_bytes {
                    return Ok(batch.is_text());
                }
                are_days = batch.is_at_midnight(nanoseconds).or(are_days);
                if are_days == Some(false) {
                    return Ok(true);
                }
            }
        }
        if are_days == Some(true) {
            column.meaning = Meaning::Instant { nanoseconds, notation: InstantNotation::Days };
        }
        Ok(true)
    }

    /// Reads the next batch; false at the end of the file.
    fn next_batch(&mut self) -> Result<bool, ParquetError> {
        while self.n_left == 0 {
            if self.next_group == self.reader.num_row_groups() {
                return Ok(false);
            }
            let group = self.reader.get_row_group(self.next_group)?;
            self.next_group += 1;
            self.n_left = n_rows(group.metadata().num_rows());
            for column in &mut self.of_columns {
                column.reader = Some(part_of(&*group, column.leaf)?);
            }
        }
        self.n_in_batch = self.n_left.min(BATCH);
        self.n_left -= self.n_in_batch;
        self.in_batch = 0;
        for column in &mut self.of_columns {
            if let Some(reader) = &mut column.reader {
                column.batch = Some(read_batch(reader, self.n_in_batch, column.is_optional)?);
            }
        }
        Ok(true)
    }
}

/// Refuses a file with a part that is compressed in a way that is not read: no damage, and so no message about damage.
fn check_compression(reader: &SerializedFileReader<File>) -> Result<(), ParquetError> {
    for part in reader.metadata().row_groups().iter().flat_map(|group| group.columns()) {
        let way = match part.compression() {
            Compression::BROTLI(_) => "brotli",
            Compression::LZO => "LZO",
            Compression::UNCOMPRESSED
            | Compression::SNAPPY
            | Compression::GZIP(_)
            | Compression::LZ4
            | Compression::ZSTD(_)
            | Compression::LZ4_RAW => continue,
        };
        return Err(ParquetError::NYI(format!("it is compressed by {way}")));
    }
    Ok(())
}

/// The reader of a column in a row group.
fn part_of(group: &dyn RowGroupReader, leaf: usize) -> Result<ColumnReader, ParquetError> {
    let part = group.metadata().column(leaf);
    check_range(part)?;
    let pages = CheckedPages::new(group.get_column_page_reader(leaf)?);
    Ok(get_column_reader(part.column_descr_ptr(), Box::new(pages)))
}

/// A number of rows, as a file says it.
fn n_rows(said: i64) -> usize {
    usize::try_from(said).unwrap_or(0)
}

impl Rows for ParquetRows {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn next(&mut self) -> Result<bool, Diagnostic> {
        if self.is_broken || self.columns.is_empty() {
            return Ok(false);
        }
        self.row += 1;
        self.in_batch += 1;
        if self.in_batch < self.n_in_batch {
            return Ok(true);
        }
        contained(|| self.next_batch()).map_err(|error| {
            self.is_broken = true;
            faults::broken_rows(self.place(None), "Parquet", &error.to_string())
        })
    }

    fn cell(&self, column: usize) -> CellValue<'_> {
        let of_column = &self.of_columns[column];
        let cell = of_column.batch.as_ref().map(|batch| batch.cell(self.in_batch, of_column.meaning));
        cell.unwrap_or(CellValue::Missing)
    }

    fn place(&self, column: Option<usize>) -> Place {
        Place::Row(self.file, self.row, column.and_then(|column| u32::try_from(column).ok()))
    }
}

#[cfg(test)]
mod tests;
