//! The names of rows without a key, as they are written.
//!
//! Such a row is known by its number, which is no constant of the data. In a file it gets a name that no constant has, and
//! names ascend as the rows do: so the examples are read back in the same order.

use std::ops::Range;

use gleaner_base::ConstantId;

use crate::provisional::Provisional;

/// The names of rows, `row001` and so on.
#[derive(Debug)]
pub(super) struct RowTexts {
    /// The constants that name rows, a range for each table.
    ranges: Vec<Range<u32>>,
    /// What stands before the number.
    stem: String,
    n_digits: usize,
}

impl RowTexts {
    /// Cost: a look at all constants, if rows have names at all.
    pub(super) fn of(symbols: &Provisional) -> Self {
        let ranges = symbols.all_row_names().to_vec();
        let n_rows: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let mut stem = "row".to_owned();
        let is_taken = |stem: &str| {
            let mut texts =
                (0..symbols.constants().len()).map(|id| symbols.constant_text(ConstantId::new(id)));
            texts.any(|text| {
                text.strip_prefix(stem).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            })
        };
        while n_rows > 0 && is_taken(&stem) {
            stem.push('_');
        }
        Self { ranges, stem, n_digits: n_rows.to_string().len() }
    }

    /// The constants that name rows, in their order.
    pub(super) fn ids(&self) -> impl Iterator<Item = ConstantId> + '_ {
        self.ranges.iter().flat_map(Clone::clone).map(ConstantId::from_raw)
    }

    /// Whether a constant names a row.
    pub(super) fn is_row(&self, id: ConstantId) -> bool {
        self.ranges.iter().any(|range| range.contains(&id.raw()))
    }

    /// The name of a row, if the constant is one.
    pub(super) fn text(&self, id: ConstantId) -> Option<String> {
        let mut n_before = 0;
        for range in &self.ranges {
            if range.contains(&id.raw()) {
                let number = n_before + (id.raw() - range.start) + 1;
                return Some(format!("{}{number:0width$}", self.stem, width = self.n_digits));
            }
            n_before += range.end - range.start;
        }
        None
    }
}
