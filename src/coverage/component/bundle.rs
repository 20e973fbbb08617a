//! Checks of several columns of a generator's rows: bundles of edges between the same variables.
//!
//! `contains(A,W), starts_with(A,W), noun(W)` is a tree all the same: the rows of the first atom that pass the
//! second are found once, as bits, and kept with the part that checks them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::base::PredicateId;
use crate::relation::Relation;

use super::part::{Child, Part, Step};
use super::prove::{Scratch, World, is_true};

/// A child that checks literals on columns of its generator.
#[derive(Debug)]
pub(super) struct Check<'a> {
    part: &'a Part,
    /// The generator's column for each variable of the part's interface.
    columns: Box<[usize]>,
}

/// The rows that pass, kept with the part that checks them.
#[derive(Debug, Default)]
pub(super) struct KeptRows(Mutex<Vec<(RowsKey, Arc<[u64]>)>>);

/// Which rows were checked: world, relation, the column by which they are in order, and the columns
/// that were looked at.
type RowsKey = (usize, PredicateId, usize, Box<[usize]>);

impl<'a> Check<'a> {
    /// The check that a child makes; none where it joins more rows. `column_of` gives the generator's
    /// column for a variable.
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
        scratch: &mut Scratch,
    ) -> bool {
        let frame = scratch.push_frame(self.part.n_variables);
        for (position, &column) in self.columns.iter().enumerate() {
            scratch.values[frame + position] = relation.value(row, column);
        }
        let answer = is_true(self.part, frame, world, scratch);
        scratch.pop_frame(frame);
        answer
    }

    /// The rows that pass as bits, in the order of a column; incomplete when the budget ran out, which
    /// `scratch` then says.
    pub(super) fn rows(
        &self,
        (predicate, key): (PredicateId, usize),
        world: World<'_>,
        scratch: &mut Scratch,
    ) -> Arc<[u64]> {
        let rows_key = (world.idx, predicate, key, self.columns.clone());
        let kept = &self.part.checked_rows.0;
        let known = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rows)) = known.iter().find(|(known, _)| *known == rows_key) {
            return Arc::clone(rows);
        }
        drop(known);
        let relation = world.background.relation(predicate);
        let mut rows = vec![0_u64; relation.n_rows().div_ceil(64)];
        for (position, row) in relation.rows_by(key).enumerate() {
            if !scratch.tick() {
                return rows.into();
            }
            rows[position / 64] |= u64::from(self.passes(relation, row, world, scratch)) << (position % 64);
        }
        let rows: Arc<[u64]> = rows.into();
        scratch.n_bytes += rows.len() * 8;
        kept.lock().unwrap_or_else(PoisonError::into_inner).push((rows_key, Arc::clone(&rows)));
        rows
    }
}
