//! Mined queries as a file of clauses, or as CSV.

use std::fmt::Write;

use crate::experiment::clauses::mine::{MineAnswer, QuerySupport};
use gleaner_learn::shown::Noun;

use super::csv_tables::table;

/// A clause on each line, with its covers in a comment: a file that `features`, `cover` and `--feature-clauses` read.
pub fn clauses(answer: &MineAnswer) -> String {
    let sizes: Vec<String> = answer.classes.0.iter().map(|(name, n)| format!("{n} {name}")).collect();
    let mut text = format!(
        "% {} of {}, each with those that it covers.\n",
        QUERIES.counted(answer.queries.len()),
        listed(&sizes)
    );
    for QuerySupport { query, covered, .. } in &answer.queries {
        let covered: Vec<String> = covered.0.iter().map(|(_, n)| n.to_string()).collect();
        let _ = writeln!(text, "{query}  % {}", covered.join(" "));
    }
    text
}

fn listed(names: &[String]) -> String {
    names.split_last().map_or_else(String::new, |(last, rest)| format!("{} and {last}", rest.join(", ")))
}

/// CSV: `query`, `length`, the number of covered examples of each class, as `positives`, `negatives`, and
/// `information`.
pub fn csv(answer: &MineAnswer) -> String {
    let classes = answer.classes.0.iter().map(|(name, _)| name.as_str());
    let header: Vec<&str> = ["query", "length"].into_iter().chain(classes).chain(["information"]).collect();
    let row = |of: &QuerySupport| {
        [of.query.clone(), of.length.to_string()]
            .into_iter()
            .chain(of.covered.0.iter().map(|(_, n)| n.to_string()))
            .chain([of.information.to_string()])
            .collect()
    };
    table(&header, answer.queries.iter().map(row))
}

/// The result of mining, for a person: a line for each length.
pub fn lines(answer: &MineAnswer) -> String {
    let mut text = String::new();
    for level in &answer.levels {
        let _ = writeln!(
            text,
            "length {}: {} frequent of {} candidates; not counted: {} with a rarer part, {} implied by facts",
            level.length, level.n_frequent, level.n_candidates, level.n_infrequent_part, level.n_implied
        );
        if level.n_not_lengthened > 0 {
            let _ = writeln!(
                text,
                "  {} shorter ones that tell least were not lengthened (⁅candidates⁆)",
                level.n_not_lengthened
            );
        }
    }
    let _ = write!(text, "{} written", QUERIES.counted(answer.written));
    text
}

const QUERIES: Noun = Noun { one: "query", many: "queries" };
