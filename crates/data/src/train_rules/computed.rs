//! Which arguments of derived predicates may be numbers that rules compute.

use std::collections::BTreeSet;

use gleaner_base::{PredicateId, VariableId};
use gleaner_lang::program::{Clause, ComparisonOperator, Literal, Term};

/// A predicate's argument, from 0.
type Column = (PredicateId, usize);

/// The arguments that hold what `is` or an aggregate computes, directly or through other rules.
///
/// **Cost**: a pass over the rules for each argument found, at most.
pub(super) fn computed_columns(rules: &[Clause]) -> BTreeSet<Column> {
    let mut columns = BTreeSet::new();
    loop {
        let n_before = columns.len();
        for rule in rules {
            let computed = computed_variables(rule, &columns);
            for (at, term) in rule.head.arguments.iter().enumerate() {
                if term.variable().is_some_and(|variable| computed.contains(&variable)) {
                    columns.insert((rule.head.predicate, at));
                }
            }
        }
        if columns.len() == n_before {
            return columns;
        }
    }
}

/// The variables of a rule that may have a computed value.
fn computed_variables(rule: &Clause, columns: &BTreeSet<Column>) -> BTreeSet<VariableId> {
    let mut computed = BTreeSet::new();
    loop {
        let n_before = computed.len();
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) => {
                    let of = |(at, term): (usize, &Term)| {
                        term.variable().filter(|_| columns.contains(&(atom.predicate, at)))
                    };
                    computed.extend(atom.arguments.iter().enumerate().filter_map(of));
                }
                Literal::Aggregate(aggregate) => computed.extend(aggregate.value.variable()),
                Literal::Comparison(comparison) => {
                    let sides = [&comparison.left, &comparison.right];
                    let variables = sides.map(|side| side.plain_term().and_then(Term::variable));
                    let is_computed = match comparison.operator {
                        ComparisonOperator::Is => true,
                        ComparisonOperator::Unify => {
                            variables.iter().flatten().any(|variable| computed.contains(variable))
                        }
                        _ => false,
                    };
                    if is_computed {
                        computed.extend(variables.into_iter().flatten());
                    }
                }
                Literal::Negative(_) => {}
            }
        }
        if computed.len() == n_before {
            return computed;
        }
    }
}
