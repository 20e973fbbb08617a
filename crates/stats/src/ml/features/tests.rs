use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};
use roaring::RoaringBitmap;

use crate::ml::{Contingency, Features, Labels};
use gleaner_base::{ExampleSet, FeatureId};

/// The table of these classes, `None` without an example, and of these columns, whose bits count only at examples.
pub(crate) fn table_of(classes: &[Option<bool>], columns: &[Vec<bool>]) -> Features {
    let of_class = |class| {
        ExampleSet::from_positions(classes.len(), (0..classes.len()).filter(|&at| classes[at] == Some(class)))
    };
    let labels = Labels::new(of_class(true), of_class(false)).expect("each position has at most one class");
    let column = |bits: &Vec<bool>| -> RoaringBitmap {
        (0_u32..)
            .zip(classes.iter().zip(bits))
            .filter(|(_, (class, bit))| class.is_some() && **bit)
            .map(|(at, _)| at)
            .collect()
    };
    Features::new(labels, columns.iter().map(column).collect()).expect("columns hold examples only")
}

/// One position after the other.
fn plain_contingency(
    classes: &[Option<bool>],
    first: impl Fn(usize) -> bool,
    second: impl Fn(usize) -> bool,
) -> Contingency {
    let mut table = Contingency { n11: 0, n10: 0, n01: 0, n00: 0 };
    for at in (0..classes.len()).filter(|&at| classes[at].is_some()) {
        match (first(at), second(at)) {
            (true, true) => table.n11 += 1,
            (true, false) => table.n10 += 1,
            (false, true) => table.n01 += 1,
            (false, false) => table.n00 += 1,
        }
    }
    table
}

proptest! {
    #[test]
    fn tables_agree_with_plain_counting(
        classes in vec(any::<Option<bool>>(), 0..300),
        columns in vec(vec(any::<bool>(), 300), 0..6),
    ) {
        let features = table_of(&classes, &columns);
        let chosen: Vec<FeatureId> = (0..columns.len()).map(FeatureId::new).collect();
        let dense = features.dense(&chosen);
        let pairs = dense.pair_information();
        prop_assert_eq!(pairs.is_some(), classes.iter().any(Option::is_some));
        for (left, left_bits) in columns.iter().enumerate() {
            let table = plain_contingency(&classes, |at| left_bits[at], |at| classes[at] == Some(true));
            prop_assert_eq!(dense.class_contingency(left), table);
            for (right, right_bits) in columns.iter().enumerate() {
                let table = plain_contingency(&classes, |at| left_bits[at], |at| right_bits[at]);
                prop_assert_eq!(dense.contingency(left, right), table);
                let value = pairs.as_ref().map(|pairs| pairs.of(left, right));
                prop_assert_eq!(value, table.mutual_information());
            }
        }
    }
}

#[test]
fn columns_longer_than_one_reading_and_one_tile_are_whole() {
    let classes = vec![Some(false); 40_000];
    let every = |step: usize| (0..40_000).map(|at| at % step == 0).collect::<Vec<bool>>();
    let features = table_of(&classes, &[every(1), every(3), every(500)]);
    let dense = features.dense(&[FeatureId::new(2), FeatureId::new(1), FeatureId::new(0)]);
    assert_eq!(dense.contingency(0, 1), Contingency { n11: 27, n10: 53, n01: 13_307, n00: 26_613 });
    assert_eq!(dense.contingency(2, 1), Contingency { n11: 13_334, n10: 26_666, n01: 0, n00: 0 });
    let pairs = dense.pair_information().expect("there are examples");
    assert_eq!(Some(pairs.of(1, 0)), dense.contingency(0, 1).mutual_information());
}

#[test]
fn labels_and_columns_that_do_not_fit_are_refused() {
    let set = |len, positions: &[usize]| ExampleSet::from_positions(len, positions.iter().copied());
    let message =
        |error: Option<crate::ml::FeatureError>| error.map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(
        message(Labels::new(set(4, &[0]), set(5, &[1])).err()),
        "positives are among 4 positions but negatives among 5; both classes need the same positions"
    );
    assert_eq!(
        message(Labels::new(set(4, &[0, 2]), set(4, &[1, 2])).err()),
        "position 2 (from 0) is positive and negative; an example has one class"
    );
    let labels = Labels::new(set(4, &[0]), set(4, &[1])).expect("no position is of both classes");
    for position in [2, 4, u32::MAX] {
        let columns = vec![RoaringBitmap::new(), [0, position].into()];
        assert_eq!(
            message(Features::new(labels.clone(), columns).err()),
            format!("feature 1 (from 0) holds position {position} (from 0), where there is no example")
        );
    }
}
