//! The values of an aggregate for given groups, each by a walk over the facts that its goal finds.
//!
//! Rules find the values of all groups of a world, and write out all rows of the goal. For the groups of some examples a walk from
//! each group needs no more memory than the rows of one.

use gleaner_base::{ConstantId, FixedSet, VariableId};
use gleaner_lang::program::{Aggregate, Clause, Literal, Number, Term};
use rayon::prelude::*;

use super::aggregates::{Value, source_locals, value_of_rows};
use super::background::{Background, value_of};

/// An aggregate that is found by group.
#[derive(Clone, Debug)]
pub struct GroupedAggregate<'d> {
    aggregate: &'d Aggregate,
    /// The grouping variables.
    groups: Vec<VariableId>,
    /// The variables whose values make a row.
    locals: Vec<VariableId>,
    n_variables: usize,
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
        let template = aggregate.template_variable().into_iter().chain(aggregate.time_variable());
        let mut named = template.chain(found.iter().copied());
        let is_found = named.all(|variable| found.contains(&variable));
        let n_variables = found.iter().map(|variable| variable.index() + 1).max().unwrap_or(0);
        (are_tests && is_found).then(|| Self {
            aggregate,
            groups,
            locals: source_locals(aggregate),
            n_variables,
        })
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
        let mut open: Vec<&Literal> = self.aggregate.goal.iter().collect();
        let mut rows: Vec<ConstantId> = Vec::new();
        let mut n_found = 0;
        self.walk(world, &mut open, &mut values, &mut |values| {
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
        value_of_rows(operator, &distinct, columns, &number)
    }

    /// Calls `visit` for all values of the variables that make the open literals true.
    fn walk(
        &self,
        world: &Background,
        open: &mut Vec<&Literal>,
        values: &mut Vec<Option<ConstantId>>,
        visit: &mut dyn FnMut(&[Option<ConstantId>]),
    ) {
        let Some(at) = next(open, values) else {
            visit(values);
            return;
        };
        let literal = open.remove(at);
        let is_test = literal.positive_atom().is_none_or(|_| is_bound(literal, values));
        if is_test {
            if world.can_hold(literal, values) {
                self.walk(world, open, values, visit);
            }
        } else {
            let atom = literal.positive_atom().expect("a test is no atom");
            let bound: Vec<Option<ConstantId>> =
                atom.arguments.iter().map(|&term| value_of(term, values)).collect();
            let relation = world.relation(atom.predicate);
            let before = values.clone();
            for row in world.matching_rows(atom.predicate, &bound) {
                let mut agrees = true;
                for (column, term) in atom.arguments.iter().enumerate() {
                    let Term::Variable(variable) = term else { continue };
                    let value = relation.value(row, column);
                    agrees &= values[variable.index()].is_none_or(|known| known == value);
                    values[variable.index()] = Some(value);
                }
                if agrees {
                    self.walk(world, open, values, visit);
                }
                values.clone_from(&before);
            }
        }
        open.insert(at, literal);
    }
}

/// The open literal to go on with: a test if there is one, else an atom of which something is known.
fn next(open: &[&Literal], values: &[Option<ConstantId>]) -> Option<usize> {
    let is_known = |literal: &&Literal| {
        let mut arguments = literal.positive_atom().into_iter().flat_map(|atom| &atom.arguments);
        arguments.any(|&term| value_of(term, values).is_some())
    };
    let test = open.iter().position(|literal| is_bound(literal, values));
    let known = || open.iter().position(is_known);
    let any = || open.iter().position(|literal| literal.positive_atom().is_some());
    test.or_else(known).or_else(any)
}

/// Whether all variables of a literal have values.
fn is_bound(literal: &Literal, values: &[Option<ConstantId>]) -> bool {
    literal.has_only(|variable| values[variable.index()].is_some())
}
