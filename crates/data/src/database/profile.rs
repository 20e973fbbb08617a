//! What the values of a column are: how many, how many distinct, numbers, times or words.

use roaring::RoaringBitmap;

use gleaner_lang::program::Number;

use crate::provisional::Provisional;
use crate::tables::store::{LONG, MISSING, StoredColumn};
use crate::texts::number_texts::{NumberStyle, is_missing_word};
use crate::texts::period_texts::{Duration, is_other_date};
use crate::texts::{Time, unquoted};

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
    /// How many of the words are durations, or dates in another notation than ISO 8601.
    pub(crate) n_durations: u64,
    pub(crate) n_other_dates: u64,
    /// How many of the words stand for a missing value where the other values are numbers, and how many are numbers in a
    /// notation that is not read.
    pub(crate) n_missing_words: u64,
    pub(crate) n_other_numbers: u64,
    /// Whether one of the durations can be no time of day.
    has_sure_duration: bool,
    /// The least and the greatest number.
    pub(crate) range: Option<(f64, f64)>,
    /// The mean length of the distinct words, in bytes.
    pub(crate) mean_length: f64,
}

impl Profile {
    /// The figures of a column. Cost: one pass, and one over its distinct constants.
    #[expect(clippy::cast_precision_loss, reason = "a mean length")]
    pub(crate) fn of(column: &StoredColumn, seen: &mut Seen, symbols: &Provisional) -> Self {
        let distinct = seen.distinct(column);
        let mut profile = Self::default();
        for &cell in &column.cells {
            match cell {
                MISSING => profile.n_missing += 1,
                LONG => profile.n_long += 1,
                _ => profile.n_values += 1,
            }
        }
        let mut n_bytes = 0;
        for id in &distinct {
            if let Some(number) = symbols.numbers().get(id) {
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
                profile.count_written(text);
            }
        }
        profile.mean_length = n_bytes as f64 / profile.n_words.max(1) as f64;
        profile.distinct = distinct;
        profile
    }

    /// Counts a word that may be a duration, a date, a number in another notation, or no value.
    fn count_written(&mut self, text: &str) {
        let text = unquoted(text);
        if !text.contains(|first: char| first.is_ascii_digit()) {
            self.n_missing_words += u64::from(is_missing_word(text));
            return;
        }
        self.n_other_numbers += u64::from(NumberStyle::of(text).is_some());
        if let Some(duration) = Duration::read(text) {
            self.n_durations += 1;
            self.has_sure_duration |= duration.is_sure;
        } else if is_other_date(text) {
            self.n_other_dates += 1;
        }
    }

    /// Whether nearly all values are durations, and one of them can be no time of day.
    pub(crate) const fn is_duration(&self) -> bool {
        let n_others = self.n_whole + self.n_decimal + self.n_times + self.n_words - self.n_durations;
        self.has_sure_duration && self.n_long == 0 && 100 * n_others <= self.n_durations
    }

    /// How many distinct values are neither numbers nor words for a missing value.
    pub(crate) const fn n_odd(&self) -> u64 {
        self.n_times + self.n_words - self.n_missing_words + if self.n_long > 0 { 1 } else { 0 }
    }

    /// Whether nearly all distinct values are numbers, and not all are.
    ///
    /// Words for a missing value do not count. Of few numbers such a word may be one of the words of a category.
    pub(crate) const fn is_mostly_numeric(&self) -> bool {
        const FEWEST_NUMBERS: u64 = 3;
        let (n_numbers, n_odd) = (self.n_whole + self.n_decimal, self.n_odd());
        !self.is_numeric() && n_numbers >= FEWEST_NUMBERS && 20 * n_odd <= n_numbers + n_odd
    }

    /// The first and the last of the constants; none lie between them if there are none.
    pub(crate) fn bounds(&self) -> (u32, u32) {
        self.distinct.min().zip(self.distinct.max()).unwrap_or((u32::MAX, 0))
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

    /// Whether at least 95 % of the distinct values are dates or date-times, or all of five or more but one. The others
    /// count as missing: one that is written otherwise must not let clauses see what came after a cut-off.
    pub(crate) const fn is_time(&self) -> bool {
        let n_others = self.n_not_times();
        let are_few = 19 * n_others <= self.n_times || n_others == 1 && self.n_times >= 4;
        self.n_times > 0 && self.n_long == 0 && are_few
    }

    /// How many distinct values are no dates.
    pub(crate) const fn n_not_times(&self) -> u64 {
        self.n_words + self.n_whole + self.n_decimal
    }
}

/// Whether a cell holds a number, or nothing in a column of numbers.
pub(super) fn is_number_or_missing(cell: u32, symbols: &Provisional) -> bool {
    match cell {
        MISSING => true,
        LONG => false,
        _ => symbols.numbers().contains(cell) || is_missing_word(unquoted(symbols.constants().text(cell))),
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
        // Of few cells it is faster to sort them than to look through the bits of all constants.
        if column.cells.len() < self.0.len() / 16 {
            return column.values().collect();
        }
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
