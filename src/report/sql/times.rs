//! The times of the user's tables: each text once, as microseconds since 1970 of UTC.
//!
//! Databases read offsets of UTC in their own ways: `+02` is no time for SQLite, and DuckDB forgets it from 2.0 on. So
//! the texts are taken apart here, by the rules of ISO 8601 as gleaner reads it.
//!
//! Folds of a database's examples that a model froze: rows from a time on do not exist for them.
//!
//! What examples see of the rows that they point to: nothing of what came to be after their cut-offs.

use std::fmt::Write;

use gleaner_data::{ColumnPlace, FrozenFold, SeenColumn, TimeSplit, microseconds};

use super::dialect::{DAY, Dialect};
use super::tables::{Database, Form};
use super::text::text;

/// The table of times: `g_written` is the text, `g_moment` what it says, and `g_length` how long that takes to pass.
pub(super) const TIMES: &str = "g_times";

/// Leap seconds, which times of day have alone.
const LEAP_SECONDS: [&str; 2] = ["[Tt ][0-2][0-9]:[0-5][0-9]:60", "[Tt ][0-2][0-9][0-5][0-9]60"];

/// Times of day without their fraction, and offsets, behind a sign.
fn times_of_day(sign: &str) -> [String; 5] {
    let (hour, sixty) = ("[0-2][0-9]", "[0-5][0-9]");
    [
        format!("{sign}{hour}"),
        format!("{sign}{hour}:{sixty}"),
        format!("{sign}{hour}{sixty}"),
        format!("{sign}{hour}:{sixty}:{sixty}"),
        format!("{sign}{hour}{sixty}{sixty}"),
    ]
}

/// The seconds of a text of hours, and of minutes and seconds where it has them; its first letter is a sign. A leap
/// second is the one before it.
fn seconds(text: &str) -> String {
    let digits = format!("(replace(substr({text}, 2), ':', '') || '0000')");
    let field = |at: u32| format!("CAST(replace(substr({digits}, {at}, 2), '60', '59') AS BIGINT)");
    format!("({} * 3600 + {} * 60 + {})", field(1), field(3), field(5))
}

/// The statements that make the table of times, of the cells that these queries call `g_written`. Each step is a table:
/// databases write the queries of one within another out, and that takes minutes.
pub(super) fn table(cells: &[String], dialect: Dialect) -> String {
    let steps = [
        ("g_time_texts", texts(cells)),
        ("g_time_parts", parts(dialect)),
        ("g_time_clocks", clocks(dialect)),
        (TIMES, moments(dialect)),
    ];
    let mut text =
        "-- The times as your tables write them. `g_moment` is in microseconds since 1970, of UTC.\n"
            .to_owned();
    for (name, query) in steps {
        let _ = writeln!(text, "{}\n  {query};", dialect.create(true, name));
    }
    text + &dialect.index("g_times_by_text", TIMES, "g_written") + &dialect.analyze(TIMES)
}

/// Each text once, as its day and the rest.
fn texts(cells: &[String]) -> String {
    let is_extended = "substr(g_written, 5, 1) = '-'";
    let in_full =
        "substr(g_written, 1, 4) || '-' || substr(g_written, 5, 2) || '-' || substr(g_written, 7, 2)";
    format!(
        "SELECT DISTINCT g_written, CASE WHEN {is_extended} THEN substr(g_written, 1, 10) ELSE {in_full} END AS g_day,\n    \
         CASE WHEN {is_extended} THEN substr(g_written, 11) ELSE substr(g_written, 9) END AS g_rest\n  FROM (\n    {}\n  ) AS cells",
        cells.join("\n    UNION ")
    )
}

/// The rest as the time of day and the offset.
fn parts(dialect: Dialect) -> String {
    let at = |text: &str, sign: &str| dialect.position(text, sign);
    let at = format!("({} + {} + {})", at("g_rest", "+"), at("g_rest", "-"), at("upper(g_rest)", "Z"));
    format!(
        "SELECT g_written, g_day, g_rest, CASE WHEN {at} > 0 THEN substr(g_rest, 1, {at} - 1) ELSE g_rest END AS g_time,\n    \
         CASE WHEN {at} > 0 THEN substr(g_rest, {at}) ELSE '' END AS g_zone\n  FROM g_time_texts"
    )
}

/// The time of day without its fraction.
fn clocks(dialect: Dialect) -> String {
    let at = dialect.position("replace(g_time, ',', '.')", ".");
    format!(
        "SELECT g_written, g_day, g_rest, g_zone, CASE WHEN {at} > 0 THEN substr(g_time, 1, {at} - 1) ELSE g_time END AS g_clock,\n    \
         CASE WHEN {at} > 0 THEN substr(g_time, {at}) ELSE '' END AS g_fraction\n  FROM g_time_parts"
    )
}

/// What the parts say, where all of them can be read.
fn moments(dialect: Dialect) -> String {
    let fractions: Vec<String> = (1..=9).map(|n| format!("[.,]{}", "[0-9]".repeat(n))).collect();
    let zones: Vec<String> = std::iter::once("[Zz]".to_owned()).chain(times_of_day("[-+]")).collect();
    let clocks: Vec<String> =
        times_of_day("[Tt ]").into_iter().chain(LEAP_SECONDS.map(str::to_owned)).collect();
    let has_seconds = "length(replace(g_clock, ':', '')) = 7";
    format!(
        "SELECT g_written,\n    {days} * {DAY} + CASE WHEN g_clock = '' THEN 0 ELSE {clock} END * 1000000\n    \
         - CASE WHEN g_zone IN ('', 'Z', 'z') THEN 0 WHEN substr(g_zone, 1, 1) = '-' THEN -{zone} ELSE {zone} END * 1000000\n    \
         + CAST(substr(substr(g_fraction, 2) || '000000', 1, 6) AS INTEGER) AS g_moment,\n    \
         CASE WHEN g_clock = '' THEN {DAY} - 1 ELSE 0 END AS g_length\n  FROM g_time_clocks\n  \
         WHERE {is_day}\n    AND (g_rest = '' AND substr(g_written, 5, 1) = '-' OR {is_clock} AND substr(g_clock, 2, 2) < '24')\n    \
         AND (g_zone = '' OR {is_zone})\n    AND (g_fraction = '' OR {has_seconds} AND {is_fraction})",
        days = dialect.day_number("g_day"),
        clock = seconds("g_clock"),
        zone = seconds("g_zone"),
        is_day = dialect.fits("g_day", &["[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]".to_owned()]),
        is_clock = dialect.fits("g_clock", &clocks),
        is_zone = dialect.fits("g_zone", &zones),
        is_fraction = dialect.fits("g_fraction", &fractions),
    )
}

/// How many days old what was at `moment` is at `cut_off`: the one meaning of ages.
pub(super) fn age(cut_off: &str, moment: &str, dialect: Dialect) -> String {
    let day = dialect.constant(MICROSECONDS);
    format!("(CAST({cut_off} - {moment} AS {}) / {day})", dialect.number_type())
}

/// Whether an age is at most so many days, as [`age`] counts them; an index on the moment finds these.
pub(super) fn is_at_most(days: f64, cut_off: &str, moment: &str) -> String {
    format!("{moment} >= {cut_off} - {}", most_microseconds(days))
}

/// The microseconds of a day.
const MICROSECONDS: f64 = 86_400_000_000.0;

/// The most microseconds that are at most so many days: the days are rounded, and may be those of an age.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "below 2^53")]
fn most_microseconds(days: f64) -> i64 {
    let is_within = |microseconds: i64| microseconds as f64 / MICROSECONDS <= days;
    let near = (days * MICROSECONDS) as i64;
    (near - 2..=near + 2).rev().find(|&it| is_within(it)).unwrap_or(near)
}

/// The frozen folds, and what says the fold of an example.
#[derive(Debug, Default)]
pub(super) struct Freezing {
    frozen: Vec<FrozenFold>,
    /// The times at which sets begin, if the cut-offs say the folds.
    begins: Vec<String>,
}

impl Freezing {
    /// Folds by a split of the examples, else by their column of folds.
    pub(super) fn of(frozen: Vec<FrozenFold>, split: Option<&TimeSplit>) -> Self {
        let begins = split.map(|split| split.times.to_string());
        let begins = begins.iter().flat_map(|times| times.split(',')).map(str::to_owned).collect();
        Self { frozen, begins }
    }

    /// Whether the column of folds has to say them.
    pub(super) const fn needs_column(&self) -> bool {
        !self.frozen.is_empty() && self.begins.is_empty()
    }

    /// The moment from which on rows do not exist for an example: its cut-off, or the earlier one at which its fold is
    /// frozen. `fold` is the cell that says its fold.
    pub(super) fn before(&self, cut_off: &str, fold: Option<&str>) -> String {
        let case = |freeze: &FrozenFold| {
            let is_of_fold = self.is_of_fold(&freeze.fold, cut_off, fold)?;
            let moment = moment(&freeze.time);
            Some(format!(" WHEN {is_of_fold} AND {moment} < {cut_off} THEN {moment}"))
        };
        let cases: String = self.frozen.iter().filter_map(case).collect();
        if cases.is_empty() { cut_off.to_owned() } else { format!("CASE{cases} ELSE {cut_off} END") }
    }

    /// The condition that an example's fold is frozen later than its cut-off, or never; none where no fold is.
    pub(super) fn is_later(&self, cut_off: &str, fold: Option<&str>) -> Option<String> {
        let frozen = self.frozen.iter().filter_map(|freeze| {
            let is_of_fold = self.is_of_fold(&freeze.fold, cut_off, fold)?;
            Some(format!("{is_of_fold} AND {} <= {cut_off}", moment(&freeze.time)))
        });
        let frozen = frozen.collect::<Vec<_>>().join(" OR ");
        // A row without a fold is not frozen.
        (!frozen.is_empty()).then(|| format!("CASE WHEN {frozen} THEN 0 ELSE 1 END = 1"))
    }

    fn is_of_fold(&self, name: &str, cut_off: &str, fold: Option<&str>) -> Option<String> {
        let names: &[&str] = match self.begins.len() {
            0 => return Some(format!("{} = {}", fold?, text(name))),
            1 => &["train", "test"],
            _ => &["train", "tune", "test"],
        };
        let at = names.iter().position(|known| *known == name)?;
        let from = at.checked_sub(1).and_then(|before| self.begins.get(before));
        let from = from.map(|begin| format!("{cut_off} >= {}", moment(begin)));
        let to = self.begins.get(at).map(|begin| format!("{cut_off} < {}", moment(begin)));
        Some(from.into_iter().chain(to).collect::<Vec<_>>().join(" AND "))
    }

    /// What to say of it above the examples.
    pub(super) fn remark(&self, has_fold: bool) -> String {
        let frozen: Vec<String> = self.frozen.iter().map(ToString::to_string).collect();
        let frozen = frozen.join(" and ");
        match (self.frozen.is_empty(), has_fold || !self.begins.is_empty()) {
            (true, _) => ": to freeze a fold, make it earlier there".to_owned(),
            (false, true) => format!(": the model froze {frozen}"),
            (false, false) => format!(": the model froze {frozen}, so make it earlier there for that fold"),
        }
    }
}

/// A time in microseconds since 1970.
fn moment(written: &str) -> String {
    microseconds(written).map_or_else(|| "NULL".to_owned(), |it| it.to_string())
}

/// When an example, whose row is `r`, sees a row that came to be `since` a moment.
#[derive(Debug)]
pub(super) struct Sight {
    /// The moment from which on rows do not exist for it.
    before: String,
    /// The moment of its cut-off, and the end of that.
    cut_off: [String; 2],
    /// The condition under which it sees rows of that moment; none if it always does.
    sees_same: Option<String>,
}

impl Sight {
    /// By the column of the cut-offs, and that of folds if it says what is frozen.
    pub(super) fn new(
        database: &Database<'_>,
        freezing: &Freezing,
        (cut_off, fold): (ColumnPlace, Option<ColumnPlace>),
    ) -> Self {
        let begin = format!("r.{}", database.column(cut_off, Form::Value));
        let end = format!("r.{}", database.end_column(cut_off));
        let fold = fold.map(|fold| format!("r.{}", database.column(fold, Form::Text)));
        let before = freezing.before(&begin, fold.as_deref());
        let sees_same = freezing.is_later(&begin, fold.as_deref());
        Self { before, cut_off: [begin, end], sees_same }
    }

    /// The joins that find when the rows on a path came to be, whose aliases are `r_0` and so on; and the conditions under
    /// which the example sees all of them.
    pub(super) fn of_path(&self, seen: &SeenColumn, database: &Database<'_>) -> (String, String) {
        let (mut joins, mut conditions) = (String::new(), String::new());
        for (number, &step) in seen.path.iter().enumerate() {
            let Some(to) = database.schema.points_to(step) else { continue };
            if database.schema.sight_sources(to).is_empty() {
                continue;
            }
            let (row, time) = (format!("r_{number}"), format!("t_{number}"));
            let times = database.time_table(to);
            let _ = write!(joins, "\n    LEFT JOIN {times} AS {time} ON {time}.position = {row}.g_position");
            let Self { before, cut_off: [begin, end], sees_same } = self;
            let is_far = number > 0 && database.schema.parts(step).next().is_some();
            let same = (!is_far).then(|| {
                let is_free = sees_same.as_ref().map(|it| format!(" AND {it}")).unwrap_or_default();
                format!(" OR {time}.moment <= {begin} AND {time}.since <= {end}{is_free}")
            });
            let same = same.unwrap_or_default();
            let _ = write!(conditions, "\n      AND ({time}.since IS NULL OR {time}.since < {before}{same})");
        }
        (joins, conditions)
    }
}

#[cfg(test)]
mod tests {
    use super::{MICROSECONDS, most_microseconds};

    /// An age is at most itself, and no age that is a microsecond more.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    fn ages_are_at_most_themselves() {
        for microseconds in [0_i64, 1, 7, 999_999, 2_551_683_337_001, 2_592_000_000_000, 863_913_600_000_001]
        {
            assert_eq!(most_microseconds(microseconds as f64 / MICROSECONDS), microseconds);
        }
        assert_eq!(most_microseconds(30.0), 30 * 24 * 60 * 60 * 1_000_000);
    }
}

#[cfg(test)]
mod freezing_tests {
    use super::Freezing;

    #[test]
    fn the_earlier_moment_counts() {
        let frozen = || vec!["test=2010-01-01".parse().expect("a fold")];
        let before = |of: &Freezing, fold| of.before("r.day", fold);
        // The first moments of 2010-05-01, 2005-01-01 and 2010-01-01, by `date --utc +%s`.
        let [begin, tune, freeze] =
            [1_272_672_000, 1_104_537_600, 1_262_304_000].map(|it: i64| it * 1_000_000);
        assert_eq!(before(&Freezing::default(), Some("r.fold")), "r.day");
        let by_column = Freezing::of(frozen(), None);
        let expected = format!("CASE WHEN r.fold = 'test' AND {freeze} < r.day THEN {freeze} ELSE r.day END");
        assert_eq!(before(&by_column, Some("r.fold")), expected);
        assert_eq!(before(&by_column, None), "r.day");
        let split =
            |times: &str| gleaner_data::TimeSplit { times: times.parse().expect("times"), horizon: None };
        for (times, fold, is_of_fold) in [
            ("2010-05-01", "test", format!("r.day >= {begin}")),
            ("2010-05-01", "train", format!("r.day < {begin}")),
            ("2005-01-01,2010-05-01", "test", format!("r.day >= {begin}")),
            ("2005-01-01,2010-05-01", "tune", format!("r.day >= {tune} AND r.day < {begin}")),
        ] {
            let frozen = vec![format!("{fold}=2010-01-01").parse().expect("a fold")];
            let expected =
                format!("CASE WHEN {is_of_fold} AND {freeze} < r.day THEN {freeze} ELSE r.day END");
            assert_eq!(before(&Freezing::of(frozen, Some(&split(times))), None), expected, "{times} {fold}");
        }
        // A fold that the split does not make.
        let other = vec!["late=2010-01-01".parse().expect("a fold")];
        assert_eq!(before(&Freezing::of(other, Some(&split("2010-05-01"))), None), "r.day");
    }
}
