use super::{Batch, FIRST_COMPACTION};

#[test]
fn a_batch_gives_up_on_distinct_tuples_only() {
    let run = |n_distinct: usize| {
        let mut batch = Batch::new(10);
        (0..=FIRST_COMPACTION / size_of::<usize>()).for_each(|position| batch.push(position % n_distinct));
        batch.into_relation().map(|relation| relation.len())
    };
    assert_eq!(run(10), Some(10));
    assert_eq!(run(11), None);
}
