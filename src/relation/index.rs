//! From a constant to the rows that hold it in one column.

use crate::base::ConstantId;

use super::RowsWith;

/// An index over one column.
#[derive(Debug)]
pub(super) struct ColumnIndex {
    keys: Keys,
    /// Where each key's rows start; one entry more than keys.
    offsets: Box<[u32]>,
    /// Rows by key, then ascending; `None` when the column itself is sorted.
    rows: Option<Box<[u32]>>,
    n_distinct: usize,
}

/// How a constant finds its slot.
#[derive(Debug)]
enum Keys {
    /// Slot = id - first.
    Dense { first: u32 },
    /// Slot by binary search.
    Sparse(Box<[u32]>),
}

/// A dense table may spend this many slots on each row; beyond it, keys are searched for. Ids of one
/// kind of thing are neighbours in canonical order, so most columns stay far below.
const DENSE_SLOTS_PER_ROW: usize = 4;

impl ColumnIndex {
    pub(super) fn new(column: &[ConstantId]) -> Self {
        let n_rows = u32::try_from(column.len()).expect("relations hold fewer than 2^32 rows");
        let is_sorted = column.is_sorted();
        let mut rows: Vec<u32> = (0..n_rows).collect();
        if !is_sorted {
            rows.sort_by_key(|&row| column[row as usize]);
        }
        let sorted_keys: Vec<u32> = rows.iter().map(|&row| column[row as usize].raw()).collect();
        let mut distinct = sorted_keys.clone();
        distinct.dedup();
        let (first, last) = (distinct.first().copied().unwrap_or(0), distinct.last().copied().unwrap_or(0));
        let width = (last - first) as usize + 1;
        let (keys, n_slots) = if width <= DENSE_SLOTS_PER_ROW * column.len().max(16) {
            (Keys::Dense { first }, width)
        } else {
            (Keys::Sparse(distinct.iter().copied().collect()), distinct.len())
        };
        let mut index = Self {
            keys,
            offsets: vec![0; n_slots + 1].into_boxed_slice(),
            rows: None,
            n_distinct: distinct.len(),
        };
        for &key in &sorted_keys {
            let slot = index.slot(key).expect("the key is in the column");
            index.offsets[slot + 1] += 1;
        }
        for slot in 0..n_slots {
            index.offsets[slot + 1] += index.offsets[slot];
        }
        index.rows = (!is_sorted).then(|| rows.into_boxed_slice());
        index
    }

    /// Rows by key, then ascending; `None` when that is their own order.
    pub(super) fn rows(&self) -> Option<&[u32]> {
        self.rows.as_deref()
    }

    /// The ids from the least key to the greatest, where they are dense.
    pub(super) fn dense_range(&self) -> Option<std::ops::Range<u32>> {
        let Keys::Dense { first } = self.keys else { return None };
        let n_slots = u32::try_from(self.offsets.len() - 1).expect("ids fit in 32 bits");
        Some(first..first + n_slots)
    }

    pub(super) const fn n_distinct(&self) -> usize {
        self.n_distinct
    }

    fn slot(&self, key: u32) -> Option<usize> {
        match &self.keys {
            Keys::Dense { first } => {
                let slot = key.checked_sub(*first)? as usize;
                (slot + 1 < self.offsets.len()).then_some(slot)
            }
            Keys::Sparse(keys) => keys.binary_search(&key).ok(),
        }
    }

    pub(super) fn rows_with(&self, value: ConstantId) -> RowsWith<'_> {
        let Some(slot) = self.slot(value.raw()) else { return RowsWith::Range(0, 0) };
        let (start, end) = (self.offsets[slot], self.offsets[slot + 1]);
        match &self.rows {
            None => RowsWith::Range(start, end),
            Some(rows) => RowsWith::List(&rows[start as usize..end as usize]),
        }
    }
}
