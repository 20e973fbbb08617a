//! The values of an aggregate for given groups, each by a walk over the facts that its goal finds.
//!
//! Rules find the values of all groups of a world, and write out all rows of the goal. For the groups of some examples a walk from
//! each group needs no more memory than the rows of one.

use gleaner_base::{ConstantId, FixedSet, VariableId};
use gleaner_lang::program::{Aggregate, Atom, Clause, Literal, Number, Term};
use rayon::prelude::*;

use super::aggregates::{Value, source_locals, value_of_rows};
use super::background::{Background, Bound};

/// An aggregate that is found by group.
#[derive(Clone, Debug)]
pub struct GroupedAggregate<'d> {
    aggregate: &'d Aggregate,
    /// The grouping variables.
    groups: Vec<VariableId>,
    /// The variables whose values make a row.
    locals: Vec<VariableId>,
    /// The goal, each literal as soon as it can be asked.
    steps: Vec<Step<'d>>,
    n_variables: usize,
}

/// A literal of the goal.
#[derive(Clone, Debug)]
enum Step<'d> {
    /// All its variables have values.
    Test(&'d Literal),
    /// Its rows give these columns' variables values.
    Rows(&'d Atom, Vec<(usize, VariableId)>),
}

impl<'d> GroupedAggregate<'d> {
    /// Of a definition `relation(Groups, Value) :- aggregate_all(…, Value)`. `None` where a walk does not find its values: where a
    /// group is no variable, or a comparison names what no atom finds.
    pub fn of(definition: &'d Clause) -> Option<Self> {
        let aggregate = definition.body.first().and_then(Literal::aggregate)?;
        let (_, groups) = definition.head.arguments.split_last()?;
        let groups: Vec<VariableId> = groups.iter().map(|term| term.variable()).collect::<Option<_>>()?;
        let mut found: FixedSet<VariableId> = groups.iter().copied().collect();
        for atom in aggregate.goal.iter().filter_map(Literal::positive_atom) {
            found.extend(atom.arguments.iter().filter_map(|term| term.variable()));
        }
        let are_tests = aggregate.goal.iter().all(|literal| match literal {
            Literal::Positive(_) => true,
            Literal::Negative(_) | Literal::Comparison(_) => {
                literal.has_only(|variable| found.contains(&variable))
            }
            Literal::Aggregate(_) => false,
        });
        let mut template = aggregate.template_variable().into_iter().chain(aggregate.time_variable());
        let is_found = template.all(|variable| found.contains(&variable))
            && aggregate.counted.iter().all(|literal| literal.has_only(|variable| found.contains(&variable)));
        let n_variables = found.iter().map(|variable| variable.index() + 1).max().unwrap_or(0);
        let locals = source_locals(aggregate);
        let steps = steps(aggregate, &groups);
        (are_tests && is_found).then_some(Self { aggregate, groups, locals, steps, n_variables })
    }

    /// Its value for each of some groups of a world; `None` where it has none. Of a group without rows a count and a sum are 0.
    ///
    /// **Cost**: the facts that the goal finds from each group, and a sort of a group's rows.
    pub fn values(&self, world: &Background, groups: &[Vec<ConstantId>]) -> Vec<Option<Value>> {
        groups.par_iter().map(|group| self.value(world, group)).collect()
    }

    fn value(&self, world: &Background, group: &[ConstantId]) -> Option<Value> {
        let mut values: Vec<Option<ConstantId>> = vec![None; self.n_variables];
        for (variable, constant) in self.groups.iter().zip(group) {
            // A variable that groups twice has one value.
            if values[variable.index()].is_some_and(|known| known != *constant) {
                return None;
            }
            values[variable.index()] = Some(*constant);
        }
        let mut rows: Vec<ConstantId> = Vec::new();
        let mut n_found = 0;
        self.walk(world, &self.steps, &mut values, &mut |values| {
            n_found += 1;
            rows.extend(self.locals.iter().map(|local| values[local.index()].expect("it was found")));
        });
        let operator = self.aggregate.operator;
        if n_found == 0 {
            return operator.is_zero_of_none().then_some(Value::Number(Number::Integer(0)));
        }
        // Without a variable of its own the goal has one row.
        let mut distinct: Vec<&[ConstantId]> = match self.locals.len() {
            0 => vec![&[]],
            n_locals => rows.chunks_exact(n_locals).collect(),
        };
        distinct.sort_unstable();
        distinct.dedup();
        let column =
            |variable: Option<VariableId>| self.locals.iter().position(|local| Some(*local) == variable);
        let columns = [self.aggregate.template_variable(), self.aggregate.time_variable()].map(column);
        let number = |constant: ConstantId| world.number(constant);
        let counted = self.aggregate.counted.as_ref().and_then(Literal::comparison);
        let counts = |row: &[ConstantId]| {
            let value = |variable: VariableId| {
                let of_row = self.locals.iter().position(|local| *local == variable).map(|at| row[at]);
                of_row.or(values[variable.index()]).expect("the goal gives it a value")
            };
            counted.is_some_and(|of| of.holds(&value, &number))
        };
        value_of_rows(operator, &distinct, columns, &number, &counts)
    }

    /// Calls `visit` for all values of the variables that make the goal true from these steps on.
    fn walk(
        &self,
        world: &Background,
        steps: &[Step<'_>],
        values: &mut Vec<Option<ConstantId>>,
        visit: &mut dyn FnMut(&[Option<ConstantId>]),
    ) {
        let Some((step, further)) = steps.split_first() else {
            visit(values);
            return;
        };
        match step {
            Step::Test(literal) => {
                if world.can_hold(literal, values) {
                    self.walk(world, further, values, visit);
                }
            }
            Step::Rows(atom, free) => {
                let relation = world.relation(atom.predicate);
                let bound = Bound::of(atom, values);
                for row in world.matching_rows(atom.predicate, bound.get()) {
                    // A variable that occurs twice has one value.
                    let mut agrees = true;
                    for &(column, variable) in free {
                        let value = relation.value(row, column);
                        let known = values[variable.index()].replace(value);
                        agrees &= known.is_none_or(|known| known == value);
                    }
                    if agrees {
                        self.walk(world, further, values, visit);
                    }
                    free.iter().for_each(|(_, variable)| values[variable.index()] = None);
                }
            }
        }
    }
}

/// The literals of a goal in the order in which they are asked: tests as soon as their variables have values, and else an atom of
/// which something is known.
fn steps<'d>(aggregate: &'d Aggregate, groups: &[VariableId]) -> Vec<Step<'d>> {
    let mut open: Vec<&Literal> = aggregate.goal.iter().collect();
    let mut known: FixedSet<VariableId> = groups.iter().copied().collect();
    let mut steps = Vec::with_capacity(open.len());
    while let Some(at) = next(&open, &known) {
        let literal = open.remove(at);
        match literal.positive_atom() {
            Some(atom) if !is_known(literal, &known) => {
                let columns = atom.arguments.iter().enumerate();
                let variable = |(column, term): (usize, &Term)| Some((column, term.variable()?));
                let free: Vec<(usize, VariableId)> =
                    columns.filter_map(variable).filter(|(_, variable)| !known.contains(variable)).collect();
                known.extend(free.iter().map(|(_, variable)| *variable));
                steps.push(Step::Rows(atom, free));
            }
            _ => steps.push(Step::Test(literal)),
        }
    }
    steps
}

/// The open literal to go on with.
fn next(open: &[&Literal], known: &FixedSet<VariableId>) -> Option<usize> {
    let is_partly = |literal: &&Literal| {
        let mut terms = literal.positive_atom().into_iter().flat_map(|atom| &atom.arguments);
        terms.any(|term| match term {
            Term::Variable(variable) => known.contains(variable),
            Term::Constant(_) => true,
            Term::Any => false,
        })
    };
    let test = open.iter().position(|literal| is_known(literal, known));
    let partly = || open.iter().position(is_partly);
    let any = || open.iter().position(|literal| literal.positive_atom().is_some());
    test.or_else(partly).or_else(any)
}

/// Whether all variables of a literal have values.
fn is_known(literal: &Literal, known: &FixedSet<VariableId>) -> bool {
    literal.has_only(|variable| known.contains(&variable))
}
