//! Tables of features for other learners: CSV, libsvm, and NumPy's archives, which are arrays of its format 1.0 in a ZIP
//! file. `scipy.sparse.load_npz` reads the matrix.

use std::fmt::Write as _;
use std::io::{self, Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::experiment::clauses::cover::{FeatureMatrix, FeatureRow};

use super::csv_tables::{records, table};

/// Rows between two writes.
const ROWS_AT_ONCE: usize = 1_024;

/// CSV: `example`, `label`, with samples `weight`, then a column for each clause.
#[derive(Debug)]
pub struct CsvRows<'m> {
    matrix: &'m FeatureMatrix,
    rows: Vec<Vec<u32>>,
    /// The next row; none before the header.
    next: Option<usize>,
}

impl<'m> CsvRows<'m> {
    /// The text of a table, some rows at a time.
    pub fn of(matrix: &'m FeatureMatrix) -> Self {
        Self { matrix, rows: matrix.rows(), next: None }
    }

    fn row(&self, row: usize) -> Vec<String> {
        let FeatureRow { example, label, weight } = &self.matrix.examples[row];
        let mut cells =
            vec![example.clone(), label.map_or_else(String::new, |label| u8::from(label).to_string())];
        cells.extend(self.matrix.is_weighted.then(|| weight.to_string()));
        let first = cells.len();
        cells.resize(first + self.matrix.clauses.len(), "0".to_owned());
        for &column in &self.rows[row] {
            "1".clone_into(&mut cells[first + column as usize]);
        }
        cells
    }
}

impl Iterator for CsvRows<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let Some(first) = self.next else {
            self.next = Some(0);
            let mut header = vec!["example", "label"];
            header.extend(self.matrix.is_weighted.then_some("weight"));
            header.extend(self.matrix.clauses.iter().map(String::as_str));
            return Some(table(&header, std::iter::empty()));
        };
        let last = self.matrix.examples.len().min(first + ROWS_AT_ONCE);
        self.next = Some(last);
        (first < last).then(|| records((first..last).map(|row| self.row(row))))
    }
}

/// libsvm: the label (1, -1, or 0 where there is none), then the numbers of the covering clauses, from 1, each with
/// `:1`. The clauses and each example stand in comments.
#[derive(Debug)]
pub struct LibsvmRows<'m> {
    matrix: &'m FeatureMatrix,
    rows: Vec<Vec<u32>>,
    next: Option<usize>,
}

impl<'m> LibsvmRows<'m> {
    /// The text of a table, some rows at a time.
    pub fn of(matrix: &'m FeatureMatrix) -> Self {
        Self { matrix, rows: matrix.rows(), next: None }
    }

    fn row(&self, row: usize, text: &mut String) {
        let FeatureRow { example, label, .. } = &self.matrix.examples[row];
        text.push_str(match label {
            Some(true) => "1",
            Some(false) => "-1",
            None => "0",
        });
        for column in &self.rows[row] {
            let _ = write!(text, " {}:1", column + 1);
        }
        let _ = writeln!(text, " # {example}");
    }
}

impl Iterator for LibsvmRows<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut text = String::new();
        let Some(first) = self.next else {
            self.next = Some(0);
            for (number, clause) in (1..).zip(&self.matrix.clauses) {
                let _ = writeln!(text, "# {number} {clause}");
            }
            return Some(text);
        };
        let last = self.matrix.examples.len().min(first + ROWS_AT_ONCE);
        self.next = Some(last);
        (first..last).for_each(|row| self.row(row, &mut text));
        (first < last).then_some(text)
    }
}

/// The table as bytes: `shape`, `indptr`, `indices`, `data` and `format` of a compressed sparse row matrix; `labels` (1, 0, or -1 where
/// there is none), `weights`, and the names `examples` and `clauses`.
///
/// # Errors
///
/// When the archive cannot be made.
pub fn npz(matrix: &FeatureMatrix) -> io::Result<Vec<u8>> {
    let rows = matrix.rows();
    let mut archive = Archive { zip: ZipWriter::new(Cursor::new(Vec::new())) };
    let n_values: usize = rows.iter().map(Vec::len).sum();
    let mut ends = vec![0_i64];
    for row in &rows {
        ends.push(ends.last().copied().unwrap_or(0) + whole(row.len()));
    }
    let shape = [rows.len(), matrix.clauses.len()].map(whole);
    archive.array("format", "|S3", None, b"csr")?;
    archive.array("shape", "<i8", Some(2), &le_bytes(&shape))?;
    archive.array("indptr", "<i8", Some(ends.len()), &le_bytes(&ends))?;
    let indices: Vec<i64> = rows.iter().flatten().map(|&column| i64::from(column)).collect();
    archive.array("indices", "<i8", Some(n_values), &le_bytes(&indices))?;
    archive.array("data", "|u1", Some(n_values), &vec![1; n_values])?;
    let label = |label: Option<bool>| label.map_or(u8::MAX, u8::from);
    let labels: Vec<u8> = matrix.examples.iter().map(|row| label(row.label)).collect();
    archive.array("labels", "|i1", Some(rows.len()), &labels)?;
    let weights: Vec<u8> = matrix.examples.iter().flat_map(|row| row.weight.to_le_bytes()).collect();
    archive.array("weights", "<f8", Some(rows.len()), &weights)?;
    archive.names("examples", &matrix.examples.iter().map(|row| row.example.as_str()).collect::<Vec<_>>())?;
    archive.names("clauses", &matrix.clauses.iter().map(String::as_str).collect::<Vec<_>>())?;
    Ok(archive.zip.finish()?.into_inner())
}

struct Archive {
    zip: ZipWriter<Cursor<Vec<u8>>>,
}

impl Archive {
    /// An array of one dimension, or a single value.
    fn array(&mut self, name: &str, kind: &str, len: Option<usize>, bytes: &[u8]) -> io::Result<()> {
        // The time of day would differ from run to run.
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
        self.zip.start_file(format!("{name}.npy"), options)?;
        self.zip.write_all(&header(kind, len))?;
        self.zip.write_all(bytes)
    }

    /// An array of texts, each four bytes a character, as long as the longest.
    fn names(&mut self, name: &str, names: &[&str]) -> io::Result<()> {
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(1);
        let padded = |name: &&str| {
            let codes = name.chars().map(u32::from);
            codes.chain(std::iter::repeat(0)).take(width).flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
        };
        let bytes: Vec<u8> = names.iter().flat_map(padded).collect();
        self.array(name, &format!("<U{width}"), Some(names.len()), &bytes)
    }
}

/// The header of an array, padded so that it and the bytes before it are a multiple of 64 bytes.
fn header(kind: &str, len: Option<usize>) -> Vec<u8> {
    let shape = len.map_or_else(|| "()".to_owned(), |len| format!("({len},)"));
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    const BEFORE: usize = 10;
    let n_spaces = 63 - (BEFORE + text.len()) % 64;
    text.push_str(&" ".repeat(n_spaces));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let len = u16::try_from(text.len()).unwrap_or(u16::MAX);
    bytes.extend(len.to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}

fn le_bytes(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn whole(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
