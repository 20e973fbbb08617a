//! Cells that hold something else than the other cells of their column, as a text among numbers or among dates.

use gleaner_base::FixedMap;

use super::faults::lints::Column;
use crate::database::faults::lints::OddCells;
use crate::provisional::Provisional;
use crate::tables::store::{LONG, MISSING, StoredColumn, label_text};

impl OddCells {
    /// Those that are not right; none if all are.
    ///
    /// **Cost**: a pass over the rows, and `is_right` once for each distinct value.
    pub(super) fn of(at: Column<'_>, symbols: &Provisional, is_right: impl Fn(u32) -> bool) -> Option<Self> {
        let mut known: FixedMap<u32, bool> = FixedMap::default();
        let mut is_odd = |cell: u32| !*known.entry(cell).or_insert_with(|| is_right(cell));
        let cells = &at.column.cells;
        let odd = (0..cells.len()).filter(|&row| is_odd(cells[row]));
        let (mut n, mut first) = (0, None);
        for row in odd {
            n += 1;
            let number = at.table.number(row);
            if first.is_none_or(|(known, _)| number < known) {
                first = Some((number, cells[row]));
            }
        }
        let (row, cell) = first?;
        let text = if cell == LONG { "a long text".to_owned() } else { label_text(cell, symbols) };
        Some(Self { n, text, row })
    }
}

/// Makes the cells of a column missing that are not to be kept.
///
/// **Cost**: as of [`OddCells::of`].
pub(super) fn keep_only(column: &mut StoredColumn, is_kept: impl Fn(u32) -> bool) {
    let mut known: FixedMap<u32, bool> = FixedMap::default();
    for cell in &mut column.cells {
        if !*known.entry(*cell).or_insert_with_key(|&cell| is_kept(cell)) {
            *cell = MISSING;
        }
    }
}
