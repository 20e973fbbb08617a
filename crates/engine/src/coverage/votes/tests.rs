use proptest::prelude::{any, prop, proptest};
use rand::RngExt;

use super::{VoteCounter, at_least, weighted_votes};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Counts, ExampleSet};

fn set_of(len: usize, bits: &[bool]) -> ExampleSet {
    ExampleSet::from_positions(len, (0..len).filter(|&position| bits[position]))
}

/// The votes, counted for one position and one set after the other.
fn plain_votes(len: usize, sets: &[ExampleSet]) -> Vec<usize> {
    (0..len).map(|position| sets.iter().filter(|set| set.contains(position)).count()).collect()
}

fn assert_all_agree(len: usize, sets: &[ExampleSet], n_positive_words: usize) {
    let counter = VoteCounter::of(len, sets);
    let plain = plain_votes(len, sets);
    for (position, &votes) in plain.iter().enumerate() {
        assert_eq!(counter.votes(position), votes);
    }
    let (sizes, counts) = (counter.sizes(), counter.counts(n_positive_words));
    assert_eq!((sizes.len(), counts.len()), (sets.len(), sets.len()));
    for threshold in 0..=sets.len() + 1 {
        let covered: Vec<usize> = (0..len).filter(|&position| plain[position] >= threshold).collect();
        assert_eq!(counter.at_least(threshold), ExampleSet::from_positions(len, covered.iter().copied()));
        if (1..=sets.len()).contains(&threshold) {
            let true_positives = covered.iter().filter(|&&position| position < n_positive_words * 64).count();
            let false_positives = covered.len() - true_positives;
            assert_eq!(sizes[threshold - 1], covered.len());
            assert_eq!(counts[threshold - 1], Counts { true_positives, false_positives });
        }
    }
}

proptest! {
    #[test]
    fn counts_agree_with_plain_addition(
        len in 0_usize..200,
        sets in prop::collection::vec(prop::collection::vec(any::<bool>(), 200), 0..40),
        n_positive_words in 0_usize..5,
    ) {
        let sets: Vec<ExampleSet> = sets.iter().map(|bits| set_of(len, bits)).collect();
        assert_all_agree(len, &sets, n_positive_words);
    }

    #[test]
    fn sets_added_in_parts_count_as_together(
        sets in prop::collection::vec(prop::collection::vec(any::<bool>(), 130), 0..30),
        n_first in 0_usize..30,
    ) {
        let sets: Vec<ExampleSet> = sets.iter().map(|bits| set_of(130, bits)).collect();
        let together = VoteCounter::of(130, &sets);
        let (first, rest) = sets.split_at(n_first.min(sets.len()));
        let mut in_parts = VoteCounter::of(130, first);
        let (one_by_one, rest) = rest.split_at(rest.len() / 2);
        for set in one_by_one {
            in_parts.add(set);
        }
        in_parts.add_all(&rest.iter().collect::<Vec<_>>());
        assert_eq!((in_parts.n_sets(), in_parts.sizes()), (together.n_sets(), together.sizes()));
    }

    #[test]
    fn weighted_votes_agree_bit_by_bit_with_plain_sums(
        len in 0_usize..200,
        sets in prop::collection::vec((prop::collection::vec(any::<bool>(), 200), -1e3_f64..1e3), 0..20),
    ) {
        let (bits, weights): (Vec<Vec<bool>>, Vec<f64>) = sets.into_iter().unzip();
        let sets: Vec<ExampleSet> = bits.iter().map(|bits| set_of(len, bits)).collect();
        let sums = weighted_votes(len, &sets.iter().collect::<Vec<_>>(), &weights);
        let plain = plain_sums(len, &sets, &weights);
        assert_eq!(bits_of(&sums), bits_of(&plain));
        let covered = ExampleSet::from_positions(len, (0..len).filter(|&position| plain[position] >= 0.5));
        assert_eq!(at_least(&sums, 0.5), covered);
    }
}

/// The loop that the blocked sums must equal.
fn plain_sums(len: usize, sets: &[ExampleSet], weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    for (set, weight) in sets.iter().zip(weights) {
        for position in set.iter() {
            sums[position] += weight;
        }
    }
    sums
}

fn bits_of(sums: &[f64]) -> Vec<u64> {
    sums.iter().map(|sum| sum.to_bits()).collect()
}

/// Sets of every density, so that all of 137 planes' carries and empty parts occur, over several blocks
/// and a last word that is not full.
#[test]
fn many_sets_over_several_blocks_agree_with_plain_addition() {
    let len = 40_003;
    let mut rng = stream(1, Purpose::Generate, &[7]);
    let sets: Vec<ExampleSet> = (0..137)
        .map(|set| {
            let density = f64::from(set) / 140.0;
            ExampleSet::from_positions(len, (0..len).filter(|_| rng.random_bool(density)))
        })
        .collect();
    for n_positive_words in [0, 1, 300, 1_000_000] {
        assert_all_agree(len, &sets, n_positive_words);
    }
    let weights: Vec<f64> = (0..137).map(|set| 1.0 / f64::from(set + 3)).collect();
    let sums = weighted_votes(len, &sets.iter().collect::<Vec<_>>(), &weights);
    assert_eq!(bits_of(&sums), bits_of(&plain_sums(len, &sets, &weights)));
}

#[test]
fn sets_that_never_meet_fill_one_plane() {
    let sets: Vec<ExampleSet> = (0..100).map(|at| ExampleSet::from_positions(100, [at])).collect();
    let counter = VoteCounter::of(100, &sets);
    assert_eq!(counter.planes.len(), 1);
    let mut sizes = vec![0; 100];
    sizes[0] = 100;
    assert_eq!(counter.sizes(), sizes);
}

#[test]
fn nothing_to_count() {
    assert!(VoteCounter::new(0).sizes().is_empty());
    assert!(VoteCounter::new(100).counts(1).is_empty());
    let empty = ExampleSet::empty(0);
    assert_eq!(VoteCounter::of(0, [&empty, &empty, &empty]).sizes(), [0, 0, 0]);
    assert!(weighted_votes(0, &[&empty], &[1.0]).is_empty());
    assert!(weighted_votes(70, &[], &[]).iter().all(|sum| sum.to_bits() == 0));
}
