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
