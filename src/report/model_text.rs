//! A model for a terminal of 80 columns: what it says of itself, with its tables.

use crate::learn::Model;
use crate::learn::explanation::Noun;
use crate::learn::shown::{Column, Reading, Row, Table, TellingClause, TellingClauses};
use crate::program::Symbols;

/// Clauses of a table that are shown below the few that tell most.
const N_BELOW_TELLING: usize = 5;

/// The model in short, if it has a short form. Then its sizes, its decisions and its clauses, some in a shorter form.
#[must_use]
pub fn model(model: &dyn Model, symbols: &Symbols, reading: &Reading) -> String {
    let summary = model.summary(symbols);
    let text = reading.telling.as_ref().map_or_else(String::new, telling) + &summary.head;
    text + &summary.tables.iter().map(|known| table(known, reading)).collect::<String>()
}

/// A few clauses, and what they are to the model.
fn telling(telling: &TellingClauses) -> String {
    let mut text = "\nthe model in short (train TP, FP):\n".to_owned();
    for TellingClause { clause, train } in &telling.clauses {
        let Row { cells: counts, last } = Row::counted(*train, clause);
        text.push_str(&format!("{}{last}\n", cells(&Column::COUNTS, &counts)));
    }
    let TellingClauses { f1, n_alike, n_examples, .. } = *telling;
    let alike =
        if n_alike == n_examples { format!("all {n_alike}") } else { format!("{n_alike} of {n_examples}") };
    text.push_str(&format!(
        "F1 {f1:.4} on train and tune; the whole model, below, decides\n{alike} examples alike\n\n"
    ));
    text
}

fn table(table: &Table, reading: &Reading) -> String {
    let mut text = table.lead.clone();
    if table.columns.iter().any(|column| !column.title.is_empty()) {
        text.push_str(&titles(&table.columns, table.last_title));
    }
    let is_cut = reading.telling.is_some() && table.columns == Column::COUNTS;
    let n_rows = if is_cut { N_BELOW_TELLING } else { table.rows.len() };
    for row in table.rows.iter().take(n_rows) {
        text.push_str(&cells(&table.columns, &row.cells));
        match reading.forms.get(row.last.trim()) {
            Some(other) => text.push_str(&row.last.replace(row.last.trim(), other)),
            None => text.push_str(&row.last),
        }
        text.push('\n');
    }
    let n_more = table.n_more_clauses + table.rows.len().saturating_sub(n_rows);
    if n_more > 0 {
        let noun = if n_more == 1 { Noun::CLAUSES.one } else { Noun::CLAUSES.many };
        text.push_str(&format!("and {n_more} more {noun}: gleaner show MODEL --to pl\n"));
    }
    text
}

/// The line of titles.
pub(super) fn titles(columns: &[Column], last: &str) -> String {
    let titles: Vec<String> = columns.iter().map(|column| column.title.to_owned()).collect();
    format!("{}{last}\n", cells(columns, &titles))
}

/// A row's cells, to the right of their columns.
pub(super) fn cells(columns: &[Column], cells: &[String]) -> String {
    columns.iter().zip(cells).map(|(column, cell)| format!("{cell:>0$}", column.width)).collect()
}
