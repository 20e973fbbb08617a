//! The rows of a file: row group by row group, so that a part of it is in memory.
//!
//! Keys in the metadata of a file: what RelBench 1 and 2 write beside each table.

use std::fs::File;
use std::path::Path;

use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::FileMetaData;
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};
use serde_json::Value;

use crate::faults;
use crate::formats::tables::table_of;
use crate::gather::{FileReader, FileReading};
use crate::rows::{CellValue, Column, Rows, read_table};
use crate::tables::schema::{GivenBy, Kind, Says};
use crate::texts::moment::InstantNotation;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, check_regular, unreadable};

use super::column::{Batch, CheckedPages, check_range, contained, read_batch};
use super::meaning::Meaning;

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

/// The names of the metadata.
const KEY: &str = "pkey_col";

const TIME: &str = "time_col";

const FOREIGN_KEYS: &str = "fkey_col_to_pkey_table";

/// What the metadata say of columns; none without such metadata. Each is a text of JSON.
pub(super) fn keys(metadata: &FileMetaData) -> Option<Vec<(String, Says)>> {
    let pairs = metadata.key_value_metadata()?;
    let value = |name: &str| -> Option<Value> {
        let text = pairs.iter().find(|pair| pair.key == name)?.value.as_ref()?;
        serde_json::from_str(text).ok()
    };
    let Value::Object(foreign) = value(FOREIGN_KEYS)? else { return None };
    let mut says: Vec<(String, Says)> = Vec::new();
    for (column, table) in foreign {
        says.push((column, Says::PointsTo(table.as_str()?.to_owned())));
    }
    for (name, kind) in [(KEY, Says::Is(Kind::Key)), (TIME, Says::RowTime)] {
        if let Some(Value::String(column)) = value(name) {
            says.push((column, kind));
        }
    }
    Some(says)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use parquet::basic::Compression;
    use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
    use parquet::schema::parser::parse_message_type;
    use proptest::prelude::{Just, any, prop, prop_oneof, proptest};
    use proptest::strategy::Strategy;

    use crate::request::LoadRequest;
    use crate::rows::{CellValue, Rows};
    use gleaner_lang::syntax::{FileId, Sources};

    use super::ParquetRows;

    /// A file of `fixtures/databases`.
    fn fixture(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/databases").join(name)
    }

    fn text(cell: &CellValue<'_>) -> String {
        match cell {
            CellValue::String(text) => text.to_string(),
            CellValue::Integer(value) => value.to_string(),
            CellValue::Float(value) => format!("{value:?}"),
            CellValue::Bool(value) => value.to_string(),
            CellValue::Missing => "-".to_owned(),
            other => format!("{other:?}"),
        }
    }

    /// The columns of `types`, as `make.py` writes them: the first and the third cell; the second has no value.
    const TYPES: [(&str, &str, &str); 18] = [
        ("i8", "1", "-128"),
        ("i64", "1", "-9223372036854775808"),
        ("u32", "1", "4294967295"),
        ("u64", "1", "18446744073709551615"),
        ("f16", "0.5", "-2.0"),
        ("f32", "0.1", "10000000000.0"),
        ("f64", "0.1", "NaN"),
        ("yes", "true", "false"),
        ("text", "a, \"b\"", "é"),
        ("word", "red", "red"),
        ("cents", "1.5", "-0.05"),
        ("huge", "7", "1e37"),
        ("day", "2020-02-29", "0001-01-01"),
        ("ms", "2020-02-29 12:30:00.5", "1969-12-31 23:00:00"),
        ("us", "2020-02-29 12:30:00.5", "1969-12-31 23:00:00"),
        ("midnights", "2020-02-29", "1970-01-01"),
        ("zoned", "2020-02-29 12:30:00.5+00:00", "2020-01-01 00:00:00+00:00"),
        ("clock", "10:00:00", "23:59:59"),
    ];

    /// Four programs and all ways to lay out pages give the same cells.
    #[test]
    fn all_types_in_all_encodings_are_read() {
        for (name, lacks, left_out) in [
            ("snappy", &[][..], &["list", "part", "bytes"][..]),
            ("groups", &[], &["list", "part", "bytes"]),
            ("pages", &[], &["list", "part", "bytes"]),
            ("plain", &[], &["list", "part", "bytes"]),
            ("lz4", &[], &["list", "part", "bytes"]),
            ("polars", &[], &["bytes"]),
            ("duckdb", &["f16"], &["list", "part", "bytes"]),
        ] {
            let file = File::open(fixture(&format!("types/{name}.parquet"))).expect("a fixture");
            let (mut rows, skipped) = ParquetRows::open(file, FileId::default()).expect("it is whole");
            let skipped: Vec<&str> = skipped.iter().map(|(column, _)| column.as_str()).collect();
            assert_eq!(skipped, left_out, "{name}");
            let expected: Vec<_> = TYPES.iter().filter(|(column, ..)| !lacks.contains(column)).collect();
            let names: Vec<&str> = rows.columns().iter().map(|column| column.name.as_str()).collect();
            assert_eq!(names, expected.iter().map(|(column, ..)| *column).collect::<Vec<_>>(), "{name}");
            for row in 0..3 {
                assert!(rows.next().expect("a row"), "{name}");
                for (at, (column, first, third)) in expected.iter().enumerate() {
                    let found = text(&rows.cell(at));
                    assert_eq!(found, [*first, "-", *third][row], "{name}: {column} in row {row}");
                }
            }
            assert!(!rows.next().expect("the end"), "{name}");
        }
    }

    #[test]
    fn old_times_and_empty_tables_are_read() {
        let file = File::open(fixture("types/int96.parquet")).expect("a fixture");
        let (mut rows, _) = ParquetRows::open(file, FileId::default()).expect("it is whole");
        assert!(rows.next().expect("a row"));
        assert_eq!([0, 1].map(|at| text(&rows.cell(at))), ["2020-02-29 12:30:00.5", "2020-02-29"]);
        let file = File::open(fixture("types/empty.parquet")).expect("a fixture");
        let (mut rows, _) = ParquetRows::open(file, FileId::default()).expect("it is whole");
        assert_eq!(rows.columns().len(), TYPES.len() + 1);
        assert!(!rows.next().expect("the end"));
    }

    /// A change of some bytes: where, by the end of the file or not, and what stands there instead.
    fn damage() -> impl Strategy<Value = Vec<(bool, usize, u8)>> {
        prop::collection::vec((any::<bool>(), 0..6_000_usize, any::<u8>()), 1..6)
    }

    proptest! {
        /// No file makes the program panic: a message says what cannot be read.
        #[test]
        fn damaged_files_are_told(
            name in prop_oneof![Just("snappy"), Just("groups"), Just("pages"), Just("plain"), Just("lz4"), Just("polars")],
            changes in damage(),
        ) {
            let mut bytes = std::fs::read(fixture(&format!("types/{name}.parquet"))).expect("a fixture");
            for (is_at_end, at, value) in changes {
                let at = at % bytes.len();
                let at = if is_at_end { bytes.len() - 1 - at % 3_000.min(bytes.len()) } else { at };
                bytes[at] = value;
            }
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("odd.parquet");
            std::fs::write(&path, bytes).expect("it can be written");
            let _ = crate::build::schema_of(&LoadRequest { path, ..LoadRequest::default() }, &mut Sources::new());
        }
    }

    /// Writes a column of a row group; `levels` says which cells have a value, if some lack one.
    fn write_column<T: DataType>(
        group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
        values: &[T::T],
        levels: Option<&[i16]>,
    ) {
        let mut column = group.next_column().expect("it can be written").expect("a column");
        column.typed::<T>().write_batch(values, levels, None).expect("they fit");
        column.close().expect("it can be written");
    }

    /// A table of four rows: a key, a number with a gap, and a word of a dictionary.
    fn small_table(compression: Compression) -> Vec<u8> {
        let schema = "message t { required int64 id; optional double x; required binary word (UTF8); }";
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).expect("a writer");
        let mut group = writer.next_row_group().expect("a row group");
        write_column::<Int64Type>(&mut group, &[1, 2, 3, 4], None);
        write_column::<DoubleType>(&mut group, &[0.5, 1.5, 2.5], Some(&[1, 0, 1, 1]));
        let words: Vec<ByteArray> = ["red", "blue", "red", "red"].into_iter().map(ByteArray::from).collect();
        write_column::<ByteArrayType>(&mut group, &words, None);
        group.close().expect("it can be written");
        writer.close().expect("it can be written");
        bytes
    }

    /// The messages about a file of these bytes.
    fn messages(path: &Path, bytes: &[u8]) -> Vec<String> {
        std::fs::write(path, bytes).expect("it can be written");
        let request = LoadRequest { path: path.to_owned(), ..LoadRequest::default() };
        match crate::build::schema_of(&request, &mut Sources::new()) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| format!("{fault:?}")).collect(),
        }
    }

    /// Each byte of a small file is changed in three ways, one at a time. A panic of a decoder would end this test; that the
    /// guard catches one is tested beside it.
    #[test]
    fn a_change_of_any_byte_is_no_panic() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("odd.parquet");
        for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
            let whole = small_table(compression);
            assert!(!messages(&path, &whole).iter().any(|text| text.contains("G141")), "the file is whole");
            for at in 0..whole.len() {
                for mask in [0x01, 0x80, 0xff] {
                    let mut bytes = whole.clone();
                    bytes[at] ^= mask;
                    let _ = messages(&path, &bytes);
                }
            }
        }
        // Where the file says how a column is compressed, 8 is the word of brotli.
        let (whole, mut n_named) = (small_table(Compression::UNCOMPRESSED), 0);
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] = 8;
            let texts = messages(&path, &bytes);
            n_named += usize::from(texts.iter().any(|text| text.contains("it is compressed by brotli")));
        }
        assert_eq!(n_named, 3, "one place for each column");
    }
}
