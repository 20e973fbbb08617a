//! Weighted clauses for a person: the heaviest that speak for an example, and those that speak against it.

use std::fmt::Write;

use crate::explanation::Noun;
use crate::network::Network;
use crate::shown::{Column, Extent, Row, Summary, Table, signed, threshold_line};
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::clause_text;

use super::model::{ScoredClause, SrlModel};

/// Clauses that are shown of each kind; the model file has all.
const N_SHOWN: usize = 15;

/// Sizes, the threshold, and the heaviest clauses.
pub(super) fn summary(model: &SrlModel, symbols: &Symbols, extent: Extent) -> Summary {
    let sum = match &model.network {
        Network::Svm(sum) if sum.products.is_empty() => Some(sum),
        Network::NaiveBayes(_)
        | Network::OneOfMany(_)
        | Network::Tan(_)
        | Network::Svm(_)
        | Network::Similarity(_) => None,
    };
    let mut head = sum.map_or_else(
        || model.network.words(),
        |sum| {
            format!(
                "{}; a score is {:.4} and the weights of the clauses that cover an\nexample",
                Noun::CLAUSES.counted(model.clauses.len()),
                sum.intercept
            ) + if model.cost.is_some() { "; " } else { "\n" }
        },
    );
    if let Some(cost) = model.cost {
        let _ = writeln!(head, "C = {cost}");
    }
    head.push_str(&threshold_line(model.threshold, model.chosen_on));
    let Some(sum) = sum else {
        let table = model.network.table(&model.clauses_with_counts(), symbols, extent);
        return Summary { head, tables: vec![table] };
    };
    let weighted: Vec<Weighted<'_>> = model.clauses.iter().zip(sum.weights.iter().copied()).collect();
    let kinds = [("for", true), ("against", false)];
    let tables = kinds.map(|kind| table(&weighted, symbols, kind, extent));
    Summary { head, tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect() }
}

/// A clause with its weight.
type Weighted<'m> = (&'m ScoredClause, f64);

fn table(
    weighted: &[Weighted<'_>],
    symbols: &Symbols,
    (word, is_for): (&str, bool),
    extent: Extent,
) -> Table {
    let mut clauses: Vec<&Weighted<'_>> =
        weighted.iter().filter(|(_, weight)| (*weight > 0.0) == is_for).collect();
    clauses.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()));
    let n_clauses = clauses.len();
    let speaking = Noun { one: "clause speaks", many: "clauses speak" };
    clauses.truncate(extent.of(N_SHOWN));
    let row = |&&(scored, weight): &&Weighted<'_>| Row {
        cells: vec![
            signed(weight),
            scored.train.true_positives.to_string(),
            scored.train.false_positives.to_string(),
        ],
        last: format!("  {}", clause_text(&scored.clause, symbols)),
    };
    let columns = [("weight", 10), ("TP", 7), ("FP", 8)];
    Table {
        lead: format!("\n{} {word} an example, the heaviest first:\n", speaking.counted(n_clauses)),
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        last_title: "  clause",
        rows: clauses.iter().map(row).collect(),
        n_more_clauses: n_clauses - clauses.len(),
    }
}
