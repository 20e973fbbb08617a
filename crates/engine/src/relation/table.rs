//! Sorted columns with an index each: the base of a relation, without the tables that are made on demand.
//!
//! The columns are made of rows in the order in which they were read, without repeats. An index leads from a constant
//! to the rows that hold it in one column ([`RowsWith`]).

use std::sync::{Arc, OnceLock};

use gleaner_base::ConstantId;
use gleaner_lang::program::Rows;

/// The distinct rows of a relation, ascending, by column.
#[derive(Debug, Default)]
pub(super) struct Table {
    n_rows: u32,
    /// Tables of functions of the same keys share the columns of keys and their indices.
    columns: Vec<Arc<[ConstantId]>>,
    /// Made when they are first asked for.
    indices: Vec<Arc<OnceLock<ColumnIndex>>>,
}

impl Table {
    pub(super) fn renumbered(rows: &Rows, renumber: impl Fn(ConstantId) -> ConstantId) -> Self {
        let columns: Vec<Arc<[ConstantId]>> =
            sorted_columns(rows, renumber).into_iter().map(Arc::from).collect();
        let indices = columns.iter().map(|_| Arc::default()).collect();
        let n_rows = columns.first().map_or(rows.len().min(1), |column| column.len());
        let n_rows = u32::try_from(n_rows).expect("relations hold fewer than 2^32 rows");
        Self { n_rows, columns, indices }
    }

    /// The table of a function of these keys; `value` is that of the key at a position.
    pub(super) fn function(keys: &Keys, value: impl Fn(usize) -> ConstantId) -> Self {
        let values = keys.positions().map(value).collect();
        let n_rows = u32::try_from(keys.n_rows).expect("relations hold fewer than 2^32 rows");
        let columns = keys.columns.iter().cloned().chain([values]).collect();
        let indices = keys.indices.iter().cloned().chain([Arc::default()]).collect();
        Self { n_rows, columns, indices }
    }

    pub(super) const fn n_rows(&self) -> u32 {
        self.n_rows
    }

    pub(super) const fn arity(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn column(&self, column: usize) -> &[ConstantId] {
        &self.columns[column]
    }

    pub(super) fn value(&self, row: usize, column: usize) -> ConstantId {
        self.columns[column][row]
    }

    pub(super) fn index(&self, column: usize) -> &ColumnIndex {
        self.indices[column].get_or_init(|| ColumnIndex::new(&self.columns[column]))
    }

    pub(super) fn rows_with(&self, column: usize, value: ConstantId) -> RowsWith<'_> {
        self.index(column).rows_with(value)
    }

    /// The rows in the order of a column; rows of equal value ascend.
    pub(super) fn rows_by(&self, key: usize) -> impl Iterator<Item = usize> + '_ {
        let rows = self.index(key).rows();
        (0..self.n_rows as usize).map(move |position| rows.map_or(position, |rows| rows[position] as usize))
    }
}

/// The distinct keys of functions, ascending: rows of one column or more.
#[derive(Debug)]
pub(super) struct Keys {
    n_rows: usize,
    columns: Vec<Arc<[ConstantId]>>,
    indices: Vec<Arc<OnceLock<ColumnIndex>>>,
    /// For each key its position as given; none where they were given in this order.
    order: Option<Box<[u32]>>,
}

impl Keys {
    /// The keys in these columns under new ids; none if two are the same. Cost: as of `Rows::order`.
    pub(super) fn renumbered(
        keys: &[Arc<[ConstantId]>],
        renumber: impl Fn(ConstantId) -> ConstantId,
    ) -> Option<Self> {
        let n_rows = keys.first()?.len();
        let mut rows = Rows::with_capacity(keys.len(), n_rows);
        let mut row = Vec::new();
        for at in 0..n_rows {
            row.clear();
            row.extend(keys.iter().map(|column| renumber(column[at])));
            rows.push(&row);
        }
        let order = rows.order();
        let at = |place: u32| rows.row(place as usize);
        if !order.is_sorted_by(|&one, &next| at(one) < at(next)) {
            return None;
        }
        let column = |column: usize| order.iter().map(|&place| at(place)[column]).collect();
        let columns = (0..keys.len()).map(column).collect();
        let indices = keys.iter().map(|_| Arc::default()).collect();
        let is_in_order = order.is_sorted();
        Some(Self { n_rows, columns, indices, order: (!is_in_order).then(|| order.into()) })
    }

    fn positions(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let order = self.order.as_deref();
        (0..self.n_rows).map(move |place| order.map_or(place, |order| order[place] as usize))
    }
}

/// A table by id may have this many slots for each row.
const SLOTS_PER_ROW: usize = 4;

/// The distinct rows under new ids, ascending, as columns.
///
/// Most facts have one or two arguments, and are sorted by counting. For one argument there is a set of bits. For two
/// there is a bucket for each first argument, and its few second arguments are sorted.
///
/// **Cost**: `O(arity * n)` where the ids of a column are dense, which they are for things of one kind.
fn sorted_columns(rows: &Rows, renumber: impl Fn(ConstantId) -> ConstantId) -> Vec<Box<[ConstantId]>> {
    if matches!(rows.arity(), 1 | 2) && !rows.is_empty() {
        let first: Vec<ConstantId> = rows.column(0).map(&renumber).collect();
        let lowest = first.iter().min().map_or(0, |id| id.raw());
        let highest = first.iter().max().map_or(0, |id| id.raw());
        let n_slots = (highest - lowest) as usize + 1;
        if n_slots <= SLOTS_PER_ROW * rows.len().max(16) {
            return if rows.arity() == 1 {
                vec![distinct(&first, lowest, n_slots)]
            } else {
                pairs(&first, rows.column(1).map(renumber), lowest, n_slots).into()
            };
        }
    }
    let rows = rows.map_constants(renumber);
    let mut order = rows.order();
    order.dedup_by(|later, earlier| rows.row(*later as usize) == rows.row(*earlier as usize));
    (0..rows.arity())
        .map(|column| order.iter().map(|&position| rows.row(position as usize)[column]).collect())
        .collect()
}

fn distinct(values: &[ConstantId], lowest: u32, n_slots: usize) -> Box<[ConstantId]> {
    let mut bits = vec![0_u64; n_slots.div_ceil(64)];
    for value in values {
        let slot = value.raw() - lowest;
        bits[slot as usize / 64] |= 1 << (slot % 64);
    }
    let n_values: u32 = bits.iter().map(|word| word.count_ones()).sum();
    let mut sorted = Vec::with_capacity(n_values as usize);
    for (first, mut word) in (lowest..).step_by(64).zip(bits) {
        while word != 0 {
            sorted.push(ConstantId::from_raw(first + word.trailing_zeros()));
            word &= word - 1;
        }
    }
    sorted.into()
}

fn pairs(
    first: &[ConstantId],
    second: impl Iterator<Item = ConstantId>,
    lowest: u32,
    n_slots: usize,
) -> [Box<[ConstantId]>; 2] {
    let mut ends = vec![0_u32; n_slots];
    for value in first {
        ends[(value.raw() - lowest) as usize] += 1;
    }
    let mut at = 0;
    for end in &mut ends {
        (*end, at) = (at, at + *end);
    }
    let mut seconds = vec![ConstantId::default(); first.len()];
    for (value, other) in first.iter().zip(second) {
        let end = &mut ends[(value.raw() - lowest) as usize];
        seconds[*end as usize] = other;
        *end += 1;
    }
    let mut firsts = Vec::with_capacity(first.len());
    let mut start = 0;
    for (id, end) in (lowest..).zip(ends) {
        let bucket = start..end as usize;
        start = end as usize;
        if !seconds[bucket.clone()].is_sorted() {
            seconds[bucket.clone()].sort_unstable();
        }
        let n_before = firsts.len();
        for from in bucket {
            let value = seconds[from];
            if firsts.len() == n_before || seconds[firsts.len() - 1] != value {
                seconds[firsts.len()] = value;
                firsts.push(ConstantId::from_raw(id));
            }
        }
    }
    seconds.truncate(firsts.len());
    [firsts.into(), seconds.into()]
}

/// An index over one column.
#[derive(Debug)]
pub(super) struct ColumnIndex {
    keys: Slots,
    /// Where each key's rows start; one entry more than keys.
    offsets: Box<[u32]>,
    /// Rows by key, then ascending; `None` when the column itself is sorted.
    rows: Option<Box<[u32]>>,
    n_distinct: usize,
}

/// How a constant finds its slot.
#[derive(Debug)]
enum Slots {
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
        Self { keys: Slots::Dense { first }, offsets: offsets.into(), rows, n_distinct }
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
        Self { keys: Slots::Sparse(keys.into()), offsets: offsets.into(), rows, n_distinct }
    }

    /// Rows by key, then ascending; `None` when the rows already have that order.
    pub(super) fn rows(&self) -> Option<&[u32]> {
        self.rows.as_deref()
    }

    /// The ids from the least key to the greatest, where they are dense.
    pub(super) fn dense_range(&self) -> Option<std::ops::Range<u32>> {
        let Slots::Dense { first } = self.keys else { return None };
        let n_slots = u32::try_from(self.offsets.len() - 1).expect("ids fit in 32 bits");
        Some(first..first + n_slots)
    }

    pub(super) const fn n_distinct(&self) -> usize {
        self.n_distinct
    }

    fn slot(&self, key: u32) -> Option<usize> {
        match &self.keys {
            Slots::Dense { first } => {
                let slot = key.checked_sub(*first)? as usize;
                (slot + 1 < self.offsets.len()).then_some(slot)
            }
            Slots::Sparse(keys) => keys.binary_search(&key).ok(),
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

/// Rows found through an index.
#[derive(Clone, Copy, Debug)]
pub enum RowsWith<'relation> {
    /// The rows `start..end`.
    Range(u32, u32),
    /// These rows, ascending.
    List(&'relation [u32]),
}

impl RowsWith<'_> {
    /// How many rows there are.
    pub const fn len(&self) -> usize {
        match self {
            Self::Range(start, end) => (*end - *start) as usize,
            Self::List(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position.
    pub const fn get(&self, position: usize) -> usize {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "a position is below the u32 row count")]
            Self::Range(start, _) => (*start + position as u32) as usize,
            Self::List(rows) => rows[position] as usize,
        }
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|position| self.get(position))
    }
}
