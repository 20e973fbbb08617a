//! How many answers of a call saturation takes.

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode};

/// The answers of a call that are still taken.
///
/// DIVERGENCE: where a mode has constants and outputs, Aleph's recall counts the answers for all constants together, so that
/// `modeb(1, count(+customer, #reason, -n))` only ever names the first reason. Here the limit counts them for each choice
/// of the constants: what a literal asks has its constants fixed.
pub(super) struct AnswerLimit {
    limit: usize,
    /// The columns of constants; none where the limit is of all answers.
    constants: Vec<usize>,
    n_taken: usize,
    n_of: FixedMap<Vec<ConstantId>, usize>,
}

impl AnswerLimit {
    pub(super) fn of(mode: &BodyMode) -> Self {
        let limit = mode.instantiation_limit.map_or(usize::MAX, |limit| limit as usize);
        let is_of_each = mode.instantiation_limit.is_some() && mode.has_outputs();
        let columns = mode.arguments.iter().enumerate().filter(|_| is_of_each);
        let is_constant =
            |&(_, argument): &(usize, &ArgumentMode)| matches!(argument, ArgumentMode::Constant(_));
        let constants = columns.filter(is_constant).map(|(column, _)| column).collect();
        Self { limit, constants, n_taken: 0, n_of: FixedMap::default() }
    }

    /// Counts an answer, if it is taken.
    pub(super) fn admits(&mut self, value: &dyn Fn(usize) -> ConstantId) -> bool {
        let n_taken = if self.constants.is_empty() {
            &mut self.n_taken
        } else {
            self.n_of.entry(self.constants.iter().map(|&column| value(column)).collect()).or_default()
        };
        let is_taken = *n_taken < self.limit;
        *n_taken += usize::from(is_taken);
        is_taken
    }

    /// Whether no later answer can be taken.
    pub(super) fn is_reached(&self) -> bool {
        self.constants.is_empty() && self.n_taken == self.limit
    }
}
