//! A relation's rows in the order of one column, for passes over whole words of rows.

use std::sync::OnceLock;

use crate::base::{BitGather, BitSegments};

use super::Relation;

/// The rows in the order of one column: its *key*.
#[derive(Debug)]
pub(super) struct ColumnOrder {
    segments: BitSegments,
    /// For each column where in a set of constants the rows' values are.
    gathers: Box<[OnceLock<BitGather>]>,
}

/// The values of a column as bits: word `first_word` and what follows.
pub type ValueWords<'a> = (usize, &'a [u64]);

impl Relation {
    /// The values of column `key` in the rows whose values in other columns are in these sets, and which
    /// are in each of `among`, as words and the number of the first. The bits of `among` are rows in the
    /// order of the column (`rows_by`).
    ///
    /// **Cost**: about half a cycle for each row and set, once the column's order was asked for before;
    /// the orders of all columns take about a byte a value.
    #[must_use]
    pub fn semi_join(
        &self,
        key: usize,
        sets: &[(usize, ValueWords<'_>)],
        among: &[&[u64]],
    ) -> (usize, Vec<u64>) {
        let order = self.orders[key].get_or_init(|| self.make_order(key));
        let mut rows = vec![!0; order.segments.n_words()];
        for among in among {
            rows.iter_mut().zip(*among).for_each(|(row, among)| *row &= among);
        }
        for &(column, (first_word, words)) in sets {
            let gather = order.gathers[column].get_or_init(|| self.make_gather(key, column));
            gather.retain(&mut rows, first_word, words);
        }
        (order.segments.first_word(), order.segments.keys_of(&rows))
    }

    fn make_order(&self, key: usize) -> ColumnOrder {
        ColumnOrder {
            segments: BitSegments::new(self.rows_by(key).map(|row| self.value(row, key).raw())),
            gathers: (0..self.arity()).map(|_| OnceLock::new()).collect(),
        }
    }

    fn make_gather(&self, key: usize, column: usize) -> BitGather {
        let sources: Vec<Option<u32>> =
            self.rows_by(key).map(|row| Some(self.value(row, column).raw())).collect();
        BitGather::new(&sources)
    }

    /// The rows in the order of a column, then their own.
    pub fn rows_by(&self, key: usize) -> impl Iterator<Item = usize> + '_ {
        let rows = self.indices[key].rows();
        (0..self.n_rows()).map(move |position| rows.map_or(position, |rows| rows[position] as usize))
    }
}
