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

use super::ParquetRows;
use crate::request::LoadRequest;
use crate::rows::{CellValue, Rows};
use gleaner_lang::syntax::{FileId, Sources};

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
