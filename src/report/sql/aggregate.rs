//! Aggregates as named queries: a row for each group, with its value.

use gleaner_lang::program::{Atom, Clause, Literal, PredicateName};

use super::aggregate_query::{AggregateQuery, ROWS, rows_table};
use super::body::Body;
use super::fault::NoSql;
use super::hanging_query;
use super::shared::{Found, Named, Shared, Value};

/// The query of an aggregate. Its columns are the groups that are neither constants nor arguments of the
/// example. What a group has for one example alone is found for the groups that `asked` gives, and not for all: 2,500
/// examples have 8,000 orders, and 20 million pairs with those of others.
///
/// # Errors
///
/// What SQL cannot say.
pub(super) fn found(
    shared: &mut Shared<'_>,
    name: &PredicateName,
    groups: &[Option<Value>],
    asked: Option<String>,
) -> Result<Found, NoSql> {
    let unknown = || NoSql::Unknown(name.to_string());
    let definitions = shared.definitions;
    let (symbols, definition) = definitions.get(name).ok_or_else(unknown)?;
    let aggregate = definition.body.first().and_then(Literal::aggregate).ok_or_else(unknown)?;
    let is_of_example = |value: &Value| matches!(value, Value::Sql(sql, _) if sql.starts_with("e."));
    let mut values: Vec<Option<Value>> = vec![None; definition.n_variables];
    for (at, group) in groups.iter().enumerate() {
        values[at] = group.clone().filter(|it| is_of_example(it) || matches!(it, Value::Cell(_)));
    }
    if let Some(found) = hanging_query::found(shared, name, &values)? {
        return Ok(found);
    }
    let free: Vec<usize> = (0..groups.len()).filter(|&at| values[at].is_none()).collect();
    let has_examples = values.iter().flatten().any(is_of_example);
    let inner = |values: &[Option<Value>]| {
        let known = definition.head.arguments.iter().zip(values).filter(|(_, value)| value.is_some());
        let arguments = known.map(|(argument, _)| *argument).collect();
        let head = Atom { predicate: definition.head.predicate, arguments };
        Clause { head, body: aggregate.goal.clone(), n_variables: definition.n_variables }
    };
    let mut goal = Body::new(shared, symbols, values.clone(), has_examples);
    goal.literals(&inner(&values), false)?;
    let has_examples = goal.has_examples;
    let asked = asked.filter(|_| has_examples && !free.is_empty());
    let asked = asked.map(|text| shared.table("g_asked", "", text, &["example"]));
    if asked.is_some() {
        for &at in &free {
            if let Some(Value::Sql(_, kind)) = &groups[at] {
                values[at] = Some(Value::Sql(format!("s.group_{}", at + 1), *kind));
            }
        }
    }
    let inner = inner(&values);
    let mut body = Body::new(shared, symbols, values, has_examples);
    asked.into_iter().for_each(|table| body.ask(table));
    body.literals(&inner, false)?;
    let mut query = AggregateQuery::default();
    if has_examples {
        query.keys.push("example".to_owned());
        query.columns.push("e.example".to_owned());
    }
    let mut of_groups = Vec::new();
    for &at in &free {
        let Some(Value::Sql(sql, kind)) = body.value(at) else { return Err(NoSql::Unbound) };
        query.keys.push(format!("group_{}", at + 1));
        query.columns.push(format!("{sql} AS group_{}", at + 1));
        of_groups.push((at, *kind));
    }
    let query = query.statements(aggregate, body)?;
    let is_zero_of_none = aggregate.operator.is_zero_of_none();
    let next = format!("g_aggregate_{}", shared.found.len() + 1);
    let entry = shared.found.entry((query.rows.clone(), query.text.clone()));
    let found = entry.or_insert_with(|| Found {
        name: next.clone(),
        is_of_example: has_examples,
        groups: of_groups,
        is_zero_of_none,
    });
    let found = found.clone();
    if found.name == next {
        let before = query.rows.map(|rows| rows_table(&next, &rows, &query.keys, shared.dialect));
        let text = query.text.replace(ROWS, &format!("{next}_rows"));
        let comment = name.name.clone();
        let after = if has_examples { shared.indices(&next, &["example"]) } else { String::new() };
        shared.queries.push(Named { comment, before, name: next, text, after });
    }
    Ok(found)
}
