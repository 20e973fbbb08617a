//! Proofs of parts for one value of their interface.

use crate::base::{Budget, ConstantId, FixedMap, StopReason, WorldId};
use crate::datalog::Background;
use crate::program::{Literal, Term};

use super::plan::{Column, Generator, PartId, Plan, Step};

/// The clock is read once in this many rows: about a millisecond of work.
const ROWS_BETWEEN_CLOCK_READS: u32 = 1 << 14;

/// Answers kept for nested parts; beyond it they are forgotten and found again. About 64 MB.
const MAX_KEPT_ANSWERS: usize = 2 << 20;

/// What is learnt while proving, owned by one worker.
#[derive(Debug)]
pub(super) struct Scratch {
    /// The value of each bound variable; others are stale.
    pub(super) values: Vec<ConstantId>,
    /// Whether a part with at most one interface variable is true, by world and value.
    answers: FixedMap<(PartId, WorldId, ConstantId), bool>,
    tuple: Vec<ConstantId>,
    rows_until_clock: u32,
    /// Set when an outer stop was met; answers found since then mean nothing.
    pub(super) stopped: Option<StopReason>,
    budget: Budget,
}

impl Scratch {
    pub(super) fn new(n_variables: usize, budget: Budget) -> Self {
        Self {
            values: vec![ConstantId::default(); n_variables],
            answers: FixedMap::default(),
            tuple: Vec::new(),
            rows_until_clock: ROWS_BETWEEN_CLOCK_READS,
            stopped: None,
            budget,
        }
    }

    pub(super) fn lift_budget(&mut self) {
        self.stopped = None;
        self.budget = Budget::unlimited();
    }

    fn tick(&mut self) -> bool {
        self.rows_until_clock -= 1;
        if self.rows_until_clock == 0 {
            self.rows_until_clock = ROWS_BETWEEN_CLOCK_READS;
            self.stopped = self.stopped.or_else(|| self.budget.stop());
        }
        self.stopped.is_none()
    }
}

/// One world's facts with its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'a> {
    pub(super) id: WorldId,
    pub(super) background: &'a Background,
}

/// Whether a part is true in a world for the interface's values in `scratch`. When the budget stops
/// it, the answer is false and `scratch.stopped` is set.
pub(super) fn is_true(plan: &Plan, part_id: PartId, world: World<'_>, scratch: &mut Scratch) -> bool {
    match &plan.part(part_id).step {
        Step::Never => false,
        Step::Check(literal) => holds(plan.literal(*literal), world.background, scratch),
        Step::Join { generator, children } => join(plan, generator, children, world, scratch),
    }
}

/// As `is_true`, remembering the answer where the interface has at most one variable.
fn is_true_remembered(plan: &Plan, part_id: PartId, world: World<'_>, scratch: &mut Scratch) -> bool {
    let part = plan.part(part_id);
    if matches!(part.step, Step::Check(_)) || part.interface.len() > 1 {
        return is_true(plan, part_id, world, scratch);
    }
    let value =
        part.interface.first().map_or(ConstantId::default(), |variable| scratch.values[variable.index()]);
    let key = (part_id, world.id, value);
    if let Some(&known) = scratch.answers.get(&key) {
        return known;
    }
    let answer = is_true(plan, part_id, world, scratch);
    if scratch.stopped.is_none() {
        if scratch.answers.len() >= MAX_KEPT_ANSWERS {
            scratch.answers.clear();
        }
        scratch.answers.insert(key, answer);
    }
    answer
}

fn join(
    plan: &Plan,
    generator: &Generator,
    children: &[PartId],
    world: World<'_>,
    scratch: &mut Scratch,
) -> bool {
    let Literal::Positive(atom) = plan.literal(generator.literal) else { return false };
    let relation = world.background.relation(atom.predicate);
    let mut candidates = relation.all_rows();
    for (column, action) in generator.columns.iter().enumerate() {
        let value = match *action {
            Column::Constant(constant) => constant,
            Column::Bound(variable) => scratch.values[variable.index()],
            Column::Bind(_) | Column::Repeat(_) => continue,
        };
        let rows = relation.rows_with(column, value);
        if rows.len() < candidates.len() {
            candidates = rows;
        }
    }
    for position in 0..candidates.len() {
        if !scratch.tick() {
            return false;
        }
        let row = candidates.get(position);
        let matches = generator.columns.iter().enumerate().all(|(column, action)| {
            let value = relation.value(row, column);
            match *action {
                Column::Constant(constant) => constant == value,
                Column::Bound(variable) | Column::Repeat(variable) => {
                    scratch.values[variable.index()] == value
                }
                Column::Bind(variable) => {
                    scratch.values[variable.index()] = value;
                    true
                }
            }
        });
        if matches && children.iter().all(|&child| is_true_remembered(plan, child, world, scratch)) {
            return true;
        }
    }
    false
}

fn holds(literal: &Literal, background: &Background, scratch: &mut Scratch) -> bool {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            let values = &scratch.values;
            scratch.tuple.clear();
            scratch.tuple.extend(atom.arguments.iter().map(|term| match *term {
                Term::Variable(variable) => values[variable.index()],
                Term::Constant(constant) => constant,
            }));
            let is_fact = background.relation(atom.predicate).contains(&scratch.tuple);
            is_fact == matches!(literal, Literal::Positive(_))
        }
        Literal::Comparison(comparison) => comparison
            .holds(&|variable| scratch.values[variable.index()], &|constant| background.number(constant)),
    }
}
