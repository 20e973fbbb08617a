//! Which arguments of derived predicates may be numbers that rules compute.
//!
//! Numbers that rules about train examples compute.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, FixedMap, PredicateId, VariableId};
use gleaner_engine::datalog::NumberTable;
use gleaner_lang::program::{Clause, ComparisonOperator, Literal, Number, Symbols, Term};

use crate::provisional::number_text;

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

/// The numbers of a problem, with those that rules compute after all constants.
///
/// **Cost**: it hashes the problem's numbers once; a copy is a copy of the new ones.
#[derive(Clone, Debug)]
pub struct NewNumbers<'s> {
    symbols: &'s Symbols,
    known: std::sync::Arc<FixedMap<String, ConstantId>>,
    new: Vec<(String, Option<Number>)>,
    ids: FixedMap<String, ConstantId>,
}

impl<'s> NewNumbers<'s> {
    /// The numbers of these symbols.
    pub fn of(symbols: &'s Symbols) -> Self {
        let constants = &symbols.constants;
        let numbers = (0..constants.len()).map(ConstantId::new).filter(|&id| constants.number(id).is_some());
        let known = numbers.map(|id| (constants.text(id).to_owned(), id)).collect();
        Self { symbols, known: std::sync::Arc::new(known), new: Vec::new(), ids: FixedMap::default() }
    }

    /// These numbers, and new ones with the ids that follow; there must be no new ones before.
    pub(super) fn and(mut self, new: &[(String, Option<Number>)]) -> Self {
        for (text, number) in new {
            let id = ConstantId::new(self.symbols.constants.len() + self.new.len());
            self.ids.insert(text.clone(), id);
            self.new.push((text.clone(), *number));
        }
        self
    }

    /// The numbers that the symbols lack.
    pub fn new_numbers(&self) -> &[(String, Option<Number>)] {
        &self.new
    }
}

impl NumberTable for NewNumbers<'_> {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        match constant.index().checked_sub(self.symbols.constants.len()) {
            None => self.symbols.constants.number(constant),
            Some(new) => self.new[new].1,
        }
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        let text = number_text(number);
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let next = ConstantId::new(self.symbols.constants.len() + self.new.len());
        *self.ids.entry_ref(text.as_str()).or_insert_with(|| {
            self.new.push((text.clone(), Some(number)));
            next
        })
    }
}
