//! The rows of a database's relations, as views.
//!
//! Data that are no database: each relation is a table of its name, with columns `a1`, `a2` and so on.

use std::collections::BTreeMap;
use std::fmt::Write;

use gleaner_data::{DatabaseRelation, LatestLink, SeenColumn};
use gleaner_lang::program::{Clause, PredicateName, Symbols};

use super::dialect::Dialect;
use super::shared::Kinds;
use super::source::{Kind, Relation, Source, Uses};
use super::tables::{Database, Form};
use super::text::{Names, in_comment, own, quoted};
use super::times;
use super::times::Sight;

/// The database whose rows these are.
pub(super) struct Rows<'r> {
    pub(super) database: &'r Database<'r>,
    /// What examples see of the rows that they point to; none where they see all.
    pub(super) sight: Option<&'r Sight>,
}

/// The rows of a foreign key, numbered in the order of their times among those that hang on the same thing.
pub(super) fn numbered(rows: &str) -> String {
    in_order(rows, "since")
}

/// As [`numbered`], by the times in a column.
fn in_order(rows: &str, time: &str) -> String {
    format!(
        "SELECT a1, a2, since, row_number() OVER (PARTITION BY a2 ORDER BY {time}, position) AS n\n  FROM (\n    {rows}) AS r"
    )
}

/// Columns of rows and what they see: `position`, `a1`, `a2`, and others by relation.
struct Seen {
    select: String,
    from: String,
    condition: String,
}

impl Seen {
    fn text(&self) -> String {
        format!("SELECT {}\n    FROM {}\n    WHERE {}", self.select, self.from, self.condition)
    }
}

impl Rows<'_> {
    /// The view of a relation. Places among rows are found once, so they are a table.
    pub(super) fn view(&self, relation: &Relation, found: &[DatabaseRelation]) -> String {
        let selects: Vec<String> = found.iter().map(|found| self.rows(found, relation)).collect();
        let dialect = self.database.dialect;
        // What takes time to find is found once.
        let indices: &[&str] = match (relation.is_of_example, &relation.places_of) {
            (true, _) => &["example, a1"],
            (false, Some(_)) => &["a1", "a2, since, n"],
            (false, None) => &[],
        };
        let mut text = format!(
            "{}\n    {};\n",
            dialect.create(!indices.is_empty(), &relation.view),
            selects.join("\n    UNION\n    ")
        );
        for (at, columns) in indices.iter().enumerate() {
            let index = own(&format!("{}_by_{}", relation.view.trim_matches('"'), at + 1));
            text.push_str(&dialect.index(&index, &relation.view, columns));
        }
        if !indices.is_empty() {
            text.push_str(&dialect.analyze(&relation.view));
        }
        text
    }

    fn rows(&self, found: &DatabaseRelation, relation: &Relation) -> String {
        match found {
            DatabaseRelation::Value(seen) => {
                let mut rows = self.seen(seen, Form::Value, "a2");
                let since = if relation.knows_same.is_some() { ", moment, since" } else { "" };
                if !since.is_empty() {
                    rows.select.push_str(", s.moment AS moment, s.since AS since");
                    let times = self.database.time_table_of(seen);
                    rows.from =
                        format!("{}\n    LEFT JOIN {times} AS s ON s.position = r.g_position", rows.from);
                }
                match relation.is_boolean {
                    true => {
                        format!("SELECT a1, lower(a2) AS a2{since} FROM (\n    {}) AS cells", rows.text())
                    }
                    false => rows.text(),
                }
            }
            DatabaseRelation::Year(seen) => self.seen(seen, Form::Year, "a2").text(),
            DatabaseRelation::Calendar(seen, part) => self.seen(seen, Form::Calendar(*part), "a2").text(),
            DatabaseRelation::AgeOfExample(seen) => self.seen(seen, Form::Value, "moment").text(),
            DatabaseRelation::Age(seen) => {
                let mut rows = self.seen(seen, Form::Value, "moment");
                rows.select = format!("{}, r.{} AS since", rows.select, self.database.end_column(seen.end));
                rows.text()
            }
            DatabaseRelation::AgeOfRow(table) => format!(
                "SELECT r.g_name AS a1, s.moment AS moment, s.since AS since\n    FROM {} AS r JOIN {} AS s ON s.position = r.g_position\n    \
                 WHERE r.g_name IS NOT NULL",
                self.database.table(*table),
                self.database.time_table(*table)
            ),
            DatabaseRelation::Link(seen) => self.link(seen).text(),
            DatabaseRelation::Recency(seen) if self.database.is_later(seen) => {
                let mut rows = self.link(seen);
                let times = self.database.time_table(seen.table);
                rows.select.push_str(", o.since AS own");
                rows.from = format!("{}\n    JOIN {times} AS o ON o.position = r.g_position", rows.from);
                in_order(&rows.text(), "own")
            }
            DatabaseRelation::Recency(seen) => numbered(&self.link(seen).text()),
            DatabaseRelation::Latest(link) => self.latest(link),
        }
    }

    /// The rows of a foreign key, and whether these are what `relation` has places of.
    pub(super) fn of_link(&self, found: &[DatabaseRelation]) -> (Option<String>, Option<String>) {
        match found {
            // What is asked of rows once for all examples is asked of rows that see it as long as they exist.
            [DatabaseRelation::Link(seen)] if self.database.is_later(seen) => (None, None),
            [DatabaseRelation::Link(seen)] => (Some(self.link(seen).text()), None),
            [DatabaseRelation::Recency(seen)] => (None, Some(self.link(seen).text())),
            _ => (None, None),
        }
    }

    /// Rows with what they see, under a name.
    fn seen(&self, seen: &SeenColumn, form: Form, name: &str) -> Seen {
        let mut joins = String::new();
        let last = self.database.path(seen, "r", "JOIN", &mut joins);
        let value = format!("{last}.{}", self.database.column(seen.end, form));
        let of_path = self.sight.filter(|_| seen.table == self.database.schema.examples().table);
        let (times, sees) = of_path.map(|sight| sight.of_path(seen, self.database)).unwrap_or_default();
        Seen {
            select: format!("r.g_name AS a1, {value} AS {name}"),
            from: format!("{} AS r{joins}{times}", self.database.table(seen.table)),
            condition: format!("r.g_name IS NOT NULL AND {value} IS NOT NULL{sees}"),
        }
    }

    /// Rows with what they point to, and from when on they exist.
    fn link(&self, seen: &SeenColumn) -> Seen {
        let mut rows = self.seen(seen, Form::Value, "a2");
        rows.select.push_str(", s.since AS since, r.g_place AS position");
        let times = self.database.time_table_of(seen);
        rows.from = format!("{}\n    JOIN {times} AS s ON s.position = r.g_position", rows.from);
        rows
    }

    /// What the latest row points to of those that hang on what an example points to.
    fn latest(&self, link: &LatestLink) -> String {
        let (database, up) = (self.database, self.seen(&link.up, Form::Value, "a2"));
        let mut down = self.link(&link.down);
        let to = format!("r.{}", database.column(link.to, Form::Value));
        // Both what the example points to and what the latest row points to are rows, not keys alone.
        let rows_of = |end| database.schema.points_to(end).map(|to| database.table(to)).unwrap_or_default();
        let (things, target) = (rows_of(link.up.end), rows_of(link.to));
        down.select = format!("{}, {to} AS target", down.select);
        format!(
            "SELECT l.example, l.a1, t.g_name AS a2\n    FROM (\n      SELECT e.example, e.a1, d.target,\n        \
             row_number() OVER (PARTITION BY e.example ORDER BY d.since DESC, d.position DESC) AS place\n      \
             FROM g_examples AS e\n      JOIN ({}) AS u ON u.a1 = e.a1\n      JOIN {things} AS k ON k.g_name = u.a2\n      JOIN ({}) AS d ON d.a2 = u.a2 AND d.since < e.before\n    ) AS l\n    \
             JOIN {target} AS t ON t.g_name = l.target\n    WHERE l.place = 1",
            up.text(),
            down.text()
        )
    }
}

/// The second column of a relation as an expression over its view's alias and the example `e`; none where the view has
/// it.
pub(super) fn second_column(relation: &Relation, alias: &str, dialect: Dialect) -> Option<String> {
    if relation.age.is_some() {
        return Some(times::age("e.cut_off", &format!("{alias}.moment"), dialect));
    }
    // Places count from the last row that the example sees, whatever leads it to the rows.
    relation.places_of.as_ref().map(|_| {
        // Rows that are seen from later on may be among others.
        if relation.is_later {
            return format!(
                "CAST((SELECT count(*) FROM {} AS p WHERE p.a2 = {alias}.a2 AND p.n >= {alias}.n AND p.since < e.before) AS {})",
                relation.view,
                dialect.number_type()
            );
        }
        let last = dialect.last_row(&relation.view, &format!("{alias}.a2"), "e.before");
        format!("CAST(({last}) - {alias}.n + 1 AS {})", dialect.number_type())
    })
}

/// The views of the relations, and the examples: the rows of a table that has the target's name.
pub(super) fn source(
    target: &PredicateName,
    (clauses, symbols): (&[&Clause], &Symbols),
    uses: &Uses,
    dialect: Dialect,
) -> Source {
    let mut kinds = Kinds::of(clauses, symbols, uses);
    let mut tables: BTreeMap<&PredicateName, Vec<Kind>> = BTreeMap::new();
    for name in uses.relations.keys().chain([target]) {
        tables.insert(name, (0..name.arity).map(|at| kinds.kind(name, at)).collect());
    }
    let all: Vec<PredicateName> = tables.keys().map(|name| (*name).clone()).collect();
    let mut names = Names::default();
    let mut remarks = vec![
        "Each relation is a table of its name. Fill the tables with your facts, and with what your rules derive:"
            .to_owned(),
    ];
    remarks.extend(tables.iter().map(|(name, kinds)| {
        let column = |(at, kind): (usize, &Kind)| {
            let of_kind = match kind {
                Kind::Name => dialect.text_type(),
                Kind::Number => dialect.number_type(),
            };
            format!("a{} {of_kind}", at + 1)
        };
        let columns: Vec<String> = kinds.iter().enumerate().map(column).collect();
        let what = if *name == target { "the examples" } else { "facts" };
        let columns = if columns.is_empty() { "a0 INTEGER".to_owned() } else { columns.join(", ") };
        format!("  CREATE TABLE {} ({columns}); -- {what}", quoted(&table_name(name, &all)))
    }));
    let mut text = String::new();
    let mut relations = BTreeMap::new();
    for (name, kinds) in tables.iter().filter(|(name, _)| uses.relations.contains_key(**name)) {
        let view = own(&names.one_like(&format!("g_{}", name.name)));
        let columns = columns(kinds, dialect);
        let _ = write!(
            text,
            "\n{}\n  SELECT {} FROM {};\n",
            dialect.create(true, &view),
            if columns.is_empty() { "1 AS a0" } else { &columns },
            quoted(&table_name(name, &all))
        );
        for argument in 1..=kinds.len() {
            let index = own(&names.one_like(&format!("g_index_{argument}_{}", name.name)));
            text.push_str(&dialect.index(&index, &view, &format!("a{argument}")));
        }
        text.push_str(&dialect.analyze(&view));
        relations.insert((*name).clone(), Relation::plain(view, kinds.clone()));
    }
    let example_kinds = tables.remove(target).unwrap_or_default();
    let columns = columns(&example_kinds, dialect);
    let _ = write!(
        text,
        "\n-- The examples.\n{}\n  SELECT row_number() OVER () AS example, t.*\n  FROM (SELECT DISTINCT {} FROM {}) AS t;\n{}",
        dialect.create(true, "g_examples"),
        if columns.is_empty() { "1 AS a0" } else { &columns },
        quoted(&table_name(target, &all)),
        dialect.index("g_examples_by_example", "g_examples", "example") + &dialect.analyze("g_examples"),
    );
    let argument_names = (1..=target.arity).map(|argument| format!("a{argument}")).collect();
    let remarks = remarks.iter().map(|remark| in_comment(remark)).collect();
    Source { text, relations, example_kinds, argument_names, remarks }
}

/// The table of a relation. If relations of several arities share a name, the arity is part of the table's name.
fn table_name(name: &PredicateName, all: &[PredicateName]) -> String {
    if all.iter().filter(|other| other.name == name.name).count() > 1 {
        format!("{}/{}", name.name, name.arity)
    } else {
        name.name.clone()
    }
}

fn columns(kinds: &[Kind], dialect: Dialect) -> String {
    let column = |(at, kind): (usize, &Kind)| {
        let cell = format!("a{}", at + 1);
        let value = match kind {
            Kind::Name => dialect.name(&format!("CAST({cell} AS {})", dialect.text_type())),
            Kind::Number => format!("CAST({cell} AS {})", dialect.number_type()),
        };
        format!("{value} AS {cell}")
    };
    kinds.iter().enumerate().map(column).collect::<Vec<_>>().join(", ")
}
