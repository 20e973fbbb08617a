//! Passes over words with the widest instructions that the processor has, found at run time.
//!
//! Each kernel is one plain loop, compiled for several sets of instructions; the portable one is the
//! twin that tests hold the others against.

/// Compiles a plain loop for wider instructions too, and calls the widest that the processor has.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident = $plain:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        $(#[$doc])*
        #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls into code for instructions that were found"))]
        pub(crate) fn $name($($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
                fn avx512($($argument: $type),*) -> $result {
                    $plain($($argument),*)
                }
                #[target_feature(enable = "avx2,popcnt")]
                fn avx2($($argument: $type),*) -> $result {
                    $plain($($argument),*)
                }
                if is_x86_feature_detected!("avx512vpopcntdq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                {
                    // SAFETY: the processor has the instructions, as was asked just now.
                    return unsafe { avx512($($argument),*) };
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
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
    #[must_use]
    count = count_plain(words: &[u64]) -> usize
}

dispatched! {
    /// Keeps in `words` what is also in `others`, which are as many; how many bits are left.
    intersect = intersect_plain(words: &mut [u64], others: &[u64]) -> usize
}

dispatched! {
    /// Writes to `out` what is in both `left` and `right`, which are as many; how many bits that are.
    intersect_into = intersect_into_plain(out: &mut [u64], left: &[u64], right: &[u64]) -> usize
}

dispatched! {
    /// How many bits are in both `left` and `right`, which are as many words.
    #[must_use]
    count_both = count_both_plain(left: &[u64], right: &[u64]) -> usize
}

dispatched! {
    /// Keeps in `words` what is not in `others`, which are as many.
    subtract = subtract_plain(words: &mut [u64], others: &[u64]) -> ()
}

dispatched! {
    /// Full adders: adds the bits of `left` and `right` to `sums`, and writes the carries to `carries`;
    /// whether there is any. All are as many words.
    add_two = add_two_plain(sums: &mut [u64], left: &[u64], right: &[u64], carries: &mut [u64]) -> bool
}

dispatched! {
    /// Half adders: adds the bits of `carries` to `sums`, as many words, and leaves the new carries in
    /// their place; whether there is any.
    add_one = add_one_plain(sums: &mut [u64], carries: &mut [u64]) -> bool
}

dispatched! {
    /// Adds `weight` to the sum of each position whose bit is set; `words` hold the positions' bits, 64
    /// to a word, and none beyond the sums.
    ///
    /// A word of many bits adds zero at the others, which leaves every sum as it is but -0, and that
    /// no sum is: sums begin at +0, and only -0 and -0 make -0.
    add_weight = add_weight_plain(sums: &mut [f64], words: &[u64], weight: f64) -> ()
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

/// Fewer bits than this in a word are visited one by one, as more cost a pass over the word's 64 sums.
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

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled for each set of instructions")]
fn at_least_plain(out: &mut [u64], sums: &[f64], threshold: f64) {
    for (word, sums) in out.iter_mut().zip(sums.chunks(64)) {
        *word =
            sums.iter().enumerate().fold(0, |word, (bit, &sum)| word | u64::from(sum >= threshold) << bit);
    }
}

#[cfg(test)]
mod tests;
