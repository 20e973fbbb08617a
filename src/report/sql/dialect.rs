//! What databases write differently.

use gleaner_data::CalendarPart;

/// A database that runs the query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Dialect {
    /// DuckDB.
    #[default]
    #[cfg_attr(feature = "cli", value(name = "duckdb"))]
    DuckDb,
    /// SQLite, from 3.35 on.
    #[cfg_attr(feature = "cli", value(name = "sqlite"))]
    Sqlite,
    /// PostgreSQL, from 12 on.
    #[cfg_attr(feature = "cli", value(name = "postgres"))]
    Postgres,
}

/// The words for a missing value, as `docs/from-a-database.md` lists them.
const MISSING: &str =
    "(''), ('NA'), ('N/A'), ('NaN'), ('nan'), ('NaT'), ('<NA>'), ('NULL'), ('null'), ('\\N')";

/// Microseconds of a day.
pub(super) const DAY: &str = "86400000000";

impl Dialect {
    /// The name of the database.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::DuckDb => "DuckDB",
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// The type of names.
    pub(super) const fn text_type(self) -> &'static str {
        match self {
            Self::DuckDb => "VARCHAR",
            Self::Sqlite | Self::Postgres => "TEXT",
        }
    }

    /// The type of numbers.
    pub(super) const fn number_type(self) -> &'static str {
        match self {
            Self::DuckDb => "DOUBLE",
            Self::Sqlite => "REAL",
            Self::Postgres => "DOUBLE PRECISION",
        }
    }

    /// Settings of the session.
    pub(super) const fn prelude(self) -> &'static str {
        match self {
            // Times with an offset are of UTC; a parallel scan has no order of rows.
            Self::Postgres => {
                "SET TIME ZONE 'UTC';\nSET max_parallel_workers_per_gather = 0;\nSET synchronize_seqscans = off;\n"
            }
            Self::DuckDb | Self::Sqlite => "",
        }
    }

    /// Makes a table (`is_table`) or a view, in place of an older one.
    pub(super) fn create(self, is_table: bool, name: &str) -> String {
        let what = if is_table { "TABLE" } else { "VIEW" };
        match self {
            Self::DuckDb => format!("CREATE OR REPLACE TEMP {what} {name} AS"),
            Self::Sqlite => format!("DROP {what} IF EXISTS temp.{name};\nCREATE TEMP {what} {name} AS"),
            Self::Postgres => {
                format!("DROP {what} IF EXISTS pg_temp.{name} CASCADE;\nCREATE TEMP {what} {name} AS")
            }
        }
    }

    /// An index on a column of a table that [`Self::create`] made; DuckDB joins without.
    pub(super) fn index(self, name: &str, table: &str, column: &str) -> String {
        match self {
            Self::DuckDb => String::new(),
            Self::Sqlite => format!("CREATE INDEX temp.{name} ON {table} ({column});\n"),
            Self::Postgres => format!("CREATE INDEX {name} ON {table} ({column});\n"),
        }
    }

    /// Collects what the planner needs to know of a table.
    pub(super) fn analyze(self, table: &str) -> String {
        match self {
            Self::DuckDb => String::new(),
            Self::Sqlite => format!("ANALYZE temp.{table};\n"),
            Self::Postgres => format!("ANALYZE {table};\n"),
        }
    }

    /// The table of the words for a missing value.
    pub(super) fn missing(self) -> String {
        let create = self.create(true, "g_missing");
        format!(
            "{create}\n  SELECT column1 AS word FROM (VALUES {MISSING}) AS words{};\n",
            match self {
                Self::Sqlite => "",
                Self::DuckDb | Self::Postgres => " (column1)",
            }
        )
    }

    /// A cell of the user's without blanks at its ends; nothing where it is missing. SQLite's numbers stay numbers: as a
    /// text they would have fewer digits.
    pub(super) fn cell(self, column: &str) -> String {
        let text = format!("trim(CAST({column} AS {}))", self.text_type());
        match self {
            Self::DuckDb | Self::Postgres => {
                format!("CASE WHEN {text} NOT IN (SELECT word FROM g_missing) THEN {text} END")
            }
            Self::Sqlite => format!(
                "CASE WHEN typeof({column}) <> 'text' THEN {column} WHEN trim({column}) NOT IN (SELECT word FROM g_missing) THEN trim({column}) END"
            ),
        }
    }

    /// The name that a cell is: `12.0` names what `12` names.
    pub(super) fn name(self, cell: &str) -> String {
        match self {
            Self::DuckDb | Self::Postgres => format!("regexp_replace({cell}, '^(-?[0-9]+)[.]0+$', '\\1')"),
            Self::Sqlite => {
                let text = format!("CAST({cell} AS TEXT)");
                let short = format!("substr({text}, 1, length({text}) - 2)");
                format!(
                    "CASE WHEN {text} LIKE '%.0' AND {short} NOT GLOB '*[^-0-9]*' THEN {short} ELSE {text} END"
                )
            }
        }
    }

    /// What makes texts compare byte by byte.
    pub(super) const fn binary(self) -> &'static str {
        match self {
            Self::Postgres => " COLLATE \"C\"",
            Self::DuckDb | Self::Sqlite => "",
        }
    }

    /// The number that a cell is; nothing where it is none.
    pub(super) fn number(self, cell: &str) -> String {
        match self {
            Self::DuckDb => format!("TRY_CAST({cell} AS DOUBLE)"),
            Self::Sqlite => format!(
                "CASE WHEN typeof({cell}) <> 'text' OR ({cell} GLOB '*[0-9]*' AND {cell} NOT GLOB '*[^-+.eE0-9]*') \
                 THEN CAST({cell} AS REAL) END"
            ),
            Self::Postgres => format!(
                "CASE WHEN {cell} ~ '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$' \
                 THEN CAST({cell} AS DOUBLE PRECISION) END"
            ),
        }
    }

    /// The number of seconds of a length of time, as `1:27.452` or `1:34:50.616`, or the number that a cell is. The text of
    /// the decimal is read once: a sum would not be the nearest float.
    pub(super) fn seconds(self, cell: &str) -> String {
        const SHAPE: &str = "[0-9]{1,4}(:[0-5][0-9]){1,2}([.][0-9]{1,9})?";
        let (number, text) = (self.number(cell), self.text_type());
        let is_duration = match self {
            Self::DuckDb => format!("regexp_full_match({cell}, '{SHAPE}')"),
            Self::Postgres => format!("{cell} ~ '^{SHAPE}$'"),
            Self::Sqlite => format!("{cell} GLOB '[0-9]*:[0-5][0-9]*' AND {cell} NOT GLOB '*[^0-9:.]*'"),
        };
        let [first, second, third, fraction] = match self {
            Self::DuckDb | Self::Postgres => {
                let of = |at: u32| format!("split_part(split_part({cell}, '.', 1), ':', {at})");
                let fraction = format!("coalesce(nullif(split_part({cell}, '.', 2), ''), '0')");
                [of(1), of(2), format!("nullif({}, '')", of(3)), format!("'.' || {fraction}")]
            }
            Self::Sqlite => {
                let after = format!("substr({cell}, instr({cell}, ':') + 1)");
                let third = format!("CASE WHEN instr({after}, ':') > 0 THEN substr({after}, 4, 2) END");
                let point = format!("instr({cell}, '.')");
                let fraction = format!("CASE WHEN {point} > 0 THEN substr({cell}, {point}) ELSE '.0' END");
                let first = format!("substr({cell}, 1, instr({cell}, ':') - 1)");
                [first, format!("substr({after}, 1, 2)"), third, fraction]
            }
        };
        let whole = |field: &str| format!("CAST({field} AS INTEGER)");
        let (first, second, last) = (whole(&first), whole(&second), whole(&third));
        let minutes = format!("{first} * 60 + {second}");
        let seconds = format!("CASE WHEN {third} IS NULL THEN {minutes} ELSE ({minutes}) * 60 + {last} END");
        format!(
            "CASE WHEN {is_duration} THEN CAST(CAST({seconds} AS {text}) || {fraction} AS {}) ELSE {number} END",
            self.number_type()
        )
    }

    /// The name of a number.
    pub(super) fn name_of_number(self, number: &str) -> String {
        self.name(&format!("CAST({number} AS {})", self.text_type()))
    }

    /// Whether a text is one of these patterns, which know letters and classes of them.
    pub(super) fn fits(self, text: &str, patterns: &[String]) -> String {
        match self {
            Self::DuckDb => format!("regexp_full_match({text}, '{}')", patterns.join("|")),
            Self::Postgres => format!("{text} ~ '^({})$'", patterns.join("|")),
            Self::Sqlite => {
                let each: Vec<String> = patterns.iter().map(|of| format!("{text} GLOB '{of}'")).collect();
                format!("({})", each.join(" OR "))
            }
        }
    }

    /// The place of a letter in a text, from 1; 0 where it has none.
    pub(super) fn position(self, text: &str, letter: &str) -> String {
        match self {
            Self::DuckDb | Self::Sqlite => format!("instr({text}, '{letter}')"),
            Self::Postgres => format!("strpos({text}, '{letter}')"),
        }
    }

    /// The days from 1970 to a day as `2024-02-29`; nothing where no year has that day.
    pub(super) fn day_number(self, day: &str) -> String {
        match self {
            Self::DuckDb => format!("CAST(TRY_CAST({day} AS DATE) - DATE '1970-01-01' AS BIGINT)"),
            Self::Sqlite => {
                format!(
                    "CASE WHEN date({day}) = {day} THEN CAST(strftime('%s', {day}) AS INTEGER) / 86400 END"
                )
            }
            // A cast of a day that no year has ends the query. So the days of the month are counted from its first one.
            Self::Postgres => {
                let first = format!("CAST(substr({day}, 1, 8) || '01' AS DATE)");
                let found = format!("({first} + CAST(substr({day}, 9, 2) AS INTEGER) - 1)");
                format!(
                    "CASE WHEN {day} ~ '^[0-9]{{4}}-(0[1-9]|1[0-2])' AND {day} > '0001' THEN \
                     CASE WHEN CAST({found} AS TEXT) = {day} THEN CAST({found} - DATE '1970-01-01' AS BIGINT) END END"
                )
            }
        }
    }

    /// The day of UTC that a moment is in.
    fn day_of(self, moment: &str) -> String {
        let days = format!("CAST(floor({moment} / {DAY}.0) AS INTEGER)");
        match self {
            Self::DuckDb | Self::Postgres => format!("(DATE '1970-01-01' + {days})"),
            Self::Sqlite => {
                let days = format!("(({moment} - (({moment} % {DAY}) + {DAY}) % {DAY}) / {DAY})");
                format!("date({days} * 86400, 'unixepoch')")
            }
        }
    }

    /// The year of a moment.
    pub(super) fn year(self, moment: &str) -> String {
        let day = self.day_of(moment);
        match self {
            Self::DuckDb | Self::Postgres => format!("CAST(extract(year FROM {day}) AS BIGINT)"),
            Self::Sqlite => format!("CAST(strftime('%Y', {day}) AS INTEGER)"),
        }
    }

    /// The day of the year of a moment, from 1.
    pub(super) fn day_of_year(self, moment: &str) -> String {
        let day = self.day_of(moment);
        match self {
            Self::DuckDb | Self::Postgres => format!("CAST(extract(doy FROM {day}) AS BIGINT)"),
            Self::Sqlite => format!("CAST(strftime('%j', {day}) AS INTEGER)"),
        }
    }

    /// The month of a moment, its weekday from Monday as 1, or its hour.
    pub(super) fn calendar_part(self, moment: &str, part: CalendarPart) -> String {
        let (day, of_day) = (self.day_of(moment), format!("((({moment}) % {DAY}) + {DAY}) % {DAY}"));
        match (self, part) {
            (Self::Sqlite, CalendarPart::Hour) => format!("(({of_day}) / 3600000000)"),
            (Self::DuckDb | Self::Postgres, CalendarPart::Hour) => {
                format!("CAST(floor(({of_day}) / 3600000000.0) AS INTEGER)")
            }
            (Self::DuckDb | Self::Postgres, CalendarPart::Month) => format!("extract(month FROM {day})"),
            (Self::DuckDb | Self::Postgres, CalendarPart::Weekday) => format!("extract(isodow FROM {day})"),
            (Self::Sqlite, CalendarPart::Month) => format!("CAST(strftime('%m', {day}) AS INTEGER)"),
            (Self::Sqlite, CalendarPart::Weekday) => {
                format!("((CAST(strftime('%w', {day}) AS INTEGER) + 6) % 7 + 1)")
            }
        }
    }

    /// The number `n` of the last of numbered rows that hang on `parent` and exist before a moment.
    pub(super) fn last_row(self, rows: &str, parent: &str, before: &str) -> String {
        let seen = format!("FROM {rows} AS p WHERE p.a2 = {parent} AND p.since < {before}");
        match self {
            Self::DuckDb => format!("SELECT max(p.n) {seen}"),
            // An index leads to the last row.
            Self::Sqlite | Self::Postgres => {
                format!("SELECT p.n {seen} ORDER BY p.since DESC, p.n DESC LIMIT 1")
            }
        }
    }

    /// The latest of several times; nothing only where all are missing.
    pub(super) fn latest(self, times: &[String]) -> String {
        match (self, times) {
            (_, [only]) => only.clone(),
            (Self::DuckDb | Self::Postgres, _) => format!("greatest({})", times.join(", ")),
            (Self::Sqlite, _) => {
                let early = "-9223372036854775807";
                let known: Vec<String> =
                    times.iter().map(|time| format!("coalesce({time}, {early})")).collect();
                format!("nullif(max({}), {early})", known.join(", "))
            }
        }
    }

    /// Whether a number has no fraction.
    pub(super) fn is_whole(self, number: &str) -> String {
        match self {
            Self::DuckDb | Self::Postgres => format!("{number} = floor({number})"),
            Self::Sqlite => format!("{number} = CAST({number} AS INTEGER)"),
        }
    }

    /// A number that reads back as the same: the shortest such text.
    pub(super) fn constant(self, value: f64) -> String {
        let size = value.abs();
        let is_plain = value == 0.0 || (1e-5..1e15).contains(&size);
        let text = if is_plain { format!("{value:?}") } else { format!("{value:e}") };
        // DuckDB takes a number without an exponent for a decimal fraction, PostgreSQL both.
        let typed = match self {
            Self::DuckDb if !text.contains('e') => format!("{text}e0"),
            Self::DuckDb => text,
            Self::Sqlite if text.contains('.') || text.contains('e') => text,
            Self::Sqlite => format!("{text}.0"),
            Self::Postgres => format!("{text}::float8"),
        };
        if value.is_sign_negative() { format!("({typed})") } else { typed }
    }
}

#[cfg(test)]
mod tests {
    use super::Dialect;

    #[test]
    fn numbers_are_floats_everywhere() {
        for (value, duckdb, sqlite, postgres) in [
            (1.0, "1.0e0", "1.0", "1.0::float8"),
            (0.1, "0.1e0", "0.1", "0.1::float8"),
            (-2.5, "(-2.5e0)", "(-2.5)", "(-2.5::float8)"),
            (1e-7, "1e-7", "1e-7", "1e-7::float8"),
            (1.5e300, "1.5e300", "1.5e300", "1.5e300::float8"),
            (0.0, "0.0e0", "0.0", "0.0::float8"),
        ] {
            assert_eq!(Dialect::DuckDb.constant(value), duckdb);
            assert_eq!(Dialect::Sqlite.constant(value), sqlite);
            assert_eq!(Dialect::Postgres.constant(value), postgres);
        }
    }
}
