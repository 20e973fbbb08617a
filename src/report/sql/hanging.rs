//! Goals over the rows that hang on what an example points to, as
//! `orders_buyer(O, S), orders_placed_at_age(O, D), D =< 30, orders_total(O, V)`: what they ask of the rows is the same for all
//! examples, which see more or fewer of them.
//!
//! The queries of aggregates over rows that hang on what an example points to.
//!
//! Joining examples with all rows that each sees takes long: of 12,700 examples of a race driver's constructor 3.5 million
//! pairs, for each aggregate. So the rows are numbered in the order of their times. What is asked of them is found once
//! for all examples. A window is a range of numbers or times; without one, the value after each row is that of all rows
//! up to it, and an example looks up the last row that it sees.

use gleaner_base::VariableId;
use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::{
    Aggregate, AggregateOperator, Atom, Clause, ComparisonOperator, Literal, PredicateName, Symbols, Term,
};

use super::aggregate::AggregateQuery;
use super::body::Body;
use super::rows::numbered;
use super::shared::{Found, Named, NoSql, Shared, Value};
use super::source::{Age, Relation, Source};
use super::text::{Sums, cell_of, number_of};
use super::times;

/// The longest time that a window looks back: two ages of at most so many days differ if their microseconds do.
const MOST_DAYS: f64 = 5e4;

/// Which of the rows count.
#[derive(Clone, Copy, Debug)]
pub(super) enum Window<'g> {
    /// All that exist.
    All,
    /// So many, the latest.
    Latest(u64),
    /// Those of at most so many days before the cut-off. The atom says which time counts.
    Days(f64, &'g Atom),
    /// All that exist; the atom says whose ages are the values.
    Ages(&'g Atom),
}

/// A goal in its parts.
#[derive(Debug)]
pub(super) struct Hanging<'g> {
    /// What leads from the example to what the rows hang on.
    pub(super) ups: Vec<Literal>,
    /// The foreign key of the rows.
    pub(super) link: &'g Atom,
    /// The query of these rows.
    pub(super) rows: &'g str,
    /// The variable of what the rows hang on.
    pub(super) parent: VariableId,
    pub(super) window: Window<'g>,
    /// What is asked of the rows, whatever the example.
    pub(super) asked: Vec<Literal>,
}

/// An aggregate's goal, with what is needed to find its parts.
struct Goal<'g> {
    aggregate: &'g Aggregate,
    symbols: &'g Symbols,
    source: &'g Source,
}

impl<'g> Hanging<'g> {
    /// The parts of a goal; `None` where it has another form. `is_known` are the variables that the example gives values.
    pub(super) fn of(
        aggregate: &'g Aggregate,
        symbols: &'g Symbols,
        source: &'g Source,
        is_known: &dyn Fn(VariableId) -> bool,
    ) -> Option<Self> {
        let is_distinct = aggregate.operator == AggregateOperator::Count && aggregate.template.is_some();
        if is_distinct || aggregate.operator == AggregateOperator::Last {
            return None;
        }
        let goal = Goal { aggregate, symbols, source };
        let (link, rows) = goal.link()?;
        let [row, parent] = [link.arguments[0].variable()?, link.arguments[1].variable()?];
        if row == parent || is_known(row) {
            return None;
        }
        let (window, limits) = goal.window(row, rows)?;
        let (mut ups, mut asked) = (Vec::new(), Vec::new());
        for (at, literal) in aggregate.goal.iter().enumerate() {
            if limits.contains(&at) || literal.positive_atom().is_some_and(|atom| std::ptr::eq(atom, link)) {
                continue;
            }
            let variables = literal.variables();
            let is_up = literal.positive_atom().is_some()
                && variables.contains(&parent)
                && variables.iter().all(|&it| it == parent || is_known(it));
            let relation = literal.atoms().next().map(|atom| goal.relation(atom));
            match relation {
                Some(Some(relation)) if variables.contains(&parent) && relation.knows_same.is_some() => {
                    return None;
                }
                Some(Some(relation)) if relation.is_later => return None,
                Some(Some(relation)) if is_up && !relation.is_timed && relation.age.is_none() => {
                    ups.push(literal.clone());
                }
                None => asked.push(literal.clone()),
                Some(Some(relation)) if is_same_for_all(relation) => asked.push(literal.clone()),
                Some(_) => return None,
            }
        }
        let leads = is_known(parent) || !ups.is_empty();
        let is_of_example = |literal: &Literal| literal.variables().into_iter().any(is_known);
        // Only rows that hang on what an example itself points to have places.
        let has_places = !matches!(window, Window::Latest(_)) || ups.len() <= 1;
        let is_split = leads && has_places && !asked.iter().any(is_of_example);
        let is_template = aggregate.template_variable().is_none_or(|it| !is_known(it));
        let mut counted = aggregate.counted.iter().flat_map(Literal::variables);
        let is_of_rows = counted.all(|it| !is_known(it) && it != parent);
        (is_split && is_template && is_of_rows).then_some(Self { ups, link, rows, parent, window, asked })
    }
}

/// Whether a relation has the same rows for all examples.
const fn is_same_for_all(relation: &Relation) -> bool {
    !relation.is_timed && !relation.is_of_example && relation.age.is_none()
}

impl<'g> Goal<'g> {
    fn relation(&self, atom: &Atom) -> Option<&'g Relation> {
        self.source.relations.get(self.symbols.predicate(atom.predicate))
    }

    /// The only foreign key of rows with times, and the query of its rows.
    fn link(&self) -> Option<(&'g Atom, &'g str)> {
        let atoms = self.aggregate.goal.iter().filter_map(Literal::positive_atom);
        let mut links = atoms.filter_map(|atom| Some((atom, self.relation(atom)?.rows.as_deref()?)));
        let link = links.next()?;
        links.next().is_none().then_some(link)
    }

    /// Which rows count, and the literals that say so.
    fn window(&self, row: VariableId, rows: &str) -> Option<(Window<'g>, Vec<usize>)> {
        let mut windows = Vec::new();
        for (at, literal) in self.aggregate.goal.iter().enumerate() {
            let Some(atom) = literal.positive_atom() else { continue };
            let relation = self.relation(atom)?;
            let is_latest = relation.places_of.as_deref() == Some(rows);
            if !is_latest && relation.age != Some(Age::OfRow) {
                continue;
            }
            if atom.arguments.first().and_then(|term| term.variable()) != Some(row) {
                return None;
            }
            let variable = atom.arguments.get(1)?.variable()?;
            if relation.is_row_time && self.is_only_value(variable) {
                windows.push((Window::Ages(atom), vec![at]));
                continue;
            }
            let (most, limit) = self.limit(variable)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and some thousand"
            )]
            let window = if is_latest { Window::Latest(most as u64) } else { Window::Days(most, atom) };
            windows.push((window, vec![at, limit]));
        }
        match windows.len() {
            0 => Some((Window::All, Vec::new())),
            1 => windows.pop(),
            _ => None,
        }
    }

    /// Whether all that is asked of a variable is its greatest or least value.
    fn is_only_value(&self, variable: VariableId) -> bool {
        let is_extreme = matches!(self.aggregate.operator, AggregateOperator::Min | AggregateOperator::Max);
        let n_literals = self.aggregate.goal.iter().filter(|it| it.variables().contains(&variable)).count();
        is_extreme && self.aggregate.template_variable() == Some(variable) && n_literals == 1
    }

    /// The greatest number that a variable may be, if a limit is all that is asked of it, and where that stands.
    fn limit(&self, variable: VariableId) -> Option<(f64, usize)> {
        let mut limit = None;
        let mut n_literals = 0;
        for (at, literal) in self.aggregate.goal.iter().enumerate() {
            if !literal.variables().contains(&variable) {
                continue;
            }
            n_literals += 1;
            if let Literal::Comparison(comparison) = literal
                && comparison.operator == ComparisonOperator::LessOrEqual
                && let Some([left, Term::Constant(most)]) = comparison.plain_sides()
                && left.variable() == Some(variable)
            {
                let most = number_of(&cell_of(self.symbols.constants.text(most)))?;
                limit = Some((Some(most).filter(|most| (0.0..=MOST_DAYS).contains(most))?, at));
            }
        }
        let is_counted = self.aggregate.counted.iter().any(|it| it.variables().contains(&variable));
        let is_template = self.aggregate.template_variable() == Some(variable);
        let is_free = self.aggregate.is_local(variable) && !is_template && !is_counted;
        limit.filter(|_| n_literals == 2 && is_free)
    }
}

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
            AggregateOperator::Sum | AggregateOperator::Avg | AggregateOperator::Share => {
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
        use AggregateOperator::{Avg, Count, Last, Max, Min, Share, Sum};
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
            // A share is the mean of ones and zeros.
            Sum | Avg | Share => Sums::columns(),
        };
        let names: Vec<&str> =
            if matches!(operator, Sum | Avg | Share) { Sums::NAMES.to_vec() } else { vec!["value"] };
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
            Sum | Avg | Share => {
                let sums = Sums {
                    is_mean: operator != Sum,
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
