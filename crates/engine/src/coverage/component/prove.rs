//! Proofs of parts for one value of their interface, depth first.

use crate::datalog::Background;
use crate::relation::RowsWith;
use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::literal::Valuation;
use gleaner_lang::program::{Atom, Number, Term};

use super::part::{Column, Join, Part, Step};
use super::prover::{Prover, World};

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
