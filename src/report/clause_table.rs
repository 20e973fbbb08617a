//! The clauses of a model as a table: what each covers, and test examples that it covers.

use crate::experiment::runs::clause_counts::{ClauseCounts, CoveredExample};
use gleaner_data::Problem;

use super::csv_tables::records;
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
