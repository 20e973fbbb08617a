//! Aggregates as named queries: a row for each group, with its value.
//!
//! The query of one aggregate: what is made of the rows of its goal.

use gleaner_lang::program::{Aggregate, AggregateOperator, Atom, Clause, Literal, PredicateName};

use super::body::Body;
use super::dialect::Dialect;
use super::hanging;
use super::shared::{Found, Named, NoSql, Shared, Value};
use super::source::Kind;

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
    if let Some(found) = hanging::found(shared, name, &values)? {
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

/// Stands for the table of rows in the text of a query that has no name yet.
pub(super) const ROWS: &str = "\u{1}";

/// The query of an aggregate while it is made.
#[derive(Debug, Default)]
pub(super) struct AggregateQuery {
    /// The columns of the groups.
    pub(super) keys: Vec<String>,
    /// All columns of the inner query.
    pub(super) columns: Vec<String>,
}

/// The query of an aggregate.
#[derive(Debug)]
pub(super) struct Statements {
    /// The query of a table that [`Self::text`] calls [`ROWS`].
    pub(super) rows: Option<String>,
    /// The columns of the groups.
    pub(super) keys: Vec<String>,
    /// The query itself.
    pub(super) text: String,
}

impl AggregateQuery {
    /// The query of these groups over the rows of a goal.
    ///
    /// # Errors
    ///
    /// [`NoSql::Unbound`] when the goal gives a variable no value.
    pub(super) fn statements(
        mut self,
        aggregate: &Aggregate,
        mut body: Body<'_, '_>,
    ) -> Result<Statements, NoSql> {
        use AggregateOperator::{Avg, Count, Last, Max, Min, Share, Sum};
        let dialect = body.dialect();
        self.add_columns(aggregate, &mut body)?;
        let rows = body.query(&self.columns, "    ");
        let keys: String = self.keys.iter().map(|key| format!("{key}, ")).collect();
        let group = grouped(" GROUP BY ", &self.keys, "");
        let text = match aggregate.operator {
            Count => format!("SELECT {keys}count(*) AS value FROM (\n    {rows}) AS r{group}"),
            Sum | Avg if dialect == Dialect::Sqlite => {
                let text = added_one_by_one(aggregate.operator == Avg, &self.keys);
                return Ok(Statements { rows: Some(rows), keys: self.keys, text });
            }
            Sum | Avg => {
                let whole = dialect.is_whole("v");
                let total = format!(
                    "coalesce(sum(v) FILTER (WHERE {whole}), 0) + coalesce(sum(v ORDER BY v) FILTER (WHERE NOT ({whole})), 0)"
                );
                let value = if aggregate.operator == Sum {
                    total
                } else {
                    format!("({total}) / nullif(count(*), 0)")
                };
                format!("SELECT {keys}{value} AS value FROM (\n    {rows}) AS r{group}")
            }
            Min | Max => {
                let operator = aggregate.operator.symbol();
                format!("SELECT {keys}{operator}(v) AS value FROM (\n    {rows}) AS r{group}")
            }
            Share => format!(
                "SELECT {keys}sum(v) * 1.0 / nullif(count(*), 0) AS value FROM (\n    {rows}) AS r{group}"
            ),
            Last => {
                let partition = grouped("PARTITION BY ", &self.keys, " ");
                format!(
                    "SELECT {keys}v AS value FROM (\n    SELECT {keys}v, row_number() OVER ({partition}ORDER BY w DESC, v DESC) AS place FROM (\n    \
                     {rows}) AS r) AS l\n    WHERE place = 1"
                )
            }
        };
        Ok(Statements { rows: None, keys: self.keys, text })
    }

    /// The columns of the template, and what tells rows apart.
    pub(super) fn add_columns(
        &mut self,
        aggregate: &Aggregate,
        body: &mut Body<'_, '_>,
    ) -> Result<(), NoSql> {
        let dialect = body.dialect();
        let is_count = aggregate.operator == AggregateOperator::Count;
        let templates = [(aggregate.template_variable(), "v"), (aggregate.time_variable(), "w")];
        for (variable, name) in templates {
            let Some(variable) = variable else { continue };
            let value = match body.value(variable.index()) {
                Some(Value::Sql(sql, Kind::Name)) if !is_count => dialect.number(sql),
                Some(Value::Sql(sql, _)) => sql.clone(),
                Some(Value::Cell(_)) | None => return Err(NoSql::Unbound),
            };
            body.condition(format!("{value} IS NOT NULL"));
            self.columns.push(format!("{value} AS {name}"));
        }
        if let Some(comparison) = aggregate.counted.as_ref().and_then(Literal::comparison) {
            self.columns.push(format!("CASE WHEN {} THEN 1 ELSE 0 END AS v", body.comparison(comparison)?));
        }
        // Where the number of rows or their sum counts, all variables tell rows apart.
        use AggregateOperator::{Avg, Share, Sum};
        let is_of_rows = matches!(aggregate.operator, Sum | Avg | Share) || is_count;
        if !is_of_rows || is_count && aggregate.template.is_some() {
            return Ok(());
        }
        let mut seen: Vec<String> = Vec::new();
        for &variable in &aggregate.locals {
            if let Some(Value::Sql(sql, _)) = body.value(variable.index())
                && aggregate.template_variable() != Some(variable)
                && !sql.starts_with("e.")
                && !seen.contains(sql)
            {
                seen.push(sql.clone());
            }
        }
        let columns = seen.iter().enumerate().map(|(at, sql)| format!("{sql} AS x{}", at + 1));
        self.columns.extend(columns);
        Ok(())
    }
}

/// A list of columns behind a word; nothing without columns.
fn grouped(word: &str, keys: &[String], end: &str) -> String {
    if keys.is_empty() { String::new() } else { format!("{word}{}{end}", keys.join(", ")) }
}

/// A sum, or a mean, of numbers that are added one by one, the least first: so does gleaner. From 3.43 on SQLite's `sum`
/// keeps what rounding loses, so its last bit differs. Whole numbers have one sum in any order.
fn added_one_by_one(is_mean: bool, keys: &[String]) -> String {
    let list: String = keys.iter().map(|key| format!("{key}, ")).collect();
    let of = |alias: &str| -> String { keys.iter().map(|key| format!("{alias}.{key}, ")).collect() };
    let same = |one: &str, other: &str| -> String {
        keys.iter().map(|key| format!("{one}.{key} = {other}.{key} AND ")).collect()
    };
    let group = grouped(" GROUP BY ", keys, "");
    let total = "coalesce(r.whole, 0) + coalesce(a.total, 0.0)";
    let value = if is_mean { format!("({total}) * 1.0 / nullif(r.n, 0)") } else { total.to_owned() };
    format!(
        "WITH RECURSIVE added AS (\n    SELECT {list}place, v AS total FROM {ROWS} WHERE is_whole = 0 AND place = 1\n    \
         UNION ALL\n    SELECT {of_a}a.place + 1, a.total + r.v\n    FROM added AS a\n    JOIN {ROWS} AS r ON {same_ra}r.is_whole = 0 AND r.place = a.place + 1\n  )\n  \
         SELECT {of_r}{value} AS value FROM (\n    SELECT {list}count(*) AS n, sum(is_whole = 0) AS n_added, sum(v) FILTER (WHERE is_whole = 1) AS whole\n    \
         FROM {ROWS}{group}) AS r\n  LEFT JOIN added AS a ON {same_ar}a.place = r.n_added",
        of_a = of("a"),
        of_r = of("r"),
        same_ra = same("r", "a"),
        same_ar = same("a", "r"),
    )
}

/// The table of the rows of an aggregate, numbered for [`added_one_by_one`].
pub(super) fn rows_table(name: &str, rows: &str, keys: &[String], dialect: Dialect) -> String {
    let table = format!("{name}_rows");
    let whole = dialect.is_whole("v");
    let key_list: String = keys.iter().map(|key| format!("{key}, ")).collect();
    format!(
        "{}\n  SELECT *, {whole} AS is_whole, row_number() OVER (PARTITION BY {key_list}{whole} ORDER BY v) AS place FROM (\n    \
         {rows}) AS r;\n{}",
        dialect.create(true, &table),
        dialect.index(&format!("{table}_index"), &table, &format!("{key_list}is_whole, place"))
    )
}
