//! The prover of one worker: values of variables, remembered answers, and its budget. It proves parts for one value
//! of their interface, depth first.
//!
//! Proofs, semi-joins and joins by words call one another; the other two add their methods to [`Prover`] in files of
//! their own.

use crate::datalog::Background;
use crate::relation::RowsWith;
use gleaner_base::{Budget, ConstantId, FixedMap, StopReason, VariableId};
use gleaner_lang::program::literal::Valuation;
use gleaner_lang::program::{Atom, Number, Term};

use super::part::{Column, Join, Part, Step};
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

    /// Forgets all answers, and gives their memory back.
    pub(super) fn forget_answers(&mut self) {
        self.answers = FixedMap::default();
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

impl Prover {
    /// Whether a part is true in a world for the interface's values at `frame`. When the budget stops the proof, the
    /// answer is false and `stopped` is set.
    pub(super) fn is_true(&mut self, part: &Part, frame: usize, world: World<'_>) -> bool {
        match &part.step {
            Step::Never => false,
            Step::Check { link: Some((link, target)), .. } => {
                let value_of = |variable: usize| self.values[frame + variable];
                link.reaches(value_of(*target), world.idx, &value_of)
            }
            Step::Check { literal, link: None } => {
                literal.holds(&mut Frame { prover: self, start: frame, background: world.background })
            }
            Step::Join(Join { word_join: Some(word_join), children, .. }) => {
                word_join.is_true(children, frame, world, self)
            }
            Step::Join(join) => by_rows(join, frame, world, self),
        }
    }
}

/// Whether some row of a join's generator makes all children true.
fn by_rows(join: &Join, frame: usize, world: World<'_>, prover: &mut Prover) -> bool {
    let Join { generator, children, .. } = join;
    let relation = world.background.relation(generator.predicate);
    let mut candidates = relation.all_rows();
    for (column, action) in generator.columns.iter().enumerate() {
        let value = match *action {
            Column::Constant(constant) => constant,
            Column::Bound(variable) => prover.values[frame + variable],
            Column::Bind(_) | Column::Repeat(_) => continue,
        };
        let rows = relation.rows_with(column, value);
        if rows.len() < candidates.len() {
            candidates = rows;
        }
    }
    for position in 0..candidates.len() {
        if !prover.tick() {
            return false;
        }
        let row = candidates.get(position);
        let matches = generator.columns.iter().enumerate().all(|(column, action)| {
            let value = relation.value(row, column);
            match *action {
                Column::Constant(constant) => constant == value,
                Column::Bound(variable) | Column::Repeat(variable) => {
                    prover.values[frame + variable] == value
                }
                Column::Bind(variable) => {
                    prover.values[frame + variable] = value;
                    true
                }
            }
        });
        if matches && children.iter().all(|child| prover.child_is_true(child, frame, world)) {
            return true;
        }
    }
    false
}

/// A frame's values with the facts of a world.
struct Frame<'a> {
    prover: &'a mut Prover,
    start: usize,
    background: &'a Background,
}

impl Valuation for Frame<'_> {
    fn value(&self, variable: VariableId) -> ConstantId {
        self.prover.values[self.start + variable.index()]
    }

    fn number(&self, constant: ConstantId) -> Option<Number> {
        self.background.number(constant)
    }

    fn has_instance(&mut self, atom: &Atom) -> bool {
        is_fact(atom, self.start, self.background, self.prover)
    }
}

/// Whether some fact is an instance of an atom whose variables have values.
fn is_fact(atom: &Atom, frame: usize, background: &Background, prover: &mut Prover) -> bool {
    let values = &prover.values[frame..];
    let relation = background.relation(atom.predicate);
    prover.tuple.clear();
    prover.tuple.extend(atom.arguments.iter().filter_map(|term| match *term {
        Term::Variable(variable) => Some(values[variable.index()]),
        Term::Constant(constant) => Some(constant),
        Term::Any => None,
    }));
    let tuple = &prover.tuple;
    if tuple.len() == atom.arguments.len() {
        return relation.contains(tuple);
    }
    let columns =
        || (0..).zip(&atom.arguments).filter(|(_, term)| **term != Term::Any).map(|(column, _)| column);
    let rows = columns().zip(tuple).map(|(column, &value)| relation.rows_with(column, value));
    let rows = rows.min_by_key(RowsWith::len).unwrap_or_else(|| relation.all_rows());
    let is_instance =
        |row: usize| columns().zip(tuple).all(|(column, &value)| relation.value(row, column) == value);
    (0..rows.len()).any(|position| is_instance(rows.get(position)))
}
