//! An index from a constant to the rows that hold it in one column.

use gleaner_base::ConstantId;

use super::rows_with::RowsWith;

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

/// The most slots per row of a dense table; a column that needs more finds keys by search. Ids of one kind of thing are
/// neighbours in canonical order, so most columns stay far below.
const DENSE_SLOTS_PER_ROW: usize = 4;

impl ColumnIndex {
    /// Cost: linear where keys are dense, else `O(n log n)`.
    pub(super) fn new(column: &[ConstantId]) -> Self {
        let (lowest, highest) = if column.is_sorted() {
            (column.first(), column.last())
        } else {
            (column.iter().min(), column.iter().max())
        };
        let (first, last) = (lowest.map_or(0, |id| id.raw()), highest.map_or(0, |id| id.raw()));
        let width = (last - first) as usize + 1;
        if width <= DENSE_SLOTS_PER_ROW * column.len().max(16) {
            Self::dense(column, first, width)
        } else {
            Self::sparse(column)
        }
    }

    fn dense(column: &[ConstantId], first: u32, n_slots: usize) -> Self {
        let slot = |id: ConstantId| (id.raw() - first) as usize;
        // The offsets hold first counts, then the start of each key's rows. While rows are placed, an offset is the
        // place of its key's next row; at the end that is the start of the next key's rows.
        let mut offsets = vec![0_u32; n_slots + 1];
        column.iter().for_each(|&id| offsets[slot(id)] += 1);
        let n_distinct = offsets.iter().filter(|&&count| count > 0).count();
        let mut at = 0;
        for offset in &mut offsets {
            (*offset, at) = (at, at + *offset);
        }
        let rows = (!column.is_sorted()).then(|| {
            let mut rows = vec![0_u32; column.len()].into_boxed_slice();
            for (row, &id) in (0..).zip(column) {
                let next = &mut offsets[slot(id)];
                rows[*next as usize] = row;
                *next += 1;
            }
            offsets.copy_within(0..n_slots, 1);
            offsets[0] = 0;
            rows
        });
        Self { keys: Keys::Dense { first }, offsets: offsets.into(), rows, n_distinct }
    }

    fn sparse(column: &[ConstantId]) -> Self {
        let n_rows = u32::try_from(column.len()).expect("relations hold fewer than 2^32 rows");
        let mut rows: Vec<u32> = (0..n_rows).collect();
        let is_sorted = column.is_sorted();
        if !is_sorted {
            rows.sort_by_key(|&row| column[row as usize]);
        }
        let (mut keys, mut offsets): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (position, &row) in (0..).zip(&rows) {
            let key = column[row as usize].raw();
            if keys.last() != Some(&key) {
                keys.push(key);
                offsets.push(position);
            }
        }
        offsets.push(n_rows);
        let n_distinct = keys.len();
        let rows = (!is_sorted).then(|| rows.into_boxed_slice());
        Self { keys: Keys::Sparse(keys.into()), offsets: offsets.into(), rows, n_distinct }
    }

    /// Rows by key, then ascending; `None` when the rows already have that order.
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
