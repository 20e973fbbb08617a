//! From rows in segments to the keys of the segments, by processors that gather and scatter bits.

/// Sets in `found`, which is as long as `keys`, the keys that have a row set; `ends` has
/// the last row of each key, in their order.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls into code for instructions that were found")
)]
pub(crate) fn keys_with_any(rows: &[u64], ends: &[u64], keys: &[u64], found: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "bmi1,bmi2,popcnt")]
        fn with_bmi2(rows: &[u64], ends: &[u64], keys: &[u64], found: &mut [u64]) {
            use std::arch::x86_64::{_pdep_u64, _pext_u64};
            keys_with_any_by(
                rows,
                ends,
                keys,
                found,
                |word, mask| _pext_u64(word, mask),
                |word, mask| _pdep_u64(word, mask),
            );
        }
        if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instructions, as was asked just now.
            return unsafe { with_bmi2(rows, ends, keys, found) };
        }
    }
    keys_with_any_by(rows, ends, keys, found, extract, deposit);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn keys_with_any_by(
    rows: &[u64],
    ends: &[u64],
    keys: &[u64],
    found: &mut [u64],
    extract: impl Fn(u64, u64) -> u64,
    deposit: impl Fn(u64, u64) -> u64,
) {
    let mut words = rows.iter().zip(ends);
    // The bits of keys that were found and have no place yet, and how many.
    let (mut waiting, mut n_waiting) = (0_u128, 0);
    let mut carry = false;
    for (&keys, found) in keys.iter().zip(found) {
        let n_keys = keys.count_ones();
        while n_waiting < n_keys {
            let Some((&rows, &ends)) = words.next() else { break };
            // An addition of ones below a segment's end carries into the end iff one of these rows is set. The carry
            // out of the word belongs to a segment that goes on in the next word.
            let (sum, overflow) = (rows & !ends).overflowing_add(!ends);
            let (sum, overflow_of_carry) = sum.overflowing_add(u64::from(carry));
            carry = overflow | overflow_of_carry;
            waiting |= u128::from(extract(sum | rows, ends)) << n_waiting;
            n_waiting += ends.count_ones();
        }
        #[expect(clippy::cast_possible_truncation, reason = "the rest waits on")]
        let next = waiting as u64;
        *found = deposit(next, keys);
        waiting >>= n_keys;
        n_waiting -= n_keys.min(n_waiting);
    }
}

/// The bits of a word that a mask selects, moved to the low end.
fn extract(word: u64, mut mask: u64) -> u64 {
    let (mut extracted, mut place) = (0, 0);
    while mask != 0 {
        extracted |= (word >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    extracted
}

/// The low bits of a word, moved to where a mask has bits.
fn deposit(mut word: u64, mut mask: u64) -> u64 {
    let mut deposited = 0;
    while mask != 0 && word != 0 {
        deposited |= (word & 1) << mask.trailing_zeros();
        word >>= 1;
        mask &= mask - 1;
    }
    deposited
}
