//! Checks of several columns of a generator's rows: several atoms between the same variables.
//!
//! `contains(A,W), starts_with(A,W), noun(W)` counts as a tree all the same: the rows of the first atom that pass
//! the second are found once, as bits, and kept with the part that checks them.

use std::sync::{Arc, PoisonError};

use crate::relation::Relation;

use super::part::{CheckedRows, Child, Part, RowOrder, Step};
use super::prover::{Prover, World};

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
