//! One column of a file: a batch of its values at a time.

use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};

use super::meaning::{Meaning, julian_nanoseconds, short_float};
use crate::rows::CellValue;
use crate::texts::calendar::NANOSECONDS_OF_DAY;

/// Values of one physical type; cells without a value have none.
#[derive(Debug)]
enum Values {
    Boolean(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Int96(Vec<Int96>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

/// The cells of a column in some rows.
#[derive(Debug)]
pub(super) struct Batch {
    values: Values,
    /// For each row the position of its value; empty if each row has one.
    positions: Vec<Option<u32>>,
}

/// Reads `n_rows` cells. A column that `is_optional` may lack values.
///
/// # Errors
///
/// The file is broken, or the column has fewer rows.
pub(super) fn read_batch(reader: &mut ColumnReader, n_rows: usize, is_optional: bool) -> Result<Batch> {
    let mut levels: Vec<i16> = Vec::new();
    let of_levels = is_optional.then_some(&mut levels);
    macro_rules! read {
        ($($reader:ident => $values:ident),*) => {
            match reader {
                $(ColumnReader::$reader(reader) => {
                    let mut values = Vec::new();
                    let (n_read, ..) = reader.read_records(n_rows, of_levels, None, &mut values)?;
                    (n_read, values.len(), Values::$values(values))
                })*
            }
        };
    }
    let (n_read, n_values, values) = read!(
        BoolColumnReader => Boolean, Int32ColumnReader => Int32, Int64ColumnReader => Int64,
        Int96ColumnReader => Int96, FloatColumnReader => Float, DoubleColumnReader => Double,
        ByteArrayColumnReader => Bytes, FixedLenByteArrayColumnReader => Fixed
    );
    let mut next = 0;
    let mut position = |level: i16| {
        (level > 0).then(|| {
            next += 1;
            next - 1
        })
    };
    let positions: Vec<Option<u32>> = levels.into_iter().map(&mut position).collect();
    let n_expected = if is_optional { next as usize } else { n_rows };
    if n_read != n_rows || n_values != n_expected || is_optional && positions.len() != n_rows {
        return Err(ParquetError::General(format!("a column has {n_read} rows where {n_rows} are said")));
    }
    Ok(Batch { values, positions })
}

impl Batch {
    /// The cell of a row of the batch.
    pub(super) fn cell(&self, row: usize, meaning: Meaning) -> CellValue<'_> {
        let at = match self.positions.get(row) {
            Some(Some(at)) => *at as usize,
            Some(None) => return CellValue::Missing,
            None => row,
        };
        let cell = match &self.values {
            Values::Boolean(values) => values.get(at).map(|&value| CellValue::Bool(value)),
            Values::Int32(values) => values.get(at).map(|&value| meaning.of_integer(i64::from(value), true)),
            Values::Int64(values) => values.get(at).map(|&value| meaning.of_integer(value, false)),
            Values::Int96(values) => values.get(at).map(|value| meaning.of_julian_day(value)),
            Values::Float(values) => values.get(at).map(|&value| short_float(value)),
            Values::Double(values) => values.get(at).map(|&value| CellValue::Float(value)),
            Values::Bytes(values) => values.get(at).map(|value| meaning.of_bytes(value.data())),
            Values::Fixed(values) => values.get(at).map(|value| meaning.of_bytes(value.data())),
        };
        cell.unwrap_or(CellValue::Missing)
    }

    /// Whether all values are times at midnight, in parts of so many nanoseconds; none without a value.
    pub(super) fn is_at_midnight(&self, nanoseconds: i64) -> Option<bool> {
        let is_midnight = |at: i128| at % NANOSECONDS_OF_DAY == 0;
        match &self.values {
            Values::Int64(values) if !values.is_empty() => {
                let unit = i128::from(nanoseconds);
                Some(values.iter().all(|&value| is_midnight(i128::from(value) * unit)))
            }
            Values::Int96(values) if !values.is_empty() => {
                Some(values.iter().all(|value| is_midnight(julian_nanoseconds(value))))
            }
            _ => None,
        }
    }

    /// Whether all values are texts.
    pub(super) fn is_text(&self) -> bool {
        let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        match &self.values {
            Values::Bytes(values) => values.iter().all(|value| is_text(value.data())),
            Values::Fixed(values) => values.iter().all(|value| is_text(value.data())),
            _ => false,
        }
    }
}
