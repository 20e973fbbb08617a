//! The times of the user's tables: each text once, as microseconds since 1970 of UTC.
//!
//! Databases read offsets of UTC in their own ways: `+02` is no time for SQLite, and DuckDB forgets it from 2.0 on. So
//! the texts are taken apart here, by the rules of ISO 8601 as gleaner reads it.

use std::fmt::Write;

use super::dialect::{DAY, Dialect};

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
