//! Weighted clauses for a person: the heaviest that speak for an example, and those that speak against it.

use crate::learn::shown::{Column, Row, Summary, Table, metric, signed};
use crate::program::Symbols;
use crate::program::display::clause_text;

use super::model::{SrlModel, WeightedClause};

/// Clauses that are shown of each kind; the model file has all.
const N_SHOWN: usize = 15;

/// Sizes, the threshold, and the heaviest clauses.
pub(super) fn summary(model: &SrlModel, symbols: &Symbols) -> Summary {
    let mut head = format!(
        "{} clauses; a score is {:.4} and the weights of the clauses that cover an\nexample; C = {}\n",
        model.clauses.len(),
        model.intercept,
        model.cost,
    );
    head.push_str(&threshold_words(model));
    let kinds = [("for", true), ("against", false)];
    let tables = kinds.map(|(word, is_for)| table(model, symbols, word, is_for));
    Summary { head, tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect() }
}

/// What decides, with its figures on the examples that were held out.
fn threshold_words(model: &SrlModel) -> String {
    let Some((least, counts)) = model.threshold else {
        return "no score decides: of the held-out examples only all would be called positive\n".to_owned();
    };
    format!(
        "positive from a score of {least:.4} on; of held-out examples precision {},\nrecall {}\n",
        metric(counts.precision(model.chosen_on.negative_weight)),
        metric(counts.recall(model.chosen_on))
    )
}

fn table(model: &SrlModel, symbols: &Symbols, word: &str, is_for: bool) -> Table {
    let is_of_kind = |weighted: &&WeightedClause| (weighted.weight > 0.0) == is_for;
    let mut clauses: Vec<&WeightedClause> = model.clauses.iter().filter(is_of_kind).collect();
    clauses.sort_by(|left, right| right.weight.abs().total_cmp(&left.weight.abs()));
    let n_clauses = clauses.len();
    clauses.truncate(N_SHOWN);
    let row = |weighted: &&WeightedClause| Row {
        cells: vec![
            signed(weighted.weight),
            weighted.train.true_positives.to_string(),
            weighted.train.false_positives.to_string(),
        ],
        last: format!("  {}", clause_text(&weighted.clause, symbols)),
    };
    let columns = [("weight", 10), ("TP", 7), ("FP", 8)];
    Table {
        lead: format!("\n{n_clauses} clauses speak {word} an example, the heaviest first:\n"),
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        last_title: "  clause",
        rows: clauses.iter().map(row).collect(),
        n_more_clauses: n_clauses - clauses.len(),
    }
}
