//! The rows of a database's relations, as views.

use super::source::{Age, Relation};
use super::tables::{Database, Form};
use gleaner_data::{DatabaseRelation, LatestLink, SeenColumn};

/// The database, and what its examples point to.
pub(super) struct Rows<'r> {
    pub(super) database: &'r Database<'r>,
    pub(super) ups: &'r [DatabaseRelation],
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
        let mut text = format!(
            "{}\n    {};\n",
            dialect.create(relation.is_of_example, &relation.view),
            selects.join("\n    UNION\n    ")
        );
        if relation.is_of_example {
            let index = format!("{}_by_row", relation.view.trim_matches('"'));
            text.push_str(&dialect.index(&super::text::own(&index), &relation.view, "example, a1"));
            text.push_str(&dialect.analyze(&relation.view));
        }
        text
    }

    fn rows(&self, found: &DatabaseRelation, relation: &Relation) -> String {
        match found {
            DatabaseRelation::Value(seen) => {
                let rows = self.seen(seen, Form::Value, "a2");
                match relation.is_boolean {
                    true => format!("SELECT a1, lower(a2) AS a2 FROM (\n    {}) AS cells", rows.text()),
                    false => rows.text(),
                }
            }
            DatabaseRelation::Year(seen) => self.seen(seen, Form::Year, "a2").text(),
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
            DatabaseRelation::Recency(seen) => self.recency(seen),
            DatabaseRelation::Latest(link) => self.latest(link),
        }
    }

    /// The rows of a foreign key, and whether these are what `relation` has places of.
    pub(super) fn of_link(&self, found: &[DatabaseRelation]) -> (Option<String>, Option<String>) {
        match found {
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
        Seen {
            select: format!("r.g_name AS a1, {value} AS {name}"),
            from: format!("{} AS r{joins}", self.database.table(seen.table)),
            condition: format!("r.g_name IS NOT NULL AND {value} IS NOT NULL"),
        }
    }

    /// Rows with what they point to, and from when on they exist.
    fn link(&self, seen: &SeenColumn) -> Seen {
        let mut rows = self.seen(seen, Form::Value, "a2");
        rows.select.push_str(", s.since AS since, r.g_position AS position");
        let times = self.database.time_table(seen.table);
        rows.from = format!("{}\n    JOIN {times} AS s ON s.position = r.g_position", rows.from);
        rows
    }

    /// What each example points to, of the rows of one table.
    fn parents(&self, table: usize) -> String {
        let schema = self.database.schema;
        let mut selects = Vec::new();
        if table == schema.examples().table {
            selects.push("SELECT example, a1 AS parent FROM g_examples".to_owned());
        }
        for up in self.ups {
            match up {
                DatabaseRelation::Value(seen) if schema.points_to(seen.end) == Some(table) => {
                    let rows = self.seen(seen, Form::Value, "a2").text();
                    selects.push(format!(
                        "SELECT e.example, u.a2 AS parent FROM g_examples AS e JOIN (\n      {rows}) AS u ON u.a1 = e.a1"
                    ));
                }
                DatabaseRelation::Latest(link) if schema.points_to(link.to) == Some(table) => {
                    selects.push(format!(
                        "SELECT example, a2 AS parent FROM (\n      {}) AS u",
                        self.latest(link)
                    ));
                }
                _ => {}
            }
        }
        if selects.is_empty() {
            selects.push("SELECT example, a1 AS parent FROM g_examples WHERE 1 = 0".to_owned());
        }
        selects.join("\n      UNION ")
    }

    /// The places of rows among those that exist for an example and hang on the same thing: 1 is the latest.
    fn recency(&self, seen: &SeenColumn) -> String {
        let parents = self.database.schema.points_to(seen.end).map(|table| self.parents(table));
        format!(
            "SELECT p.example, d.a1,\n      CAST(row_number() OVER (PARTITION BY p.example, d.a2 ORDER BY d.since DESC, d.position DESC) AS {}) AS a2\n    \
             FROM ({}) AS p\n    JOIN ({}) AS d ON d.a2 = p.parent\n    JOIN g_examples AS e ON e.example = p.example AND d.since < e.before",
            self.database.dialect.number_type(),
            parents.unwrap_or_default(),
            self.link(seen).text()
        )
    }

    /// What the latest row points to of those that hang on what an example points to.
    fn latest(&self, link: &LatestLink) -> String {
        let (database, up) = (self.database, self.seen(&link.up, Form::Value, "a2"));
        let mut down = self.link(&link.down);
        let to = format!("r.{}", database.column(link.to, Form::Value));
        let target = database.schema.points_to(link.to).map(|to| database.table(to)).unwrap_or_default();
        down.select = format!("{}, {to} AS target", down.select);
        format!(
            "SELECT l.example, l.a1, t.g_name AS a2\n    FROM (\n      SELECT e.example, e.a1, d.target,\n        \
             row_number() OVER (PARTITION BY e.example ORDER BY d.since DESC, d.position DESC) AS place\n      \
             FROM g_examples AS e\n      JOIN ({}) AS u ON u.a1 = e.a1\n      JOIN ({}) AS d ON d.a2 = u.a2 AND d.since < e.before\n    ) AS l\n    \
             JOIN {target} AS t ON t.g_name = l.target\n    WHERE l.place = 1",
            up.text(),
            down.text()
        )
    }
}

/// The second column of a relation as an expression over its view's alias.
pub(super) fn second_column(
    relation: &Relation,
    alias: &str,
    days: impl Fn(&str) -> String,
    as_number: &str,
) -> String {
    match relation.age {
        Some(Age::OfRow | Age::OfExample) => {
            format!("CAST({} AS {as_number})", days(&format!("e.cut_off - {alias}.moment")))
        }
        None => format!("{alias}.a2"),
    }
}
