use std::cmp::Ordering;
use std::collections::BTreeMap;

use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

use super::{Constants, NO_DOMAIN};
use crate::program::Number;
use gleaner_base::interner::Interner;
use gleaner_base::{ConstantId, FixedMap};

fn constants() -> impl Strategy<Value = BTreeMap<String, u32>> {
    let text = "[ab\u{0}]{0,9}|abcdefgh[ab]{0,9}|é{0,9}|-?[0-9]{1,2}";
    let domain = prop::sample::select(vec![0, 1, 2, NO_DOMAIN]);
    prop::collection::btree_map(text, domain, 0..60)
}

fn number(text: &str) -> Option<Number> {
    text.parse().ok().map(Number::Integer)
}

/// The canonical order of names, by the documentation of `Constants`.
fn by_name(left: &str, right: &str) -> Ordering {
    match (number(left), number(right)) {
        (Some(one), Some(other)) => one.table_order(other).then_with(|| left.cmp(right)),
        (one, other) => one.is_none().cmp(&other.is_none()).then_with(|| left.cmp(right)),
    }
}

proptest! {
    #[test]
    fn constants_stand_by_domain_and_name(
        constants in constants(),
        order in prop::collection::vec(0..u32::MAX, 60),
    ) {
        let mut read: Vec<(&String, &u32)> = constants.iter().collect();
        // Any order of reading gives the same order at the end.
        let mut keys: Vec<(u32, usize)> = order.into_iter().zip(0..read.len()).collect();
        keys.sort_unstable();
        read = keys.into_iter().map(|(_, at)| read[at]).collect();
        let mut interner = Interner::default();
        let mut numbers = FixedMap::default();
        for (text, _) in &read {
            let id = interner.intern(text);
            numbers.extend(number(text).map(|number| (id, number)));
        }
        let domains: Vec<u32> = read.iter().map(|(_, domain)| **domain).collect();
        let (frozen, canonical) = Constants::freeze(&interner, &numbers, &domains);

        let mut sorted: Vec<&String> = constants.keys().collect();
        sorted.sort_by(|left, right| by_name(left, right));
        let first = |domain: u32| match domain {
            NO_DOMAIN => usize::MAX,
            domain => sorted.iter().position(|text| constants[*text] == domain).unwrap(),
        };
        let places: Vec<usize> = sorted.iter().map(|text| first(constants[*text])).collect();
        let mut expected: Vec<(usize, usize)> = places.into_iter().zip(0..sorted.len()).collect();
        expected.sort_unstable();
        let texts: Vec<&str> = (0..frozen.len()).map(|id| frozen.text(ConstantId::new(id))).collect();
        prop_assert_eq!(&texts, &expected.iter().map(|&(_, at)| sorted[at].as_str()).collect::<Vec<_>>());
        for (provisional, (text, _)) in read.iter().enumerate() {
            prop_assert_eq!(frozen.text(canonical[provisional]), text.as_str());
            prop_assert_eq!(frozen.number(canonical[provisional]), number(text));
        }
    }
}
