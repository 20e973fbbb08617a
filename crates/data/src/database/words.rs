//! Clauses over a database in words: `average results.position of its driver over the last 20 rows =< 4.62`.

mod goals;

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::display::variable_name;
use gleaner_lang::syntax::{Term, TermKind, read_clause};

use self::goals::{DISTINCT, Goal, SHARE, Summary, goals, is_variable, variable};
use super::meaning::{CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, SeenColumn};

/// A comparison with a constant, as `=< 4.62`.
type Bound = (&'static str, String);

/// Longer numbers are rounded for a reader.
const LONG_NUMBER: usize = 9;

/// A clause that is put into words.
struct Clause<'c> {
    schema: &'c DatabaseSchema,
    source: &'c str,
    /// The variable of the example's row.
    example: &'c str,
    /// What an example points to, by the variable: `its driver`.
    things: BTreeMap<&'c str, String>,
    /// The comparisons of each variable.
    bounds: BTreeMap<&'c str, Vec<Bound>>,
    /// The variables whose comparisons stand in the words so far.
    said: BTreeSet<&'c str>,
    /// What the words so far say of the value of a variable.
    named: BTreeMap<&'c str, String>,
    /// The values that variables have for one example, as they are written; none where words are of all examples.
    values: &'c BTreeMap<String, String>,
}

/// What a clause says of rows of a table.
#[derive(Default)]
struct Rows {
    table: String,
    /// What is summed up of them, with its unit.
    subject: Option<Subject>,
    /// What they hang on.
    owners: Vec<String>,
    /// Which of them: `over the last 20 rows`.
    windows: Vec<String>,
    /// What else they say.
    conditions: Vec<String>,
}

/// What an aggregate is of.
enum Subject {
    /// A column.
    Column(String, CellKind),
    /// The days since the rows' times.
    Age,
    /// The days since the times of a column.
    DaysSince(String),
}

impl DatabaseSchema {
    /// The conditions of a clause of a model of this database, each in words. None where it says something for which
    /// there are no words here, as a join of rows with others that no foreign key of the first leads to.
    pub fn in_words(&self, clause: &str) -> Option<Vec<String>> {
        self.in_words_of(clause, &BTreeMap::new())
    }

    /// The same of a clause that covers an example, which gives variables these values: each is named where words
    /// compare it, as `price >= 3 (here 5)`.
    pub fn in_words_of(&self, clause: &str, values: &BTreeMap<String, String>) -> Option<Vec<String>> {
        self.said(clause, true, values)
    }

    /// The goals of a test of an example, each in words; its arguments are `A`, `B`, and so on. None where they are not
    /// of the example alone: rows that a test names may be those of tests before it.
    pub fn test_in_words(&self, goals: &str) -> Option<Vec<String>> {
        let examples = self.examples();
        let n_arguments = 1 + examples.links.len() + usize::from(examples.cut_off.is_some());
        let arguments: Vec<String> = (0..n_arguments).map(variable_name).collect();
        self.said(&format!("test({}) :- {goals}.", arguments.join(",")), false, &BTreeMap::new())
    }

    /// The conditions of a clause; they may be of rows.
    fn said(&self, clause: &str, has_rows: bool, values: &BTreeMap<String, String>) -> Option<Vec<String>> {
        let statement = read_clause(clause).ok()?;
        let TermKind::Compound(_, head) = &statement.head.as_ref()?.kind else { return None };
        let examples = self.examples();
        let example = variable(head.first()?)?;
        let links = head.iter().skip(1).zip(&examples.links);
        let thing =
            |(argument, &link)| Some((variable(argument)?, format!("its {}", self.column_name(link))));
        let things = links.filter_map(thing).collect();
        let goals = goals(&statement.body)?;
        let (bounds, said, named) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        let mut clause =
            Clause { schema: self, source: clause, example, things, bounds, said, named, values };
        let mut known = BTreeSet::new();
        head.iter().for_each(|argument| known.extend(variable(argument)));
        clause.note(&goals);
        let is_of_rows = |goal: &Goal<'_>| goal.is_of_rows(example);
        if clause.has_joins(&goals, &known) || !has_rows && goals.iter().any(is_of_rows) {
            return None;
        }
        let conditions = clause.conditions(&goals)?;
        clause.is_whole().then_some(conditions)
    }

    /// A column as rows see it: `item.category`.
    fn path_text(&self, seen: &SeenColumn) -> String {
        let steps = seen.path.iter().chain([&seen.end]).map(|&at| self.column_name(at));
        steps.collect::<Vec<_>>().join(".")
    }

    fn own_column(&self, at: ColumnPlace) -> String {
        format!("{}.{}", self.table_name(at.table), self.column_name(at))
    }
}

impl<'c> Clause<'c> {
    /// Notes the comparisons, and what the example points to.
    fn note<'g: 'c>(&mut self, goals: &'g [Goal<'g>]) {
        for goal in goals {
            match goal {
                Goal::Compares { variable, operator, constant } => {
                    let bound = (*operator, self.constant(constant));
                    self.bounds.entry(variable).or_default().push(bound);
                }
                Goal::Relation { name, row, value } if variable(row) == Some(self.example) => {
                    if let (Some(value), Some(thing)) = (variable(value), self.thing(name)) {
                        self.things.entry(value).or_insert(thing);
                    }
                }
                Goal::Relation { .. } | Goal::Aggregates { .. } | Goal::Not(_) => {}
            }
        }
    }

    /// Whether goals share a value that is neither an example nor what it points to: no words say so here, unless both goals
    /// are of the example, which has one value of each. `known` has the variables outside of the goals.
    fn has_joins(&self, goals: &[Goal<'_>], known: &BTreeSet<&str>) -> bool {
        let is_open = |name: &str| name != self.example && !self.things.contains_key(name);
        let mut values: Vec<&str> =
            goals.iter().filter_map(Goal::value).filter(|name| is_open(name)).collect();
        let rows: BTreeSet<&str> = goals.iter().filter_map(Goal::row).filter(|name| is_open(name)).collect();
        values.sort_unstable();
        let is_shared = |name: &&str| known.contains(name) || rows.contains(name);
        let is_of_example = |goal: &Goal<'_>| goal.row().is_none_or(|row| row == self.example);
        let is_joined =
            |name: &str| !goals.iter().filter(|goal| goal.value() == Some(name)).all(is_of_example);
        if values.windows(2).any(|two| two[0] == two[1] && is_joined(two[0])) || values.iter().any(is_shared)
        {
            return true;
        }
        let known: BTreeSet<&str> = known.iter().copied().chain(values).chain(rows).collect();
        goals.iter().any(|goal| match goal {
            Goal::Aggregates { goals, .. } | Goal::Not(goals) => {
                let is_known = |name: &str| is_open(name) && known.contains(name);
                goals.iter().filter_map(Goal::row).any(is_known)
                    || self.within(goals).has_joins(goals, &known)
            }
            Goal::Relation { .. } | Goal::Compares { .. } => false,
        })
    }

    fn conditions<'g: 'c>(&mut self, goals: &'g [Goal<'g>]) -> Option<Vec<String>> {
        let mut conditions = Vec::new();
        let mut said_rows = BTreeSet::new();
        for goal in goals {
            match goal {
                Goal::Compares { .. } => {}
                Goal::Not(inner) => conditions.push(self.negated(inner)?),
                Goal::Aggregates { of, goals, value } => {
                    let what = self.aggregate(*of, goals)?;
                    conditions.push(self.compared(&what, value, "is known"));
                }
                Goal::Relation { name, row, value } if variable(row) == Some(self.example) => {
                    if self.is_thing(value) {
                        self.is_step(name, value).then_some(())?;
                        // It leads to what other goals are of, if there are any.
                        let thing = variable(value).unwrap_or_default();
                        if goals.iter().filter(|goal| goal.mentions(thing)).count() == 1 {
                            conditions.push(format!("{} is known", self.things[thing]));
                        }
                    } else {
                        let what = self.of_example(name)?;
                        let form = if self.is_year(name) { moment } else { rounded };
                        conditions.push(self.compared_as(&what, value, "is known", form));
                    }
                }
                Goal::Relation { row, .. } => {
                    let row = variable(row).filter(|row| !self.things.contains_key(row))?;
                    if said_rows.insert(row) {
                        let rows = self.rows(row, goals, None)?;
                        conditions.push(format!(
                            "{} {} row{}",
                            article(&rows.table),
                            rows.table,
                            rows.which()
                        ));
                    }
                }
            }
        }
        Some(conditions)
    }

    /// What a relation says of the example itself.
    fn of_example(&self, name: &str) -> Option<String> {
        match self.schema.relation(name) {
            [DatabaseRelation::Value(seen) | DatabaseRelation::Year(seen)] => {
                Some(self.schema.path_text(seen))
            }
            [DatabaseRelation::Calendar(seen, part)] => {
                Some(format!("{part} of {}", self.schema.path_text(seen)))
            }
            [DatabaseRelation::AgeOfExample(seen)] => {
                Some(format!("days since {}", self.schema.path_text(seen)))
            }
            _ => None,
        }
    }

    /// Whether a relation gives a time as a number of years, which nobody reads.
    fn is_year(&self, name: &str) -> bool {
        matches!(self.schema.relation(name), [DatabaseRelation::Year(_)])
    }

    /// What the example points to by a relation.
    fn thing(&self, name: &str) -> Option<String> {
        match self.schema.relation(name) {
            [DatabaseRelation::Value(seen)] if self.schema.points_to(seen.end).is_some() => {
                Some(format!("its {}", self.schema.path_text(seen)))
            }
            [DatabaseRelation::Latest(link)] => {
                let up = self.schema.path_text(&link.up);
                Some(format!("its {up}'s latest {}", self.schema.own_column(link.to)))
            }
            _ => None,
        }
    }

    /// Whether the words have all comparisons of the clause.
    fn is_whole(&self) -> bool {
        self.said.len() == self.bounds.len()
    }

    fn is_thing(&self, value: &Term<'_>) -> bool {
        variable(value).is_some_and(|name| self.things.contains_key(name))
    }

    /// Whether a relation leads from the example to the thing that its value is.
    fn is_step(&self, name: &str, value: &Term<'_>) -> bool {
        let thing = variable(value).and_then(|name| self.things.get(name));
        thing.is_some() && self.thing(name).as_ref() == thing
    }

    /// What a goal says of its value.
    fn compared<'g: 'c>(&mut self, what: &str, value: &'g Term<'g>, without: &str) -> String {
        self.compared_as(what, value, without, rounded)
    }

    /// What a goal says of its value, with its constants in this form. A value that another goal has too is equal to that.
    fn compared_as<'g: 'c>(
        &mut self,
        what: &str,
        value: &'g Term<'g>,
        without: &str,
        form: fn(&str) -> String,
    ) -> String {
        if !is_variable(value) {
            return format!("{what} = {}", form(&self.constant(value)));
        }
        let Some(name) = variable(value) else { return format!("{what} {without}") };
        let here = self.values.get(name).map_or_else(String::new, |value| format!(" (here {})", form(value)));
        if let Some(other) = self.named.get(name) {
            return format!("{what} = {other}{here}");
        }
        self.named.insert(name, what.to_owned());
        match self.bound(name, form) {
            Some(bound) => format!("{what} {bound}{here}"),
            None => format!("{what} {without}{here}"),
        }
    }

    /// The comparisons of a variable as they stand in the words: `>= 2 and =< 5`.
    fn bound<'g: 'c>(&mut self, variable: &'g str, form: fn(&str) -> String) -> Option<String> {
        let bounds = self.bounds.get(variable)?;
        self.said.insert(variable);
        let texts: Vec<String> =
            bounds.iter().map(|(operator, at)| format!("{operator} {}", form(at))).collect();
        Some(texts.join(" and "))
    }

    fn negated<'g: 'c>(&mut self, inner: &'g [Goal<'g>]) -> Option<String> {
        match inner {
            [Goal::Relation { name, row, value }] if variable(row) == Some(self.example) => {
                let what = self.of_example(name)?;
                if is_variable(value) {
                    Some(format!("{what} is missing"))
                } else {
                    Some(format!("{what} \\= {}", self.constant(value)))
                }
            }
            [Goal::Aggregates { of, goals, value }] if is_variable(value) => {
                Some(format!("{} is missing", self.aggregate(*of, goals)?))
            }
            _ => {
                let mut within = self.within(inner);
                let conditions = within.conditions(inner)?;
                let [rows] = &conditions[..] else { return None };
                let is_whole = within.is_whole();
                let named = rows.strip_prefix("a ").or_else(|| rows.strip_prefix("an "));
                named.filter(|_| is_whole).map(|rows| format!("no {rows}"))
            }
        }
    }

    /// Goals whose own variables nothing outside knows: they have no one value.
    fn within<'g: 'c>(&self, goals: &'g [Goal<'g>]) -> Self {
        static NO_VALUES: BTreeMap<String, String> = BTreeMap::new();
        let (things, bounds) = (self.things.clone(), BTreeMap::new());
        let (said, named) = (BTreeSet::new(), BTreeMap::new());
        let mut within = Clause { things, bounds, said, named, values: &NO_VALUES, ..*self };
        within.note(goals);
        within
    }

    fn aggregate<'g: 'c>(&self, of: Summary<'g>, goals: &'g [Goal<'g>]) -> Option<String> {
        let mut within = self.within(goals);
        let of_rows = goals.iter().find_map(|goal| match goal {
            Goal::Relation { row, .. } => variable(row).filter(|&row| row != self.example),
            _ => None,
        })?;
        let rows = within.rows(of_rows, goals, of.template)?;
        if !within.is_whole() || !within.is_all_of(of_rows, goals) {
            return None;
        }
        let which = rows.which();
        if let (Some((operator, constant)), Some(subject)) = (of.counted, &rows.subject) {
            let counted = self.counted(subject, operator, constant)?;
            return Some(format!("{SHARE} of {counted} among {} rows{which}", rows.table));
        }
        Some(match (of.operator, rows.subject) {
            ("count", None) => format!("number of {} rows{which}", rows.table),
            (DISTINCT, Some(Subject::Column(column, _))) => {
                format!("number of different {}.{column}{which}", rows.table)
            }
            ("max", Some(Subject::Age)) => format!("days since the first {} row{which}", rows.table),
            ("min", Some(Subject::Age)) => format!("days since the last {} row{which}", rows.table),
            ("avg", Some(Subject::Age)) => format!("average age in days of {} rows{which}", rows.table),
            (operator, Some(Subject::DaysSince(column))) => {
                format!("{} days since {}.{column}{which}", operator_word(operator)?, rows.table)
            }
            (operator, Some(Subject::Column(column, kind))) => {
                let unit = if kind == CellKind::Duration { " in seconds" } else { "" };
                format!("{} {}.{column}{unit}{which}", operator_word(operator)?, rows.table)
            }
            _ => return None,
        })
    }

    /// Which rows a share counts.
    fn counted(&self, subject: &Subject, operator: &str, constant: &Term<'_>) -> Option<String> {
        let constant = self.constant(constant);
        Some(match (subject, operator) {
            (Subject::Column(column, _), _) => format!("{column} {operator} {}", rounded(&constant)),
            (Subject::DaysSince(column), _) => format!("days since {column} {operator} {constant}"),
            (Subject::Age, "=<") => format!("the last {constant} days"),
            (Subject::Age, ">=") => format!("all days but the last {constant}"),
            (Subject::Age, _) => return None,
        })
    }

    /// Whether all goals are of one row, or lead from the example to what it hangs on.
    fn is_all_of(&self, row: &str, goals: &[Goal<'_>]) -> bool {
        goals.iter().all(|goal| match goal {
            Goal::Compares { .. } => true,
            Goal::Relation { name, row: of, value } => {
                let is_step = || self.is_step(name, value);
                variable(of) == Some(row) || variable(of) == Some(self.example) && is_step()
            }
            Goal::Aggregates { .. } | Goal::Not(_) => false,
        })
    }

    /// What goals say of the rows that a variable stands for.
    fn rows<'g: 'c>(&mut self, row: &str, goals: &'g [Goal<'g>], template: Option<&'g str>) -> Option<Rows> {
        let mut rows = Rows::default();
        for goal in goals {
            if let Goal::Relation { name, row: of, value } = goal
                && variable(of) == Some(row)
            {
                let [relation] = self.schema.relation(name) else { return None };
                self.relation(relation, value, template, &mut rows)?;
            }
        }
        (template.is_some() == rows.subject.is_some()).then_some(rows)
    }

    fn relation<'g: 'c>(
        &mut self,
        relation: &DatabaseRelation,
        value: &'g Term<'g>,
        template: Option<&'g str>,
        rows: &mut Rows,
    ) -> Option<()> {
        use DatabaseRelation::{Age, AgeOfRow, Link, Recency, Value, Year};
        let schema = self.schema;
        let is_template = template.is_some() && variable(value) == template;
        let table = match relation {
            Value(seen) | Link(seen) | Year(seen) | Age(seen) | Recency(seen) => seen.table,
            AgeOfRow(table) => *table,
            DatabaseRelation::AgeOfExample(_)
            | DatabaseRelation::Calendar(..)
            | DatabaseRelation::Latest(_) => return None,
        };
        schema.table_name(table).clone_into(&mut rows.table);
        match relation {
            Value(seen) if is_template => {
                let column = schema.path_text(seen);
                if let Some(bound) = variable(value).and_then(|name| self.bound(name, rounded)) {
                    rows.conditions.push(format!("{column} {bound}"));
                }
                rows.subject = Some(Subject::Column(column, seen.holds));
            }
            Link(seen) if is_template => {
                rows.subject = Some(Subject::Column(schema.path_text(seen), seen.holds));
            }
            Age(seen) if is_template => {
                let column = schema.path_text(seen);
                if let Some(bound) = variable(value).and_then(|name| self.bound(name, rounded)) {
                    rows.conditions.push(format!("days since {column} {bound}"));
                }
                rows.subject = Some(Subject::DaysSince(column));
            }
            AgeOfRow(_) if is_template => {
                let bounds = variable(value).and_then(|name| self.bounds.get(name).map(|_| value));
                if let Some(value) = bounds {
                    self.window(value, rows)?;
                }
                rows.subject = Some(Subject::Age);
            }
            _ if is_template => return None,
            Value(seen) | Link(seen) => {
                if let Some(thing) = variable(value).and_then(|name| self.things.get(name)) {
                    rows.owners.push(thing.clone());
                } else if variable(value) == Some(self.example) {
                    rows.owners.push("this row".to_owned());
                } else if schema.points_to(seen.end).is_some() && is_variable(value) {
                    return None;
                } else {
                    rows.conditions.push(self.compared(&schema.path_text(seen), value, "known"));
                }
            }
            Recency(_) => {
                let mut bounds = self.taken(value)?;
                bounds.sort_unstable();
                match &bounds[..] {
                    [("=<", n)] if n == "1" => rows.windows.push("the last row".to_owned()),
                    [("=<", n)] => rows.windows.push(format!("the last {n} rows")),
                    [(">=", n)] => rows.windows.push(format!("all rows but the last {}", before(n)?)),
                    [("=<", n), (">=", first)] => {
                        let skipped = before(first)?;
                        rows.windows.push(format!("the last {n} rows but the last {skipped}"));
                    }
                    _ => return None,
                }
            }
            AgeOfRow(_) => self.window(value, rows)?,
            Age(seen) => {
                let what = format!("days since {}", schema.path_text(seen));
                rows.conditions.push(self.compared(&what, value, "known"));
            }
            Year(seen) => {
                rows.conditions.push(self.compared_as(&schema.path_text(seen), value, "known", moment));
            }
            DatabaseRelation::AgeOfExample(_)
            | DatabaseRelation::Calendar(..)
            | DatabaseRelation::Latest(_) => return None,
        }
        Some(())
    }

    /// The days of rows by the comparisons of their ages.
    fn window<'g: 'c>(&mut self, age: &'g Term<'g>, rows: &mut Rows) -> Option<()> {
        let mut bounds = self.taken(age)?;
        bounds.sort_unstable();
        match &bounds[..] {
            [("=<", days)] => rows.windows.push(format!("the last {days} days")),
            [(">=", days)] => rows.windows.push(format!("all days but the last {days}")),
            [("=<", days), (">=", first)] => {
                rows.windows.push(format!("the last {days} days but the last {first}"));
            }
            _ => return None,
        }
        Some(())
    }

    /// The comparisons of a value, which the caller puts into words.
    fn taken<'g: 'c>(&mut self, value: &'g Term<'g>) -> Option<Vec<Bound>> {
        let variable = variable(value)?;
        let bounds = self.bounds.get(variable)?.clone();
        self.said.insert(variable);
        Some(bounds)
    }

    /// A constant as the clause writes it, without needless quotes; of a long number five digits.
    fn constant(&self, term: &Term<'_>) -> String {
        match &term.kind {
            TermKind::Atom(name) if name.chars().all(|of| of.is_alphanumeric() || of == '_') => {
                name.to_string()
            }
            TermKind::Float(_) => rounded(&self.source[term.span.start..term.span.end]),
            _ => self.source[term.span.start..term.span.end].to_owned(),
        }
    }
}

impl Rows {
    /// Which rows, after their name.
    fn which(&self) -> String {
        let mut text = String::new();
        if !self.owners.is_empty() {
            text.push_str(&format!(" of {}", self.owners.join(" and ")));
        }
        if !self.conditions.is_empty() {
            text.push_str(&format!(" with {}", self.conditions.join(" and ")));
        }
        if !self.windows.is_empty() {
            text.push_str(&format!(" over {}", self.windows.join(" and ")));
        }
        text
    }
}

/// A value as it is written; of a long number with a fraction five digits.
fn rounded(text: &str) -> String {
    let number = text.parse().ok().filter(|_| text.len() > LONG_NUMBER && text.contains('.'));
    let digits = |number: f64| format!("{number:.4e}").parse::<f64>().ok();
    number.and_then(digits).map_or_else(|| text.to_owned(), |short| short.to_string())
}

/// A number of years as a date: `2023-10-15` for `2023.7863`, which four digits tell from the days beside it; of other moments with
/// the time of day, to the minute.
fn moment(years: &str) -> String {
    let of = |years: f64| {
        let first = jiff::civil::Date::new(format!("{:.0}", years.floor()).parse().ok()?, 1, 1).ok()?;
        let minutes = (years - years.floor()) * f64::from(first.days_in_year()) * MINUTES_OF_DAY;
        let days = (minutes / MINUTES_OF_DAY).round();
        let is_date = (minutes - days * MINUTES_OF_DAY).abs() <= 1.0 + MINUTES_OF_YEAR / 20_000.0;
        let minutes = if is_date { days * MINUTES_OF_DAY } else { minutes.round() };
        let span = jiff::Span::new().try_minutes(format!("{minutes:.0}").parse::<i64>().ok()?).ok()?;
        let at = first.at(0, 0, 0, 0).checked_add(span).ok()?;
        let date = at.date().to_string();
        Some(if is_date { date } else { format!("{date} {:02}:{:02}", at.hour(), at.minute()) })
    };
    years.parse().ok().and_then(of).unwrap_or_else(|| years.to_owned())
}

const MINUTES_OF_DAY: f64 = 1_440.0;
const MINUTES_OF_YEAR: f64 = 366.0 * MINUTES_OF_DAY;

fn operator_word(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "avg" => "average",
        "min" => "least",
        "max" => "greatest",
        "sum" => "sum of",
        "last" => "latest",
        _ => return None,
    })
}

/// The whole number before one that is written.
fn before(number: &str) -> Option<i64> {
    number.parse::<i64>().ok().map(|number| number - 1)
}

/// The article before a name: `an order`, `a user`.
fn article(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let sounds_as_you = ["us", "uni", "eu"].iter().any(|start| name.starts_with(start));
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) && !sounds_as_you { "an" } else { "a" }
}

#[cfg(test)]
mod tests;
