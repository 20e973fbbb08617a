use proptest::prelude::{any, prop, proptest};

use super::VoteCounter;
use crate::base::ExampleSet;

proptest! {
    #[test]
    fn counts_agree_with_plain_addition(
        len in 1_usize..200,
        sets in prop::collection::vec(prop::collection::vec(any::<bool>(), 200), 0..20),
    ) {
        let sets: Vec<ExampleSet> = sets
            .iter()
            .map(|bits| ExampleSet::from_positions(len, (0..len).filter(|&position| bits[position])))
            .collect();
        let counter = VoteCounter::of(len, &sets);
        let plain: Vec<usize> =
            (0..len).map(|position| sets.iter().filter(|set| set.contains(position)).count()).collect();
        for (position, &votes) in plain.iter().enumerate() {
            assert_eq!(counter.votes(position), votes);
        }
        for threshold in 0..=sets.len() + 1 {
            let expected = ExampleSet::from_positions(len, (0..len).filter(|&position| plain[position] >= threshold));
            assert_eq!(counter.at_least(threshold), expected);
        }
    }
}
