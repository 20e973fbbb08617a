//! The clauses of a model as a table: what each covers, and test examples that it covers.
//!
//! The covers of clauses, as rows of CSV and as events.

use gleaner_data::Problem;
use serde_json::Value as Json;

use crate::experiment::clauses::cover::CoveredClause;
use crate::experiment::runs::clause_counts::{ClauseCounts, CoveredExample};

use super::answer;
use super::csv_tables::{number, records, table};
use super::reasons::Writer;

/// `clause,train_true_positives,train_false_positives,...,in_words,test_true_positive,test_false_positive`: a row for each
/// clause. The last two are the first positive and the first negative of test that it covers, each as a clause with the values
/// of a proof.
pub fn csv(clauses: &[ClauseCounts], problem: &Problem) -> String {
    let sets = ["train", "tune", "test", "added"];
    let counts =
        sets.iter().flat_map(|set| [format!("{set}_true_positives"), format!("{set}_false_positives")]);
    let names = std::iter::once("clause".to_owned()).chain(counts);
    let last = ["in_words", "test_true_positive", "test_false_positive"].map(str::to_owned);
    let header: Vec<String> = names.chain(last).collect();
    let writer = Writer::of(problem);
    let shown = |covered: &Option<CoveredExample>| {
        covered
            .as_ref()
            .map_or_else(String::new, |of| writer.covered(of.example, &of.clause, of.binding.as_ref()))
    };
    let rows = clauses.iter().map(|of| {
        let counts = of.covered.iter().chain([&of.added]);
        let numbers = counts.flat_map(|counts| [counts.true_positives, counts.false_positives]);
        let cells = std::iter::once(of.clause.clone()).chain(numbers.map(|number| number.to_string()));
        cells.chain([of.in_words.clone().unwrap_or_default()]).chain(of.shown.each_ref().map(shown)).collect()
    });
    records(std::iter::once(header).chain(rows))
}

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
