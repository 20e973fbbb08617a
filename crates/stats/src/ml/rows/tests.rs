use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};
use rand::RngExt;

use crate::ml::features::tests::table_of;
use crate::ml::{Row, Rows};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{FeatureId, RowId};

/// Rows as lists of bits, numbered by first occurrence over the positions.
fn assert_agrees(classes: &[Option<bool>], columns: &[Vec<bool>]) {
    let rows = Rows::of(&table_of(classes, columns));
    let mut numbers: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for (position, class) in classes.iter().enumerate() {
        let Some(is_positive) = *class else {
            assert_eq!(rows.row_of(position), None);
            continue;
        };
        let row: Vec<bool> = columns.iter().map(|column| column[position]).collect();
        let held = (0..columns.len()).filter(|&column| row[column]).map(FeatureId::new);
        let number = *numbers.entry(row.clone()).or_insert(counts.len());
        if number == counts.len() {
            counts.push((0, 0));
            let found: Vec<FeatureId> = rows.row(RowId::new(number)).features().collect();
            assert_eq!(found, held.collect::<Vec<_>>());
        }
        assert_eq!(rows.row_of(position), Some(RowId::new(number)));
        if is_positive {
            counts[number].0 += 1;
        } else {
            counts[number].1 += 1;
        }
    }
    let found: Vec<(usize, usize)> = rows.iter().map(|row| (row.n_positives, row.n_negatives)).collect();
    assert_eq!(found, counts);
    assert_eq!(rows.n_rows(), counts.len());
    assert_eq!(rows.row_of(classes.len()), None);
}

proptest! {
    #[test]
    fn rows_agree_with_plain_lists(
        classes in vec(any::<Option<bool>>(), 0..200),
        columns in vec(vec(any::<bool>(), 200), 0..4),
    ) {
        assert_agrees(&classes, &columns);
    }

    #[test]
    fn rows_of_several_words_agree_with_plain_lists(
        classes in vec(any::<Option<bool>>(), 0..150),
        patterns in vec(vec(any::<bool>(), 130), 1..5),
        chosen in vec(any::<usize>(), 150),
        n_columns in 60_usize..131,
    ) {
        // Few patterns, so that rows of up to three words recur.
        let columns: Vec<Vec<bool>> = (0..n_columns)
            .map(|column| chosen.iter().map(|pattern| patterns[pattern % patterns.len()][column]).collect())
            .collect();
        assert_agrees(&classes, &columns);
    }

    #[test]
    fn a_repeated_column_changes_no_row_number(
        classes in vec(any::<Option<bool>>(), 0..100),
        columns in vec(vec(any::<bool>(), 100), 1..4),
    ) {
        let once = Rows::of(&table_of(&classes, &columns));
        let twice = Rows::of(&table_of(&classes, &[columns.clone(), columns].concat()));
        for position in 0..classes.len() {
            prop_assert_eq!(once.row_of(position), twice.row_of(position));
        }
    }
}

/// More positions than one transposition takes, columns of every density, and a last word that is not full.
#[test]
fn rows_over_several_blocks_agree_with_plain_lists() {
    let n_positions = 3 * 4_096 + 77;
    let mut rng = stream(1, Purpose::Generate, &[9]);
    let kinds: Vec<usize> = (0..n_positions).map(|_| rng.random_range(0..50)).collect();
    let classes: Vec<Option<bool>> =
        (0..n_positions).map(|at| (at % 97 != 5).then(|| rng.random_bool(0.01))).collect();
    let columns: Vec<Vec<bool>> = (0..70)
        .map(|column| {
            let holds: Vec<bool> = (0..50).map(|_| rng.random_bool(f64::from(column) / 70.0)).collect();
            (0..n_positions).map(|at| holds[kinds[at]] && (column > 2 || at % 1_000 == 0)).collect()
        })
        .collect();
    assert_agrees(&classes, &columns);
}

#[test]
fn tables_without_features_or_examples() {
    assert_eq!(Rows::of(&table_of(&[], &[])).n_rows(), 0);
    assert_eq!(Rows::of(&table_of(&[None, None], &[vec![false; 2]])).n_rows(), 0);
    assert_eq!(Rows::of(&table_of(&[], &[vec![]])).n_rows(), 0);
    let rows = Rows::of(&table_of(&[Some(true), None, Some(false), Some(false)], &[]));
    let all: Vec<Row<'_>> = rows.iter().collect();
    assert_eq!(all, [Row { words: &[], n_positives: 1, n_negatives: 2 }]);
}
