//! Filters over a generator's rows, which test each column alone or check several together: the semi-join's inner
//! loop.
//!
//! A check of several columns stands for several atoms between the same variables. `contains(A,W), starts_with(A,W),
//! noun(W)` counts as a tree all the same: the rows of the first atom that pass the second are found once, as bits,
//! and kept with the part that checks them.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError};

use crate::relation::{Relation, RowsWith, ValueWords};
use gleaner_base::{ConstantId, PredicateId};

use super::part::{CheckedRows, Child, Column, Generator, Part, RowOrder, Step};
use super::prover::{Prover, ROWS_BETWEEN_CLOCK_READS, World};
use super::value_set::{ValueCollector, ValueSet};

/// A generator and the sets of values for its variables. A row passes iff it has the constants, each value is in its
/// column's set, and the checks pass.
pub(super) struct Filter<'a> {
    world: World<'a>,
    predicate: PredicateId,
    relation: &'a Relation,
    interface_column: usize,
    constants: Vec<(usize, ConstantId)>,
    sets: Vec<(usize, Cow<'a, ValueSet>)>,
    checks: Vec<Check<'a>>,
    /// Whether a row that passes makes the join true: the generator leaves only sets and checks.
    pub(super) is_exact: bool,
}

impl<'a> Filter<'a> {
    /// The generator as a filter; `None` where a variable occurs twice in it.
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
        let column_of = |variable: usize| {
            column_of.iter().find(|(known, _)| *known == variable).map(|&(_, column)| column)
        };
        let mut sets: Vec<(usize, Cow<'a, ValueSet>)> = Vec::new();
        let mut checks = Vec::new();
        let mut is_exact = true;
        for child in children {
            let (Some(known), [variable]) = (child.part.values.get(), &*child.variables) else {
                let check = Check::new(child, column_of);
                is_exact &= check.is_some();
                checks.extend(check);
                continue;
            };
            let set = &known[world.idx];
            let column = column_of(*variable)?;
            match sets.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known = Cow::Owned(known.intersection(set)),
                None => sets.push((column, Cow::Borrowed(set))),
            }
        }
        let relation = world.background.relation(generator.predicate);
        let predicate = generator.predicate;
        let interface_column = interface_column?;
        Some(Self { world, predicate, relation, interface_column, constants, sets, checks, is_exact })
    }

    /// The interface values of the rows that pass. They are incomplete when the budget ran out; `prover.stopped` is
    /// then set. The rows come from the side that is expected to have the fewest, or from passes over whole words
    /// where no side has few.
    pub(super) fn values(&self, prover: &mut Prover) -> ValueSet {
        let mut least = self.relation.n_rows();
        let mut driven = RowsWith::Range(0, narrow(least));
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
        // A pass over words takes about a sixteenth of the time per row of a pass row by row.
        if self.constants.is_empty() && least * 16 > self.relation.n_rows() {
            prover.tick_rows(narrow(self.relation.n_rows() / 16));
            return self.by_words(prover);
        }
        let mut found = std::mem::take(&mut prover.collector);
        if let Some((column, set)) = driver {
            set.all(|value| self.scan(self.relation.rows_with(column, value), &mut found, prover));
        } else {
            self.scan_in_blocks(driven, &mut found, prover);
        }
        let set = found.take();
        prover.collector = found;
        set
    }

    fn by_words(&self, prover: &mut Prover) -> ValueSet {
        let (of_interface, of_others): (Vec<_>, Vec<_>) =
            self.sets.iter().partition(|(column, _)| *column == self.interface_column);
        let words: Vec<_> = of_others.iter().map(|(column, set)| (*column, set.to_words())).collect();
        let others: Vec<(usize, ValueWords<'_>)> =
            words.iter().map(|(column, (first_word, words))| (*column, (*first_word, &**words))).collect();
        let order = RowOrder { predicate: self.predicate, column: self.interface_column };
        let checked: Vec<_> = self.checks.iter().map(|check| check.rows(order, self.world, prover)).collect();
        let checked: Vec<&[u64]> = checked.iter().map(|rows| &**rows).collect();
        let (first_word, words) = self.relation.semi_join(self.interface_column, &others, &checked);
        let found = ValueSet::from_words(first_word, &words);
        of_interface.first().map_or_else(|| found.clone(), |(_, set)| found.intersection(set))
    }

    fn scan_in_blocks(&self, rows: RowsWith<'_>, found: &mut ValueCollector, prover: &mut Prover) {
        match rows {
            RowsWith::Range(start, end) => {
                let starts = (start..end).step_by(ROWS_BETWEEN_CLOCK_READS as usize);
                let _ = starts
                    .map(|from| RowsWith::Range(from, end.min(from + ROWS_BETWEEN_CLOCK_READS)))
                    .all(|rows| self.scan(rows, found, prover));
            }
            RowsWith::List(rows) => {
                let _ = rows
                    .chunks(ROWS_BETWEEN_CLOCK_READS as usize)
                    .all(|rows| self.scan(RowsWith::List(rows), found, prover));
            }
        }
    }

    /// Gathers the interface values of those of some rows that pass; false when the budget ran out.
    fn scan(&self, rows: RowsWith<'_>, found: &mut ValueCollector, prover: &mut Prover) -> bool {
        let interface = self.relation.column(self.interface_column);
        match rows {
            RowsWith::List(rows) => {
                for &row in rows {
                    if self.passes(row as usize, prover) {
                        found.insert(interface[row as usize]);
                    }
                }
            }
            RowsWith::Range(start, end) => {
                let rows = start as usize..end as usize;
                for (row, &value) in rows.clone().zip(&interface[rows]) {
                    if self.passes(row, prover) {
                        found.insert(value);
                    }
                }
            }
        }
        prover.tick_rows(narrow(rows.len()))
    }

    /// Whether a row passes.
    pub(super) fn passes(&self, row: usize, prover: &mut Prover) -> bool {
        self.constants.iter().all(|&(column, constant)| self.relation.value(row, column) == constant)
            && self.sets.iter().all(|(column, set)| set.contains(self.relation.value(row, *column)))
            && self.checks.iter().all(|check| check.passes(self.relation, row, self.world, prover))
    }
}

fn narrow(n_rows: usize) -> u32 {
    u32::try_from(n_rows).expect("relations hold fewer than 2^32 rows")
}

/// A child that checks literals on columns of its generator.
#[derive(Debug)]
pub(super) struct Check<'a> {
    part: &'a Part,
    /// The generator's column for each variable of the part's interface.
    columns: Box<[usize]>,
}

impl<'a> Check<'a> {
    /// The check that a child makes; `None` where the child joins more rows. `column_of` gives the generator's column
    /// for a variable.
    pub(super) fn new(child: &'a Child, column_of: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        if !matches!(child.part.step, Step::Check { .. }) {
            return None;
        }
        let columns: Option<Box<[usize]>> =
            child.variables.iter().map(|&variable| column_of(variable)).collect();
        Some(Self { part: &child.part, columns: columns? })
    }

    /// Whether a row passes.
    pub(super) fn passes(
        &self,
        relation: &Relation,
        row: usize,
        world: World<'_>,
        prover: &mut Prover,
    ) -> bool {
        let frame = prover.push_frame(self.part.n_variables);
        for (position, &column) in self.columns.iter().enumerate() {
            prover.values[frame + position] = relation.value(row, column);
        }
        let answer = prover.is_true(self.part, frame, world);
        prover.pop_frame(frame);
        answer
    }

    /// The rows that pass, as bits, in the order of a column. They are incomplete when the budget ran out;
    /// `prover.stopped` is then set.
    pub(super) fn rows(&self, order: RowOrder, world: World<'_>, prover: &mut Prover) -> Arc<[u64]> {
        let kept = &self.part.checked_rows;
        let known = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_asked_for = |known: &&CheckedRows| {
            known.world == world.idx && known.order == order && known.columns == self.columns
        };
        if let Some(rows) = known.iter().find(is_asked_for) {
            return Arc::clone(&rows.passing);
        }
        drop(known);
        let relation = world.background.relation(order.predicate);
        let mut rows = vec![0_u64; relation.n_rows().div_ceil(64)];
        for (position, row) in relation.rows_by(order.column).enumerate() {
            if !prover.tick() {
                return rows.into();
            }
            rows[position / 64] |= u64::from(self.passes(relation, row, world, prover)) << (position % 64);
        }
        let passing: Arc<[u64]> = rows.into();
        prover.n_bytes += passing.len() * 8;
        let rows = CheckedRows {
            world: world.idx,
            order,
            columns: self.columns.clone(),
            passing: Arc::clone(&passing),
        };
        kept.lock().unwrap_or_else(PoisonError::into_inner).push(rows);
        passing
    }
}
