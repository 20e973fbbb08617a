//! A relation's rows in the order of one column, for passes over whole words of rows.

use std::sync::OnceLock;

use gleaner_base::{BitGather, BitSegments};

use super::table::Table;

/// The rows in the order of one column: its *key*.
#[derive(Debug)]
pub(super) struct ColumnOrder {
    segments: BitSegments,
    /// For each column, the places of the rows' values in a set of constants.
    gathers: Box<[OnceLock<BitGather>]>,
}

/// The values of a column as bits: the number of the first word, and the words.
pub type ValueWords<'a> = (usize, &'a [u64]);

impl ColumnOrder {
    pub(super) fn new(table: &Table, key: usize) -> Self {
        Self {
            segments: BitSegments::new(table.rows_by(key).map(|row| table.value(row, key).raw())),
            gathers: (0..table.arity()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// As [`super::Relation::semi_join`], for the table and the key that it was made of.
    pub(super) fn semi_join(
        &self,
        table: &Table,
        key: usize,
        sets: &[(usize, ValueWords<'_>)],
        among: &[&[u64]],
    ) -> (usize, Vec<u64>) {
        let mut rows = vec![!0; self.segments.n_words()];
        for among in among {
            rows.iter_mut().zip(*among).for_each(|(row, among)| *row &= among);
        }
        for &(column, (first_word, words)) in sets {
            let gather = self.gathers[column].get_or_init(|| gather(table, key, column));
            gather.retain(&mut rows, first_word, words);
        }
        (self.segments.first_word(), self.segments.keys_of(&rows))
    }
}

fn gather(table: &Table, key: usize, column: usize) -> BitGather {
    let sources: Vec<Option<u32>> =
        table.rows_by(key).map(|row| Some(table.value(row, column).raw())).collect();
    BitGather::new(&sources)
}
