//! The queries of aggregates over rows that hang on what an example points to.
//!
//! Joining examples with all rows that each sees takes long: of 12,700 examples of a race driver's constructor 3.5 million
//! pairs, for each aggregate. So the rows are numbered in the order of their times. What is asked of them is found once
//! for all examples. A window is a range of numbers or times; without one, the value after each row is that of all rows
//! up to it, and an example looks up the last row that it sees.

use gleaner_base::VariableId;
use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::{Aggregate, AggregateOperator, Clause, Literal, PredicateName, Symbols, Term};

use super::aggregate_query::AggregateQuery;
use super::body::Body;
use super::fault::NoSql;
use super::hanging::{Hanging, Window};
use super::rows::numbered;
use super::shared::{Found, Named, Shared, Value};
use super::sums::Sums;
use super::times;

/// The tables of one goal.
struct Tables {
    /// The rows that hang on something: `a1`, `a2`, `since`, and `n`, their number.
    rows: String,
    /// What each example points to: `parent`, and the number of the last row that it sees.
    last: String,
    /// What is asked of the rows: `parent`, `n`, the value `v`.
    values: String,
}

/// The query of an aggregate; `None` where its goal has another form. `values` are those of the variables that the
/// example gives.
///
/// # Errors
///
/// What SQL cannot say.
pub(super) fn found(
    shared: &mut Shared<'_>,
    name: &PredicateName,
    values: &[Option<Value>],
) -> Result<Option<Found>, NoSql> {
    let Some((symbols, definition)) = shared.definitions.get(name) else { return Ok(None) };
    let Some(aggregate) = definition.body.first().and_then(Literal::aggregate) else { return Ok(None) };
    let is_of_example = |value: &Value| matches!(value, Value::Sql(sql, _) if sql.starts_with("e."));
    let n_groups = definition.head.arguments.len().saturating_sub(1);
    let are_given = |value: &Option<Value>| value.as_ref().is_some_and(is_of_example);
    if !values[..n_groups].iter().all(are_given) {
        return Ok(None);
    }
    let is_known = |variable: VariableId| values[variable.index()].is_some();
    let Some(hanging) = Hanging::of(aggregate, symbols, shared.source, &is_known) else { return Ok(None) };
    let writing = Writing { symbols, definition, aggregate, hanging };
    let tables = writing.tables(shared, values)?;
    let thresholds = shared.thresholds.get(name).cloned().flatten();
    let text = writing.query(shared, &tables, thresholds.as_deref());
    let next = format!("g_aggregate_{}", shared.found.len() + 1);
    let found = Found {
        name: next.clone(),
        is_of_example: true,
        groups: Vec::new(),
        is_zero_of_none: aggregate.operator.is_zero_of_none(),
    };
    let found = shared.found.entry((None, text.clone())).or_insert(found).clone();
    if found.name == next {
        let after = shared.indices(&next, &["example"]);
        shared.queries.push(Named { comment: name.name.clone(), before: None, name: next, text, after });
    }
    Ok(Some(found))
}

/// An aggregate while its queries are written.
struct Writing<'w> {
    symbols: &'w Symbols,
    definition: &'w Clause,
    aggregate: &'w Aggregate,
    hanging: Hanging<'w>,
}

impl Writing<'_> {
    fn shown(&self, literals: &[Literal]) -> String {
        let each: Vec<String> = literals.iter().map(|literal| literal_text(literal, self.symbols)).collect();
        each.join(", ")
    }

    fn tables(&self, shared: &mut Shared<'_>, values: &[Option<Value>]) -> Result<Tables, NoSql> {
        let (link, rows) = (self.hanging.link, self.hanging.rows);
        let shown = self.shown(&[Literal::Positive(link.clone())]);
        let text = numbered(rows);
        let comment = format!("The rows of {shown}, numbered in the order of their times.");
        let rows = shared.table("g_rows", &comment, text, &["a2, since, n", "a2, n", "a1"]);
        let last = self.last(shared, values, &rows)?;
        let values = self.values(shared, &rows)?;
        Ok(Tables { rows, last, values })
    }

    /// The table of the last row that each example sees.
    fn last(&self, shared: &mut Shared<'_>, values: &[Option<Value>], rows: &str) -> Result<String, NoSql> {
        let dialect = shared.dialect;
        let mut body = Body::new(shared, self.symbols, values.to_vec(), true);
        let mut clause = Clause { body: self.hanging.ups.clone(), ..self.definition.clone() };
        clause.head.arguments.pop();
        body.literals(&clause, false)?;
        let Some(Value::Sql(parent, _)) = body.value(self.hanging.parent.index()).cloned() else {
            return Err(NoSql::Unbound);
        };
        let columns =
            ["e.example", "e.before", "e.cut_off", &format!("{parent} AS parent")].map(str::to_owned);
        let points = body.query(&columns, "      ");
        let last = dialect.last_row(rows, "l.parent", "l.before");
        let text = format!("SELECT l.*, ({last}) AS n\n  FROM (\n    {points}) AS l");
        let shown = self.shown(&self.hanging.ups);
        let comment = format!("What each example points to, {shown}: the last row of {rows} that it sees.");
        Ok(shared.table("g_last", &comment, text, &["example"]))
    }

    /// The table of what is asked of the rows.
    fn values(&self, shared: &mut Shared<'_>, rows: &str) -> Result<String, NoSql> {
        let (hanging, dialect) = (&self.hanging, shared.dialect);
        let mut body = Body::new(shared, self.symbols, vec![None; self.definition.n_variables], false);
        body.is_of_hanging = true;
        body.rows(hanging.link, rows);
        let mut query = AggregateQuery::default();
        query.columns.extend(["t1.a2 AS parent".to_owned(), "t1.n AS n".to_owned()]);
        let mut indices = "parent, n";
        if let Window::Days(_, age) = hanging.window {
            let alias = body.times(age)?;
            query.columns.extend([format!("{alias}.moment AS moment"), format!("{alias}.since AS since")]);
            indices = "parent, moment";
        }
        let mut clause = Clause { body: hanging.asked.clone(), ..self.definition.clone() };
        clause.head.arguments = hanging.link.arguments.clone();
        body.literals(&clause, false)?;
        if let Window::Ages(age) = hanging.window {
            query.columns.push(format!("{}.moment AS v", body.times(age)?));
        } else {
            query.add_columns(self.aggregate, &mut body)?;
        }
        // A row has its key alone, so only what a literal leaves open gives the same values twice.
        let leaves_open = |literal: &Literal| literal.atoms().any(|atom| atom.arguments.contains(&Term::Any));
        let text = if hanging.asked.iter().any(leaves_open) {
            body.query(&query.columns, "    ")
        } else {
            query.columns.retain(|column| !is_to_tell_apart(column));
            body.all_rows(&query.columns, "    ")
        };
        let text = match self.aggregate.operator {
            AggregateOperator::Sum | AggregateOperator::Avg => {
                format!("SELECT *, {}\n  FROM (\n    {text}) AS r", Sums::split(dialect))
            }
            AggregateOperator::Count
            | AggregateOperator::Min
            | AggregateOperator::Max
            | AggregateOperator::Last => text,
        };
        let shown = self.shown(&hanging.asked);
        let comment = format!("What is asked of {rows}: {shown}");
        Ok(shared.table("g_values", &comment, text, &[indices]))
    }

    /// The condition under which a row of the values `v` counts for an example's `l`.
    fn counts(&self) -> String {
        match self.hanging.window {
            Window::All | Window::Ages(_) => "v.parent = l.parent AND v.n <= l.n".to_owned(),
            Window::Latest(most) => format!("v.parent = l.parent AND v.n > l.n - {most} AND v.n <= l.n"),
            Window::Days(most, _) => format!(
                "v.parent = l.parent AND {} AND v.moment < l.before\n    AND v.n <= l.n AND v.since < l.before",
                times::is_at_most(most, "l.cut_off", "v.moment")
            ),
        }
    }

    /// The query of the value of each example.
    fn query(&self, shared: &mut Shared<'_>, tables: &Tables, thresholds: Option<&[f64]>) -> String {
        use AggregateOperator::{Avg, Count, Last, Max, Min, Sum};
        let operator = self.aggregate.operator;
        let dialect = shared.dialect;
        let (of_row, of_rows): (Vec<String>, Vec<String>) = match operator {
            Max | Min | Last => {
                let symbol = operator.symbol();
                let (of_row, value) = match self.hanging.window {
                    // The latest time has the least age.
                    Window::Ages(_) => (
                        if operator == Max { "min" } else { "max" },
                        times::age("l.cut_off", "r.value", dialect),
                    ),
                    Window::All | Window::Latest(_) | Window::Days(..) => (symbol, "r.value".to_owned()),
                };
                ([format!("{of_row}(v.v)")].into(), [format!("{symbol}({value}) AS value")].into())
            }
            Count => (["count(v.n)".to_owned()].into(), ["sum(r.value) AS value".to_owned()].into()),
            Sum | Avg => Sums::columns(),
        };
        let names: Vec<&str> =
            if matches!(operator, Sum | Avg) { Sums::NAMES.to_vec() } else { vec!["value"] };
        let each = |end: &str| {
            let columns = of_row.iter().zip(&names).map(|(sql, name)| format!("{sql}{end} AS {name}"));
            columns.collect::<Vec<_>>().join(",\n    ")
        };
        let select = if let Window::All | Window::Ages(_) = self.hanging.window {
            let text = format!(
                "SELECT DISTINCT r.a2 AS parent, r.n AS n,\n    {}\n  FROM {} AS r\n  LEFT JOIN {} AS v ON v.parent = r.a2 AND v.n = r.n\n  \
                 WINDOW w AS (PARTITION BY r.a2 ORDER BY r.n)",
                each(" OVER w"),
                tables.rows,
                tables.values
            );
            let comment = format!("The value of all rows of {} up to each.", tables.values);
            let running = shared.table("g_running", &comment, text, &["parent, n"]);
            format!(
                "SELECT l.example, {}\n  FROM {} AS l\n  JOIN {running} AS r ON r.parent = l.parent AND r.n = l.n\n  GROUP BY l.example",
                of_rows.join(", "),
                tables.last
            )
        } else {
            format!(
                "SELECT l.example,\n    {}\n  FROM {} AS l\n  JOIN {} AS v ON {}\n  GROUP BY l.example",
                each(""),
                tables.last,
                tables.values,
                self.counts()
            )
        };
        match operator {
            Max | Min | Last | Count => select,
            Sum | Avg => {
                let sums = Sums {
                    is_mean: operator == Avg,
                    thresholds,
                    last: &tables.last,
                    values: &tables.values,
                    counts: &self.counts(),
                };
                sums.query(shared, select)
            }
        }
    }
}

/// Whether a column only tells rows apart.
fn is_to_tell_apart(column: &str) -> bool {
    column.rsplit_once(" AS x").is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}
