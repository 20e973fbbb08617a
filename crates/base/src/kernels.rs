//! Passes over words with the widest instructions that the processor has, found at run time.
//!
//! Each kernel is one plain loop, compiled for several sets of instructions; the portable one is the
//! twin that tests hold the others against.
//!
//! From rows in segments to the keys of the segments, by processors that gather and scatter bits.

/// Compiles a plain loop for wider instructions too, and calls the widest that the processor has.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident = $plain:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty) => {
        $(#[$doc])*
        #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls into code for instructions that were found"))]
        pub fn $name($($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2")]
                fn avx512($($argument: $type),*) -> $result {
                    $plain($($argument),*)
                }
                #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
                fn avx2($($argument: $type),*) -> $result {
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
    /// Keeps in `words` the bits that are also in `others`, which has as many words. Returns how many bits are left.
    intersect = intersect_plain(words: &mut [u64], others: &[u64]) -> usize
}

dispatched! {
    /// Writes to `out` the bits that are in both `left` and `right`, which have equally many words. Returns how many
    /// bits these are.
    intersect_into = intersect_into_plain(out: &mut [u64], left: &[u64], right: &[u64]) -> usize
}

dispatched! {
    /// How many bits are in both `left` and `right`, which have equally many words.
    count_both = count_both_plain(left: &[u64], right: &[u64]) -> usize
}

dispatched! {
    /// How many bits are set both in `words` and in blocks of eight words, each given with the number of its first
    /// word. Words of a block beyond `words` count for nothing.
    count_common_blocks = count_common_blocks_plain(words: &[u64], blocks: &[(u32, [u64; 8])]) -> usize
}

dispatched! {
    /// Keeps in `words` the bits that are not in `others`, which has as many words.
    subtract = subtract_plain(words: &mut [u64], others: &[u64]) -> ()
}

dispatched! {
    /// Full adders: adds the bits of `left` and `right` to `sums`, and writes the carries to `carries`. Returns whether
    /// there is any carry. All have equally many words.
    add_two = add_two_plain(sums: &mut [u64], left: &[u64], right: &[u64], carries: &mut [u64]) -> bool
}

dispatched! {
    /// Half adders: adds the bits of `carries` to `sums`, which has as many words, and replaces `carries` by the new
    /// carries. Returns whether there is any carry.
    add_one = add_one_plain(sums: &mut [u64], carries: &mut [u64]) -> bool
}

dispatched! {
    /// Adds `weight` to the sum of each position whose bit is set; `words` hold the positions' bits, 64
    /// to a word, and none beyond the sums.
    ///
    /// A word of many bits adds zero at its other positions. That changes no sum except -0, and no sum is -0: sums
    /// begin at +0, and only -0 plus -0 makes -0.
    add_weight = add_weight_plain(sums: &mut [f64], words: &[u64], weight: f64) -> ()
}

dispatched! {
    /// Adds the weights of the positions whose bit is set in both `left` and `right` to `lanes`; the weight of a word's
    /// bit `i` goes to lane `i`. `left` and `right` have equally many words. `weights` has 64 weights for each word,
    /// none below 0.
    add_common_weights = add_common_weights_plain(
        lanes: &mut [f64; 64],
        weights: &[[f64; 64]],
        left: &[u64],
        right: &[u64],
    ) -> ()
}

dispatched! {
    /// As `add_common_weights`, for `words` and blocks of eight words, each given with the number of its first word.
    /// Words of a block beyond `words` count for nothing.
    add_common_block_weights = add_common_block_weights_plain(
        lanes: &mut [f64; 64],
        weights: &[[f64; 64]],
        words: &[u64],
        blocks: &[(u32, [u64; 8])],
    ) -> ()
}

dispatched! {
    /// Writes a bit for each sum, 64 to a word: whether it is at least `threshold`.
    at_least = at_least_plain(out: &mut [u64], sums: &[f64], threshold: f64) -> ()
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

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn intersect_into_plain(out: &mut [u64], left: &[u64], right: &[u64]) -> usize {
    out.iter_mut()
        .zip(left.iter().zip(right))
        .map(|(out, (left, right))| {
            *out = left & right;
            out.count_ones() as usize
        })
        .sum()
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn count_both_plain(left: &[u64], right: &[u64]) -> usize {
    left.iter().zip(right).map(|(left, right)| (left & right).count_ones() as usize).sum()
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
            rest += count_both_plain(words, block);
        }
    }
    usize::try_from(counts.iter().sum::<u64>()).expect("no more than the bits in memory") + rest
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn subtract_plain(words: &mut [u64], others: &[u64]) {
    for (word, other) in words.iter_mut().zip(others) {
        *word &= !other;
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn add_two_plain(sums: &mut [u64], left: &[u64], right: &[u64], carries: &mut [u64]) -> bool {
    let mut any = 0;
    for ((sum, carry), (left, right)) in sums.iter_mut().zip(carries).zip(left.iter().zip(right)) {
        let carried = (*sum & left) | (*sum & right) | (left & right);
        *sum ^= left ^ right;
        *carry = carried;
        any |= carried;
    }
    any != 0
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn add_one_plain(sums: &mut [u64], carries: &mut [u64]) -> bool {
    let mut any = 0;
    for (sum, carry) in sums.iter_mut().zip(carries) {
        let carried = *sum & *carry;
        *sum ^= *carry;
        *carry = carried;
        any |= carried;
    }
    any != 0
}

/// In a word with fewer set bits than this, the loop visits bits one by one; else it passes over the word's 64 sums.
/// By trial on the benchmark `votes/100-sets/281040-examples/weighted`: with masked additions (AVX-512)
/// 1, 2, 4, 8, 12 take 1.62, 1.76, 1.95, 2.42, 3.00 ms; narrower instructions favour the visits more.
const DENSE_BITS: u32 = 2;

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn add_weight_plain(sums: &mut [f64], words: &[u64], weight: f64) {
    let (whole, rest) = sums.as_chunks_mut::<64>();
    for (sums, &word) in whole.iter_mut().zip(words) {
        if word.count_ones() < DENSE_BITS {
            add_to_bits(sums, word, weight);
        } else {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += if word & (1 << bit) == 0 { 0.0 } else { weight };
            }
        }
    }
    if let Some(&word) = words.get(whole.len()) {
        add_to_bits(rest, word, weight);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn add_to_bits(sums: &mut [f64], mut word: u64, weight: f64) {
    while word != 0 {
        sums[word.trailing_zeros() as usize] += weight;
        word &= word - 1;
    }
}

/// In a word with fewer set bits than this, the loop visits bits one by one; else it passes over the word's 64 weights.
/// By trial on the benchmark `boosting`: at a tenth of all positions 6 and 12 take 46.4 and 40.9 us, at half 53.3 and 49.6.
const DENSE_WEIGHT_BITS: u32 = 12;

/// Positions that are not covered add zero, which leaves a lane unchanged. So a lane's sum is that of the covered
/// positions in ascending order, and has the same bits for dense and sparse words.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn add_common_weights_plain(lanes: &mut [f64; 64], weights: &[[f64; 64]], left: &[u64], right: &[u64]) {
    for (weights, (left, right)) in weights.iter().zip(left.iter().zip(right)) {
        let word = left & right;
        if word.count_ones() < DENSE_WEIGHT_BITS {
            let mut rest = word;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                lanes[bit] += weights[bit];
                rest &= rest - 1;
            }
        } else {
            for (bit, (lane, weight)) in lanes.iter_mut().zip(weights).enumerate() {
                *lane += if word & (1 << bit) == 0 { 0.0 } else { *weight };
            }
        }
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn add_common_block_weights_plain(
    lanes: &mut [f64; 64],
    weights: &[[f64; 64]],
    words: &[u64],
    blocks: &[(u32, [u64; 8])],
) {
    for (start, block) in blocks {
        let start = *start as usize;
        let end = words.len().min(start + block.len());
        add_common_weights_plain(lanes, &weights[start..end], &words[start..end], block);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn at_least_plain(out: &mut [u64], sums: &[f64], threshold: f64) {
    for (word, sums) in out.iter_mut().zip(sums.chunks(64)) {
        *word =
            sums.iter().enumerate().fold(0, |word, (bit, &sum)| word | u64::from(sum >= threshold) << bit);
    }
}

dispatched! {
    /// In each word of `places`, keeps the bits `i` for which bit `base + offsets[i]` is set in `words`. `words` begins
    /// with bit `first_word * 64`. A base of 2^31 or more leaves the word unchanged.
    gather = gather_plain(
        places: &mut [u64],
        bases: &[u32],
        offsets: &[[u8; 64]],
        first_word: usize,
        words: &[u64],
    ) -> ()
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #[test]
        fn every_width_does_as_the_portable_one(pairs in vec(any::<(u64, u64)>(), 0..200)) {
            let (words, others): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            prop_assert_eq!(count(&words), count_plain(&words));
            let n_both = count_both_plain(&words, &others);
            prop_assert_eq!(count_both(&words, &others), n_both);
            let blocks: Vec<(u32, [u64; 8])> = others
                .chunks(8)
                .zip((0..).step_by(8))
                .map(|(words, start)| {
                    let mut block = [!0; 8];
                    block[..words.len()].copy_from_slice(words);
                    (start, block)
                })
                .collect();
            prop_assert_eq!(count_common_blocks(&words, &blocks), n_both);
            prop_assert_eq!(count_common_blocks_plain(&words, &blocks), n_both);
            let (mut wide, mut plain) = (words.clone(), words.clone());
            prop_assert_eq!(intersect(&mut wide, &others), intersect_plain(&mut plain, &others));
            prop_assert_eq!(&wide, &plain);
            let (mut wide_out, mut plain_out) = (words.clone(), words.clone());
            prop_assert_eq!(
                intersect_into(&mut wide_out, &words, &others),
                intersect_into_plain(&mut plain_out, &words, &others)
            );
            prop_assert_eq!(wide_out, plain_out);
            let (mut wide, mut plain) = (words.clone(), words);
            subtract(&mut wide, &others);
            subtract_plain(&mut plain, &others);
            prop_assert_eq!(wide, plain);
        }

        #[test]
        fn adders_of_every_width_add_as_the_portable_ones(words in vec(any::<(u64, u64, u64)>(), 0..100)) {
            let sums: Vec<u64> = words.iter().map(|words| words.0).collect();
            let left: Vec<u64> = words.iter().map(|words| words.1).collect();
            let right: Vec<u64> = words.iter().map(|words| words.2).collect();
            let (mut wide, mut plain) = (sums.clone(), sums.clone());
            let (mut wide_carries, mut plain_carries) = (left.clone(), left.clone());
            prop_assert_eq!(
                add_two(&mut wide, &left, &right, &mut wide_carries),
                add_two_plain(&mut plain, &left, &right, &mut plain_carries)
            );
            prop_assert_eq!((&wide, &wide_carries), (&plain, &plain_carries));
            for (at, &(first, second, third)) in words.iter().enumerate() {
                // A full adder, bit by bit: sum + 2 * carry = first + second + third.
                for bit in 0..64 {
                    let of = |word: u64| word >> bit & 1;
                    prop_assert_eq!(of(wide[at]) + 2 * of(wide_carries[at]), of(first) + of(second) + of(third));
                }
            }
            let (mut wide, mut plain) = (sums.clone(), sums);
            let (mut wide_carries, mut plain_carries) = (left.clone(), left);
            prop_assert_eq!(add_one(&mut wide, &mut wide_carries), add_one_plain(&mut plain, &mut plain_carries));
            prop_assert_eq!((wide, wide_carries), (plain, plain_carries));
        }

        #[test]
        fn weights_are_added_as_one_by_one(
            words in vec((any::<u64>(), any::<u64>(), any::<u64>()), 1..5),
            n_missing in 0_usize..64,
            weight in -1e3_f64..1e3,
        ) {
            let len = words.len() * 64 - n_missing;
            // Words of many bits and, by the conjunction, of few.
            let mut words: Vec<u64> =
                words.iter().map(|&(word, thin, thinner)| if word & 1 == 0 { word } else { word & thin & thinner & thin.rotate_left(7) }).collect();
            *words.last_mut().expect("at least one word") &= !0 >> n_missing;
            let (mut sums, mut plain) = (vec![0.1; len], vec![0.1; len]);
            for _ in 0..3 {
                add_weight(&mut sums, &words, weight);
                for (position, sum) in plain.iter_mut().enumerate() {
                    if words[position / 64] >> (position % 64) & 1 == 1 {
                        *sum += weight;
                    }
                }
            }
            prop_assert_eq!(&sums, &plain);
            let mut covered = vec![0; words.len()];
            at_least(&mut covered, &sums, 0.1 + weight);
            for (position, &sum) in sums.iter().enumerate() {
                prop_assert_eq!(covered[position / 64] >> (position % 64) & 1 == 1, sum >= 0.1 + weight);
            }
        }
    }
}
