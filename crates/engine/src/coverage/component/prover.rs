//! The prover of one worker: values of variables, remembered answers, and its budget.
//!
//! Proofs, semi-joins and joins by words call one another; each adds its methods to [`Prover`] in a file of its own.

use crate::datalog::Background;
use gleaner_base::{Budget, ConstantId, FixedMap, StopReason};

use super::value_set::ValueCollector;

/// The clock is read once in this many rows: about a millisecond of work.
pub(super) const ROWS_BETWEEN_CLOCK_READS: u32 = 1 << 14;

/// The most answers kept for parts whose values can't be enumerated, about 64 MB. When they are full, all are
/// forgotten, and found again when needed.
const MAX_KEPT_ANSWERS: usize = 2 << 20;

/// The prover of one worker.
#[derive(Debug)]
pub(super) struct Prover {
    /// The values of variables, a frame for each part that is being proved; unbound ones are stale.
    pub(super) values: Vec<ConstantId>,
    pub(super) collector: ValueCollector,
    /// Whether a part is true, by part, world and value.
    answers: FixedMap<(u32, u32, ConstantId), bool>,
    pub(super) tuple: Vec<ConstantId>,
    rows_until_clock: u32,
    /// Set when an outer stop was met; answers found since then mean nothing.
    pub(super) stopped: Option<StopReason>,
    /// Bytes of value sets that were made and not yet accounted for.
    pub(super) n_bytes: usize,
    budget: Budget,
}

impl Prover {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            values: Vec::new(),
            collector: ValueCollector::default(),
            answers: FixedMap::default(),
            tuple: Vec::new(),
            rows_until_clock: ROWS_BETWEEN_CLOCK_READS,
            stopped: None,
            n_bytes: 0,
            budget,
        }
    }

    pub(super) fn go_on_within(&mut self, budget: Budget) {
        self.stopped = None;
        self.budget = budget;
    }

    pub(super) fn outer_stop(&self) -> Option<StopReason> {
        self.stopped.or_else(|| self.budget.stop())
    }

    pub(super) const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Pushes a new frame; returns the position of its first variable.
    pub(super) fn push_frame(&mut self, n_variables: usize) -> usize {
        let frame = self.values.len();
        self.values.resize(frame + n_variables, ConstantId::default());
        frame
    }

    /// Drops a frame and all that were pushed after it.
    pub(super) fn pop_frame(&mut self, frame: usize) {
        self.values.truncate(frame);
    }

    #[expect(clippy::cast_possible_truncation, reason = "worlds are fewer than 2^32")]
    pub(super) fn answer(&self, part: u32, world: usize, value: ConstantId) -> Option<bool> {
        self.answers.get(&(part, world as u32, value)).copied()
    }

    #[expect(clippy::cast_possible_truncation, reason = "worlds are fewer than 2^32")]
    pub(super) fn remember(&mut self, part: u32, world: usize, value: ConstantId, answer: bool) {
        if self.stopped.is_none() {
            if self.answers.len() >= MAX_KEPT_ANSWERS {
                self.answers.clear();
            }
            self.answers.insert((part, world as u32, value), answer);
        }
    }

    /// Counts rows; false when the budget ran out.
    pub(super) fn tick_rows(&mut self, n_rows: u32) -> bool {
        if let Some(rest) = self.rows_until_clock.checked_sub(n_rows + 1) {
            self.rows_until_clock = rest + 1;
        } else {
            self.rows_until_clock = ROWS_BETWEEN_CLOCK_READS;
            self.stopped = self.stopped.or_else(|| self.budget.stop());
        }
        self.stopped.is_none()
    }

    /// Counts a row; false when the budget ran out.
    pub(super) fn tick(&mut self) -> bool {
        self.tick_rows(1)
    }
}

/// One world's facts, beside all worlds.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'a> {
    pub(super) idx: usize,
    pub(super) background: &'a Background,
    pub(super) worlds: &'a [Background],
}
