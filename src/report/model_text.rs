//! A model for a terminal of 80 columns: what it says of itself, with its tables.

use gleaner_lang::program::Symbols;
use gleaner_lang::syntax::read_clause;
use gleaner_learn::Model;
use gleaner_learn::explanation::Noun;
use gleaner_learn::shown::{
    Agreement, Column, Extent, Reading, Row, Table, TellingClause, TellingClauses, TwoByTwo,
};

/// Clauses of a table that are shown below the few that tell most.
const N_BELOW_TELLING: usize = 5;

/// Rules that `cv` shows of a model.
const N_RULES: usize = 5;

/// The model in short, if it has a short form. Then its sizes, its decisions and its clauses, some in a shorter form. Of
/// the whole model all clauses, and then what it says of the examples that it was learnt from.
#[must_use]
pub fn model(model: &dyn Model, symbols: &Symbols, reading: &Reading, extent: Extent) -> String {
    let summary = model.summary(symbols, extent);
    let text = reading.telling.as_ref().map_or_else(String::new, telling) + &summary.head;
    let text = text + &summary.tables.iter().map(|known| table(known, reading, extent)).collect::<String>();
    match (extent, &reading.agreement) {
        (Extent::Whole, Some(agreement)) => text + &two_by_two(agreement),
        (Extent::Whole, None) | (Extent::Short, _) => text,
    }
}

/// The first few rules of a model with their counts on train: those that tell most, where there are such; else the first
/// of its clauses. Nothing of a model that has no clauses of their own, as of trees.
#[must_use]
pub fn rules(model: &dyn Model, symbols: &Symbols, reading: &Reading) -> Vec<String> {
    if let Some(telling) = &reading.telling {
        return telling.clauses.iter().take(N_RULES).map(telling_line).collect();
    }
    let summary = model.summary(symbols, Extent::Short);
    let of_clauses = summary.tables.iter().find(|table| is_of_clauses(table));
    let Some(table) = of_clauses else { return Vec::new() };
    let n_cells = table.columns.len();
    let line = |row: &Shown<'_>| {
        let counts = row.cells.get(n_cells.saturating_sub(2)..).unwrap_or_default();
        format!("{}  {}", cells(&Column::COUNTS, counts), row.clause)
    };
    shown_rows(table, reading).iter().take(N_RULES).map(line).collect()
}

/// Aleph's table: what is so, against what the model says.
fn two_by_two(agreement: &Agreement) -> String {
    let of = |name: &str, table: &TwoByTwo| {
        let (positive, negative) = (table.predicted_positive, table.predicted_negative);
        let row = |first: &str, [of_positives, of_negatives]: [usize; 2]| {
            let sum = of_positives + of_negatives;
            format!("{first:<20}{of_positives:>10}{of_negatives:>10}{sum:>10}\n")
        };
        let all = [positive[0] + negative[0], positive[1] + negative[1]];
        if all == [0, 0] {
            return String::new();
        }
        format!("\n{:<20}{:>10}{:>10}{:>10}\n", format!("on {name}:"), "actual +", "actual -", "all")
            + &row("predicted +", positive)
            + &row("predicted -", negative)
            + &row("all", all)
    };
    of("train", &agreement.train) + &of("tune", &agreement.tune)
}

/// A clause that tells much, with its counts on train.
fn telling_line(TellingClause { clause, train }: &TellingClause) -> String {
    let Row { cells: counts, last } = Row::counted(*train, clause);
    format!("{}{last}", cells(&Column::COUNTS, &counts))
}

/// A few clauses, and what they are to the model.
fn telling(telling: &TellingClauses) -> String {
    let mut text = "\nthe model in short (train TP, FP):\n".to_owned();
    for clause in &telling.clauses {
        text.push_str(&telling_line(clause));
        text.push('\n');
    }
    let TellingClauses { f1, n_alike, n_examples, .. } = *telling;
    let alike =
        if n_alike == n_examples { format!("all {n_alike}") } else { format!("{n_alike} of {n_examples}") };
    text.push_str(&format!(
        "F1 {f1:.4} on train and tune; the whole model, below, decides\n{alike} examples alike\n\n"
    ));
    text
}

/// A row of a table as it is shown.
struct Shown<'t> {
    cells: &'t [String],
    /// What stands before its clause.
    indent: &'t str,
    /// Its clause, or whatever else follows its cells.
    clause: &'t str,
}

/// Whether the rows of a table are clauses, each by itself.
fn is_of_clauses(table: &Table) -> bool {
    table.columns == Column::COUNTS || table.last_title.trim() == "clause"
}

/// The rows in the form in which they are shown. Of clauses that follow each other with the same numbers the shortest
/// comes first, and of those that look alike one is shown.
fn shown_rows<'t>(table: &'t Table, reading: &'t Reading) -> Vec<Shown<'t>> {
    let shown = |row: &'t Row| {
        let clause = row.last.trim();
        let indent = &row.last[..row.last.len() - row.last.trim_start().len()];
        let form = reading.forms.get(clause).map_or(clause, String::as_str);
        Shown { cells: &row.cells, indent, clause: form }
    };
    let mut rows: Vec<Shown<'_>> = table.rows.iter().map(shown).collect();
    if is_of_clauses(table) {
        for alike in rows.chunk_by_mut(|left, right| left.cells == right.cells) {
            alike.sort_by_cached_key(|row| (n_literals(row.clause), row.clause));
        }
        rows.dedup_by(|next, row| next.cells == row.cells && next.clause == row.clause);
    }
    rows
}

/// The literals of a body.
fn n_literals(clause: &str) -> usize {
    read_clause(clause).map_or(usize::MAX, |statement| statement.body.len())
}

fn table(table: &Table, reading: &Reading, extent: Extent) -> String {
    let mut text = table.lead.clone();
    if table.columns.iter().any(|column| !column.title.is_empty()) {
        text.push_str(&titles(&table.columns, table.last_title));
    }
    let is_cut = reading.telling.is_some() && table.columns == Column::COUNTS;
    let rows = shown_rows(table, reading);
    let n_rows = if is_cut { extent.of(N_BELOW_TELLING) } else { rows.len() };
    for Shown { cells: numbers, indent, clause } in rows.iter().take(n_rows) {
        text.push_str(&cells(&table.columns, numbers));
        text.push_str(indent);
        text.push_str(clause);
        text.push('\n');
    }
    let n_more = table.n_more_clauses + rows.len().saturating_sub(n_rows);
    if n_more > 0 {
        let noun = if n_more == 1 { Noun::CLAUSES.one } else { Noun::CLAUSES.many };
        text.push_str(&format!("and {n_more} more {noun}: gleaner show MODEL --all\n"));
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
