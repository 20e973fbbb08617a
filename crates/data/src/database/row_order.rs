//! The rows of tables in the order of what they hold, so that no result follows the lines of a file.
//!
//! Facts, made folds, random streams, rows of one time and the ids of rows without a key follow the order of rows. Models
//! as SQL put rows of one time in the same order by the same cells.

use rayon::prelude::*;

use gleaner_base::FixedSet;
use gleaner_lang::program::Number;

use crate::provisional::Provisional;
use crate::tables::schema::{Schema, TableSchema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, StoredTable};

/// Sorts the rows of each part of each table by their key, or else by all cells that clauses may use, column by column:
/// numbers by value, then texts, then what is missing. Equal rows keep their order: nothing tells them apart.
///
/// **Cost**: `O(n log n)` for tables that are not in this order; for the others a pass.
pub(super) fn sort_rows(database: &mut Database, schema: &Schema, symbols: &Provisional) {
    let mut ranks = Ranks { symbols, of_constants: Vec::new() };
    for (stored, meaning) in database.tables.iter_mut().zip(&schema.tables) {
        let columns: Vec<&StoredColumn> =
            meaning.content_columns().map(|column| &stored.columns[column]).collect();
        let columns: Vec<Vec<u32>> = columns.iter().map(|column| ranks.of(column)).collect();
        let order = order(stored, &columns);
        if order.iter().zip(0..).any(|(&row, place)| row != place) {
            stored.reorder(&order);
        }
    }
}

impl TableSchema {
    /// The columns by which its rows have their order: the key, or else all that are not left out.
    pub(super) fn content_columns(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.columns.iter().position(|column| column.kind == crate::tables::schema::Kind::Key);
        let is_used = move |at: &usize| match key {
            Some(key) => *at == key,
            None => {
                self.columns[*at].parts.is_empty()
                    && self.columns[*at].kind != crate::tables::schema::Kind::LeftOut
            }
        };
        (0..self.columns.len()).filter(is_used)
    }
}

/// The rows of a table in order, a part after the other.
fn order(stored: &StoredTable, columns: &[Vec<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(stored.n_rows).unwrap_or(MISSING)).collect();
    let compared = |left: u32, right: u32| {
        let pairs = columns.iter().map(|column| (column[left as usize], column[right as usize]));
        let differing = pairs.map(|(left, right)| left.cmp(&right)).find(|compared| compared.is_ne());
        differing.unwrap_or_else(|| left.cmp(&right))
    };
    let mut start = 0;
    for &(end, _) in &stored.parts {
        order[start..end].par_sort_unstable_by(|&left, &right| compared(left, right));
        start = end;
    }
    order
}

/// Finds the places of constants among those of a column.
struct Ranks<'s> {
    symbols: &'s Provisional,
    /// By constant, its rank among those of the column that was looked at last.
    of_constants: Vec<u32>,
}

impl Ranks<'_> {
    /// For each row the rank of its cell.
    fn of(&mut self, column: &StoredColumn) -> Vec<u32> {
        let (texts, numbers) = (self.symbols.constants(), self.symbols.numbers());
        self.of_constants.resize(texts.len(), MISSING);
        let distinct: FixedSet<u32> = column.values().collect();
        let mut named: Vec<(Option<Number>, &str, u32)> =
            distinct.into_iter().map(|id| (numbers.get(id), bare(texts.text(id)), id)).collect();
        named.par_sort_unstable_by(|(number, text, _), (other, other_text, _)| match (number, other) {
            (Some(number), Some(other)) => number.table_order(*other).then_with(|| text.cmp(other_text)),
            (None, None) => text.cmp(other_text),
            (number, other) => other.is_some().cmp(&number.is_some()),
        });
        for (rank, (_, _, id)) in (0..).zip(&named) {
            self.of_constants[*id as usize] = rank;
        }
        let rank = |&cell: &u32| if cell < LONG { self.of_constants[cell as usize] } else { MISSING };
        column.cells.iter().map(rank).collect()
    }
}

/// A name without its quotes.
fn bare(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text)
}
