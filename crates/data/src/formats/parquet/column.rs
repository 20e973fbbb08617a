//! One column of a file: a batch of its values at a time.
//!
//! Pages of a column, checked: the decoders of the crate stop the program at some that no writer writes.
//!
//! A guard around the decoders of the crate, which panic at some damaged bytes: the panic becomes an error of the file.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use crate::rows::CellValue;
use crate::texts::moment::NANOSECONDS_OF_DAY;

use super::meaning::{Meaning, julian_nanoseconds, short_float};

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

/// The pages of a part of a column.
pub(super) struct CheckedPages {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
}

impl CheckedPages {
    pub(super) fn new(pages: Box<dyn PageReader>) -> Self {
        Self { pages, has_dictionary: false }
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        #[expect(deprecated, reason = "old files have it")]
        let is_of_levels = |encoding: Encoding| matches!(encoding, Encoding::RLE | Encoding::BIT_PACKED);
        let is_dictionary =
            |encoding: Encoding| matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        let (encoding, are_levels_whole) = match page {
            Page::DictionaryPage { .. } => {
                self.has_dictionary = true;
                return Ok(());
            }
            Page::DataPage { encoding, def_level_encoding, .. } => {
                (*encoding, is_of_levels(*def_level_encoding))
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_nulls,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let n_bytes = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                (*encoding, n_bytes <= buf.len() as u64 && num_nulls <= num_values)
            }
        };
        if is_dictionary(encoding) && !self.has_dictionary {
            return Err(broken("a page refers to a dictionary that is not there"));
        }
        if are_levels_whole { Ok(()) } else { Err(broken("a page does not say which values are missing")) }
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

/// Whether a part of a column lies in the file.
///
/// # Errors
///
/// It does not.
pub(super) fn check_range(part: &ColumnChunkMetaData) -> Result<()> {
    let start = part.dictionary_page_offset().unwrap_or_else(|| part.data_page_offset());
    let lies_there = start >= 0 && part.data_page_offset() >= 0 && part.compressed_size() >= 0;
    if lies_there { Ok(()) } else { Err(broken("a column lies outside the file")) }
}

fn broken(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

thread_local! {
    /// Whether this thread is inside [`contained`], where a panic is not printed.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Reads a part of a file. Whoever calls must not read on after an error: a decoder may have stopped half-way.
///
/// # Errors
///
/// The file is broken; so is one at which a decoder panics.
pub(super) fn contained<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    // Without a hook the standard library prints each panic, caught or not. Other threads keep the hook of before.
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                before(panic);
            }
        }));
    });
    let outer = IS_CONTAINED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(read));
    IS_CONTAINED.set(outer);
    outcome.unwrap_or_else(|panic| {
        Err(ParquetError::General(format!("some of its bytes are damaged ({})", words(&*panic))))
    })
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the decoder gave up")
}

#[cfg(test)]
mod tests {
    use parquet::errors::{ParquetError, Result};

    use super::contained;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        let text = |read: Result<()>| read.err().map_or_else(String::new, |error| error.to_string());
        assert!(text(contained(|| panic!("range {} of {}", 4, 3))).contains("range 4 of 3"));
        assert!(text(contained(|| panic!("odd"))).contains("bytes are damaged (odd)"));
        assert!(text(contained(|| Err(ParquetError::General("cut".to_owned())))).contains("cut"));
        assert!(contained(|| Ok(())).is_ok());
    }
}
