use proptest::prelude::{Strategy, prop, proptest};

use super::Relation;
use gleaner_base::ConstantId;
use gleaner_lang::program::Rows;

fn relation(arity: usize, tuples: &[Vec<u32>]) -> Relation {
    let mut rows = Rows::new(arity);
    for tuple in tuples {
        rows.push(&tuple.iter().map(|&raw| ConstantId::from_raw(raw)).collect::<Vec<_>>());
    }
    Relation::new(&rows)
}

#[test]
fn a_predicate_without_arguments_is_true_or_false() {
    assert!(relation(0, &[vec![]]).contains(&[]));
    assert!(!relation(0, &[]).contains(&[]));
}

fn tuples() -> impl Strategy<Value = Vec<Vec<u32>>> {
    // Ids from two far ranges, so that both kinds of index are built.
    let value = prop::sample::select(vec![0_u32, 1, 2, 3, 7, 1_000_000, 1_000_001, 4_000_000_000]);
    prop::collection::vec(prop::collection::vec(value, 3), 0..40)
}

proptest! {
    #[test]
    fn look_ups_agree_with_a_scan(tuples in tuples(), probe in prop::sample::select(vec![0_u32, 3, 5, 1_000_001, 4_000_000_000])) {
        let relation = relation(3, &tuples);
        let mut sorted = tuples.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(relation.n_rows(), sorted.len());
        for column in 0..3 {
            let found: Vec<usize> = relation.rows_with(column, ConstantId::from_raw(probe)).iter().collect();
            let expected: Vec<usize> = (0..sorted.len()).filter(|&row| sorted[row][column] == probe).collect();
            assert_eq!(found, expected);
        }
        for tuple in &tuples {
            let ids: Vec<ConstantId> = tuple.iter().map(|&raw| ConstantId::from_raw(raw)).collect();
            assert!(relation.contains(&ids));
            let mut other = tuple.clone();
            other[2] = probe;
            let other_ids: Vec<ConstantId> = other.iter().map(|&raw| ConstantId::from_raw(raw)).collect();
            assert_eq!(relation.contains(&other_ids), sorted.contains(&other));
        }
    }
}
