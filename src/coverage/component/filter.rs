//! Generators of which each column can be judged alone: the semi-join's inner loop.

use std::borrow::Cow;
use std::ops::Range;

use crate::base::ConstantId;
use crate::relation::{Relation, RowsWith};

use super::part::{Child, Column, Generator};
use super::prove::{ROWS_BETWEEN_CLOCK_READS, Scratch, World};
use super::value_set::{ValueCollector, ValueSet};

/// A generator and the sets that its variables must be in: a row gives its interface value iff it has
/// the constants and each value is in its column's set.
pub(super) struct Filter<'a> {
    relation: &'a Relation,
    interface_column: usize,
    constants: Vec<(usize, ConstantId)>,
    sets: Vec<(usize, Cow<'a, ValueSet>)>,
}

impl<'a> Filter<'a> {
    /// The generator as a filter; `None` where a variable occurs twice in it, or where what it leaves
    /// is more than sets.
    pub(super) fn new(generator: &Generator, children: &'a [Child], world: World<'a>) -> Option<Self> {
        let mut interface_column = None;
        let mut constants = Vec::new();
        let mut column_of = Vec::new();
        for (column, action) in generator.columns.iter().enumerate() {
            match *action {
                Column::Constant(constant) => constants.push((column, constant)),
                Column::Bound(_) if interface_column.is_some() => return None,
                Column::Bound(variable) => {
                    interface_column = Some(column);
                    column_of.push((variable, column));
                }
                Column::Bind(variable) => column_of.push((variable, column)),
                Column::Repeat(_) => return None,
            }
        }
        let mut sets: Vec<(usize, Cow<'a, ValueSet>)> = Vec::new();
        for child in children {
            let set = &child.part.values.get()?[world.idx];
            let [variable] = *child.variables else { return None };
            let &(_, column) = column_of.iter().find(|(known, _)| *known == variable)?;
            match sets.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known = Cow::Owned(known.intersection(set)),
                None => sets.push((column, Cow::Borrowed(set))),
            }
        }
        let relation = world.background.relation(generator.predicate);
        Some(Self { relation, interface_column: interface_column?, constants, sets })
    }

    /// Gathers the interface values of the rows that pass; incomplete when the budget ran out, which
    /// `scratch` then says. The rows come from the side that is expected to have the fewest.
    pub(super) fn gather(&self, found: &mut ValueCollector, scratch: &mut Scratch) {
        let mut least = self.relation.n_rows();
        let mut driven =
            RowsWith::Range(0, u32::try_from(least).expect("relations hold fewer than 2^32 rows"));
        for &(column, constant) in &self.constants {
            let rows = self.relation.rows_with(column, constant);
            if rows.len() < least {
                least = rows.len();
                driven = rows;
            }
        }
        let mut driver = None;
        for (column, set) in &self.sets {
            let fan_out = self.relation.n_rows() / self.relation.n_distinct(*column).max(1);
            // A look-up for each value costs about as much as eight rows in order.
            let n_rows = set.len() * (8 + 2 * fan_out);
            if n_rows < least {
                least = n_rows;
                driver = Some((*column, set));
            }
        }
        if let Some((column, set)) = driver {
            set.all(|value| self.scan(self.relation.rows_with(column, value), found, scratch));
            return;
        }
        let block = ROWS_BETWEEN_CLOCK_READS as usize;
        match driven {
            RowsWith::Range(start, end) => {
                let starts = (start..end).step_by(block);
                let _ = starts
                    .map(|from| RowsWith::Range(from, end.min(from + ROWS_BETWEEN_CLOCK_READS)))
                    .all(|rows| self.scan(rows, found, scratch));
            }
            RowsWith::List(rows) => {
                let _ = rows.chunks(block).all(|rows| self.scan(RowsWith::List(rows), found, scratch));
            }
        }
    }

    /// Gathers from some rows; false when the budget ran out.
    fn scan(&self, rows: RowsWith<'_>, found: &mut ValueCollector, scratch: &mut Scratch) -> bool {
        let interface = self.relation.column(self.interface_column);
        match rows {
            RowsWith::List(rows) => {
                for &row in rows {
                    if self.passes(row as usize) {
                        found.insert(interface[row as usize]);
                    }
                }
            }
            RowsWith::Range(start, end) => self.scan_range(start as usize..end as usize, found),
        }
        scratch.tick_rows(u32::try_from(rows.len()).expect("relations hold fewer than 2^32 rows"))
    }

    fn scan_range(&self, rows: Range<usize>, found: &mut ValueCollector) {
        let interface = &self.relation.column(self.interface_column)[rows.clone()];
        match (&*self.constants, &*self.sets) {
            ([], [(column, set)]) if let ValueSet::Dense { first_word, words, .. } = &**set => {
                let values = &self.relation.column(*column)[rows];
                for (&value, &interface) in values.iter().zip(interface) {
                    let id = value.raw() as usize;
                    let word = words.get((id / 64).wrapping_sub(*first_word)).copied().unwrap_or(0);
                    if word >> (id % 64) & 1 == 1 {
                        found.insert(interface);
                    }
                }
            }
            _ => {
                for (row, &interface) in rows.zip(interface) {
                    if self.passes(row) {
                        found.insert(interface);
                    }
                }
            }
        }
    }

    fn passes(&self, row: usize) -> bool {
        self.constants.iter().all(|&(column, constant)| self.relation.value(row, column) == constant)
            && self.sets.iter().all(|(column, set)| set.contains(self.relation.value(row, *column)))
    }
}
