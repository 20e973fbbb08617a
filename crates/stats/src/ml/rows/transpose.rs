//! Transposition of 64 x 64 bits.

/// Bit `i` of word `j` becomes bit `j` of word `i`.
pub(super) fn transpose(words: &mut [u64; 64]) {
    // Blocks of half the size are exchanged across the diagonal of each block of the size before.
    swap::<32>(words, 0x0000_0000_FFFF_FFFF);
    swap::<16>(words, 0x0000_FFFF_0000_FFFF);
    swap::<8>(words, 0x00FF_00FF_00FF_00FF);
    swap::<4>(words, 0x0F0F_0F0F_0F0F_0F0F);
    swap::<2>(words, 0x3333_3333_3333_3333);
    swap::<1>(words, 0x5555_5555_5555_5555);
}

/// Exchanges the high bits of the first `SIZE` of each `2 * SIZE` words with the low bits of the others;
/// `low` has the low bits of each `2 * SIZE`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the loops unroll once the size is known")]
fn swap<const SIZE: usize>(words: &mut [u64; 64], low: u64) {
    for pair in words.chunks_exact_mut(2 * SIZE) {
        let (first, second) = pair.split_at_mut(SIZE);
        for (first, second) in first.iter_mut().zip(second) {
            let differing = (*first >> SIZE ^ *second) & low;
            *first ^= differing << SIZE;
            *second ^= differing;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn every_bit_crosses_the_diagonal(words in proptest::collection::vec(any::<u64>(), 64)) {
            let mut transposed: [u64; 64] = words.clone().try_into().expect("64 words");
            transpose(&mut transposed);
            for (row, &word) in words.iter().enumerate() {
                for (column, &other) in transposed.iter().enumerate() {
                    prop_assert_eq!(word >> column & 1, other >> row & 1);
                }
            }
        }
    }
}
