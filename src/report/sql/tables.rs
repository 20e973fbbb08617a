//! The user's own tables: their cells as names, numbers and times, and the examples.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gleaner_data::{CalendarPart, CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, SeenColumn};

use super::dialect::{DAY, Dialect};
use super::text::{Names, in_comment, own, quoted};
use super::times;
use super::times::Freezing;

/// How a cell is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// As it is in the relation.
    Value,
    /// As the user's table has it.
    Text,
    /// The year of a time.
    Year,
    /// A part of a time.
    Calendar(CalendarPart),
}

/// The tables of a database and what the clauses ask of them.
pub(super) struct Database<'d> {
    pub(super) schema: &'d DatabaseSchema,
    pub(super) dialect: Dialect,
    /// By table, the columns that are asked for.
    pub(super) columns: BTreeMap<usize, BTreeSet<(usize, Form)>>,
    /// The rows whose times are asked for: their table, and the path through which they see, if they see through it from later on.
    timed: BTreeSet<(usize, Vec<ColumnPlace>)>,
    /// The tables that foreign keys of rows lead to, and no foreign key of examples.
    pub(super) led_to: BTreeSet<usize>,
    /// The tables whose rows' order is asked for.
    placed: BTreeSet<usize>,
    /// Whether examples see some rows that they point to only if these existed at their cut-offs.
    pub(super) is_limited: bool,
    /// Whether rows that examples name are asked whether they are of the moment of the cut-off.
    asks_same: bool,
    /// The names of the tables of cells.
    table_names: BTreeMap<usize, String>,
}

impl<'d> Database<'d> {
    /// The tables of a schema, before any column is asked for.
    pub(super) const fn new(schema: &'d DatabaseSchema, dialect: Dialect) -> Self {
        Self {
            schema,
            dialect,
            columns: BTreeMap::new(),
            timed: BTreeSet::new(),
            led_to: BTreeSet::new(),
            placed: BTreeSet::new(),
            is_limited: false,
            asks_same: false,
            table_names: BTreeMap::new(),
        }
    }

    /// Notes the columns that a relation needs.
    pub(super) fn ask(&mut self, relation: &DatabaseRelation) {
        match relation {
            DatabaseRelation::Value(seen) => {
                self.ask_seen(seen, Form::Value);
                if let Some(knows_same) = self.knows_same(seen) {
                    self.ask_time(self.time_of(seen));
                    self.asks_same |= knows_same;
                }
            }
            DatabaseRelation::AgeOfExample(seen) | DatabaseRelation::Age(seen) => {
                self.ask_seen(seen, Form::Value);
            }
            DatabaseRelation::Year(seen) => self.ask_seen(seen, Form::Year),
            DatabaseRelation::Calendar(seen, part) => self.ask_seen(seen, Form::Calendar(*part)),
            DatabaseRelation::Link(seen) | DatabaseRelation::Recency(seen) => {
                self.ask_seen(seen, Form::Value);
                self.ask_order(seen);
            }
            DatabaseRelation::AgeOfRow(table) => self.ask_time((*table, Vec::new())),
            DatabaseRelation::Latest(link) => {
                self.ask_seen(&link.up, Form::Value);
                self.ask_seen(&link.down, Form::Value);
                self.ask_cell(link.to, Form::Value);
                for end in [link.up.end, link.to] {
                    self.schema.points_to(end).into_iter().for_each(|to| self.ask_table(to));
                }
                self.ask_order(&link.down);
            }
        }
    }

    /// The columns that are asked for, and those that rows without a key have their order by.
    pub(super) fn asked(&self) -> impl Iterator<Item = ColumnPlace> + '_ {
        let of_table = |(&table, columns): (&usize, &BTreeSet<(usize, Form)>)| -> Vec<ColumnPlace> {
            let asked = columns.iter().map(|&(column, _)| ColumnPlace { table, column });
            asked.chain(self.schema.content_columns(table)).collect()
        };
        self.columns.iter().flat_map(of_table)
    }

    /// Notes the columns that the examples need.
    pub(super) fn ask_examples(&mut self, freezing: &Freezing) {
        let examples = self.schema.examples();
        self.ask_table(examples.table);
        examples.links.iter().for_each(|&link| self.ask_cell(link, Form::Value));
        if let Some(cut_off) = examples.cut_off {
            self.ask_cell(cut_off, Form::Value);
            self.ask_cell(cut_off, Form::Text);
        }
        let sight = self.schema.sight().filter(|_| self.is_limited);
        sight.into_iter().for_each(|at| self.ask_cell(at, Form::Value));
        let is_frozen = examples.cut_off.or(sight).is_some() && freezing.needs_column();
        examples.fold.filter(|_| is_frozen).into_iter().for_each(|fold| self.ask_cell(fold, Form::Text));
    }

    fn ask_order(&mut self, seen: &SeenColumn) {
        self.ask_time(self.time_of(seen));
        self.ask_time((seen.table, Vec::new()));
        self.placed.insert(seen.table);
    }

    fn ask_time(&mut self, of: (usize, Vec<ColumnPlace>)) {
        if self.timed.insert(of.clone()) {
            let (table, path) = of;
            let further = self.schema.further_time_sources(table, &path);
            for source in self.schema.sight_sources(table).iter().chain(&further) {
                self.ask_seen(source, Form::Value);
            }
        }
    }

    /// Whether what rows see is seen at the very moment of the cut-off; none where it is seen always.
    pub(super) fn knows_same(&self, seen: &SeenColumn) -> Option<bool> {
        if self.is_later(seen) {
            return Some(false);
        }
        self.schema.knows_same(seen.table).or_else(|| self.led_to.contains(&seen.table).then_some(false))
    }

    /// Whether rows may see a column from later on than they came to be.
    pub(super) fn is_later(&self, seen: &SeenColumn) -> bool {
        !self.schema.further_time_sources(seen.table, &seen.path).is_empty()
    }

    /// What says from when on rows see a column.
    fn time_of(&self, seen: &SeenColumn) -> (usize, Vec<ColumnPlace>) {
        (seen.table, if self.is_later(seen) { seen.path.clone() } else { Vec::new() })
    }

    fn ask_seen(&mut self, seen: &SeenColumn, form: Form) {
        self.ask_table(seen.table);
        let is_of_example = seen.table == self.schema.examples().table;
        for &step in &seen.path {
            self.ask_cell(step, Form::Value);
            let to = self.schema.points_to(step).filter(|_| is_of_example);
            if let Some(to) = to.filter(|&to| !self.schema.sight_sources(to).is_empty()) {
                self.is_limited = true;
                self.ask_time((to, Vec::new()));
            }
        }
        self.ask_cell(seen.end, form);
    }

    fn ask_cell(&mut self, at: ColumnPlace, form: Form) {
        self.ask_table(at.table);
        self.columns.entry(at.table).or_default().insert((at.column, form));
    }

    fn ask_table(&mut self, table: usize) {
        self.columns.entry(table).or_default();
    }

    /// The name of the table of a table's cells.
    pub(super) fn table(&self, table: usize) -> String {
        self.table_names.get(&table).map_or_else(|| format!("g_table_{table}"), |name| own(name))
    }

    /// The name of the table of the times of a table's rows.
    pub(super) fn time_table(&self, table: usize) -> String {
        time_table(table, &[])
    }

    /// The name of the table of the times from which on rows see a column.
    pub(super) fn time_table_of(&self, seen: &SeenColumn) -> String {
        let (table, path) = self.time_of(seen);
        time_table(table, &path)
    }

    /// The column of a cell in the table of cells.
    pub(super) fn column(&self, at: ColumnPlace, form: Form) -> String {
        let name = self.schema.column_name(at);
        match form {
            // Names that begin so are ours.
            Form::Value if name.to_lowercase().starts_with("g_") => quoted(&format!("g_value_{name}")),
            Form::Value => quoted(name),
            Form::Text => quoted(&format!("g_text_{name}")),
            Form::Year => quoted(&format!("g_year_{name}")),
            Form::Calendar(part) => quoted(&format!("g_{part}_{name}")),
        }
    }

    /// The column of the moment from which on a time has passed: of a day its end.
    pub(super) fn end_column(&self, at: ColumnPlace) -> String {
        quoted(&format!("g_end_{}", self.schema.column_name(at)))
    }

    /// The tables of cells.
    pub(super) fn tables(&mut self, names: &mut Names) -> String {
        let mut text = String::from(
            "\n-- The cells of your tables: names as texts, numbers as floats, times as microseconds since 1970.\n",
        );
        text.push_str(&self.dialect.missing());
        let times = self.time_cells();
        if !times.is_empty() {
            text.push_str(&times::table(&times, self.dialect));
        }
        for (&table, columns) in &self.columns {
            let name = names.one_like(&format!("g_table_{}", self.schema.table_name(table)));
            self.table_names.insert(table, name.clone());
            let own_name = own(&name);
            let (mut cells, mut values, mut joins) = (BTreeSet::new(), Vec::new(), String::new());
            let key = self.schema.key(table);
            match key {
                Some(key) => {
                    values.push(format!("{} AS g_name", self.name_of(key)));
                    cells.extend(self.cells_of(key));
                }
                None => values.push(format!("CAST(g_position AS {}) AS g_name", self.dialect.text_type())),
            }
            if self.placed.contains(&table) {
                values.push(format!("row_number() OVER (ORDER BY {}) AS g_place", self.place(table)));
                cells.extend(self.schema.content_columns(table).flat_map(|column| self.cells_of(column)));
            }
            for &(column, form) in columns {
                let at = ColumnPlace { table, column };
                values.extend(self.values(at, form));
                cells.extend(self.cells_of(at));
                if self.is_time((at, form)) {
                    let (time, cell) = (time_alias(at, form), quoted(self.schema.column_name(at)));
                    let _ = write!(
                        joins,
                        "\n  LEFT JOIN {} AS {time} ON {time}.g_written = cells.{cell}",
                        times::TIMES
                    );
                }
            }
            let cells: Vec<String> =
                cells.iter().map(|cell| format!("{} AS {cell}", self.dialect.cell(cell))).collect();
            let _ = write!(
                text,
                "{}\n  SELECT g_position,\n    {}\n  FROM (\n    SELECT row_number() OVER () AS g_position,\n      {}\n    FROM {}\n  ) AS cells{joins};\n",
                self.dialect.create(true, &own_name),
                values.join(",\n    "),
                cells.join(",\n      "),
                self.source(table),
            );
            text.push_str(&self.indices(table, &own_name));
        }
        text
    }

    /// Whether a column is made of times.
    fn is_time(&self, (at, form): (ColumnPlace, Form)) -> bool {
        matches!(form, Form::Year | Form::Calendar(_))
            || form == Form::Value && self.schema.holds(at) == CellKind::Time
    }

    /// The queries of the cells that are times.
    fn time_cells(&self) -> Vec<String> {
        let columns = self.columns.iter().flat_map(|(&table, columns)| {
            columns.iter().map(move |&(column, form)| (ColumnPlace { table, column }, form))
        });
        let columns: BTreeSet<ColumnPlace> =
            columns.filter(|it| self.is_time(*it)).map(|(at, _)| at).collect();
        let query = |at: &ColumnPlace| {
            let cell = self.dialect.cell(&quoted(self.schema.column_name(*at)));
            format!("SELECT {cell} AS g_written FROM {}", quoted(self.schema.table_name(at.table)))
        };
        columns.iter().map(query).collect()
    }

    /// The order of the rows of a table, by what they hold: of two rows of one time the greater is the later one.
    fn place(&self, table: usize) -> String {
        let of_column = |at: ColumnPlace| {
            let (name, binary) = (self.name_of(at), self.dialect.binary());
            let number = self.schema.parts(at).next().is_none().then(|| {
                let cell = quoted(self.schema.column_name(at));
                let value = match self.schema.holds(at) {
                    CellKind::Duration => self.dialect.seconds(&cell),
                    _ => self.dialect.number(&cell),
                };
                format!("{value} NULLS LAST, ")
            });
            format!("{}{name}{binary} NULLS LAST", number.unwrap_or_default())
        };
        let columns = self.schema.content_columns(table).map(of_column);
        columns.chain(["g_position".to_owned()]).collect::<Vec<_>>().join(", ")
    }

    /// Where the rows of a table come from: the user's table, or the columns that name keys which stand in no file.
    fn source(&self, table: usize) -> String {
        let keys = |at: ColumnPlace| {
            let cell = quoted(self.schema.column_name(at));
            let (name, table) = (self.dialect.name(&cell), quoted(self.schema.table_name(at.table)));
            format!(
                "SELECT {name} AS g_key FROM (SELECT {} AS {cell} FROM {table}) AS cells",
                self.dialect.cell(&cell)
            )
        };
        let selects: Vec<String> = self.schema.makers(table).map(keys).collect();
        match self.schema.key(table).filter(|_| !selects.is_empty()) {
            Some(key) => format!(
                "(\n      SELECT g_key AS {} FROM (\n        {}\n      ) AS keys WHERE g_key IS NOT NULL\n    ) AS made",
                quoted(self.schema.column_name(key)),
                selects.join("\n        UNION ")
            ),
            None => quoted(self.schema.table_name(table)),
        }
    }

    /// The indices of a table of cells: on the names of rows, and on foreign keys.
    fn indices(&self, table: usize, name: &str) -> String {
        let index = |of: usize| format!("g_index_{table}_{of}");
        let mut text = self.dialect.index(&index(0), name, "g_name");
        text.push_str(&self.dialect.index(&index(1), name, "g_position"));
        for &(column, form) in &self.columns[&table] {
            let at = ColumnPlace { table, column };
            if form == Form::Value && self.schema.points_to(at).is_some() {
                text.push_str(&self.dialect.index(&index(column + 2), name, &self.column(at, form)));
            }
        }
        text + &self.dialect.analyze(name)
    }

    /// The user's columns that a column is made of: itself, or those of a composite key.
    fn cells_of(&self, at: ColumnPlace) -> Vec<String> {
        let cell = |at: ColumnPlace| quoted(self.schema.column_name(at));
        let parts: Vec<String> = self.schema.parts(at).map(cell).collect();
        if parts.is_empty() { vec![cell(at)] } else { parts }
    }

    /// The name that a column's cell is. That of a composite key joins the names in all its columns; it is missing where
    /// one of them is.
    fn name_of(&self, at: ColumnPlace) -> String {
        let names: Vec<String> = self.cells_of(at).iter().map(|cell| self.dialect.name(cell)).collect();
        match names.as_slice() {
            [name] => name.clone(),
            names => {
                let escaped = |name: &String| format!("replace(replace({name}, '\\', '\\\\'), '|', '\\|')");
                names.iter().map(escaped).collect::<Vec<_>>().join(" || '|' || ")
            }
        }
    }

    /// The columns that one cell becomes.
    fn values(&self, at: ColumnPlace, form: Form) -> Vec<String> {
        let (dialect, column) = (self.dialect, self.column(at, form));
        let cell = &quoted(self.schema.column_name(at));
        let time = time_alias(at, form);
        match (form, self.schema.holds(at)) {
            (Form::Text, _) => vec![format!("{cell} AS {column}")],
            (Form::Year, _) => {
                let moment = format!("{time}.g_moment");
                let year = dialect.year(&moment);
                let of_day = format!("((({moment}) % {DAY}) + {DAY}) % {DAY}");
                let of_year = format!(
                    "({} - 1 + {of_day} / {}) / CASE WHEN ({year} % 4 = 0 AND {year} % 100 <> 0) OR {year} % 400 = 0 \
                     THEN {} ELSE {} END",
                    dialect.day_of_year(&moment),
                    dialect.constant(86_400_000_000.0),
                    dialect.constant(366.0),
                    dialect.constant(365.0),
                );
                let scale = dialect.constant(10_000.0);
                let rounded = format!("round(({year} + {of_year}) * {scale}) / {scale}");
                vec![format!("CASE WHEN {moment} IS NOT NULL THEN {rounded} END AS {column}")]
            }
            (Form::Calendar(part), _) => {
                let part_of = dialect.calendar_part(&format!("{time}.g_moment"), part);
                let value = match part {
                    CalendarPart::Hour => format!("CASE WHEN {time}.g_length = 0 THEN {part_of} END"),
                    CalendarPart::Month | CalendarPart::Weekday => part_of,
                };
                vec![format!("{value} * {} AS {column}", dialect.constant(1.0))]
            }
            (Form::Value, CellKind::Name) => vec![format!("{} AS {column}", self.name_of(at))],
            (Form::Value, CellKind::Number) => vec![format!("{} AS {column}", dialect.number(cell))],
            (Form::Value, CellKind::Duration) => vec![format!("{} AS {column}", dialect.seconds(cell))],
            (Form::Value, CellKind::Time) => {
                let end = self.end_column(at);
                vec![
                    format!("{time}.g_moment AS {column}"),
                    format!("{time}.g_moment + {time}.g_length AS {end}"),
                ]
            }
        }
    }

    /// The tables of the times of rows.
    pub(super) fn times(&self, names: &mut Names) -> String {
        let mut text = String::new();
        for (table, path) in &self.timed {
            let (table, name) = (*table, time_table(*table, path));
            let _ = names.one_like(&name);
            let mut sources = self.schema.sight_sources(table);
            let n_of_rows = sources.len();
            sources.extend(self.schema.further_time_sources(table, path));
            let (mut joins, mut ends, mut moments) = (String::new(), Vec::new(), Vec::new());
            for (number, source) in sources.iter().enumerate() {
                let alias = self.path(source, &format!("s{number}"), "LEFT JOIN", &mut joins);
                ends.push(format!("{alias}.{}", self.end_column(source.end)));
                moments.push(format!("{alias}.{}", self.column(source.end, Form::Value)));
            }
            let columns = |values: &[String], name: &str| {
                let each = values.iter().enumerate().map(|(at, value)| format!("{value} AS {name}{at}"));
                each.collect::<Vec<_>>().join(", ")
            };
            let since: Vec<String> = (0..ends.len()).map(|at| format!("since{at}")).collect();
            let latest = self.dialect.latest(&since);
            let moment = if ends.len() == 1 {
                "moment0".to_owned()
            } else {
                let each = (0..ends.len()).map(|at| format!(" WHEN since{at} THEN moment{at}"));
                format!("CASE {latest}{} END", each.collect::<String>())
            };
            let through: Vec<&str> = path.iter().map(|&at| self.schema.column_name(at)).collect();
            let through = match through.as_slice() {
                [] => "came to be".to_owned(),
                _ => format!("see through {}", in_comment(&through.join(", "))),
            };
            let _ = write!(
                text,
                "-- When the rows of {} {through}.\n{}\n  SELECT position, {latest} AS since, {moment} AS moment\n  FROM (\n    \
                 SELECT r.g_position AS position, {}, {}\n    FROM {} AS r{joins}\n  ) AS times\n  WHERE {} IS NOT NULL;\n{}",
                in_comment(self.schema.table_name(table)),
                self.dialect.create(true, &name),
                columns(&ends, "since"),
                columns(&moments, "moment"),
                self.table(table),
                self.dialect.latest(&since[..n_of_rows]),
                self.dialect.index(&format!("g_index_time_{table}{}", columns_of(path)), &name, "position"),
            );
            text.push_str(&self.dialect.analyze(&name));
        }
        text
    }

    /// Joins the tables on the way to a column, from the alias `r` on. Gives the alias of the last.
    pub(super) fn path(&self, seen: &SeenColumn, alias: &str, join: &str, joins: &mut String) -> String {
        let mut at = "r".to_owned();
        for (number, &step) in seen.path.iter().enumerate() {
            let Some(to) = self.schema.points_to(step) else { continue };
            let next = format!("{alias}_{number}");
            let key = self.column(step, Form::Value);
            let _ = write!(joins, "\n    {join} {} AS {next} ON {next}.g_name = {at}.{key}", self.table(to));
            at = next;
        }
        at
    }

    /// The table of the examples, and the names of their arguments. One of these is `class`, if there are many.
    pub(super) fn examples(&self, class: Option<&str>, freezing: &Freezing) -> (String, Vec<String>) {
        let examples = self.schema.examples();
        let mut answered = Names::default();
        for taken in ["score", "probability", "decision", "prediction"] {
            let _ = answered.one_like(taken);
        }
        let mut columns = vec!["r.g_position AS example".to_owned(), "r.g_name AS a1".to_owned()];
        let key = self.schema.key(examples.table);
        let key = key.map_or("row", |key| self.schema.column_name(key));
        let mut names = vec![answered.one_like(key)];
        for &link in &examples.links {
            let cell = self.column(link, Form::Value);
            columns.push(format!("coalesce(r.{cell}, 'nothing') AS a{}", columns.len()));
            names.push(answered.one_like(self.schema.column_name(link)));
        }
        if let Some(class) = class {
            columns.push(format!("{} AS a{}", super::text::text(class), columns.len()));
            names.push(answered.one_like(self.schema.label_name()));
        }
        let mut condition = "r.g_name IS NOT NULL".to_owned();
        let mut remark = String::new();
        if let Some(cut_off) = examples.cut_off {
            let cell = self.column(cut_off, Form::Value);
            columns.push(format!("r.{} AS a{}", self.column(cut_off, Form::Text), columns.len()));
            columns.push(format!("r.{cell} AS cut_off"));
            let fold = examples.fold.map(|fold| format!("r.{}", self.column(fold, Form::Text)));
            let before = freezing.before(&format!("r.{cell}"), fold.as_deref());
            columns.push(format!("{before} AS before"));
            if self.asks_same {
                let end = format!("r.{}", self.end_column(cut_off));
                let is_later = freezing.is_later(&format!("r.{cell}"), fold.as_deref());
                let same =
                    is_later.map_or_else(|| end.clone(), |it| format!("CASE WHEN {it} THEN {end} END"));
                columns.push(format!("{same} AS same"));
            }
            remark = format!(
                ". Rows from `before` on do not exist for them{}",
                in_comment(&freezing.remark(fold.is_some()))
            );
            names.push(answered.one_like(self.schema.column_name(cut_off)));
            let _ = write!(condition, " AND r.{cell} IS NOT NULL");
        }
        let text = format!(
            "\n-- The examples{remark}.\n{}\n  SELECT {}\n  FROM {} AS r\n  WHERE {condition};\n{}{}{}",
            self.dialect.create(true, "g_examples"),
            columns.join(", "),
            self.table(examples.table),
            self.dialect.index("g_examples_by_example", "g_examples", "example"),
            self.dialect.index("g_examples_by_name", "g_examples", "a1"),
            self.dialect.analyze("g_examples"),
        );
        (text, names)
    }
}

fn time_table(table: usize, path: &[ColumnPlace]) -> String {
    own(&format!("g_time_{table}{}", columns_of(path)))
}

/// The columns of a path as the end of a name.
fn columns_of(path: &[ColumnPlace]) -> String {
    path.iter().map(|at| format!("_{}", at.column)).collect()
}

/// The name of the joined times of a column.
fn time_alias(at: ColumnPlace, form: Form) -> String {
    let of = match form {
        Form::Year => "year".to_owned(),
        Form::Calendar(part) => part.to_string(),
        Form::Value | Form::Text => "time".to_owned(),
    };
    format!("g_{of}_{}", at.column)
}
