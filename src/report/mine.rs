//! Mined queries as a file of clauses, or as CSV.

use std::fmt::Write;

use crate::experiment::mine::{MineAnswer, QuerySupport};
use crate::learn::explanation::Noun;

use super::csv_tables::table;

/// A clause on each line, with what it covers in a comment: a file that `features`, `cover` and `--feature-clauses` read.
#[must_use]
pub fn clauses(answer: &MineAnswer) -> String {
    let MineAnswer { positives, negatives, .. } = answer;
    let mut text = format!(
        "% {} of {positives} positives and {negatives} negatives, each with those that it covers.\n",
        QUERIES.counted(answer.queries.len())
    );
    for QuerySupport { query, positives, negatives, .. } in &answer.queries {
        let _ = writeln!(text, "{query}  % {positives} {negatives}");
    }
    text
}

/// CSV: `query`, `length`, `positives`, `negatives`, `information`.
#[must_use]
pub fn csv(answer: &MineAnswer) -> String {
    let header = ["query", "length", "positives", "negatives", "information"];
    let row = |of: &QuerySupport| {
        vec![
            of.query.clone(),
            of.length.to_string(),
            of.positives.to_string(),
            of.negatives.to_string(),
            of.information.to_string(),
        ]
    };
    table(&header, answer.queries.iter().map(row))
}

/// What was mined, for a person: a line for each length.
#[must_use]
pub fn lines(answer: &MineAnswer) -> String {
    let mut text = String::new();
    for level in &answer.levels {
        let _ = writeln!(
            text,
            "length {}: {} frequent of {} candidates; {} spared by a rarer part, {} by the facts",
            level.length, level.n_frequent, level.n_candidates, level.n_infrequent_part, level.n_implied
        );
    }
    let _ = write!(text, "{} written", QUERIES.counted(answer.written));
    text
}

const QUERIES: Noun = Noun { one: "query", many: "queries" };
