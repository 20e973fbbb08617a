//! The rows of a database: their names, which row each foreign key leads to, and what rows see at the end of a path.
//!
//! The rows of tables in the order of what they hold, so that no result follows the lines of a file.
//!
//! Facts, made folds, random streams, rows of one time and the ids of rows without a key follow the order of rows. Models
//! as SQL put rows of one time in the same order by the same cells.

use std::sync::Arc;

use gleaner_base::{ConstantId, FixedMap, FixedSet};
use gleaner_lang::program::Number;

use crate::database::sight::Sight;
use crate::database::star::Seen;
use crate::provisional::Provisional;
use crate::tables::schema::{Kind, Schema, TableSchema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, StoredTable};

/// The rows of all tables, by their numbers.
#[derive(Debug)]
pub(crate) struct RowGraph<'d> {
    database: &'d Database,
    /// By table, the constant that names each row: its key, else its number in the files, from 1.
    names: Vec<Arc<[ConstantId]>>,
    /// By table and column, for each row the row that a foreign key leads to, or [`MISSING`]; empty for other columns.
    targets: Vec<Vec<Vec<u32>>>,
    /// What examples see of the rows that they point to.
    sight: Option<Sight>,
}

impl<'d> RowGraph<'d> {
    /// Cost: a pass over the keys and foreign keys.
    pub(crate) fn new(database: &'d Database, schema: &Schema, symbols: &mut Provisional) -> Self {
        let mut names: Vec<Arc<[ConstantId]>> = Vec::new();
        for (table, stored) in database.tables.iter().enumerate() {
            names.push(match schema.key(table) {
                Some(key) => {
                    stored.columns[key].cells.iter().map(|&cell| ConstantId::from_raw(cell)).collect()
                }
                None => {
                    let numbers = (0..stored.n_rows).map(|row| stored.number(row) + 1);
                    symbols.row_names(numbers).map(ConstantId::from_raw).collect()
                }
            });
        }
        let n_constants = symbols.constants().len();
        let targets = (0..database.tables.len()).map(|table| {
            let columns = &database.tables[table].columns;
            let mut of: Vec<Vec<u32>> = vec![Vec::new(); columns.len()];
            for (column, to) in schema.foreign_keys(table) {
                of[column] = targets(&columns[column].cells, &names[to], n_constants);
            }
            of
        });
        let targets = targets.collect();
        Self { database, names, targets, sight: None }
    }

    /// The name of each row of a table.
    pub(crate) fn names(&self, table: usize) -> &Arc<[ConstantId]> {
        &self.names[table]
    }

    /// From now on examples see no row that they point to and that came to be after their cut-offs.
    pub(crate) fn limit(&mut self, sight: Option<Sight>) {
        self.sight = sight;
    }

    /// What examples see; none where they see all.
    pub(crate) const fn sight(&self) -> Option<&Sight> {
        self.sight.as_ref()
    }

    /// The row that each row of a table comes to by these foreign keys: its key is known, whether or not it exists yet.
    pub(crate) fn row_at_end(&self, table: usize, path: &[usize], schema: &Schema) -> Vec<u32> {
        let Some((last, before)) = path.split_last() else { return self.walked(table, path, schema) };
        let mut rows = self.walked(table, before, schema);
        let at = schema.steps(table, path).last().map_or(table, |(at, _)| *at);
        self.step((at, *last), &mut rows);
        rows
    }

    /// The row that each row of a table comes to by these foreign keys, if it exists for it.
    fn walked(&self, table: usize, path: &[usize], schema: &Schema) -> Vec<u32> {
        let n_rows = u32::try_from(self.database.tables[table].n_rows).unwrap_or(MISSING);
        let mut rows: Vec<u32> = (0..n_rows).collect();
        for (number, (at, column)) in schema.steps(table, path).into_iter().enumerate() {
            self.step((at, column), &mut rows);
            let of_column = &schema.tables[at].columns[column];
            if let (Some(sight), Kind::Foreign(to)) = (&self.sight, of_column.kind) {
                let is_far = number > 0 && !of_column.parts.is_empty();
                sight.hide(table, (to, is_far), &mut rows);
            }
        }
        rows
    }

    fn step(&self, (table, column): (usize, usize), rows: &mut [u32]) {
        let targets = &self.targets[table][column];
        for row in rows {
            *row = targets.get(*row as usize).copied().unwrap_or(MISSING);
        }
    }

    /// The constant that each row sees, or [`MISSING`]. A foreign key without a row is seen, too.
    pub(crate) fn cells(&self, seen: &Seen, schema: &Schema) -> Vec<u32> {
        let cells = &self.database.tables[seen.end.0].columns[seen.end.1].cells;
        let value =
            |row: u32| cells.get(row as usize).copied().filter(|&cell| cell < LONG).unwrap_or(MISSING);
        self.walked(seen.table, &seen.path, schema).into_iter().map(value).collect()
    }

    /// How many values of a foreign key name no row, and the first such constant.
    pub(crate) fn without_row(&self, table: usize, column: usize) -> (usize, Option<u32>) {
        let cells = &self.database.tables[table].columns[column].cells;
        let lost = cells.iter().zip(&self.targets[table][column]);
        let mut lost = lost.filter(|(cell, row)| **cell < LONG && **row == MISSING).map(|(&cell, _)| cell);
        let first = lost.next();
        (usize::from(first.is_some()) + lost.count(), first)
    }
}

/// For each cell the number of the row that it names, or [`MISSING`].
///
/// **Cost**: a pass over the cells and the names.
fn targets(cells: &[u32], names: &[ConstantId], n_constants: usize) -> Vec<u32> {
    let named = || (0_u32..).zip(names).filter(|(_, name)| name.raw() < LONG);
    // Of few rows a hash map is smaller than a list of all constants.
    if names.len() < n_constants / 16 {
        let rows: FixedMap<u32, u32> = named().map(|(row, name)| (name.raw(), row)).collect();
        return cells.iter().map(|cell| rows.get(cell).copied().unwrap_or(MISSING)).collect();
    }
    let mut rows = vec![MISSING; n_constants];
    named().for_each(|(row, name)| rows[name.index()] = row);
    cells.iter().map(|&cell| rows.get(cell as usize).copied().unwrap_or(MISSING)).collect()
}

use rayon::prelude::*;

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
        let key = self.columns.iter().position(|column| column.kind == Kind::Key);
        let is_used = move |at: &usize| match key {
            Some(key) => *at == key,
            None => self.columns[*at].parts.is_empty() && self.columns[*at].kind != Kind::LeftOut,
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
