//! The covers of clauses, as rows of CSV and as events.

use serde_json::Value as Json;

use crate::experiment::clauses::cover::CoveredClause;

use super::answer;
use super::csv_tables::{number, records, table};

/// The event of a clause.
pub fn clause_event(clause: &CoveredClause) -> Json {
    answer::event("clause", clause)
}

/// `clause,tp,fp,precision,recall,support`, and the examples as facts, which can be read back.
fn row(clause: &CoveredClause) -> Vec<String> {
    let mut row = vec![
        clause.clause.clone(),
        clause.true_positives.to_string(),
        clause.false_positives.to_string(),
        number(clause.precision),
        number(clause.recall),
        clause.support.to_string(),
    ];
    row.extend(clause.examples.as_ref().map(|examples| {
        examples.iter().map(|example| format!("{example}.")).collect::<Vec<String>>().join(" ")
    }));
    row
}

/// The header of the rows.
pub fn header(has_examples: bool) -> String {
    let names = ["clause", "tp", "fp", "precision", "recall", "support", "examples"];
    let n_columns = if has_examples { names.len() } else { names.len() - 1 };
    table(&names[..n_columns], std::iter::empty())
}

/// The rows of some clauses, without the header.
pub fn rows(clauses: &[CoveredClause]) -> String {
    records(clauses.iter().map(row))
}
