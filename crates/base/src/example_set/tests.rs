use super::ExampleSet;

#[test]
fn full_set_has_no_bits_beyond_its_universe() {
    for len in [0, 1, 63, 64, 65, 128, 200] {
        let full = ExampleSet::full(len);
        assert_eq!(full.count(), len);
        assert_eq!(full.iter().collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
        assert!(!full.contains(len));
    }
}

#[test]
fn operations_agree_with_sorted_vectors() {
    let evens: Vec<usize> = (0..150).filter(|n| n % 2 == 0).collect();
    let threes: Vec<usize> = (0..150).filter(|n| n % 3 == 0).collect();
    let mut both = ExampleSet::from_positions(150, evens.iter().copied());
    let mut either = both.clone();
    let other = ExampleSet::from_positions(150, threes.iter().copied());
    both.intersect_with(&other);
    either.union_with(&other);
    assert_eq!(both.iter().collect::<Vec<_>>(), (0..150).filter(|n| n % 6 == 0).collect::<Vec<_>>());
    assert_eq!(either.count(), (0..150).filter(|n| n % 2 == 0 || n % 3 == 0).count());
    assert_eq!(
        either.count_split(1),
        (either.iter().filter(|&n| n < 64).count(), either.iter().filter(|&n| n >= 64).count())
    );
}

#[test]
fn a_run_is_the_positions_one_by_one() {
    for start in [0, 1, 60, 63, 64, 65, 127] {
        for len in [0, 1, 3, 4, 63, 64, 65, 128, 129] {
            let mut run = ExampleSet::from_positions(300, [5, 299]);
            let by_one = ExampleSet::from_positions(300, run.iter().chain(start..start + len));
            run.insert_run(start, len);
            assert_eq!(run, by_one, "{len} from {start} on");
        }
    }
}

#[test]
fn fingerprints_of_near_sets_differ() {
    let mut sets = vec![ExampleSet::empty(300), ExampleSet::full(300), ExampleSet::empty(301)];
    for first in 0..300 {
        sets.push(ExampleSet::from_positions(300, [first]));
        sets.extend((first + 1..300).map(|second| ExampleSet::from_positions(300, [first, second])));
    }
    let mut fingerprints: Vec<u128> = sets.iter().map(ExampleSet::fingerprint).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), sets.len());
    let halves = |shift: u32| fingerprints.iter().map(move |known| known >> shift & u128::from(u64::MAX));
    for shift in [0, 64] {
        let mut half: Vec<u128> = halves(shift).collect();
        half.sort_unstable();
        half.dedup();
        assert_eq!(half.len(), sets.len(), "each half alone tells them apart");
    }
}
