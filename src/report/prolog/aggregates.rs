//! Aggregates of a program's clauses: predicates of the program that count the user's facts.
//!
//! Relations are sets here, and a fact that the user gives twice is true once: so goals are called as `distinct(Goal)`.
//! SWI-Prolog's `aggregate_all/3` has no mean and no last value; these are worked out beside it.

use gleaner_lang::program::display::variable_name;
use gleaner_lang::program::{Aggregate, AggregateOperator, Atom, Clause, Literal, PredicateName, Symbols};

use super::order::ordered;
use super::terms::{Names, NoProgram, link};
use crate::store::aggregate_definition;

/// What the clauses need to call aggregates.
pub(super) const LIBRARIES: &str = "\
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(solution_sequences), [distinct/1, distinct/2]).
";

/// An aggregate that clauses call.
pub(super) struct Definition {
    name: PredicateName,
    symbols: Symbols,
    clause: Clause,
}

impl Definition {
    /// The aggregates among the predicates that clauses call.
    ///
    /// # Errors
    ///
    /// [`NoProgram::Prologs`] when the name of one cannot be read.
    pub(super) fn all(symbols: &Symbols, used: &[&PredicateName]) -> Result<Vec<Self>, NoProgram> {
        let is_aggregate = |name: &&&PredicateName| {
            symbols.find_predicate(&name.name, name.arity).is_some_and(|id| symbols.is_aggregate(id))
        };
        let read = |name: &&PredicateName| {
            let unread = || NoProgram::Prologs(name.name.clone());
            let (symbols, clause) = aggregate_definition(name).ok_or_else(unread)?;
            Ok(Self { name: (*name).clone(), symbols, clause })
        };
        used.iter().filter(is_aggregate).map(read).collect()
    }

    /// The name of the relation.
    pub(super) const fn name(&self) -> &PredicateName {
        &self.name
    }

    /// The predicates whose facts it counts.
    pub(super) fn asked(&self) -> impl Iterator<Item = &PredicateName> {
        let atoms = self.clause.body.iter().flat_map(Literal::atoms);
        atoms.map(|atom| self.symbols.predicate(atom.predicate))
    }

    /// The clause of the program.
    ///
    /// # Errors
    ///
    /// As [`Names::of`].
    pub(super) fn text(&self) -> Result<String, NoProgram> {
        let Some(aggregate) = self.clause.body.first().and_then(Literal::aggregate) else {
            return Ok(String::new());
        };
        let names = Names::of(&self.clause, &self.symbols)?;
        let arguments: Vec<String> = (0..self.name.arity).map(variable_name).collect();
        let body = body(aggregate, &goal(aggregate, &self.clause, &names), &names);
        Ok(format!("{}({}) :-\n    {body}.\n", link(&self.name.name), arguments.join(", ")))
    }
}

/// The goal, its literals in the order of their proof. Only numbers are summed or compared.
fn goal(aggregate: &Aggregate, clause: &Clause, names: &Names<'_>) -> String {
    let groups = clause.head.arguments.split_last().map_or(&[][..], |(_, groups)| groups);
    let inner = Clause {
        head: Atom { predicate: clause.head.predicate, arguments: groups.to_vec() },
        body: aggregate.goal.clone(),
        n_variables: clause.n_variables,
    };
    let literal = |literal: Option<&Literal>| literal.map_or_else(|| "fail".to_owned(), |it| it.text(names));
    let mut goals: Vec<String> = ordered(&inner, None).into_iter().map(literal).collect();
    if aggregate.operator != AggregateOperator::Count {
        let templates = aggregate.template.into_iter().chain(aggregate.time);
        goals.extend(templates.map(|term| format!("number({})", names.whole_term(term))));
    }
    goals.join(", ")
}

/// The body of the predicate; its value is the last argument.
fn body(aggregate: &Aggregate, goal: &str, names: &Names<'_>) -> String {
    let value = names.whole_term(aggregate.value);
    let template = aggregate.template.map(|term| names.whole_term(term)).unwrap_or_default();
    let time = aggregate.time.map(|term| names.whole_term(term)).unwrap_or_default();
    let name = aggregate.operator.symbol();
    match (aggregate.operator, aggregate.template) {
        (AggregateOperator::Count, None) => format!("aggregate_all(count, distinct(({goal})), {value})"),
        (AggregateOperator::Count, Some(_)) => {
            format!("aggregate_all(count, distinct({template}, ({goal})), {value})")
        }
        (AggregateOperator::Avg, _) => format!(
            "aggregate_all(r(sum({template}), count), distinct(({goal})), r(Sum_, Count_)),\n    \
             Count_ > 0,\n    {value} is float(Sum_) / Count_"
        ),
        (AggregateOperator::Last, _) => {
            format!("findall({time}-{template}, ({goal}), Rows_),\n    sort(0, @>=, Rows_, [_-{value}|_])")
        }
        (AggregateOperator::Sum | AggregateOperator::Min | AggregateOperator::Max, _) => {
            format!("aggregate_all({name}({template}), distinct(({goal})), {value})")
        }
    }
}
