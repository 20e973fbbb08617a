//! The slow twin of the fixpoint: every rule, every substitution, until nothing is new.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::stratify::stratify;
use gleaner_lang::program::{Atom, Clause, ComparisonOperator, Expression, Literal, Term};

use super::number_table::NumberTable;

/// The rows of each predicate, by predicate id.
pub(super) type Model = Vec<BTreeSet<Vec<ConstantId>>>;

/// Adds the facts that follow by safe, stratifiable rules; false where they are more than the limit.
pub(super) fn naive(
    rules: &[Clause],
    model: &mut Model,
    constants: &mut dyn NumberTable,
    max_derived_facts: usize,
) -> bool {
    let n_given: usize = model.iter().map(BTreeSet::len).sum();
    let strata = stratify(rules, model.len()).expect("the rules are stratifiable");
    for stratum in strata.as_slice() {
        loop {
            let n_before: usize = model.iter().map(BTreeSet::len).sum();
            if n_before - n_given > max_derived_facts {
                return false;
            }
            for rule in stratum.rules.iter().map(|&rule| &rules[rule]) {
                let mut search = Search { head: &rule.head, model, constants, found: Vec::new() };
                search.solve(&rule.body.iter().collect::<Vec<_>>(), &vec![None; rule.n_variables]);
                let found = search.found;
                model[rule.head.predicate.index()].extend(found);
            }
            if model.iter().map(BTreeSet::len).sum::<usize>() == n_before {
                break;
            }
        }
    }
    true
}

type Substitution = Vec<Option<ConstantId>>;

struct Search<'a> {
    head: &'a Atom,
    model: &'a Model,
    constants: &'a mut dyn NumberTable,
    found: Vec<Vec<ConstantId>>,
}

impl Search<'_> {
    fn solve(&mut self, goals: &[&Literal], values: &Substitution) {
        let is_ground = |literal: &Literal| literal.variables().iter().all(|v| values[v.index()].is_some());
        for (position, goal) in goals.iter().enumerate() {
            let rest = [&goals[..position], &goals[position + 1..]].concat();
            match goal {
                Literal::Negative(atom) if is_ground(goal) => {
                    let is_instance = |row: &Vec<ConstantId>| {
                        let mut columns = atom.arguments.iter().zip(row);
                        columns
                            .all(|(&term, &value)| term == Term::Any || lookup(term, values) == Some(value))
                    };
                    if !self.model[atom.predicate.index()].iter().any(is_instance) {
                        self.solve(&rest, values);
                    }
                    return;
                }
                Literal::Comparison(comparison) if is_ground(goal) => {
                    let value = |v: VariableId| values[v.index()].expect("ground");
                    if comparison.holds(&value, &|constant| self.constants.number(constant)) {
                        self.solve(&rest, values);
                    }
                    return;
                }
                Literal::Comparison(comparison) => {
                    let sides =
                        [(&comparison.left, &comparison.right), (&comparison.right, &comparison.left)];
                    let n_sides = match comparison.operator {
                        ComparisonOperator::Unify => 2,
                        ComparisonOperator::Is => 1,
                        _ => 0,
                    };
                    for (to, from) in &sides[..n_sides] {
                        let Expression::Term(Term::Variable(variable)) = to else { continue };
                        let mut is_known = true;
                        from.visit_variables(&mut |v| is_known &= values[v.index()].is_some());
                        if !is_known {
                            continue;
                        }
                        let value = match (from, comparison.operator) {
                            (Expression::Term(term), ComparisonOperator::Unify) => lookup(*term, values),
                            (_, ComparisonOperator::Unify) => continue,
                            _ => self.number(from, values),
                        };
                        if value.is_some() {
                            let mut values = values.clone();
                            values[variable.index()] = value;
                            self.solve(&rest, &values);
                        }
                        return;
                    }
                }
                _ => {}
            }
        }
        let positive = goals.iter().position(|goal| matches!(goal, Literal::Positive(_)));
        let Some(position) = positive else {
            assert!(goals.is_empty(), "the rule is safe");
            self.found.push(ground(self.head, values));
            return;
        };
        let rest = [&goals[..position], &goals[position + 1..]].concat();
        let Literal::Positive(atom) = goals[position] else { return };
        for row in &self.model[atom.predicate.index()] {
            let mut values = values.clone();
            let agrees = atom.arguments.iter().zip(row).all(|(term, value)| match term {
                Term::Constant(constant) => constant == value,
                Term::Variable(variable) => *values[variable.index()].get_or_insert(*value) == *value,
                Term::Any => true,
            });
            if agrees {
                self.solve(&rest, &values);
            }
        }
    }

    fn number(&mut self, expression: &Expression, values: &Substitution) -> Option<ConstantId> {
        let value = |v: VariableId| values[v.index()].expect("known");
        let number = expression.evaluate(&value, &|constant| self.constants.number(constant))?;
        Some(self.constants.intern(number))
    }
}

fn lookup(term: Term, values: &Substitution) -> Option<ConstantId> {
    match term {
        Term::Variable(variable) => values[variable.index()],
        Term::Constant(constant) => Some(constant),
        Term::Any => None,
    }
}

fn ground(atom: &Atom, values: &Substitution) -> Vec<ConstantId> {
    atom.arguments.iter().map(|&term| lookup(term, values).expect("the rule is safe")).collect()
}
