//! What the values of a column are: how many, how many distinct, numbers, times or words.

use roaring::RoaringBitmap;

use gleaner_lang::program::Number;

use super::store::{LONG, MISSING, StoredColumn};
use crate::provisional::Provisional;
use crate::time::Time;

/// The figures of one column.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    /// The cells that hold a value.
    pub(crate) n_values: usize,
    pub(crate) n_missing: usize,
    /// The cells whose text is too long to be a name.
    pub(crate) n_long: usize,
    /// The distinct constants.
    pub(crate) distinct: RoaringBitmap,
    /// How many of the distinct constants are whole numbers, other numbers, dates or date-times, and words.
    pub(crate) n_whole: u64,
    pub(crate) n_decimal: u64,
    pub(crate) n_times: u64,
    pub(crate) n_words: u64,
    /// The least and the greatest number.
    pub(crate) range: Option<(f64, f64)>,
    /// The mean length of the distinct words, in bytes.
    pub(crate) mean_length: f64,
}

impl Profile {
    /// The figures of a column. Cost: one pass, and one over its distinct constants.
    #[expect(clippy::cast_precision_loss, reason = "a mean length")]
    pub(crate) fn of(column: &StoredColumn, seen: &mut Seen, symbols: &Provisional) -> Self {
        let mut profile = Self { distinct: seen.distinct(column), ..Self::default() };
        for &cell in &column.cells {
            match cell {
                MISSING => profile.n_missing += 1,
                LONG => profile.n_long += 1,
                _ => profile.n_values += 1,
            }
        }
        let mut n_bytes = 0;
        for id in &profile.distinct {
            if let Some(number) = symbols.numbers().get(&id) {
                match number {
                    Number::Integer(_) => profile.n_whole += 1,
                    Number::Float(_) => profile.n_decimal += 1,
                }
                let value = number.as_f64();
                let (least, greatest) = profile.range.unwrap_or((value, value));
                profile.range = Some((least.min(value), greatest.max(value)));
                continue;
            }
            let text = symbols.constants().text(id);
            if Time::read(text, None).is_some() {
                profile.n_times += 1;
            } else {
                profile.n_words += 1;
                n_bytes += text.len();
            }
        }
        profile.mean_length = n_bytes as f64 / profile.n_words.max(1) as f64;
        profile
    }

    pub(crate) fn n_distinct(&self) -> u64 {
        self.distinct.len()
    }

    /// Whether each row has a value of its own.
    pub(crate) fn is_unique(&self) -> bool {
        self.n_values > 0 && self.is_complete() && self.n_values as u64 == self.n_distinct()
    }

    /// Whether no cell lacks a value.
    pub(crate) const fn is_complete(&self) -> bool {
        self.n_missing == 0 && self.n_long == 0
    }

    /// Whether all values are numbers, and there is one.
    pub(crate) const fn is_numeric(&self) -> bool {
        self.n_times == 0 && self.n_words == 0 && self.n_long == 0 && self.n_whole + self.n_decimal > 0
    }

    /// Whether all values are whole numbers, and there is one.
    pub(crate) const fn is_whole(&self) -> bool {
        self.is_numeric() && self.n_decimal == 0
    }

    /// Whether all values are dates or date-times, and there is one.
    pub(crate) const fn is_time(&self) -> bool {
        self.n_times > 0 && self.n_words == 0 && self.n_long == 0 && self.n_whole + self.n_decimal == 0
    }
}

/// A bit for each constant: the memory in which distinct constants are found.
#[derive(Debug)]
pub(crate) struct Seen(Vec<u64>);

impl Seen {
    pub(crate) fn new(n_constants: usize) -> Self {
        Self(vec![0; n_constants.div_ceil(64)])
    }

    /// The distinct constants of a column.
    fn distinct(&mut self, column: &StoredColumn) -> RoaringBitmap {
        for cell in column.values() {
            self.0[cell as usize / 64] |= 1 << (cell % 64);
        }
        let mut found = RoaringBitmap::new();
        for (word, bits) in (0_u32..).zip(&mut self.0) {
            while *bits != 0 {
                // Ascending ids are appended in constant time.
                let _ = found.try_push(word * 64 + bits.trailing_zeros());
                *bits &= *bits - 1;
            }
        }
        found
    }
}
