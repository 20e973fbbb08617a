//! Passes over words with the widest instructions that the processor has, found at run time.
//!
//! Each kernel is one plain loop, compiled for several sets of instructions; the portable one is the
//! twin that tests hold the others against.

/// Compiles a plain loop for wider instructions too, and calls the widest that the processor has.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident = $plain:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?) => {
        $(#[$doc])*
        #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls into code for instructions that were found"))]
        pub(super) fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2")]
                fn avx512($($argument: $type),*) $(-> $result)? {
                    $plain($($argument),*)
                }
                #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    $plain($($argument),*)
                }
                if is_x86_feature_detected!("avx512vpopcntdq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("bmi2")
                {
                    // SAFETY: the processor has the instructions, as was asked just now.
                    return unsafe { avx512($($argument),*) };
                }
                if is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi2")
                {
                    // SAFETY: the processor has the instructions, as was asked just now.
                    return unsafe { avx2($($argument),*) };
                }
            }
            $plain($($argument),*)
        }
    };
}

dispatched! {
    /// How many bits are set.
    count = count_plain(words: &[u64]) -> usize
}

dispatched! {
    /// Keeps in `words` what is also in `others`, which are as many; how many bits are left.
    intersect = intersect_plain(words: &mut [u64], others: &[u64]) -> usize
}

dispatched! {
    /// How many bits are set in both; they are as many words.
    count_common = count_common_plain(words: &[u64], others: &[u64]) -> usize
}

dispatched! {
    /// How many bits are set both in `words` and in blocks of eight of them, each with the number of its
    /// first word; of a block that reaches beyond `words`, what is within.
    count_common_blocks = count_common_blocks_plain(words: &[u64], blocks: &[(u32, [u64; 8])]) -> usize
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn count_common_plain(words: &[u64], others: &[u64]) -> usize {
    words.iter().zip(others).map(|(word, other)| (word & other).count_ones() as usize).sum()
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn count_common_blocks_plain(words: &[u64], blocks: &[(u32, [u64; 8])]) -> usize {
    let mut counts = [0; 8];
    let mut rest = 0;
    for (start, block) in blocks {
        let words = &words[*start as usize..];
        if let Some(words) = words.first_chunk::<8>() {
            for ((count, word), other) in counts.iter_mut().zip(words).zip(block) {
                *count += u64::from((word & other).count_ones());
            }
        } else {
            rest += count_common_plain(words, block);
        }
    }
    usize::try_from(counts.iter().sum::<u64>()).expect("no more than the bits in memory") + rest
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn count_plain(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn intersect_plain(words: &mut [u64], others: &[u64]) -> usize {
    words
        .iter_mut()
        .zip(others)
        .map(|(word, other)| {
            *word &= other;
            word.count_ones() as usize
        })
        .sum()
}

dispatched! {
    /// Keeps of each word of `places` the bits `i` for which bit `base + offsets[i]` is set in
    /// `words`, which begin with bit `first_word * 64`; a base of 2^31 or more keeps the word as it is.
    gather = gather_plain(
        places: &mut [u64],
        bases: &[u32],
        offsets: &[[u8; 64]],
        first_word: usize,
        words: &[u64],
    )
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn gather_plain(places: &mut [u64], bases: &[u32], offsets: &[[u8; 64]], first_word: usize, words: &[u64]) {
    for ((place, &base), offsets) in places.iter_mut().zip(bases).zip(offsets) {
        if *place == 0 || base >> 31 == 1 {
            continue;
        }
        let word = (base as usize / 64).wrapping_sub(first_word);
        let low = words.get(word).copied().unwrap_or(0);
        let high = words.get(word.wrapping_add(1)).copied().unwrap_or(0);
        // Shifts by 64 are not defined: 63 - shift, then 1 more.
        let shift = base % 64;
        let window = low >> shift | high << (63 - shift) << 1;
        if window == 0 {
            *place = 0;
            continue;
        }
        let mut found = 0;
        for (bit, &offset) in offsets.iter().enumerate() {
            found |= (window >> (offset & 63) & 1) << bit;
        }
        *place &= found;
    }
}

/// Sets in `found`, which is as long as `keys`, those of the keys of which some row is set; `ends` has
/// the last row of each key, in their order.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls into code for instructions that were found")
)]
pub(super) fn keys_with_any(rows: &[u64], ends: &[u64], keys: &[u64], found: &mut [u64]) {
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
            // Adding ones below a segment's end carries into the end iff one of these rows is set;
            // the carry out of the word is that of a segment which goes on in the next.
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

#[cfg(test)]
mod tests {
    use super::{
        count, count_common, count_common_blocks, count_common_blocks_plain, count_common_plain, count_plain,
        intersect, intersect_plain,
    };
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn every_width_does_as_the_portable_one(pairs in vec(any::<(u64, u64)>(), 0..200)) {
            let (words, others): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            prop_assert_eq!(count(&words), count_plain(&words));
            let n_common = count_common_plain(&words, &others);
            prop_assert_eq!(count_common(&words, &others), n_common);
            let blocks: Vec<(u32, [u64; 8])> = others
                .chunks(8)
                .zip((0..).step_by(8))
                .map(|(words, start)| {
                    let mut block = [!0; 8];
                    block[..words.len()].copy_from_slice(words);
                    (start, block)
                })
                .collect();
            prop_assert_eq!(count_common_blocks(&words, &blocks), n_common);
            prop_assert_eq!(count_common_blocks_plain(&words, &blocks), n_common);
            let (mut wide, mut plain) = (words.clone(), words);
            prop_assert_eq!(intersect(&mut wide, &others), intersect_plain(&mut plain, &others));
            prop_assert_eq!(wide, plain);
        }
    }
}
