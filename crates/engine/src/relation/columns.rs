//! The conversion of rows, in the order in which they were read, to sorted columns without repeats.

use gleaner_base::ConstantId;
use gleaner_lang::program::Rows;

/// A table by id may have this many slots for each row.
const SLOTS_PER_ROW: usize = 4;

/// The distinct rows under new ids, ascending, as columns.
///
/// Most facts have one or two arguments, and are sorted by counting. For one argument there is a set of bits. For two
/// there is a bucket for each first argument, and its few second arguments are sorted.
///
/// **Cost**: `O(arity * n)` where the ids of a column are dense, which they are for things of one kind.
pub(super) fn sorted_columns(
    rows: &Rows,
    renumber: impl Fn(ConstantId) -> ConstantId,
) -> Vec<Box<[ConstantId]>> {
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
