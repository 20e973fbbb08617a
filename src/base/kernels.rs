//! Passes over words with the widest instructions that the processor has, found at run time.
//!
//! Each kernel is one plain loop, compiled for several sets of instructions; the portable one is the
//! twin that tests hold the others against.

/// Compiles a plain loop for wider instructions too, and calls the widest that the processor has.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident = $plain:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        $(#[$doc])*
        #[must_use]
        #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls into code for instructions that were found"))]
        pub(super) fn $name($($argument: $type),*) -> $result {
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
    count = count_plain(words: &[u64]) -> usize
}

dispatched! {
    /// Keeps in `words` what is also in `others`, which are as many; how many bits are left.
    intersect = intersect_plain(words: &mut [u64], others: &[u64]) -> usize
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

#[cfg(test)]
mod tests {
    use super::{count, count_plain, intersect, intersect_plain};
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn every_width_does_as_the_portable_one(pairs in vec(any::<(u64, u64)>(), 0..200)) {
            let (words, others): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            prop_assert_eq!(count(&words), count_plain(&words));
            let (mut wide, mut plain) = (words.clone(), words);
            prop_assert_eq!(intersect(&mut wide, &others), intersect_plain(&mut plain, &others));
            prop_assert_eq!(wide, plain);
        }
    }
}
